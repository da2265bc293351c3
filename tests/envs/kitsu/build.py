"""Builds states of Kitsu directly, in the words of the game."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.kitsu.components import CARDS, COLOURS, COPIES, NO_CARD, TOKENS
from parlour.envs.kitsu.state import EXCHANGE, PLAY
from parlour.envs.kitsu.text import LAID, action_text


def deck(players: int) -> Counter[str]:
    """All cards of a game."""
    return Counter(dict(zip(CARDS, map(int, COPIES[players // 6]), strict=True)))


def table(
    *,
    hands: Sequence[Sequence[str]] = (),
    trick: Sequence[str] = (),
    finished: Sequence[Sequence[str]] = (),
    leader: int = 0,
    pile: Sequence[str] = (),
    tokens: Mapping[int, str] | None = None,
    pool: Sequence[str] = TOKENS,
    pawns: Sequence[int] = (0, 0),
    rounds_won: Sequence[int] = (0, 0),
    players: int = 4,
    **config: Any,
) -> Batch:
    """A one-game batch in the middle of a trick.

    `trick` lists the cards on the table from the leader's: "blue 3", "blue 3!" destroyed, "blue 3 + HIDE" with a token.
    `finished` are the tricks since the shuffle, `pile` is top first, `tokens` says who holds what; `pool` less these is
    the pool. A hand not given holds a White Kitsune, as an empty one would bring a new deal.
    """
    batch = parlour.batch("kitsu", seed=1, players=players, first_player=leader, **config)
    s = batch._states[0]
    held = tokens or {}
    s.hands[:] = 0
    for seat in range(players):
        lay(s.hands[seat], hands[seat] if seat < len(hands) else ["white"])
    s.pile[:] = 0
    s.pile[: len(pile)] = [CARDS.index(card) for card in reversed(pile)]
    s.pile_size = len(pile)
    s.tricks = len(finished)
    for k, card in enumerate(card for cards in finished for card in cards):
        s.plays[k] = CARDS.index(card)
    lay_trick(s, trick)
    if players > 2:
        s.given[:players] = 0
    s.held[:] = -1
    for seat, token in held.items():
        s.held[seat] = TOKENS.index(token)
    s.pool = sum(1 << TOKENS.index(token) for token in pool if token not in held.values())
    s.pawns[:], s.rounds_won[:] = pawns, rounds_won
    s.phase, s.leader = PLAY, leader
    s.player = (leader + len(trick)) % players
    refresh(batch)
    return batch


def lay_trick(s: Any, trick: Sequence[str]) -> None:
    for position, words in enumerate(trick):
        card, _, token = words.partition(" + ")
        s.plays[int(s.tricks) * int(s.trick_size) + position] = CARDS.index(card.rstrip("!"))
        s.laid[position] = LAID.index(token or None)
        s.destroyed |= card.endswith("!") << position
    s.on_table = len(trick)


def lay(counts: Any, cards: Sequence[str]) -> None:
    for card in cards:
        counts[CARDS.index(card)] += 1


def dealt(*hands: Sequence[str], pile: Sequence[str] = (), leader: int = 0, players: int = 4, **config: Any) -> Batch:
    """A game just dealt: hands (and the pile) begin as given, and are filled up in the order of the cards."""
    batch = parlour.batch("kitsu", seed=1, players=players, first_player=leader, **config)
    s = batch._states[0]
    rest = deck(players) - Counter([card for hand in hands for card in hand] + list(pile))
    left = list(rest.elements())
    s.hands[:] = 0
    for seat in range(players):
        given = list(hands[seat]) if seat < len(hands) else []
        lay(s.hands[seat], given + [left.pop(0) for _ in range(int(s.hand_size) - len(given))])
    if players == 2:
        s.pile[:] = [CARDS.index(card) for card in reversed([*pile, *left])]
    assert s.given[0] == NO_CARD
    refresh(batch)
    return batch


def exchanging(*hands: Sequence[str], **given: Any) -> Batch:
    batch = dealt(*hands, **given)
    assert int(batch._states[0].phase) == EXCHANGE
    return batch


def refresh(batch: Batch) -> None:
    batch._kernels.masks(batch._states, np.arange(1), batch._masks)
    batch._seen_now = False


def absolute(batch: Batch, action: int) -> str:
    """An action of the player to move in words, with the printed colours and without "play"."""
    clan = mover(batch) % 2
    words = action_text(action).removeprefix("play ")
    return words.replace("own", COLOURS[clan]).replace("other", COLOURS[1 - clan])


def legal(batch: Batch) -> set[str]:
    """The legal actions in words."""
    return {absolute(batch, int(a)) for a in np.flatnonzero(batch.legal[0])}


def play(batch: Batch, *actions: str) -> tuple[Any, Any, Any]:
    """Play actions given in words; returns what the last step returned."""
    for words in actions:
        result = batch.step([action_in(batch, words)])
    return result


def action_in(batch: Batch, words: str) -> int:
    """The action that these words mean for the player to move."""
    (number,) = [a for a in range(batch.game.num_actions) if absolute(batch, a) == words]
    return number


def mover(batch: Batch) -> int:
    return int(batch.current_player[0])


def told(batch: Batch, name: str) -> Any:
    return batch.describe()[name]
