"""What a seat of Klink sees, what it remembers, and what it cannot know."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.klink.components import DEFAULT_NUMBERS, KINDS, LOWEST
from parlour.envs.klink.text import PHASES
from tests.envs.klink.build import legal, mover, play, table, told, triad
from tests.envs.klink.test_lockstep import BELOW_ZERO, FEW_VALUES, reference

any_number = pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
TWENTY_TWO = dict.fromkeys(range(-5, 17), 1)
NINE, EIGHT = [-5, -3, -1, 1, 3, 5, 7, 9, 11], [-4, -2, 0, 2, 4, 6, 8, 10]
"""Two collections that leave five of the 22 cards."""


def stages(batch: Batch, every: int) -> Iterator[int]:
    """Random play to the end, stopping after every few steps and at the end."""
    step = 0
    while (batch.current_player >= 0).any():
        if step % every == 0:
            yield step
        batch.step(batch.sample_legal())
        step += 1
    yield step


def entry(batch: Batch, vector: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    """A named part of an observation or an information state."""
    layout = batch.game.layout if vector.size == batch.game.layout.size else batch.game.memory
    return layout.view(vector, name)


def shown(batch: Batch, seat: int, name: str) -> NDArray[np.float32]:
    return entry(batch, batch.observe(seat)[0], name)


def recalled(batch: Batch, seat: int, name: str) -> NDArray[np.float32]:
    return entry(batch, batch.remember(seat)[0], name)


def values(hot: NDArray[np.float32]) -> list[int | None]:
    """One-hot rows as card values; None for an empty row."""
    return [LOWEST + int(row.argmax()) if row.any() else None for row in hot]


class Decoder:
    """Reads an information state back into the words of the reference's `knows`."""

    def __init__(self, batch: Batch, seat: int, vector: NDArray[np.float32]) -> None:
        self.batch, self.seat, self.vector = batch, seat, vector
        self.players = batch.game.players

    def part(self, name: str, scale: float = 1) -> NDArray[np.int64]:
        """A part in whole numbers."""
        scaled = entry(self.batch, self.vector, name).astype(float) * scale
        assert np.abs(scaled - scaled.round()).max() < 1e-4
        return scaled.round().astype(np.int64)

    def by_seat(self, relative: Any) -> list[Any]:
        """What is listed from the observer clockwise, listed from seat 0."""
        return [relative[(seat - self.seat) % self.players] for seat in range(self.players)]

    def one_seat(self, name: str) -> int | None:
        found = np.flatnonzero(self.by_seat(self.part(name)))
        assert found.size <= 1
        return int(found[0]) if found.size else None

    def kinds(self, name: str) -> dict[str, int]:
        return {kind: int(n) for kind, n in zip(KINDS, self.part(name, 4), strict=True) if n}

    def looked(self) -> list[int | None]:
        return self.by_seat([0 if a else 1 if b else None for a, b in self.part("looked").T])

    def offered(self) -> list[int]:
        places = self.by_seat(self.part("offered", self.players))
        return sorted((seat for seat in range(self.players) if places[seat]), key=lambda seat: places[seat])

    def unseen(self, peeked: list[int | None]) -> dict[int, int]:
        left = Counter({LOWEST + i: int(n) for i, n in enumerate(self.part("unseen", 3))})
        left.subtract(value for value in peeked if value is not None)
        return {value: count for value, count in left.items() if count}

    def knows(self) -> dict[str, Any]:
        phase, peeked = self.part("phase"), values(entry(self.batch, self.vector, "peeked"))
        pairs = self.by_seat(self.part("pairs", 3))
        return {
            "seat": self.seat,
            "round": int(self.part("round", 10)[0]),
            "phase": PHASES[phase.argmax()] if phase.any() else "over",
            "player": self.one_seat("to_move"),
            "turn_player": self.one_seat("turn_player"),
            "holder": self.one_seat("holder"),
            "offered": self.offered(),
            "looked": self.looked(),
            "ability_discard": sorted(Counter(self.kinds("ability_discard")).elements()),
            "visible": [KINDS[slot.argmax()] for slot in self.part("visible_slots")],
            "face_up": [[LOWEST + int(i) for i in np.flatnonzero(row)] for row in self.by_seat(self.part("face_up"))],
            "face_down": [[LOWEST + i for i, n in enumerate(row) for _ in range(2 * n)] for row in pairs],
            "pending_own": values(entry(self.batch, self.vector, "own_value")[None])[0],
            "pending_target": self.one_seat("target_seat"),
            "scores": [int(total) for total in self.by_seat(self.part("total", 100))],
            "peeked": peeked,
            "unseen_numbers": self.unseen(peeked),
            "unseen_abilities": self.kinds("ability_unseen"),
        }


class TestWhatIsKnown:
    @pytest.mark.clause("KLI-40")
    @pytest.mark.parametrize("options", [{}, {"numbers": FEW_VALUES, "abilities": {"SWAP": 3, "HIGH_LOW": 2}}])
    @any_number
    def test_the_information_state_tells_exactly_what_a_perfect_memory_knows(
        self, players: int, options: dict[str, Any]
    ) -> None:
        batch = parlour.batch("klink", seed=7, players=players, **options)
        game: Any = reference(batch, 0)
        while mover(batch) >= 0:
            for seat in range(players):
                assert Decoder(batch, seat, batch.remember(seat)[0]).knows() == game.knows(seat)
            action = int(batch.sample_legal()[0])
            batch.step([action])
            game.apply(action)
        assert Decoder(batch, 0, batch.remember(0)[0]).knows() == game.knows(0)

    @pytest.mark.clause("KLI-40")
    @pytest.mark.parametrize("slot", [0, 1])
    def test_a_card_looked_at_shows_to_its_holder_alone(self, slot: int) -> None:
        batch = table(drawn=[7, 15], holders=[1], players=3)
        assert not shown(batch, 1, "peek").any()
        play(batch, f"look at slot {slot}")
        seen = [7 if slot == 0 else None, 15 if slot == 1 else None]
        assert values(shown(batch, 1, "peek")) == values(recalled(batch, 1, "peeked")) == seen
        for other in (0, 2):
            assert not shown(batch, other, "peek").any()
            assert not recalled(batch, other, "peeked").any()

    @pytest.mark.clause("KLI-40")
    def test_after_passing_the_value_is_in_the_memory_and_no_longer_in_the_observation(self) -> None:
        batch = table(drawn=[7, 15], holders=[1], looks={1: 1}, players=3)
        play(batch, "player 1 clockwise")
        for action in ("look at slot 0", "player 1 clockwise"):
            assert not shown(batch, 1, "peek").any()
            assert values(recalled(batch, 1, "peeked")) == [None, 15]
            play(batch, action)
        assert not recalled(batch, 1, "peeked").any()

    @pytest.mark.clause("KLI-40")
    def test_everybody_sees_who_looked_at_which_slot(self) -> None:
        batch = table(holders=[1, 0], looks={1: 1, 0: 0}, players=3)
        for observer in range(3):
            relative = [[(seat - observer) % 3 for seat in seats] for seats in ([0], [1])]
            assert [np.flatnonzero(slot).tolist() for slot in shown(batch, observer, "looked")] == relative

    @pytest.mark.clause("KLI-40")
    def test_the_slots_stay_the_same_two_slots_while_passed_on(self) -> None:
        batch = table(drawn=[7, 15], looks={0: 0}, players=4)
        play(batch, "player 2 clockwise", "look at slot 1", "player 1 clockwise", "look at slot 0")
        assert values(shown(batch, 3, "peek")) == [7, None]
        assert values(recalled(batch, 2, "peeked")) == [None, 15]
        assert values(recalled(batch, 0, "peeked")) == [7, None]

    @pytest.mark.clause("KLI-40")
    def test_everybody_can_count_the_unseen_numbers_and_abilities(self) -> None:
        batch = triad(face_up=[[1, 2], [9]], face_down=[[], [20, 20]], ability_deck=["SWAP", "HIGH_LOW"], players=2)
        for observer in (0, 1):
            left = dict(enumerate((shown(batch, observer, "unseen") * 3).round().astype(int), LOWEST))
            assert Counter(left) == Counter(told(batch, "number_deck")) + Counter()
            assert (shown(batch, observer, "ability_unseen") * 4).tolist() == [1, 0, 1]

    @pytest.mark.clause("KLI-40")
    def test_everybody_sees_how_many_cards_lie_where(self) -> None:
        batch = table(
            face_up=[[1, 5], [9], []], face_down=[[3, 3, 7, 7], [], [20, 20]], visible=["SWAP", "HIGH_LOW", "SWAP"],
            players=3,
        )  # fmt: skip
        assert (shown(batch, 0, "cards") * 10).round().tolist() == [6, 1, 2]
        assert (shown(batch, 0, "face_down") * 10).round().tolist() == [4, 0, 2]
        assert (shown(batch, 0, "visible") * 3).round().tolist() == [2, 0, 1]
        assert shown(batch, 0, "deck_size")[0] == pytest.approx((63 - 9 - 2) / 63)

    @pytest.mark.clause("KLI-40")
    def test_seats_are_counted_clockwise_from_the_observer(self) -> None:
        batch = table(face_up=[[-5], [0], [20]], totals=[10, 20, 30], players=3)
        for observer in range(3):
            clockwise = [(observer + step) % 3 for step in range(3)]
            assert values(shown(batch, observer, "face_up")) == [[-5, 0, 20][seat] for seat in clockwise]
            totals = shown(batch, observer, "total") * 100
            assert totals.round().tolist() == [[10, 20, 30][seat] for seat in clockwise]


class TestLayouts:
    @pytest.mark.parametrize("numbers", [DEFAULT_NUMBERS, FEW_VALUES, BELOW_ZERO], ids=["default", "few", "below zero"])
    @any_number
    def test_every_number_keeps_to_its_bounds(self, players: int, numbers: Any) -> None:
        batch = parlour.batch("klink", size=20, seed=3, players=players, numbers=numbers, abilities={"DRAW_ALL": 20})
        for step in stages(batch, every=9):
            for seen, layout in (
                (batch.observe(step % players), batch.game.layout),
                (batch.remember(step % players), batch.game.memory),
                (batch.reveal(), batch.game.whole),
            ):
                assert (seen >= layout.space.low).all()
                assert (seen <= layout.space.high).all()

    def test_the_fullest_collection_keeps_to_its_bounds(self) -> None:
        face_down = [[4, 4, 6, 6, 8, 8]]
        batch = table(face_up=[[1, 2, 20]], face_down=face_down, drawn=[3, 20], deck=[1, 9], players=2, totals=[76, 60])
        play(batch, "look at slot 0", "keep both", "use DRAW_ALL")
        assert told(batch, "scores") == [76 + 2 + 3 - 10, 60 + 9 + 10]
        full = batch._states[0]
        assert (int(full.collected[0]), int(full.pairs[0].sum())) == (12, 5)
        assert batch.game.memory.space.contains(batch.remember(0)[0])


class TestWhatIsHidden:
    @pytest.mark.clause("KLI-40")
    @any_number
    def test_what_a_seat_cannot_know_changes_nothing_it_sees_remembers_or_may_do(self, players: int) -> None:
        batch = parlour.batch("klink", size=60, seed=3, players=players)
        for step, seat in itertools.product(stages(batch, every=3), range(players)):
            twin = batch.determinize(seat, seed=step)
            twin._kernels.masks(twin._states, twin._all_rows, twin._masks)
            assert np.array_equal(batch.observe(seat), twin.observe(seat))
            assert np.array_equal(batch.remember(seat), twin.remember(seat))
            assert np.array_equal(batch.legal, twin.legal)
            assert batch.board() == twin.board()

    @pytest.mark.clause("KLI-40")
    def test_the_whole_state_tells_what_is_hidden(self) -> None:
        batch = table(drawn=[7, 15], deck=[-5, 20], ability_deck=["HIGH_LOW", "SWAP"], players=2)
        whole, layout = batch.reveal()[0], batch.game.whole
        assert values(layout.view(whole, "drawn")) == [7, 15]
        deck = (layout.view(whole, "deck") * 26).round().astype(int) + LOWEST - 1
        assert deck[: len(told(batch, "number_deck"))].tolist() == told(batch, "number_deck")
        assert (layout.view(whole, "ability_deck") * 3).round().tolist()[:3] == [3, 1, 0]
        other = batch.determinize(0, seed=5).reveal()[0]
        assert not np.array_equal(whole, other)
        assert np.array_equal(whole[: batch.game.layout.size], other[: batch.game.layout.size])


def unknown_cards(looks: dict[int, int]) -> Batch:
    """Two players near the end of a round: two cards drawn, three in the number deck, three abilities in theirs."""
    abilities = {"SWAP": 2, "DRAW_ALL": 2, "HIGH_LOW": 2}
    return table(
        face_up=[NINE, EIGHT], drawn=[12, 13], deck=[14, 15, 16], ability_deck=KINDS, looks=looks, numbers=TWENTY_TWO,
        abilities=abilities, players=2,
    )  # fmt: skip


def hidden_orders(batch: Batch) -> list[tuple[Any, ...]]:
    """The drawn cards, the three of the number deck and the last three abilities, in every row."""
    numbers = (batch._states["deck"][:, 17:22] + LOWEST).tolist()
    abilities = batch._states["ability_deck"][:, -3:].tolist()
    return [(*n, *(KINDS[kind] for kind in a)) for n, a in zip(numbers, abilities, strict=True)]


def unordered(now: dict[str, Any]) -> dict[str, Any]:
    """A described state without the orders of the decks and the places of the drawn cards."""
    hidden = Counter(now["drawn"] + now["number_deck"])
    return {**now, "drawn": None, "number_deck": hidden, "ability_deck": sorted(now["ability_deck"])}


class TestDeterminize:
    @pytest.mark.clause("KLI-40")
    @pytest.mark.parametrize(("seat", "looks"), [(0, {0: 0}), (0, {0: 1}), (1, {0: 0}), (0, {})])
    def test_it_is_uniform_over_all_deals_that_agree_with_what_the_seat_knows(
        self, seat: int, looks: dict[int, int]
    ) -> None:
        batch = unknown_cards(looks)
        known = {slot: value for slot, value in enumerate([12, 13]) if looks.get(seat) == slot}
        deals = [
            (*numbers, *abilities)
            for numbers in itertools.permutations([12, 13, 14, 15, 16])
            if all(numbers[slot] == value for slot, value in known.items())
            for abilities in itertools.permutations(KINDS)
        ]
        assert len(deals) == math.factorial(5 - len(known)) * 6
        each = 40
        twins = batch.determinize(seat, rows=[0] * each * len(deals), seed=8)
        counts = Counter(hidden_orders(twins))
        assert set(counts) == set(deals)
        spread = sum((count - each) ** 2 / each for count in counts.values())
        freedom = len(deals) - 1
        assert abs(spread - freedom) < 5 * math.sqrt(2 * freedom)

    @pytest.mark.clause("KLI-40")
    def test_equal_cards_are_dealt_in_proportion(self) -> None:
        numbers = TWENTY_TWO | {12: 3, 13: 0, 14: 0}
        batch = table(face_up=[NINE, EIGHT], drawn=[12, 15], deck=[12, 16, 12], numbers=numbers, players=2)
        twins = batch.determinize(1, rows=[0] * 6000, seed=8)
        counts = Counter(hidden[:2] for hidden in hidden_orders(twins))
        expected = {(12, 12): 0.3, (12, 15): 0.15, (15, 12): 0.15, (12, 16): 0.15, (16, 12): 0.15}
        expected |= {(15, 16): 0.05, (16, 15): 0.05}
        assert {deal: count / 6000 for deal, count in counts.items()} == pytest.approx(expected, abs=0.02)

    @pytest.mark.clause("KLI-40")
    @any_number
    def test_no_deal_is_impossible(self, players: int) -> None:
        batch = parlour.batch("klink", size=3, seed=6, players=players, numbers=FEW_VALUES)
        for step, seat in itertools.product(stages(batch, every=8), range(players)):
            twin = batch.determinize(seat, seed=step)
            for row in range(batch.size):
                true, dealt = batch.describe(row), twin.describe(row)
                own = true["looked"][seat]
                assert own is None or true["drawn"][own] == dealt["drawn"][own]
                assert unordered(true) == unordered(dealt)

    @pytest.mark.clause("KLI-40")
    def test_cards_shown_to_all_are_never_dealt_again(self) -> None:
        batch = triad(face_up=[[1, 2], [9]], players=2)
        twin = batch.determinize(1, seed=4)
        assert told(twin, "face_up") == told(batch, "face_up")
        assert sorted(told(twin, "number_deck")) == sorted(told(batch, "number_deck"))
        assert legal(twin) == legal(batch)
