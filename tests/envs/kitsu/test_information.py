"""What a seat of Kitsu sees and remembers, and what it cannot know."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.kitsu.components import CARDS, COLOURS, TOKENS
from parlour.envs.kitsu.text import LAID, PHASES
from tests.envs.kitsu.build import dealt, play, refresh, table, told
from tests.envs.kitsu.enumeration import Deal, events_of, positions
from tests.envs.kitsu.test_lockstep import demander, wizard
from tests.reference.kitsu import UNSEEN, card_types, mode_labels

any_number = pytest.mark.parametrize("players", [2, 4, 6])
partners = pytest.mark.parametrize("players", [4, 6])
UNTOLD = ("history", "decisions", "truncated")
"""What `knows` has and the information state has not (`history` in part, see the layout)."""


class Decoder:
    """Reads an information state back into the words of the reference's `knows`."""

    def __init__(self, batch: Batch, seat: int) -> None:
        self.layout, self.vector, self.seat = batch.game.memory, batch.remember(seat)[0], seat
        self.players = batch.game.players
        self.clan = seat % 2
        self.types = card_types(self.clan)
        self.track = batch.game.config["track_length"]

    def part(self, name: str, scale: float = 1) -> NDArray[np.int64]:
        """A part in whole numbers; a part that the layout of so many players lacks is empty."""
        if name not in self.layout.slices:
            return np.zeros((self.players, 15) if name in ("given", "received") else self.players, np.int64)
        scaled = self.layout.view(self.vector, name).astype(float) * scale
        assert np.abs(scaled - scaled.round()).max() < 1e-4, name
        return scaled.round().astype(np.int64)

    def by_seat(self, relative: Any) -> list[Any]:
        """What is listed from the observer clockwise, listed from seat 0."""
        return [relative[(seat - self.seat) % self.players] for seat in range(self.players)]

    def one_seat(self, name: str) -> int | None:
        found = np.flatnonzero(self.by_seat(self.part(name)))
        assert found.size <= 1
        return int(found[0]) if found.size else None

    def cards(self, name: str) -> list[str]:
        return sorted(Counter(dict(zip(self.types, self.part(name, 4).tolist(), strict=True))).elements())

    def card(self, name: str) -> str | None:
        return self.named(self.part(name).reshape(-1, 15)[0])

    def named(self, hot: NDArray[Any]) -> str | None:
        assert hot.sum() <= 1
        return self.types[int(hot.argmax())] if hot.any() else None

    def clans(self, name: str, scale: float) -> list[int]:
        own, other = (int(n) for n in self.part(name, scale))
        return [other, own] if self.clan else [own, other]

    def tokens(self) -> list[str | None]:
        return [TOKENS[int(row.argmax())] if row.any() else None for row in self.by_seat(self.part("tokens"))]

    def trick(self) -> list[dict[str, Any]]:
        found = []
        labels = mode_labels(self.clan)[1:]
        for position, (card, laid) in enumerate(zip(self.part("trick"), self.part("laid"), strict=True)):
            if card.any() or laid.any():
                token = labels[int(laid.argmax())] if laid.any() else None
                found.append(
                    {
                        "seat": ((self.one_seat("leader") or 0) + position) % self.players,
                        "card": self.named(card) or UNSEEN,
                        "destroyed": bool(self.part("destroyed")[position]),
                        "hidden": token == "HIDE",
                        "token": token,
                    }
                )
        return found

    def plays(self) -> list[str]:
        """All cards played since the shuffle, in order."""
        rows = self.part("plays")
        return [self.named(row) or UNSEEN for row in rows[: self.part("tricks", 6)[0] * len(self.part("trick"))]]

    def history(self) -> list[tuple[str, int, Any]]:
        """What happened to cards since the shuffle, as far as it bears on hidden ones."""
        size, tricks = len(self.part("trick")), int(self.part("tricks", 6)[0])
        rows = self.part("plays")
        found: list[tuple[str, int, Any]] = []
        taken_when, drawn = int(self.part("taken_when", len(rows))[0]), (12 - int(self.part("pile", 12)[0])) // 4
        for k in range(tricks * size + len(self.trick())):
            who = ((self.one_seat("leader") or 0) - tricks + k // size + k % size) % self.players
            found.append(("play", who, (self.named(rows[k]) or UNSEEN, None)))
            if k + 1 == taken_when:
                found.append(("recover", self.one_seat("taker") or 0, UNSEEN))
            if self.players == 2 and (k + 1) % size == 0 and (k + 1) // size <= drawn:
                found += [("draw", 0, UNSEEN), ("draw", 1, UNSEEN)]
        return found

    def recovered(self) -> dict[str, Any] | None:
        seat = self.one_seat("taker")
        if seat is None:
            return None
        return {"seat": seat, "from": self.cards("taken_from"), "card": self.card("taken") or UNSEEN}

    def knows(self) -> dict[str, Any]:
        phase, trick, tokens = self.part("phase"), self.trick(), self.tokens()
        pool = [token for token, there in zip(TOKENS, self.part("pool"), strict=True) if there]
        running = phase.any() and PHASES[phase.argmax()] == "exchange"
        demand, given = self.part("demand"), self.card("given")
        rounds = self.clans("rounds_won", 2)
        return {
            "phase": PHASES[phase.argmax()] if phase.any() else "over",
            "player": self.one_seat("to_move"),
            "pawns": self.clans("pawns", self.track),
            "rounds_won": rounds,
            "leader": self.one_seat("leader"),
            "tokens": tokens,
            "pool": pool,
            "out": [token for token in TOKENS if token not in pool and token not in tokens],
            "tricks": int(self.part("tricks", 6)[0]),
            "toggles": sum(c["card"] == "white" and not c["hidden"] for c in trick)
            + sum(c["token"] == "INVERT" for c in trick),
            "demand": COLOURS[int(demand.argmax()) ^ self.clan] if demand.any() else None,
            "voids": [[COLOURS[1 - s % 2]] if void else [] for s, void in enumerate(self.by_seat(self.part("voids")))],
            "scores": [rounds[seat % 2] for seat in range(self.players)],
            "seat": self.seat,
            "hand": self.cards("hand"),
            "hand_sizes": [int(n) for n in self.by_seat(self.part("hand_sizes", 6))],
            "pile_size": int(self.part("pile", 12)[0]),
            "trick": trick,
            "last_trick": self.cards("last_trick"),
            "played": sorted(self.plays()),
            "chosen": [bool(chosen) for chosen in self.by_seat(self.part("chosen"))],
            "aside": given if running else None,
            "given": None if running else given,
            "received": self.card("received"),
            "recovered": self.recovered(),
        }


class TestWhatIsKnown:
    @pytest.mark.clause("KIT-45")
    @any_number
    def test_the_information_state_tells_what_a_perfect_memory_knows(self, players: int) -> None:
        for policy in (wizard, demander):
            for step, position in enumerate(positions(players, policy, 5, 2)):
                for seat in range(players) if step % 3 == 0 else ():
                    knows = position.game.knows(seat)
                    expected = {name: value for name, value in knows.items() if name not in UNTOLD}
                    decoder = Decoder(position.batch, seat)
                    assert decoder.knows() == expected
                    in_order = [card for cards in position.game.seen_tricks for card in cards]
                    assert decoder.plays() == in_order

    @pytest.mark.clause("KIT-45")
    @any_number
    def test_the_information_state_has_all_that_bears_on_the_hidden_cards(self, players: int) -> None:
        """What can be deduced of another hand from the history can be deduced from the information state alone."""
        deal = Deal((), "some hidden card", "some recovered card")
        for step, position in enumerate(positions(players, wizard, 6, 2, track_length=40)):
            for seat in range(players) if step % 3 == 0 else ():
                decoder = Decoder(position.batch, seat)
                remembered = decoder.knows() | {"history": decoder.history()}
                for other in set(range(players)) - {seat}:
                    expected = events_of(position.game.knows(seat), other, deal)
                    assert events_of(remembered, other, deal) == expected

    @pytest.mark.clause("KIT-45")
    @any_number
    def test_who_played_what_is_remembered_and_the_picker_knows_the_recovered_card(self, players: int) -> None:
        taken = 0
        for position in positions(players, wizard, 6, 2, track_length=40):
            for seat in range(players):
                decoder = Decoder(position.batch, seat)
                counts = decoder.by_seat(decoder.part("played", 4))
                shown = [Counter[str]() for _ in range(players)]
                history = position.game.knows(seat)["history"]
                for kind, who, what in history:
                    if kind == "play" and what[0] != UNSEEN:
                        shown[who][what[0]] += 1
                    elif kind == "reveal" and who != seat:
                        shown[who][what] += 1
                assert [Counter(dict(zip(decoder.types, row.tolist(), strict=True))) for row in counts] == shown
                taken += decoder.card("taken") is not None
        assert taken

    @pytest.mark.clause("KIT-45")
    def test_the_observation_has_no_word_of_the_discard_but_for_the_player_recovering(self) -> None:
        finished = [["blue 4", "orange 2", "katana", "orange 2"]]
        hands = [["white"], ["white"], ["white", "blue 5"], ["white"]]
        batch = table(finished=finished, leader=1, trick=["blue 1"], hands=hands, tokens={2: "RECOVER"})
        other = table(finished=[["black"] * 4], leader=1, trick=["blue 1"], hands=hands, tokens={2: "RECOVER"})
        for seat in range(4):
            assert np.array_equal(batch.observe(seat), other.observe(seat))
            assert not np.array_equal(batch.remember(seat), other.remember(seat))
        play(batch, "white with RECOVER")
        play(other, "white with RECOVER")
        for seat in range(4):
            assert np.array_equal(batch.observe(seat), other.observe(seat)) == (seat != 2)
        assert shown_cards(batch, 2, "recoverable") == sorted(finished[0])
        assert shown_cards(batch, 0, "recoverable") == []

    @pytest.mark.clause("KIT-45")
    def test_the_lead_in_sight_counts_as_the_trick_will(self) -> None:
        trick = ["blue 5", "orange 2 + PLUS3 blue", "blue 6 + HIDE"]
        for laid, expected in ((trick, 6), ([*trick[:2], "white"], -6), (["blue 5!", *trick[1:]], 1)):
            batch = table(trick=laid)
            lead = [float(batch.game.layout.view(batch.observe(seat)[0], "lead")[0]) for seat in range(2)]
            assert lead == [pytest.approx(expected / 10), pytest.approx(-expected / 10)]

    @pytest.mark.clause("KIT-45")
    def test_destroyed_cards_show_their_faces(self) -> None:
        batch = table(trick=["blue 5!", "orange 2"])
        seen = batch.game.layout.view(batch.observe(3)[0], "trick")
        assert [CARDS[(int(card.argmax()) + 6) % 12] for card in seen[:2]] == ["blue 5", "orange 2"]
        assert batch.game.layout.view(batch.observe(3)[0], "destroyed").tolist() == [1, 0, 0, 0]


def shown_cards(batch: Batch, seat: int, name: str) -> list[str]:
    counts = (batch.game.layout.view(batch.observe(seat)[0], name) * 4).round().astype(int)
    return sorted(Counter(dict(zip(card_types(seat % 2), counts.tolist(), strict=True))).elements())


def views(batch: Batch, seat: int) -> NDArray[np.float32]:
    return np.concatenate([batch.observe(seat)[0], batch.remember(seat)[0]])


class TestNothingLeaks:
    @pytest.mark.clause("KIT-45")
    @any_number
    def test_redealing_what_a_seat_cannot_know_changes_nothing_it_sees(self, players: int) -> None:
        batch = parlour.batch("kitsu", size=200, seed=2, players=players, autoreset=True, track_length=20)
        phases: Counter[int] = Counter()
        changed, hidden, looted = 0, 0, 0
        for step in range(180):
            batch.step(batch.sample_legal())
            seat = step % players
            twin = batch.determinize(seat, seed=step)
            assert np.array_equal(batch.observe(seat), twin.observe(seat))
            assert np.array_equal(batch.remember(seat), twin.remember(seat))
            twin._kernels.masks(twin._states, twin._all_rows, twin._masks)
            own = batch.current_player == seat
            assert np.array_equal(batch.legal[own], twin.legal[own])
            changed += int((batch.reveal(seat) != twin.reveal(seat)).any(axis=1).sum())
            phases.update(batch._states["phase"].tolist())
            hidden += int((batch._states["plays"] != twin._states["plays"]).any(axis=1).sum())
            looted += int((batch._states["taken"] != twin._states["taken"]).sum())
        assert changed > 20_000
        assert min(hidden, looted) > 20
        assert len(phases) == (4 if players == 2 else 6)

    @pytest.mark.clause("KIT-13", "KIT-45")
    @partners
    def test_a_card_put_aside_is_known_to_its_giver_alone(self, players: int) -> None:
        hands = [["blue 6", "orange 6"], ["white", "black"], ["blue 5"], ["orange 5"]]
        twins = [dealt(*hands, players=players) for _ in range(2)]
        play(twins[0], "blue 6")
        play(twins[1], "orange 6")
        for seat in range(players):
            same = np.array_equal(views(twins[0], seat), views(twins[1], seat))
            assert same == (seat != 0)
            chosen = twins[0].game.layout.view(twins[0].observe(seat)[0], "chosen")
            assert np.flatnonzero(chosen).tolist() == [(0 - seat) % players]

    @pytest.mark.clause("KIT-13", "KIT-45")
    @partners
    def test_after_the_exchange_giver_and_receiver_know_the_card(self, players: int) -> None:
        hands = [["blue 6", "orange 6"], ["white"], ["blue 5"], ["orange 5"], ["blue 4"], ["orange 4"]][:players]
        twins = [dealt(*hands, players=players) for _ in range(2)]
        rest = ["white", "blue 5", "orange 5", "blue 4", "orange 4"][: players - 1]
        play(twins[0], "blue 6", *rest)
        play(twins[1], "orange 6", *rest)
        differ = [seat for seat in range(players) if not np.array_equal(views(twins[0], seat), views(twins[1], seat))]
        assert differ == [0, 2]
        for batch, card in zip(twins, ("blue 6", "orange 6"), strict=True):
            assert Decoder(batch, 0).card("given") == card
            assert Decoder(batch, 2).card("received") == card
            assert Decoder(batch, 0).part("gift_kept").tolist() == [1]

    @pytest.mark.clause("KIT-32", "KIT-45")
    @any_number
    def test_a_hidden_card_is_known_to_its_player_alone(self, players: int) -> None:
        hand = ["blue 6", "orange 6", "white"]
        twins = [table(players=players, hands=[hand, ["white", "black"]], tokens={0: "HIDE"}) for _ in range(2)]
        play(twins[0], "blue 6 with HIDE")
        play(twins[1], "orange 6 with HIDE")
        for seat in range(players):
            assert np.array_equal(views(twins[0], seat), views(twins[1], seat)) == (seat != 0)
        assert Decoder(twins[0], 0).trick()[0]["card"] == "blue 6"
        assert Decoder(twins[0], 1).trick()[0] == {
            "seat": 0, "card": UNSEEN, "destroyed": False, "hidden": True, "token": LAID[4],
        }  # fmt: skip

    @pytest.mark.clause("KIT-33", "KIT-45")
    @any_number
    def test_a_recovered_card_is_known_to_its_picker_alone(self, players: int) -> None:
        last = ["blue 4", "orange 2", "katana", "orange 2", "blue 1", "blue 1"][: 6 if players == 6 else 4]
        hands = [["white", "blue 5"], ["white"]]
        twins = [table(players=players, hands=hands, finished=[last], tokens={0: "RECOVER"}) for _ in range(2)]
        play(twins[0], "white with RECOVER", "recover blue 4")
        play(twins[1], "white with RECOVER", "recover katana")
        for seat in range(players):
            assert np.array_equal(views(twins[0], seat), views(twins[1], seat)) == (seat != 0)
        assert Decoder(twins[0], 0).recovered() == {"seat": 0, "from": sorted(last), "card": "blue 4"}
        assert Decoder(twins[0], 1).recovered() == {"seat": 0, "from": sorted(last), "card": UNSEEN}

    @pytest.mark.clause("KIT-45")
    @any_number
    def test_the_own_hand_is_known_and_others_are_not(self, players: int) -> None:
        batch = parlour.batch("kitsu", seed=4, players=players)
        for seat in range(players):
            assert shown_cards(batch, seat, "hand") == told(batch, "hands")[seat]
        s = batch._states[0]
        s.hands[0], s.hands[1] = s.hands[1].copy(), s.hands[0].copy()
        swapped = [views(batch, seat) for seat in range(players)]
        s.hands[0], s.hands[1] = s.hands[1].copy(), s.hands[0].copy()
        for seat in range(players):
            assert np.array_equal(swapped[seat], views(batch, seat)) == (seat > 1)

    @pytest.mark.clause("KIT-17", "KIT-45")
    def test_the_order_of_the_pile_is_unknown(self) -> None:
        batch = parlour.batch("kitsu", seed=4, players=2)
        before = [views(batch, seat) for seat in range(2)]
        batch._states[0].pile[:] = batch._states[0].pile[::-1].copy()
        refresh(batch)
        assert all(np.array_equal(before[seat], views(batch, seat)) for seat in range(2))
