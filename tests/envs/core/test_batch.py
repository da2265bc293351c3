"""The research door: every method of `Batch`, and what it hands out."""

import copy
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.envs.core.batch import PARALLEL_FROM, Batch
from parlour.envs.core.record import NO_ACTION, NOBODY
from tests.envs.core.play import CASES, assert_same, finish, play, some_legal


def kintsugi(size: int = 8, **options: Any) -> Batch:
    return parlour.batch("kintsugi", size, **{"seed": 3, **options})


def mixed(size: int = 12) -> Batch:
    """Some games that are over among some that are not."""
    batch = kintsugi(size)
    over = finish(batch.copy(np.arange(0, size, 3)))
    batch._states[::3] = over._states
    batch._masks[::3] = False
    return batch


class TestShapes:
    @pytest.mark.parametrize(("name", "config"), CASES)
    def test_everything_has_the_shape_and_type_it_promises(self, name: str, config: dict[str, Any]) -> None:
        batch = play(parlour.batch(name, 3, seed=1, **config), 5)
        game = batch.game
        shown = {
            "player": (batch.current_player, np.int8, (3,)),
            "legal": (batch.legal, np.bool_, (3, game.num_actions)),
            "observation": (batch.observation, np.float32, (3, game.layout.size)),
            "observe": (batch.observe(1), np.float32, (3, game.layout.size)),
            "remember": (batch.remember(1), np.float32, (3, game.memory.size)),
            "reveal": (batch.reveal(), np.float32, (3, game.whole.size)),
            "scores": (batch.scores(), np.int32, (3, game.players)),
            "seeds": (batch.seeds, np.uint64, (3,)),
            "sample": (batch.sample_legal(), np.int64, (3,)),
        }
        found = {name: (array.dtype, array.shape) for name, (array, _, _) in shown.items()}
        assert found == {name: (np.dtype(dtype), shape) for name, (_, dtype, shape) in shown.items()}
        rewards, terminated, truncated = batch.step(batch.sample_legal())
        assert (rewards.dtype, rewards.shape) == (np.float32, (3, game.players))
        assert (terminated.dtype, terminated.shape) == (np.bool_, (3,))
        assert (truncated.dtype, truncated.shape) == (np.bool_, (3,))

    def test_observation_is_what_the_player_to_move_observes(self) -> None:
        batch = play(kintsugi(), 7)
        np.testing.assert_array_equal(batch.observation, batch.observe(batch.current_player))
        np.testing.assert_array_equal(batch.observation, batch.observe())
        np.testing.assert_array_equal(batch.observe(0)[2], batch.observe([0], rows=[2])[0])

    def test_one_seat_or_one_per_row_can_look(self) -> None:
        batch = play(kintsugi(), 7)
        seats = np.arange(8) % 2
        for look in (batch.observe, batch.remember, batch.reveal):
            expected = np.where((seats == 0)[:, None], look(0), look(1))
            np.testing.assert_array_equal(look(seats), expected)
            np.testing.assert_array_equal(look(1, rows=[5, 5, 0]), look(1)[[5, 5, 0]])

    def test_rows_can_be_a_mask(self) -> None:
        batch = play(kintsugi(), 7)
        chosen = batch.current_player == 0
        np.testing.assert_array_equal(batch.scores(chosen), batch.scores()[chosen])

    def test_scores_of_some_rows_come_in_their_order(self) -> None:
        batch = finish(kintsugi())
        np.testing.assert_array_equal(batch.scores([6, 1]), batch.scores()[[6, 1]])

    def test_describe_tells_the_row_asked_for(self) -> None:
        batch = play(kintsugi(), 3)
        assert batch.describe(5) == batch.copy([5]).describe()
        assert batch.describe(5) != batch.describe(4)
        assert batch.board(5) == batch.copy([5]).board()

    def test_describe_is_plain_values(self) -> None:
        def plain(value: Any) -> bool:
            if isinstance(value, dict):
                return all(isinstance(key, str) and plain(inside) for key, inside in value.items())
            if isinstance(value, (list, tuple)):
                return all(map(plain, value))
            return value is None or type(value) in (int, str, bool, float)

        for name in ("kintsugi", "patchwork"):
            assert plain(play(parlour.batch(name, seed=1), 9).describe())


class TestWhatIsHandedOut:
    @pytest.mark.parametrize("size", [4, PARALLEL_FROM])
    @pytest.mark.parametrize("what", ["legal", "observation", "current_player", "seeds"])
    def test_never_changes_later(self, what: str, size: int) -> None:
        batch = kintsugi(size)
        held, copies = [], []
        for step in range(12):
            held.append(getattr(batch, what))
            copies.append(held[-1].copy())
            batch.step(batch.sample_legal())
            if step == 5:
                batch.reset(rows=[1, 3])
            if step == 8:
                batch.reset(seed=9)
            if step == 10:
                batch.step(batch.sample_legal([2, 0]), rows=[2, 0])
        for now, then in zip(held, copies, strict=True):
            np.testing.assert_array_equal(now, then)

    @pytest.mark.parametrize("what", ["legal", "observation"])
    def test_is_written_over_as_soon_as_nobody_holds_it(self, what: str) -> None:
        """New arrays in every step would cost more than the step: their pages are handed out one by one."""
        batch = kintsugi(PARALLEL_FROM)
        places = []
        for _ in range(3):
            places.append(getattr(batch, what).ctypes.data)
            batch.step(batch.sample_legal())
        held = getattr(batch, what)
        batch.step(batch.sample_legal())
        assert len(set(places)) == 1
        assert getattr(batch, what).ctypes.data != held.ctypes.data

    def test_a_part_of_it_never_changes_either(self) -> None:
        batch = kintsugi()
        mask, seen = batch.legal[3], batch.observation[3, :20]
        before = mask.copy(), seen.copy()
        play(batch, 10)
        assert batch.observation.any()
        np.testing.assert_array_equal(mask, before[0])
        np.testing.assert_array_equal(seen, before[1])

    def test_is_read_only_where_it_is_a_view(self) -> None:
        batch = kintsugi()
        for view in (batch.legal, batch.observation):
            with pytest.raises(ValueError, match="read-only"):
                view[0, 0] = 1

    def test_changing_what_is_a_copy_does_not_change_the_games(self) -> None:
        batch, twin = kintsugi(), kintsugi()
        for array in (batch.current_player, batch.seeds, batch.observe(0), batch.scores(), batch.reveal()):
            array[:] = 1
        assert_same(batch, twin)

    def test_is_the_present_one_after_every_change(self) -> None:
        batch = kintsugi()
        held = [batch.legal, batch.observation]
        for change in (
            lambda: batch.step(batch.sample_legal()),
            lambda: batch.reset(),
            lambda: batch.reset(rows=[0]),
            lambda: batch.step(batch.sample_legal([1]), rows=[1]),
        ):
            change()
            fresh = Batch.from_bytes(batch.to_bytes())
            np.testing.assert_array_equal(batch.legal, fresh.legal)
            np.testing.assert_array_equal(batch.observation, fresh.observe())
            held += [batch.legal, batch.observation]

    def test_rewards_of_one_step_do_not_change_in_the_next(self) -> None:
        batch = kintsugi(200, autoreset=True)
        kept, copies = [], []
        for _ in range(60):
            kept.append(batch.step(batch.sample_legal()))
            copies.append(copy.deepcopy(kept[-1]))
        assert any(terminated.any() for _, terminated, _ in copies)
        for now, then in zip(kept, copies, strict=True):
            for ours, theirs in zip(now, then, strict=True):
                np.testing.assert_array_equal(ours, theirs)


class TestStep:
    def test_only_the_rows_given_are_played(self) -> None:
        batch, before = kintsugi(), kintsugi()
        batch.step(batch.sample_legal([5, 2]), rows=[5, 2])
        rest = [0, 1, 3, 4, 6, 7]
        assert_same(batch.copy(rest), before.copy(rest))
        assert not np.array_equal(batch.reveal(rows=[2, 5]), before.reveal(rows=[2, 5]))

    def test_the_order_of_rows_is_the_order_of_actions_and_answers(self) -> None:
        batch, straight = play(kintsugi(64), 30), play(kintsugi(64), 30)
        rows = np.random.default_rng(0).permutation(64)
        while (straight.current_player != NOBODY).any():
            actions = straight.sample_legal()
            there = straight.step(actions)
            here = batch.step(actions[rows], rows=rows)
            for ours, theirs in zip(here, there, strict=True):
                np.testing.assert_array_equal(ours, theirs[rows])
        assert_same(batch, straight)

    def test_a_finished_row_takes_no_action_and_stays_as_it_is(self) -> None:
        batch = mixed()
        over = batch.current_player == NOBODY
        assert over.any()
        assert not over.all()
        before = batch.copy(over)
        rewards, terminated, _ = batch.step(np.where(over, NO_ACTION, some_legal(batch)))
        assert_same(batch.copy(over), before)
        assert not rewards[over].any(), "a finished game pays nothing again"
        assert terminated[over].all()

    def test_finished_rows_can_be_left_out(self) -> None:
        batch, twin = mixed(), mixed()
        alive = np.flatnonzero(batch.current_player != NOBODY)
        batch.step(some_legal(batch)[alive], rows=alive)
        twin.step(np.where(twin.current_player == NOBODY, NO_ACTION, some_legal(twin)))
        assert_same(batch, twin)

    def test_finished_games_show_no_player_mask_or_observation(self) -> None:
        batch = finish(kintsugi())
        assert (batch.current_player == NOBODY).all()
        assert not batch.legal.any()
        assert not batch.observation.any()
        assert batch.observe(0).any(), "a seat can still look at a finished game"

    def test_no_rows_at_all_can_be_stepped(self) -> None:
        batch, before = kintsugi(), kintsugi()
        rewards, terminated, truncated = batch.step([], rows=[])
        assert (rewards.shape, terminated.shape, truncated.shape) == ((0, 2), (0,), (0,))
        assert_same(batch, before)

    @pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
    def test_any_whole_number_type_will_do(self, dtype: type) -> None:
        batch, twin = kintsugi(), kintsugi()
        batch.step(some_legal(batch).astype(dtype), rows=np.arange(8, dtype=dtype))
        twin.step(some_legal(twin).tolist())
        assert_same(batch, twin)

    def test_the_actions_given_are_left_as_they_are(self) -> None:
        batch = kintsugi(on_illegal="lose")
        actions = batch.sample_legal()
        actions[1] = -7
        before = actions.copy()
        batch.step(actions)
        np.testing.assert_array_equal(actions, before)


class TestReset:
    def test_one_seed_gives_row_0_that_seed_and_every_row_its_own(self) -> None:
        batch = kintsugi()
        batch.reset(seed=77)
        assert batch.seeds[0] == 77
        assert len(set(batch.seeds.tolist())) == 8
        for row in range(8):
            assert_same(batch.copy([row]), kintsugi(1, seed=int(batch.seeds[row])))

    def test_one_seed_for_some_rows_gives_them_what_all_would_get(self) -> None:
        batch, whole = play(kintsugi(), 5), kintsugi(seed=77)
        before = batch.copy([0, 1, 3, 5, 6, 7])
        batch.reset(rows=[4, 2], seed=77)
        assert_same(batch.copy([4, 2]), whole.copy([4, 2]))
        assert_same(batch.copy([0, 1, 3, 5, 6, 7]), before)

    def test_seeds_can_be_given_row_by_row(self) -> None:
        batch = kintsugi()
        batch.reset(rows=[6, 1], seed=np.array([2**64 - 1, 5], np.uint64))
        assert batch.seeds[[6, 1]].tolist() == [2**64 - 1, 5]
        assert_same(batch.copy([1]), kintsugi(1, seed=5))
        assert_same(batch.copy([6]), kintsugi(1, seed=2**64 - 1))

    def test_the_seeds_of_a_batch_can_be_given_back_as_a_plain_list(self) -> None:
        batch = kintsugi(64)
        seeds = batch.seeds.tolist()
        assert max(seeds) >= 2**63 > min(seeds)
        assert_same(kintsugi(64, seed=seeds), batch)

    def test_without_a_seed_the_next_games_follow_from_the_last(self) -> None:
        batch, twin = kintsugi(), kintsugi()
        first = batch.reveal()
        batch.reset()
        assert not np.array_equal(batch.reveal(), first)
        twin.reset(rows=[7, 6, 5, 4])
        twin.reset(rows=[0, 1, 2, 3])
        assert_same(batch, twin)

    def test_a_batch_without_a_seed_draws_one(self) -> None:
        assert len({int(kintsugi(1, seed=None).seeds[0]) for _ in range(8)}) == 8

    def test_a_reset_by_seed_restarts_the_sampler_too(self) -> None:
        batch, fresh = play(kintsugi(), 11), kintsugi(seed=4)
        batch.reset(seed=4)
        np.testing.assert_array_equal(batch.sample_legal(), fresh.sample_legal())


class TestSeedChoices:
    def test_the_same_deals_can_be_met_with_other_choices(self) -> None:
        batch, twin = kintsugi(), kintsugi()
        twin.seed_choices(8)
        assert_same(batch, twin)
        assert (batch.draw_bits() != twin.draw_bits()).all()
        np.testing.assert_array_equal(batch.seeds, twin.seeds)

    def test_choices_follow_from_their_seeds_row_by_row(self) -> None:
        batch, twin = kintsugi(), kintsugi()
        batch.seed_choices(8)
        batch.draw_bits()
        batch.seed_choices([5, 6], rows=[3, 1])
        twin.seed_choices([6, 5], rows=[1, 3])
        np.testing.assert_array_equal(batch.draw_bits([1, 3]), twin.draw_bits([1, 3]))
        assert batch.draw_bits([0]) != twin.draw_bits([0])


class TestAutoreset:
    def test_a_row_starts_again_at_once_and_the_end_is_still_reported(self) -> None:
        batch, manual = kintsugi(16, autoreset=True), kintsugi(16)
        ends = 0
        for _ in range(150):
            actions = batch.sample_legal()
            rewards, terminated, truncated = batch.step(actions)
            expected = manual.step(actions)
            for ours, theirs in zip((rewards, terminated, truncated), expected, strict=True):
                np.testing.assert_array_equal(ours, theirs)
            manual.reset(rows=np.flatnonzero(terminated))
            assert_same(batch, manual)
            assert (batch.current_player != NOBODY).all()
            assert (rewards.any(axis=1) <= terminated).all()
            ends += terminated.sum()
        assert ends > 16, "rows have started more than once"

    def test_without_it_a_finished_row_stays_finished(self) -> None:
        batch = finish(kintsugi())
        assert (play(batch, 3).current_player == NOBODY).all()


class TestDeterminize:
    def test_gives_new_games_and_leaves_the_old_ones_alone(self) -> None:
        batch, before = play(kintsugi(), 5), play(kintsugi(), 5)
        twin = batch.determinize(seed=1)
        assert_same(batch, before)
        assert not np.array_equal(twin.reveal(), batch.reveal())
        np.testing.assert_array_equal(twin.observation, batch.observation)
        np.testing.assert_array_equal(twin.legal, batch.legal)

    def test_the_same_seed_deals_the_same_and_another_one_another(self) -> None:
        batch = play(kintsugi(), 5)
        assert_same(batch.determinize(seed=1), batch.determinize(seed=1))
        assert not np.array_equal(batch.determinize(seed=1).reveal(), batch.determinize(seed=2).reveal())
        assert not np.array_equal(batch.determinize().reveal(), batch.determinize().reveal())

    def test_rows_can_repeat_and_each_is_dealt_anew(self) -> None:
        batch = play(kintsugi(), 5)
        twin = batch.determinize(0, rows=[3] * 20, seed=1)
        assert twin.size == 20
        assert len(np.unique(twin.reveal(), axis=0)) == 20
        np.testing.assert_array_equal(twin.observe(0), batch.observe(0, rows=[3] * 20))

    def test_chance_to_come_is_not_that_of_the_true_game(self) -> None:
        batch = parlour.batch("patchwork", 4, seed=3)
        twin = batch.determinize(0, seed=1)
        assert not set(twin.seeds.tolist()) & set(batch.seeds.tolist())

    def test_the_new_deals_do_not_depend_on_the_true_seed(self) -> None:
        batch = play(kintsugi(1), 5)
        other = batch.copy()
        other._states["seed"], other._states["counter"] = 12345, 999
        assert_same(batch.determinize(seed=1), other.determinize(seed=1))


class TestSampleLegal:
    @pytest.mark.parametrize(("name", "actions"), [("kintsugi", 69), ("patchwork", 2026)])
    def test_is_uniform_over_the_legal_actions(self, name: str, actions: int) -> None:
        batch = parlour.batch(name, 1, seed=2)
        assert batch.game.num_actions == actions
        assert_uniform(drawn(batch, 40_000), np.flatnonzero(batch.legal[0]))

    @pytest.mark.parametrize(("name", "actions"), [("kintsugi", 69), ("patchwork", 2026)])
    def test_is_uniform_where_everything_is_legal(self, name: str, actions: int) -> None:
        batch = parlour.batch(name, 1, seed=2)
        batch._masks[:, :actions] = True
        assert_uniform(drawn(batch, 40 * actions), np.arange(actions))

    @pytest.mark.parametrize(("name", "actions"), [("kintsugi", 69), ("patchwork", 2026)])
    def test_finds_every_action_that_is_the_only_one(self, name: str, actions: int) -> None:
        batch = parlour.batch(name, actions, seed=2)
        batch._masks[:, :actions] = np.eye(actions, dtype=bool)
        np.testing.assert_array_equal(batch.sample_legal(), np.arange(actions))

    @pytest.mark.parametrize("name", ["kintsugi", "patchwork"])
    def test_is_legal_in_every_row(self, name: str) -> None:
        batch = parlour.batch(name, 400, seed=2, autoreset=True)
        for _ in range(30):
            actions = batch.sample_legal()
            assert batch.legal[np.arange(400), actions].all()
            batch.step(actions)

    def test_is_seeded(self) -> None:
        batches = [kintsugi(2, seed=seed) for seed in (5, 5, 6)]
        for batch in batches:
            batch._masks[:, :69] = True
        first, same, other = (np.array([batch.sample_legal() for _ in range(50)]) for batch in batches)
        np.testing.assert_array_equal(first, same)
        assert not np.array_equal(first, other)
        assert not np.array_equal(first[:, 0], first[:, 1]), "every row has a stream of its own"

    def test_does_not_depend_on_how_many_rows_are_sampled_together(self) -> None:
        big, small = kintsugi(PARALLEL_FROM), kintsugi(5)
        for rows in ([4, 0], [1, 2, 3], None):
            of_big = big.sample_legal(rows if rows else np.arange(5))
            np.testing.assert_array_equal(of_big, small.sample_legal(rows))

    def test_takes_no_chance_of_the_game(self) -> None:
        batch, twin = kintsugi(), kintsugi()
        batch.sample_legal()
        assert_same(batch, twin)

    def test_gives_no_action_where_the_game_is_over(self) -> None:
        batch = mixed()
        np.testing.assert_array_equal(batch.sample_legal() == NO_ACTION, batch.current_player == NOBODY)


def drawn(batch: Batch, times: int) -> NDArray[np.int64]:
    return np.array([batch.sample_legal()[0] for _ in range(times)])


def assert_uniform(found: NDArray[np.int64], possible: NDArray[np.int64]) -> None:
    """Chi-square, with a bound that five standard deviations of it keep to."""
    values, counts = np.unique(found, return_counts=True)
    np.testing.assert_array_equal(values, possible)
    expected, freedom = len(found) / len(possible), len(possible) - 1
    assert ((counts - expected) ** 2 / expected).sum() < freedom + 5 * np.sqrt(2 * freedom)


def test_a_size_below_one_is_refused() -> None:
    with pytest.raises(parlour.ConfigError, match="size must be at least 1, got 0"):
        kintsugi(0)


def test_uncompiled_games_are_the_same_games() -> None:
    assert_same(play(kintsugi(2), 20), play(kintsugi(2, compiled=False), 20))


class TestRandomBits:
    def test_come_from_a_stream_of_each_row_whatever_the_size_of_the_batch(self) -> None:
        small, large = kintsugi(3), kintsugi(9)
        np.testing.assert_array_equal(small.draw_bits(), large.draw_bits([0, 1, 2]))
        np.testing.assert_array_equal(small.draw_bits([2]), large.draw_bits([2]))

    def test_are_new_at_every_draw_and_part_of_a_snapshot(self) -> None:
        batch = kintsugi(4)
        first, twin = batch.draw_bits(), batch.copy()
        second = batch.draw_bits()
        assert np.unique([first, second]).size == 8
        np.testing.assert_array_equal(twin.draw_bits(), second)
