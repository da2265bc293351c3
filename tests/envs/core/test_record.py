"""The state table of a game and the numpy records made from it."""

from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.record import HEADER, NOBODY, Field, Record
from parlour.envs.core.registry import door, games
from tests.envs.core.play import CASES, finish

CARDS = Field("cards", "i1", 0, 9, "some cards", (2, 3))


def test_every_record_begins_with_the_same_header() -> None:
    record = Record.of(CARDS)
    assert record.fields == (*HEADER, CARDS)
    assert list(record.dtype.names or ()) == [field.name for field in record.fields]
    names = {import_module(door(name).module).RULES.record.fields[: len(HEADER)] for name in games()}
    assert names == {HEADER}


def test_fields_have_their_type_and_shape_and_are_read_by_name() -> None:
    state = Record.of(CARDS).blank(players=3, cards=4)[0]
    assert state.cards.shape == (2, 3)
    assert state.cards.dtype == np.int8
    assert state.cards.sum() == 24
    assert isinstance(state, np.record)


def test_a_blank_game_is_over_has_no_offender_and_as_many_sides_as_players() -> None:
    state = Record.of(CARDS).blank(players=3)[0]
    assert (int(state.player), int(state.offender), int(state.teams)) == (NOBODY, NOBODY, 3)
    assert (int(state.seed), int(state.counter), state.cards.any()) == (0, 0, False)
    assert int(Record.of().blank(players=4, teams=2)[0].teams) == 2


@pytest.mark.parametrize("name", ["all", "copy", "fill", "sort", "data", "item"])
def test_a_name_that_numpy_needs_itself_is_refused(name: str) -> None:
    with pytest.raises(parlour.ConfigError, match=f"an attribute '{name}' of its own"):
        Record.of(Field(name, "i1", 0, 1, "anything"))


@pytest.mark.parametrize(("value", "fits"), [(0, True), (9, True), (-1, False), (10, False)])
def test_values_outside_their_range_are_refused(value: int, fits: bool) -> None:
    record = Record.of(CARDS)
    states = np.repeat(record.blank(players=2), 3)
    states["cards"][1, 1, 2] = value
    if fits:
        record.refuse_impossible(states)
    else:
        with pytest.raises(parlour.SnapshotError, match=r"cards must be within 0\.\.9, got"):
            record.refuse_impossible(states)


def test_no_games_at_all_are_possible() -> None:
    record = Record.of(CARDS)
    record.refuse_impossible(np.zeros(0, record.dtype))


@pytest.mark.parametrize("name", games())
def test_every_range_fits_its_type_and_every_field_says_what_it_means(name: str) -> None:
    for field in parlour.make_game(name).rules.record.fields:
        limits = np.iinfo(field.type)
        assert limits.min <= field.low < field.high <= limits.max, field
        assert field.meaning, field


@pytest.mark.parametrize(("name", "config"), CASES)
def test_play_keeps_to_the_ranges(name: str, config: dict[str, Any]) -> None:
    batch = parlour.batch(name, 32, seed=5, **config)
    record = batch.game.rules.record
    while (batch.current_player != NOBODY).any():
        record.refuse_impossible(batch._states)
        batch.step(batch.sample_legal())
    record.refuse_impossible(batch._states)


def test_a_range_that_is_too_narrow_is_noticed() -> None:
    batch = finish(parlour.batch("kintsugi", 4, seed=5))
    record = batch.game.rules.record
    narrow = Record(tuple(replace(f, high=1) if f.name == "round_number" else f for f in record.fields))
    with pytest.raises(parlour.SnapshotError, match="round_number"):
        narrow.refuse_impossible(batch._states)
