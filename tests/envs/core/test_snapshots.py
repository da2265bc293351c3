"""A snapshot is the game: whatever way it was copied, it goes on identically; what is no snapshot is refused."""

import contextlib
import copy
import hashlib
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.aec import TableEnv
from parlour.envs.core.batch import _MAGIC, Batch
from parlour.envs.core.record import NOBODY
from tests.envs.core.play import CASES, assert_same, finish, histories, play, python

WAYS: dict[str, Callable[[Batch], Batch]] = {
    "copy": lambda batch: batch.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
    "bytes": lambda batch: Batch.from_bytes(batch.to_bytes()),
    "bytes of a known game": lambda batch: Batch.from_bytes(batch.to_bytes(), batch.game),
}
COPIED = pytest.mark.parametrize("copied", WAYS.values(), ids=WAYS)


class TestCopies:
    @COPIED
    @pytest.mark.parametrize(("name", "config"), CASES)
    def test_go_on_identically_from_mid_game(
        self, name: str, config: dict[str, Any], copied: Callable[[Batch], Batch]
    ) -> None:
        batch = play(parlour.batch(name, 3, seed=6, autoreset=True, **config), 17)
        twin = copied(batch)
        assert_same(batch, twin)
        assert histories(batch, 40) == histories(twin, 40), "chance, samples and further games too"

    @COPIED
    @pytest.mark.parametrize("name", ["kintsugi", "patchwork"])
    def test_have_the_same_bytes(self, name: str, copied: Callable[[Batch], Batch]) -> None:
        """What is in the gaps between fields too: it would come from whatever lay in memory before."""
        batch = play(parlour.batch(name, 3, seed=6), 17)
        rubbish = [np.full(batch._states.nbytes, 255, np.uint8) for _ in range(100)]
        del rubbish
        assert copied(batch).to_bytes() == batch.to_bytes()

    @COPIED
    def test_have_the_dtype_that_numba_knows(self, copied: Callable[[Batch], Batch]) -> None:
        """An equal one would be compared with it field by field whenever a kernel is called."""
        batch = parlour.batch("kintsugi", 3, seed=6)
        assert copied(batch)._states.dtype is batch.game.rules.record.dtype is batch._states.dtype

    @COPIED
    def test_are_independent(self, copied: Callable[[Batch], Batch]) -> None:
        batch = play(parlour.batch("kintsugi", 3, seed=6), 17)
        before = batch.to_bytes()
        play(copied(batch), 10)
        assert batch.to_bytes() == before

    @COPIED
    def test_keep_the_options_of_the_batch(self, copied: Callable[[Batch], Batch]) -> None:
        batch = parlour.batch("kintsugi", 3, seed=6, autoreset=True, on_illegal="lose", compiled=False, players=3)
        twin = copied(batch)
        assert (twin.autoreset, twin.on_illegal, twin._compiled, twin.size) == (True, "lose", False, 3)
        assert dict(twin.game.config) == dict(batch.game.config)

    @COPIED
    def test_of_finished_games_are_finished(self, copied: Callable[[Batch], Batch]) -> None:
        batch = finish(parlour.batch("patchwork", 3, seed=6))
        assert_same(copied(batch), batch)
        assert (copied(batch).current_player == NOBODY).all()

    def test_of_some_rows_have_these_rows_and_may_repeat_them(self) -> None:
        batch = play(parlour.batch("kintsugi", 5, seed=6), 9)
        twin = batch.copy([4, 1, 4])
        np.testing.assert_array_equal(twin.reveal(), batch.reveal()[[4, 1, 4]])
        same = histories(twin, 30)
        assert same[0] == same[2] == histories(batch, 30)[4]
        assert same[1] != same[0]

    def test_across_the_size_where_threads_start_are_the_same_games(self) -> None:
        batch = play(parlour.batch("kintsugi", 300, seed=6), 9)
        small = batch.copy(np.arange(4))
        assert histories(small, 30) == histories(batch.copy(np.arange(260)), 30)[:4]

    def test_of_what_was_handed_out_do_not_change_with_it(self) -> None:
        batch = play(parlour.batch("kintsugi", 3, seed=6), 9)
        held = batch.legal, batch.observation
        kept = [view.copy() for view in held]
        play(batch.copy(), 5)
        for now, then in zip(held, kept, strict=True):
            np.testing.assert_array_equal(now, then)

    def test_in_another_process_go_on_identically(self) -> None:
        batch = play(parlour.batch("kintsugi", 3, seed=6, players=3), 9)
        source = """
import pickle, sys
from tests.envs.core.play import histories
print(*histories(pickle.loads(bytes.fromhex(sys.argv[1])), 20))
"""
        assert python(source, pickle.dumps(batch).hex()).stdout.split() == histories(batch, 20)

    def test_of_games_with_options_given_as_numpy_numbers_are_possible(self) -> None:
        batch = parlour.batch(
            "kintsugi", 2, seed=1, players=np.int64(3), first_player=np.int8(1), novices=np.array([2])
        )
        assert_same(Batch.from_bytes(batch.to_bytes()), batch)

    def test_a_game_itself_can_be_copied_and_pickled(self) -> None:
        game = parlour.make_game("kintsugi", players=3, reward="margin")
        for twin in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert (twin.name, dict(twin.config)) == (game.name, dict(game.config))
            assert twin.rules is game.rules, "nothing is compiled again"


def opened(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The head and the states of a snapshot."""
    head, _, rest = data[len(_MAGIC) + 32 :].partition(b"\n")
    return json.loads(head), rest


def sealed(head: Any, rest: bytes) -> bytes:
    """A snapshot with a right digest, whatever is in it."""
    content = (head if isinstance(head, bytes) else json.dumps(head).encode()) + b"\n" + rest
    return _MAGIC + hashlib.sha256(content).digest() + content


@pytest.fixture(scope="module")
def data() -> bytes:
    return play(parlour.batch("kintsugi", 2, seed=6), 9).to_bytes()


class TestRefusedBytes:
    def test_a_snapshot_sealed_again_is_taken(self, data: bytes) -> None:
        """So that what is refused below is refused for what was changed."""
        assert sealed(*opened(data)) == data
        assert Batch.from_bytes(sealed(*opened(data))).to_bytes() == data

    @pytest.mark.parametrize(
        "wrong", [b"", b"PK\x03\x04", b"parlour snapshot 1\n", b"\0" * 2000, _MAGIC + b"\0" * 2000]
    )
    def test_what_is_no_snapshot_is_refused(self, wrong: bytes) -> None:
        with pytest.raises(parlour.SnapshotError, match="not a whole parlour snapshot"):
            Batch.from_bytes(wrong)

    def test_every_damaged_byte_is_noticed(self, data: bytes) -> None:
        for place in range(0, len(data), 7):
            damaged = bytearray(data)
            damaged[place] ^= 16
            with pytest.raises(parlour.SnapshotError, match="damaged"):
                Batch.from_bytes(bytes(damaged))

    @pytest.mark.parametrize("cut", [1, 8, 500, 1000])
    def test_what_is_cut_short_or_goes_on_is_refused(self, data: bytes, cut: int) -> None:
        for wrong in (data[:-cut], data + b"\0" * cut, data[cut:]):
            with pytest.raises(parlour.SnapshotError, match="cut short"):
                Batch.from_bytes(wrong)

    @pytest.mark.parametrize("cut", [1, 8, 512, 544])
    def test_another_length_is_refused_even_when_sealed(self, data: bytes, cut: int) -> None:
        head, rest = opened(data)
        for wrong in (rest[:-cut], rest + b"\0" * cut, b""):
            with pytest.raises(parlour.SnapshotError, match="bytes"):
                Batch.from_bytes(sealed(head, wrong))

    @pytest.mark.parametrize("size", [0, -1, 1, 3, 10**12, "many", None, [2]])
    def test_another_size_is_refused(self, data: bytes, size: Any) -> None:
        head, rest = opened(data)
        with pytest.raises(parlour.SnapshotError):
            Batch.from_bytes(sealed({**head, "size": size}, rest))

    @pytest.mark.parametrize("head", [b"", b"{}", b"[]", b"null", b"7", b"{", b"\xff\xfe", b'{"game": "kintsugi"}'])
    def test_a_head_that_tells_nothing_is_refused(self, data: bytes, head: bytes) -> None:
        with pytest.raises(parlour.SnapshotError, match="head"):
            Batch.from_bytes(sealed(head, opened(data)[1]))

    @pytest.mark.parametrize(
        "other",
        [
            {"game": "patchwork"},
            {"game": "chess"},
            {"game": None},
            {"version": 1},
            {"version": "0"},
            {"config": {}},
            {"config": {"players": 3}},
            {"config": {"colour": "red"}},
            {"config": {"players": 17}},
            {"config": None},
            {"config": []},
            {"on_illegal": "shrug"},
            {"autoreset": "yes"},
        ],
        ids=str,
    )
    def test_a_head_of_something_else_is_refused(self, data: bytes, other: dict[str, Any]) -> None:
        head, rest = opened(data)
        with pytest.raises(parlour.SnapshotError):
            Batch.from_bytes(sealed({**head, **other}, rest))

    @pytest.mark.parametrize(
        ("name", "config"),
        [
            ("patchwork", {}),
            ("broken_and_beautiful", {}),
            ("kintsugi", {"players": 3}),
            ("kintsugi", {"reward": "margin"}),
        ],
        ids=str,
    )
    def test_another_game_or_configuration_than_wanted_is_told(
        self, data: bytes, name: str, config: dict[str, Any]
    ) -> None:
        wanted = parlour.make_game(name, **config)
        with pytest.raises(parlour.SnapshotError, match=rf"is of kintsugi v0 .*, not of {name} v0 "):
            Batch.from_bytes(data, wanted)


def changed(data: bytes, field: str, value: Any) -> bytes:
    """The snapshot with another value in the second game, and a right digest."""
    batch = Batch.from_bytes(data)
    column = batch._states[field]
    column.reshape(batch.size, -1)[1, -1] = value
    return batch.to_bytes()


KINTSUGI = parlour.make_game("kintsugi")


class TestRefusedValues:
    @pytest.mark.parametrize("field", KINTSUGI.rules.record.fields, ids=lambda field: field.name)
    def test_every_value_out_of_its_range_is_refused(self, data: bytes, field: Any) -> None:
        limits = np.iinfo(field.type)
        for wrong in (field.low - 1, field.high + 1):
            if limits.min <= wrong <= limits.max:
                with pytest.raises(parlour.SnapshotError, match=f"^{field.name} must be within"):
                    Batch.from_bytes(changed(data, field.name, wrong))

    def test_a_value_within_its_range_is_taken(self, data: bytes) -> None:
        assert int(Batch.from_bytes(changed(data, "tokens", 3))._states["tokens"][1, -1]) == 3

    @pytest.mark.parametrize("seat", [2, 3, 5])
    def test_a_player_who_has_no_seat_is_refused(self, data: bytes, seat: int) -> None:
        """Kernels index with the player: one that is not at the table would read and write beyond it."""
        with pytest.raises(parlour.SnapshotError):
            Batch.from_bytes(changed(data, "player", seat))

    @pytest.mark.parametrize(
        ("field", "value"), [("players", 4), ("teams", 3), ("reward", 1), ("edition", 0), ("patterns", 4)]
    )
    def test_a_game_that_is_not_of_its_configuration_is_refused(self, data: bytes, field: str, value: int) -> None:
        """The head tells two players: rewards have two places, and a third player's would be written past them."""
        with pytest.raises(parlour.SnapshotError):
            Batch.from_bytes(changed(data, field, value))


def step_once(env: Any, seed: int) -> None:
    """A uniform legal action, or None for who is out."""
    seen, _, terminated, truncated, _ = env.last()
    legal = np.flatnonzero(seen["action_mask"])
    env.step(None if terminated or truncated else int(np.random.default_rng(seed).choice(legal)))


def tables(**options: Any) -> list[Any]:
    return [parlour.envs.kintsugi_v0.env(**options), parlour.envs.kintsugi_v0.raw_env(**options)]


COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "twice": lambda env: copy.deepcopy(pickle.loads(pickle.dumps(copy.deepcopy(env)))),
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("env", tables(players=3, observation="remember", render_mode="ansi"), ids=["env", "raw_env"])
class TestTables:
    def test_go_on_identically_from_mid_game(self, env: Any, copied: Callable[[Any], Any]) -> None:
        env.reset(seed=5)
        for k in range(15):
            step_once(env, k)
        twin = copied(env)
        for k in range(200):
            self.assert_same(env, twin)
            if not env.agents:
                break
            step_once(env, k)
            step_once(twin, k)
        assert not env.agents
        env.reset()
        twin.reset()
        self.assert_same(env, twin)

    def test_are_independent(self, env: Any, copied: Callable[[Any], Any]) -> None:
        env.reset(seed=5)
        twin, before = copied(env), env.state().copy()
        mask = env.last()[0]["action_mask"].copy()
        for k in range(15):
            step_once(twin, k)
        np.testing.assert_array_equal(env.state(), before)
        np.testing.assert_array_equal(env.last()[0]["action_mask"], mask)

    def test_have_the_dtype_that_numba_knows(self, env: Any, copied: Callable[[Any], Any]) -> None:
        inside = copied(env).unwrapped
        assert inside._states.dtype is inside.game.rules.record.dtype is inside.game.blank.dtype

    def test_before_the_first_reset_can_be_reset(self, env: Any, copied: Callable[[Any], Any]) -> None:
        twin = copied(type(env)(env.env) if hasattr(env, "env") else TableEnv(env.game))
        twin.reset(seed=5)
        assert twin.agents == ["player_0", "player_1", "player_2"]

    def test_writing_to_the_mask_of_who_is_not_to_move_changes_no_other(
        self, env: Any, copied: Callable[[Any], Any]
    ) -> None:
        env.reset(seed=5)
        twin = copied(env)
        waiting = [agent for agent in twin.agents if agent != twin.agent_selection]
        with contextlib.suppress(ValueError):
            twin.observe(waiting[0])["action_mask"][:] = 1
        assert not twin.observe(waiting[1])["action_mask"].any()
        twin.reset(seed=5)
        assert not twin.observe(waiting[0])["action_mask"].any()

    @staticmethod
    def assert_same(env: Any, twin: Any) -> None:
        assert env.agents == twin.agents
        np.testing.assert_array_equal(env.state(), twin.state())
        if env.agents:
            assert env.agent_selection == twin.agent_selection
            assert env.render() == twin.render()
            ours, theirs = env.last(), twin.last()
            assert ours[1:4] == theirs[1:4]
            for key, value in ours[0].items():
                np.testing.assert_array_equal(value, theirs[0][key])
