"""Builds states of Klink directly, in the words of the game."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.klink.components import KINDS, LOWEST, MAX_ABILITIES
from parlour.envs.klink.rules import KEEP_OR_PASS, LOOK


def table(
    *,
    face_up: Sequence[Sequence[int]] = (),
    face_down: Sequence[Sequence[int]] = (),
    drawn: Sequence[int] = (),
    deck: Sequence[int] = (),
    visible: Sequence[str] = KINDS,
    ability_deck: Sequence[str] | None = None,
    totals: Sequence[int] = (),
    holders: Sequence[int] = (0,),
    looks: Mapping[int, int] | None = None,
    round_number: int = 1,
    **config: Any,
) -> Batch:
    """A one-game batch in which the last of `holders` has this turn's two cards.

    `face_up` and `face_down` are the collections by seat, `drawn` the cards in slots 0 and 1, `deck` the number deck
    below them, top first; cards named nowhere follow in ascending order. `ability_deck` is top first too, and abilities
    named nowhere are discarded; without it they are the deck. `looks` says which slot a seat has looked at.
    """
    batch = parlour.batch("klink", seed=1, **config)
    s = batch._states[0]
    lay_numbers(s, face_up, face_down, [*drawn, *deck])
    lay_abilities(s, visible, ability_deck)
    s.totals[: len(totals)] = totals
    s.round_number = round_number
    s.offers = len(holders)
    s.offered[:] = 0
    s.offered[list(holders)] = np.arange(1, len(holders) + 1)
    s.looked[:] = -1
    for seat, slot in (looks or {}).items():
        s.looked[seat] = slot
    s.player = holders[-1]
    s.phase = KEEP_OR_PASS if s.looked[holders[-1]] >= 0 else LOOK
    refresh(batch)
    return batch


def lay_numbers(
    s: Any, face_up: Sequence[Sequence[int]], face_down: Sequence[Sequence[int]], next_cards: Sequence[int]
) -> None:
    """Collections as given; the deck begins with `next_cards`, the first two of which are drawn."""
    laid = [value for cards in [*face_up, *face_down] for value in cards]
    rest = Counter({LOWEST + i: int(count) for i, count in enumerate(s.numbers)})
    rest.subtract([*laid, *next_cards])
    assert min(rest.values()) >= 0, f"more cards than there are: {-rest}"
    s.face_up[:], s.pairs[:], s.collected[:] = 0, 0, 0
    for seat, cards in enumerate(face_up):
        assert len(set(cards)) == len(cards)
        s.face_up[seat] = sum(1 << value - LOWEST for value in cards)
        s.collected[seat] += len(cards)
    for seat, cards in enumerate(face_down):
        for value, count in Counter(cards).items():
            assert count % 2 == 0
            s.pairs[seat, value - LOWEST] = count // 2
        s.collected[seat] += len(cards)
    order = [*laid, *next_cards, *sorted(rest.elements())]
    s.deck[: int(s.cards)] = [value - LOWEST for value in order]
    s.top = len(laid) + 2
    s.unseen[:] = np.bincount(s.deck[len(laid) : int(s.cards)], minlength=26)


def lay_abilities(s: Any, visible: Sequence[str], ability_deck: Sequence[str] | None) -> None:
    rest = Counter({kind: int(count) for kind, count in zip(KINDS, s.abilities, strict=True)})
    rest.subtract([*visible, *(ability_deck or ())])
    assert min(rest.values()) >= 0, f"more abilities than there are: {-rest}"
    deck = list(rest.elements()) if ability_deck is None else ability_deck
    s.visible[:] = [KINDS.index(kind) for kind in visible]
    s.ability_top = MAX_ABILITIES - len(deck)
    s.ability_deck[int(s.ability_top) :] = [KINDS.index(kind) for kind in deck]
    s.discard[:] = 0 if ability_deck is None else [rest[kind] for kind in KINDS]


def refresh(batch: Batch) -> None:
    batch.game.rules.record.refuse_impossible(batch._states)
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


def kept(**given: Any) -> Batch:
    """As `table`; then the holder has looked at slot 0 and kept both cards."""
    batch = table(**given)
    play(batch, "look at slot 0", "keep both")
    return batch


def triad(*, face_up: Sequence[Sequence[int]] = ((1, 2),), seat: int = 0, **given: Any) -> Batch:
    """As `table`, but a seat that had the 1 and the 2 has just kept a 3 and a 14, so that it must use an ability."""
    return kept(face_up=face_up, drawn=[3, 14], holders=[seat], **given)


def told(batch: Batch, key: str) -> Any:
    return batch.describe()[key]


def mover(batch: Batch) -> int:
    """Whose turn it is, -1 when the game is over."""
    return int(batch.current_player[0])
