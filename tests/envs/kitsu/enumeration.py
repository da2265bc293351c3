"""All deals of Kitsu that fit what a seat knows, counted by brute force from the reference's `knows`."""

import copy
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.kitsu.components import CARDS
from tests.envs.kitsu.test_lockstep import reference
from tests.lockstep import Policy
from tests.reference.kitsu import COLOURS, UNSEEN, Kitsu, clan_of, colour_of, full_deck

Hand = tuple[str, ...]
Event = tuple[str, Any]
"""("play", (card, colour asked for)), ("recover", card), ("draw", None) or ("gift", card)."""
Events = tuple[Event, ...]


@dataclass(frozen=True)
class Deal:
    """What a seat may not know: all hands, the hidden card of the trick, the card recovered since the shuffle."""

    hands: tuple[Hand, ...]
    hidden: str | None
    taken: str | None


@dataclass(frozen=True)
class Course:
    """How one player's cards came: those held before the first play, and the pairs drawn later."""

    start: Hand
    draws: tuple[Hand, ...]


def possible_deals(knows: dict[str, Any]) -> Counter[Deal]:
    """How many courses of the deal, card by card, lead to each deal that fits."""
    found: Counter[Deal] = Counter()
    sizes = [0 if seat == knows["seat"] else size for seat, size in enumerate(knows["hand_sizes"])]
    own_hidden = next((card["card"] for card in knows["trick"] if card["hidden"]), None)
    for taken in recoverable(knows):
        unseen = unseen_cards(knows, taken)
        for hidden in hideable(knows, unseen):
            rest = unseen - Counter([hidden] if hidden else [])
            for hands in splits(rest, sizes):
                deal = Deal(_with_own(hands, knows), hidden or own_hidden, taken)
                elsewhere = rest - Counter(card for hand in hands for card in hand)
                found[deal] += orders(list(elsewhere.elements())) * ways(knows, deal)
    return +found


def ways(knows: dict[str, Any], deal: Deal) -> int:
    """Courses that lead to the other hands of a deal."""
    others = [seat for seat in range(len(deal.hands)) if seat != knows["seat"]]
    return math.prod(orders(deal.hands[s]) * count_courses(events_of(knows, s, deal), deal.hands[s]) for s in others)


def _with_own(hands: tuple[Hand, ...], knows: dict[str, Any]) -> tuple[Hand, ...]:
    return tuple(tuple(knows["hand"]) if seat == knows["seat"] else hand for seat, hand in enumerate(hands))


def recoverable(knows: dict[str, Any]) -> list[str | None]:
    """The cards someone may have recovered, each as often as it was there."""
    recovered = knows["recovered"]
    if recovered is None or recovered["card"] != UNSEEN:
        return [recovered and recovered["card"]]
    return list(recovered["from"])


def unseen_cards(knows: dict[str, Any], taken: str | None) -> Counter[str]:
    """The cards in places the seat cannot see; a card recovered has been seen once more than it is there."""
    cards = Counter(full_deck(len(knows["hand_sizes"])))
    cards.subtract(
        knows["hand"] + knows["played"] + [card["card"] for card in knows["trick"] if card["card"] != UNSEEN]
    )
    cards.subtract([knows["aside"]] if knows["aside"] else [])
    cards.update([taken] if taken else [])
    return cards


def hideable(knows: dict[str, Any], unseen: Counter[str]) -> list[str | None]:
    if min(unseen.values()) < 0:
        return []
    if all(card["card"] != UNSEEN for card in knows["trick"]):
        return [None]
    return [card for card in +unseen if card not in ("black", "katana")]


def splits(cards: Counter[str], sizes: Sequence[int]) -> Iterator[tuple[Hand, ...]]:
    """All ways to give hands of these sizes out of these cards, copies of a type not told apart."""
    if not sizes:
        yield ()
        return
    for hand in sorted(set(combinations(sorted(cards.elements()), sizes[0]))):
        for others in splits(cards - Counter(hand), sizes[1:]):
            yield (hand, *others)


def orders(cards: Sequence[str]) -> int:
    """In how many different orders these cards can lie."""
    return math.factorial(len(cards)) // math.prod(math.factorial(n) for n in Counter(cards).values())


def courses(knows: dict[str, Any], seat: int, deal: Deal) -> Iterator[Course]:
    """All ways in which another player's cards can have come and gone, its cards told apart."""
    yield from _back(events_of(knows, seat, deal), deal.hands[seat], ())


def events_of(knows: dict[str, Any], seat: int, deal: Deal) -> Events:
    """What happened to a player's cards, as the observer saw it and the deal completes it."""
    gift = knows["given"] if seat == (knows["seat"] + 2) % len(knows["hand_sizes"]) else None
    events: list[Event] = [("gift", gift)] if gift else []
    history = knows["history"]
    revealed = {who: what for kind, who, what in history if kind == "reveal"}
    size, plays = (6 if len(knows["hand_sizes"]) == 6 else 4), 0
    last: tuple[Any, int] = (UNSEEN, -1)
    for kind, who, what in history:
        if kind == "play":
            card = what[0] if what[0] != UNSEEN else revealed.get(who, deal.hidden)
            asked = COLOURS[clan_of(last[1])] if plays % size and last[0] == "black" else None
            last, plays = (card, who), plays + 1
            if who == seat:
                events.append(("play", (card, asked)))
        elif who == seat and kind == "recover" and what is not None:
            events.append(("recover", deal.taken))
        elif who == seat and kind == "draw":
            events.append(("draw", None))
    return tuple(events)


def _back(events: Events, hand: Hand, draws: tuple[Hand, ...]) -> Iterator[Course]:
    """From the hand now back to the start, event by event."""
    if not events:
        yield Course(hand, draws)
        return
    for earlier, pair in before(events[-1], hand):
        yield from _back(events[:-1], earlier, (pair, *draws) if pair else draws)


@cache
def count_courses(events: Events, hand: Hand) -> int:
    """How many `courses` there are."""
    return sum(count_courses(events[:-1], earlier) for earlier, _ in before(events[-1], hand)) if events else 1


def before(event: Event, hand: Hand) -> Iterator[tuple[Hand, Hand]]:
    """The hands from which this event can have led to a hand, each with the pair drawn."""
    kind, what = event
    if kind == "play":
        card, asked = what
        held = (*hand, card)
        if asked is None or colour_of(card) == asked or all(colour_of(c) != asked for c in held):
            yield tuple(sorted(held)), ()
    elif kind == "draw":
        for i, j in combinations(range(len(hand)), 2):
            yield (*hand[:i], *hand[i + 1 : j], *hand[j + 1 :]), (hand[i], hand[j])
    else:
        for i, card in enumerate(hand):
            if card == what:
                yield ((*hand[:i], *hand[i + 1 :]) if kind == "recover" else hand), ()


# --- Positions, and going through a deal again


@dataclass
class Position:
    """A game in both implementations, and the reference as it was when the cards had just been dealt."""

    batch: Batch
    game: Kitsu
    just_dealt: Kitsu = field(repr=False)


def positions(players: int, policy: Policy, seed: int, games: int, **config: Any) -> Iterator[Position]:
    """Every state of some games."""
    rng = random.Random(seed)
    for number in range(games):
        batch = parlour.batch("kitsu", seed=1000 * seed + number, players=players, **config)
        game = reference(batch, 0)
        just_dealt = copy.deepcopy(game)
        while game.player >= 0:
            yield Position(batch, game, just_dealt)
            action = policy(game, sorted(game.legal()), rng)
            batch.step([action])
            game.apply(action)
            if all(kind == "deal" for kind, *_ in game.log):
                just_dealt = copy.deepcopy(game)


def deal_of(batch: Batch, row: int = 0) -> Deal:
    """The deal of a game as it is."""
    told, s = batch.describe(row), batch._states[row]
    hidden = next((card["card"] for card in told["trick"] if card["hidden"]), None)
    return Deal(tuple(map(tuple, told["hands"])), hidden, CARDS[int(s.taken)] if int(s.taker) >= 0 else None)


def played_again(position: Position, seat: int, twin: Batch, rng: random.Random) -> Kitsu:
    """The deal gone through again with what a redealt twin has for the other seats; fails where that is illegal."""
    game, knows = copy.deepcopy(position.just_dealt), position.game.knows(seat)
    told, deal = twin.describe(), deal_of(twin)
    chosen = {other: rng.choice(list(courses(knows, other, deal))) for other in range(game.players) if other != seat}
    put_aside = told["given"] if told["given"][0] else told["aside"]
    for other, course in chosen.items():
        hand = list(course.start)
        if told["received"][other]:
            hand.remove(told["received"][other])
        game.hands[other] = hand + ([put_aside[other]] if put_aside[other] else [])
    game.pile = _drawn(knows, chosen) + told["pile"]
    for kind, who, what, _ in position.game.log:
        if who != seat and kind == "put aside":
            what = put_aside[who]
        elif who != seat and kind == "recover" and what is not None:
            what = deal.taken
        elif who != seat and kind == "play" and what[1] == "HIDE" and not _revealed(position.game, who):
            what = (deal.hidden, "HIDE")
        _do_again(game, kind, who, what)
    return game


def _drawn(knows: dict[str, Any], chosen: dict[int, Course]) -> list[str]:
    """What has been drawn from the pile so far, in order."""
    own = [what for kind, who, what in knows["history"] if (kind, who) == ("draw", knows["seat"])]
    by_seat = [chosen[seat].draws if seat in chosen else own for seat in range(len(knows["hand_sizes"]))]
    return [card for pairs in zip(*by_seat, strict=True) for pair in pairs for card in pair]


def _revealed(game: Kitsu, seat: int) -> bool:
    return any(kind == "reveal" and who == seat for kind, who, *_ in game.log)


def _do_again(game: Kitsu, kind: str, who: int, what: Any) -> None:
    if kind in ("put aside", "play", "katana", "recover", "take token", "give token"):
        meaning = ("play", *what) if kind == "play" else (kind.replace("put aside", "exchange"), what)
        assert game.player == who
        (action,) = [action for action in game.legal() if game.action_meaning(action) == meaning]
        game.apply(action)


def sampled_deals(batch: Batch, seat: int, samples: int, seed: int) -> Counter[Deal]:
    """The deals of so many redeals for a seat."""
    twins = batch.determinize(seat, rows=np.zeros(samples, int), seed=seed)
    states = twins._states
    flat = np.concatenate([states[name].reshape(samples, -1) for name in ("hands", "plays", "taken")], axis=1)
    _, first, counts = np.unique(flat, axis=0, return_index=True, return_counts=True)
    found: Counter[Deal] = Counter()
    for row, count in zip(first.tolist(), counts.tolist(), strict=True):
        found[deal_of(twins, row)] += count
    return found
