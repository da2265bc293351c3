"""Builds states of Kintsugi directly, in the words of the game."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.kintsugi.rules import DRAFT, REPAIR

MARKS = {"": "unbroken", "!": "broken", "*": "repaired"}


def table(
    name: str = "kintsugi",
    *,
    collections: Sequence[Sequence[str]] = (),
    tokens: Sequence[int] = (),
    draft: Sequence[str] | None = None,
    deck: Sequence[str] | None = None,
    mover: int | None = None,
    first_player: int = 0,
    supply: int | None = None,
    custom_deck: Sequence[Any] | None = None,
    **config: Any,
) -> Batch:
    """A one-game batch.

    Cards are kinds such as "cup blue"; in a collection "cup blue!" is broken and "cup blue*" repaired. `draft` is the
    draft area (and so says which draft turn it is), `deck` what is left of the deck, top first. `custom_deck` is the
    table of a deck that replaces the default one.
    """
    if custom_deck is not None:
        config["deck"] = custom_deck
    batch = parlour.batch(name, seed=1, first_player=first_player, **config)
    s = batch._states[0]
    kinds = batch.game.describe.__self__.kinds  # type: ignore[attr-defined]
    if draft is not None:
        s.draft_size = len(draft)
        start = int(s.top) - 2 * batch.game.players - 1
        s.deck[start : start + len(draft)] = [kinds.index(card) for card in draft]
    if deck is not None:
        s.cards = int(s.top) + len(deck)
        s.deck[int(s.top) : int(s.cards)] = [kinds.index(card) for card in deck]
    for seat, cards in enumerate(collections):
        for card in cards:
            mark = card[-1] if card[-1] in "!*" else ""
            getattr(s, MARKS[mark])[seat, kinds.index(card.rstrip("!*"))] += 1
    for seat, count in enumerate(tokens):
        s.tokens[seat] = count
    if supply is not None:
        s.supply = supply
    if mover is not None:
        s.player = mover
    refresh(batch)
    return batch


def repair_table(name: str = "kintsugi", *, mover: int = 0, free: bool = False, **given: Any) -> Batch:
    """As `table`, in the repair phase, with `mover` to repair."""
    batch = table(name, draft=[], mover=mover, **given)
    s = batch._states[0]
    s.phase = REPAIR
    s.free_repair = (1 << batch.game.players) - 1 if free else 0
    refresh(batch)
    return batch


def refresh(batch: Batch) -> None:
    assert int(batch._states[0].phase) in (DRAFT, REPAIR)
    batch._kernels.masks(batch._states, np.arange(1), batch._masks)
    batch._seen_now = False


def legal(batch: Batch) -> set[str]:
    """The legal actions in words."""
    return {batch.game.action_text(int(a)) for a in np.flatnonzero(batch.legal[0])}


def play(batch: Batch, *actions: str) -> None:
    """Play actions given in words."""
    for action in actions:
        (number,) = [a for a in range(batch.game.num_actions) if batch.game.action_text(a) == action]
        batch.step([number])


def seat(batch: Batch, number: int) -> dict[str, Any]:
    found: dict[str, Any] = batch.describe()["seats"][number]
    return found


def mover(batch: Batch) -> int:
    """Whose turn it is, -1 when the game is over."""
    return int(batch.current_player[0])


def after_break(name: str = "kintsugi", *, leftover: str, top: str, **given: Any) -> Batch:
    """The last draft turn of a round is played: the first player has sold a box, the two cards have done their work.

    It is the last round unless `rest` gives more of the deck than its top card.
    """
    deck = [top, *given.pop("rest", ())]
    batch = table(name, draft=[leftover, "box"], deck=deck, **given)
    play(batch, "sell box")
    return batch


def points(cards: Sequence[str], *others: Sequence[str], name: str = "kintsugi", tokens: int = 0, **config: Any) -> int:
    """What a collection scores, beside those of the other players."""
    collections = [cards, *(others or [[]])]
    batch = table(name, collections=collections, tokens=[tokens], players=len(collections), **config)
    return int(batch.scores()[0, 0])


def final_rewards(*collections: Sequence[str], name: str = "kintsugi", **config: Any) -> list[float]:
    """The rewards of a game that ends with these collections, nobody having tokens to repair with."""
    batch = repair_table(name, collections=collections, players=len(collections), deck=["gold"], **config)
    rewards, terminated, truncated = batch.step([batch.game.num_actions - 1])
    assert terminated.all()
    assert not truncated.any()
    return [float(reward) for reward in rewards[0]]
