"""What a seat of Kintsugi sees: everything but the order of the deck below its top card."""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.layout import Entry, Layout
from parlour.envs.core.record import NOBODY, Numbers, State
from parlour.envs.core.rng import shuffle
from parlour.envs.core.seats import distance
from parlour.envs.kintsugi.components import TOKENS, Deck
from parlour.envs.kintsugi.rules import DRAFT, REPAIR, draft_area, draft_turn, pottery_kinds, score, top_card

COUNT_SCALE = 2.0
ONE = np.float32(1 / COUNT_SCALE)
TOKEN_SCALE = 10.0
REPAIR_SCALE = 4.0
SCORE_SCALE = 50.0


def observation_layout(deck: Deck, players: int, edition: int, unlimited: bool) -> Layout:
    """The entries that `observe` writes, in its order."""
    pottery = 7 * len(deck.patterns)
    kinds, most = pottery + 3, max(deck.counts) / COUNT_SCALE
    wealth = sum(v * c for v, c in zip(deck.values, deck.counts, strict=True)) if unlimited else TOKENS[edition]
    rounds = sum(deck.counts) // (2 * players + 1)
    return Layout(
        (
            Entry("draft", (kinds,), most, "cards of each kind in the draft area, / 2"),
            Entry("top_card", (kinds,), 1, "kind of the deck's top card, one-hot"),
            Entry("unseen", (kinds,), most, "cards of each kind below the top card, / 2"),
            Entry("unbroken", (players, pottery + 2), most, "unbroken cards of each kind (no gold) by seat, / 2"),
            Entry("broken", (players, pottery), most, "broken cards of each pottery kind by seat, / 2"),
            Entry("repaired", (players, pottery), most, "repaired cards of each pottery kind by seat, / 2"),
            Entry("tokens", (players,), max(wealth, 1) / TOKEN_SCALE, "tokens by seat, / 10"),
            Entry("supply", (1,), TOKENS[edition] / TOKEN_SCALE, "tokens in the supply, / 10; 0 when unlimited"),
            Entry("rounds_left", (1,), 1, "rounds still to come after this one, / rounds of a game"),
            Entry("phase", (2,), 1, "draft, repair: one-hot"),
            Entry("draft_turn", (2 * players,), 1, "which turn of this round's draft it is, one-hot"),
            Entry("first_player", (players,), 1, "holder of the marker by seat, one-hot"),
            Entry("to_move", (players,), 1, "player to move by seat, one-hot"),
            Entry("repairs", (players,), 2 * rounds / REPAIR_SCALE, "repairs made this round by seat, / 4"),
            Entry("free_repair", (players,), 1, "has a free repair left, by seat"),
            Entry("passed", (players,), 1, "has passed in this repair phase, by seat"),
            Entry("score", (players,), 20, "running score by seat, / 50"),
        )
    )


def whole_layout(deck: Deck, players: int, edition: int, unlimited: bool) -> Layout:
    """The entries that `reveal` writes."""
    order = Entry("deck", (sum(deck.counts),), 1, "the deck from its top: (kind + 1) / kinds, 0 past its end")
    return Layout((*observation_layout(deck, players, edition, unlimited).entries, order))


@kernel
def observe(s: State, seat: int, out: Numbers) -> int:
    out[:] = 0.0
    at = write_table(s, out)
    at = write_collections(s, seat, out, at)
    at = write_tokens(s, seat, out, at)
    at = write_progress(s, seat, out, at)
    return write_seats(s, seat, out, at)


@kernel
def write_table(s: State, out: Numbers) -> int:
    kinds = pottery_kinds(s) + 3
    for kind in draft_area(s):
        out[kind] += ONE
    out[kinds + top_card(s)] = 1
    for i in range(int(s.top) + 1, s.cards):
        out[2 * kinds + int(s.deck[i])] += ONE
    return 3 * kinds


@kernel
def write_collections(s: State, seat: int, out: Numbers, at: int) -> int:
    kept = pottery_kinds(s) + 2
    at = write_counts(s, seat, s.unbroken, kept, out, at)
    at = write_counts(s, seat, s.broken, kept - 2, out, at)
    return write_counts(s, seat, s.repaired, kept - 2, out, at)


@kernel
def write_counts(s: State, seat: int, counts: Numbers, kinds: int, out: Numbers, at: int) -> int:
    for owner in range(s.players):
        start = at + distance(s, seat, owner) * kinds
        place = out[start : start + kinds]
        owned = counts[owner]
        for kind in range(kinds):
            place[kind] = owned[kind] * ONE
    return at + int(s.players) * kinds


@kernel
def write_tokens(s: State, seat: int, out: Numbers, at: int) -> int:
    for owner in range(s.players):
        out[at + distance(s, seat, owner)] = s.tokens[owner] / TOKEN_SCALE
    out[at + int(s.players)] = s.supply / TOKEN_SCALE
    return at + int(s.players) + 1


@kernel
def write_progress(s: State, seat: int, out: Numbers, at: int) -> int:
    n = int(s.players)
    rounds = int(s.cards) // (2 * n + 1)
    out[at] = (rounds - int(s.round_number)) / rounds
    if s.phase == DRAFT:
        out[at + 1] = 1
        out[at + 3 + draft_turn(s)] = 1
    elif s.phase == REPAIR:
        out[at + 2] = 1
    at += 3 + 2 * n
    out[at + distance(s, seat, s.first_player)] = 1
    if s.player != NOBODY:
        out[at + n + distance(s, seat, s.player)] = 1
    return at + 2 * n


@kernel
def write_seats(s: State, seat: int, out: Numbers, at: int) -> int:
    n = int(s.players)
    for owner in range(n):
        place = at + distance(s, seat, owner)
        out[place] = s.repairs[owner] / REPAIR_SCALE
        out[place + n] = (int(s.free_repair) >> owner) & 1
        out[place + 2 * n] = (int(s.passed) >> owner) & 1
        out[place + 3 * n] = score(s, owner) * np.float32(1 / SCORE_SCALE)
    return at + 4 * n


@kernel
def reveal(s: State, seat: int, out: Numbers) -> int:
    at = observe(s, seat, out)
    kinds = pottery_kinds(s) + 3
    for i in range(s.top, s.cards):
        out[at + i - int(s.top)] = (int(s.deck[i]) + 1) / kinds
    return at + int(s.cards)


@kernel
def redeal(s: State, seat: int) -> None:
    """Nobody knows the order below the top card; everyone knows the rest [KIN-11]."""
    shuffle(s, s.deck, int(s.top) + 1, s.cards)
