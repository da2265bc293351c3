"""The conformance kit: it passes for every game, and it catches every way of breaking one that it names."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core import registry
from parlour.envs.core.check import CHECKS
from parlour.envs.core.errors import CheckFailed
from parlour.envs.core.game import Game, kernels
from parlour.envs.core.jit import kernel
from parlour.envs.core.layout import Layout
from parlour.envs.core.record import HEADER, NOBODY, Field, Numbers, Record, State
from parlour.envs.core.rng import shuffle
from tests.envs.core import toy
from tests.envs.core.play import CASES
from tests.envs.core.toy import CARDS, LAYOUT, LEAVE, RECORD, TAKE


@pytest.mark.parametrize(("name", "config"), CASES)
def test_every_game_keeps_every_promise(name: str, config: dict[str, Any]) -> None:
    told: list[str] = []
    assert parlour.check_game(name, 1, told.append, **config) == told == list(CHECKS)


@pytest.fixture(autouse=True)
def toy_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._DOORS, "toy", toy.DOOR)


def test_the_toy_game_keeps_every_promise() -> None:
    """So that the broken ones below are caught for what was broken."""
    assert parlour.check_game(toy.GAME) == list(CHECKS)


def broken(game: Game, check: str, because: str) -> None:
    """The game is caught by this check and by none before it."""
    told: list[str] = []
    with pytest.raises(CheckFailed, match=f"{check}: .*{because}") as failure:
        parlour.check_game(game, 0, told.append)
    names = list(CHECKS)
    assert told == names[: names.index(check)]
    assert repr(game) in str(failure.value)
    assert isinstance(failure.value, parlour.ParlourError)


# --- rules that are wrong in one place


@kernel
def no_way_out(s: State, mask: Numbers) -> None:
    mask[:] = False
    mask[TAKE] = s.has_left[s.player] == 0
    mask[LEAVE] = s.has_left[s.player] == 0


@kernel
def leave_again(s: State, mask: Numbers) -> None:
    mask[:] = False
    mask[TAKE] = True
    mask[LEAVE] = True


@kernel
def count_leaves(s: State, action: int) -> None:
    seat = int(s.player)
    if action == TAKE:
        s.points[seat] += s.deck[s.top]
    else:
        s.has_left[seat] += 1
    s.top += 1
    s.player = 1 - seat if s.top < CARDS else NOBODY


@kernel
def peek_before_leaving(s: State, mask: Numbers) -> None:
    mask[:] = False
    mask[TAKE] = True
    mask[LEAVE] = s.has_left[s.player] == 0 and s.top + 1 < CARDS and s.deck[s.top + 1] > 3


@kernel
def for_ever(s: State, action: int) -> None:
    s.player = 1 - int(s.player)


@kernel
def chance_from_elsewhere(s: State) -> None:
    toy.setup(s)
    for i in range(CARDS):
        other = np.random.randint(CARDS)
        held = s.deck[i]
        s.deck[i] = s.deck[other]
        s.deck[other] = held


@kernel
def no_chance(s: State) -> None:
    for i in range(CARDS):
        s.deck[i] = i + 1
    s.player = 0


@kernel
def squares(s: State, out: Numbers) -> None:
    for seat in range(2):
        out[seat] = s.points[seat] * s.points[seat]


@kernel
def lose_a_card(s: State, action: int) -> None:
    toy.apply(s, action)
    s.deck[0] = s.deck[1]


@kernel
def winner_takes_all(s: State, out: Numbers) -> None:
    for seat in range(2):
        out[seat] = 1.0 if s.points[seat] > s.points[1 - seat] else 0.0


@kernel
def bigger(s: State, seat: int, out: Numbers) -> int:
    wrote = toy.observe(s, seat, out)
    out[CARDS + 1] *= 10
    return wrote


@kernel
def one_short(s: State, seat: int, out: Numbers) -> int:
    return toy.observe(s, seat, out) - 1


@kernel
def next_card_shows(s: State, seat: int, out: Numbers) -> int:
    wrote = toy.observe(s, seat, out)
    if s.top + 1 < CARDS:
        out[0] = s.deck[s.top + 1] / CARDS
    return wrote


@kernel
def open_card_too(s: State, seat: int) -> None:
    shuffle(s, s.deck, min(int(s.top), CARDS), CARDS)


@kernel
def by_another_player(s: State, seat: int) -> None:
    toy.redeal(s, seat)
    if s.player != NOBODY:
        s.player = 1 - int(s.player)


@kernel
def with_better_scores(s: State, seat: int) -> None:
    toy.redeal(s, seat)
    s.points[1 - int(seat)] = 0


class TestBrokenRules:
    @pytest.mark.parametrize(
        ("check", "because", "rules"),
        [
            ("mask and step agree", "(no legal action|cannot play action -1)", {"legal": no_way_out}),
            ("random play ends", "does not end within 5000 steps", {"apply": for_ever}),
            ("same seed, same game", "two different games", {"setup": chance_from_elsewhere}),
            ("same seed, same game", "two seeds gave the same games", {"setup": no_chance}),
            ("components are conserved", "the components are", {"apply": lose_a_card}),
            ("returns sum to zero and reach every seat once", "do not sum to zero", {"returns": winner_takes_all}),
            ("observations fit their layouts", "observe points is", {"observe": bigger, "remember": bigger}),
            ("observations fit their layouts", "observe writes 10 numbers", {"observe": one_short}),
            ("observations fit their layouts", "observe has_left is", {"legal": leave_again, "apply": count_leaves}),
            ("nothing hidden shows", "is in its observation", {"observe": next_card_shows}),
            ("nothing hidden shows", "changes what a seat knows", {"remember": next_card_shows}),
            ("nothing hidden shows", "is in its observation", {"redeal": open_card_too}),
            ("nothing hidden shows", "changes its legal actions", {"legal": peek_before_leaving}),
            ("nothing hidden shows", "is in its observation", {"redeal": with_better_scores}),
            ("nothing hidden shows", "changes who is to move", {"redeal": by_another_player}),
        ],
        ids=lambda value: (
            "-".join(f"{role}={rule.__name__}" for role, rule in value.items()) if isinstance(value, dict) else ""
        ),
    )
    def test_are_caught_by_the_check_that_names_the_promise(
        self, check: str, because: str, rules: dict[str, Any]
    ) -> None:
        owner = "toy_" + "_".join(f"{role}_{rule.__name__}" for role, rule in rules.items())
        broken(toy.game(owner, **rules), check, because)

    @pytest.mark.filterwarnings("ignore:overflow encountered")
    def test_are_caught_where_they_are_something_else_uncompiled(self) -> None:
        """Small integers wrap in plain numpy and widen when compiled."""
        broken(toy.game("toy_squares", scores=squares), "compiled equals plain Python", "something else uncompiled")

    def test_are_caught_where_a_state_is_too_big(self, monkeypatch: pytest.MonkeyPatch) -> None:
        big = Record.of(Field("attic", "i1", 0, 1, "much room", (500,)), *RECORD.fields[len(HEADER) :])
        game = toy.game("toy_big", big)
        monkeypatch.setattr(toy, "GAME", game)
        broken(game, "states are small, kernels compile once", "more than 512 bytes")

    def test_are_caught_where_a_kernel_was_compiled_twice(self) -> None:
        game = toy.game("toy_twice")
        for rows in (np.zeros(1, np.int64), np.zeros(1, np.int32)):
            kernels(game.rules, parallel=False).scores(game.blank, rows, np.zeros((1, 2), np.int32))
        broken(game, "states are small, kernels compile once", "compiled for two signatures")

    def test_are_caught_where_a_new_deal_has_other_components(self) -> None:
        def of_this_deal(state: State) -> dict[str, int]:
            return {"cards": CARDS, "secret": int(state.seed) % 1000}

        broken(replace(toy.GAME, components=of_this_deal), "determinized games are real games", "other components")


class TestBrokenGames:
    """The same with a real game, where nothing has to be compiled for it."""

    GAME = parlour.make_game("kintsugi")

    def test_components_that_vanish_are_caught(self) -> None:
        def draft_only(state: State) -> dict[str, int]:
            return {"cards": int(state.draft_size)}

        broken(replace(self.GAME, components=draft_only), "components are conserved", "the components are")

    def test_an_observation_out_of_its_bounds_is_caught(self) -> None:
        for name, high in (("tokens", 0.1), ("unseen", 0.5), ("score", 0.01)):
            entries = [replace(e, high=high) if e.name == name else e for e in self.GAME.layout.entries]
            game = replace(self.GAME, layout=Layout(tuple(entries)))
            broken(game, "observations fit their layouts", f"observe {name} is")

    def test_an_observation_below_its_bounds_is_caught(self) -> None:
        entries = [replace(e, low=0.001) if e.name == "phase" else e for e in self.GAME.whole.entries]
        game = replace(self.GAME, whole=Layout(tuple(entries)))
        broken(game, "observations fit their layouts", "reveal phase is")

    def test_a_layout_of_another_size_is_caught(self) -> None:
        game = replace(self.GAME, memory=Layout((*self.GAME.memory.entries, LAYOUT.entries[0])))
        broken(game, "observations fit their layouts", r"remember writes \d+ numbers")

    @pytest.mark.slow
    def test_an_observation_that_tells_the_deck_is_caught(self) -> None:
        rules = replace(self.GAME.rules, owner="kintsugi_leaky", observe=self.GAME.rules.reveal)
        game = replace(self.GAME, rules=rules, layout=self.GAME.whole)
        broken(game, "nothing hidden shows", "is in its observation")
