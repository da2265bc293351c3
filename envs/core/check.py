"""`check_game`: the conformance kit. Every promise that Parlour makes of a game, tried on random play."""

import pickle
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import CheckFailed, IllegalAction
from parlour.envs.core.game import Game, kernels
from parlour.envs.core.jit import JIT, plain, signatures
from parlour.envs.core.record import NO_ACTION, NOBODY
from parlour.envs.core.registry import make_game

MOST_STEPS = 5_000
MOST_BYTES = 512
SIZE = 24
"""Games played for a check; those of one player at a time and in plain Python are fewer."""
FEW = 3

Check = Callable[[Game, int], None]


def check_game(game: Game | str, seed: int = 0, tell: Callable[[str], None] | None = None, **config: Any) -> list[str]:
    """Try every promise on random play of a game.

    Args:
        game: The game, or its name with its options.
        seed: Seed of the play.
        tell: Called with the name of each check that has passed.

    Returns:
        The names of the checks.

    Raises:
        CheckFailed: At the first promise that is broken.
    """
    made = make_game(game, **config) if isinstance(game, str) else game
    for name, check in CHECKS.items():
        try:
            check(made, seed)
        except AssertionError as broken:
            raise CheckFailed(f"{made!r}: {name}: {broken}") from broken
        if tell:
            tell(name)
    return list(CHECKS)


def _require(kept: Any, promise: str) -> None:
    if not kept:
        raise CheckFailed(promise)


def _stages(batch: Batch, every: int = 1) -> Iterator[int]:
    """Play uniformly to the end of all games, stopping after every few steps, at the start and at the end."""
    for step in range(MOST_STEPS):
        if step % every == 0 or (batch.current_player == NOBODY).all():
            yield step
        if (batch.current_player == NOBODY).all():
            return
        alive = batch.current_player != NOBODY
        _require(batch.legal[alive].any(axis=1).all(), "a player is to move and has no legal action")
        batch.step(batch.sample_legal())
    raise CheckFailed(f"random play does not end within {MOST_STEPS} steps")


def _record(batch: Batch) -> Iterator[tuple[NDArray[Any], ...]]:
    """Everything a batch shows, step by step, of a game played to its end."""
    for _ in range(MOST_STEPS):
        views = [
            look(seat) for seat in range(batch.game.players) for look in (batch.observe, batch.remember, batch.reveal)
        ]
        yield batch._states.copy(), batch.legal, batch.scores(), *views
        if (batch.current_player == NOBODY).all():
            return
        yield batch.step(batch.sample_legal())


def _same(ours: Any, theirs: Any, rows: slice = slice(None)) -> bool:
    return all(np.array_equal(a[rows], b) for a, b in zip(ours, theirs, strict=True))


def _mask_and_step_agree(game: Game, seed: int) -> None:
    batch = Batch(game, FEW, seed)
    for _ in islice(_stages(batch, every=7), 100):
        for row in np.flatnonzero(batch.current_player != NOBODY):
            legal = np.flatnonzero(batch.legal[row])
            some = legal[:: max(1, legal.size // 40)]
            batch.copy(np.full(some.size, row)).step(some)
            _refuses(batch, int(row))
        over = batch.current_player == NOBODY
        _require(not batch.legal[over].any(), "a finished game has legal actions")


def _refuses(batch: Batch, row: int) -> None:
    """Illegal and malformed actions are refused and change nothing."""
    illegal = np.flatnonzero(~batch.legal[row])
    wrong = [NO_ACTION, batch.game.num_actions, *illegal[:2], *illegal[-2:]]
    before = batch.to_bytes()
    for action in wrong:
        try:
            batch.step([action], rows=[row])
        except IllegalAction:
            _require(batch.to_bytes() == before, f"the illegal action {action} was refused but changed the state")
        else:
            raise CheckFailed(f"the illegal action {action} was played")


def _random_play_ends(game: Game, seed: int) -> None:
    for _ in _stages(Batch(game, SIZE, seed)):
        pass


def _same_seed_same_game(game: Game, seed: int) -> None:
    for ours, theirs in zip(_record(Batch(game, FEW, seed)), _record(Batch(game, FEW, seed)), strict=True):
        _require(_same(ours, theirs), "the same seed gave two different games")
    other = Batch(game, SIZE, seed + 1).reveal()
    _require(not np.array_equal(Batch(game, SIZE, seed).reveal(), other), "two seeds gave the same games")


def _batch_equals_one_by_one(game: Game, seed: int) -> None:
    together = Batch(game, SIZE, seed)
    alone = [Batch(game, 1, int(s)) for s in together.seeds[:FEW]]
    while (together.current_player != NOBODY).any():
        ours = together.step(together.sample_legal())
        for row, batch in enumerate(alone):
            theirs = batch.step(batch.sample_legal())
            _require(_same(ours, theirs, slice(row, row + 1)), f"row {row} is paid differently alone")
            _require(_same((together._states,), (batch._states,), slice(row, row + 1)), f"row {row} differs alone")


def _jit_equals_plain(game: Game, seed: int) -> None:
    compiled, slow = Batch(game, FEW, seed), Batch(game, FEW, seed, compiled=False)
    for ours, theirs in zip(_record(compiled), _record(slow), strict=True):
        _require(_same(ours, theirs), "the rules give something else uncompiled")


def _components_are_conserved(game: Game, seed: int) -> None:
    batch = Batch(game, FEW, seed)
    at_start = [dict(game.components(state)) for state in batch._states]
    for step in _stages(batch, every=3):
        for row, state in enumerate(batch._states):
            now = dict(game.components(state))
            _require(now == at_start[row], f"after {step} steps the components are {now}, not {at_start[row]}")


def _returns_reach_every_seat_once(game: Game, seed: int) -> None:
    batch = Batch(game, SIZE, seed)
    paid = np.zeros((SIZE, game.players))
    while (batch.current_player != NOBODY).any():
        running = batch.current_player != NOBODY
        rewards, terminated, truncated = batch.step(batch.sample_legal())
        over = (terminated | truncated) & running
        _require(not rewards[~over].any(), "someone was paid before the end or after it")
        _require(np.allclose(rewards.sum(axis=1), 0, atol=1e-5), "the returns of a game do not sum to zero")
        paid += rewards
    expected = np.zeros((SIZE, game.players), np.float32)
    pay = plain(game.rules.returns)
    for row, state in enumerate(batch._states):
        pay(state, expected[row])
    _require(np.allclose(paid, expected, atol=1e-6), "someone's payments are not the returns of the finished game")


def _views_fit_their_layouts(game: Game, seed: int) -> None:
    batch = Batch(game, SIZE, seed)
    views = (("observe", game.layout), ("remember", game.memory), ("reveal", game.whole))
    for name, layout in views:
        out = np.zeros(layout.size, np.float32)
        wrote = plain(getattr(game.rules, name))(batch._states[0], 0, out)
        _require(wrote == layout.size, f"{name} writes {wrote} numbers and its layout has {layout.size}")
    for _ in _stages(batch, every=2):
        for name, layout in views:
            for seat in range(game.players):
                seen = getattr(batch, name)(seat)
                for entry in layout.entries:
                    part = layout.view(seen, entry.name)
                    kept = part.min() >= entry.low - 1e-5 and part.max() <= entry.high + 1e-5
                    _require(kept, f"{name} {entry.name} is {part.min()}..{part.max()}, not {entry.low}..{entry.high}")


def _nothing_hidden_shows(game: Game, seed: int) -> None:
    batch = Batch(game, SIZE, seed)
    for step in _stages(batch, every=3):
        for seat in range(game.players):
            twin = batch.determinize(seat, seed=seed + step)
            _require(
                _same((batch.observe(seat),), (twin.observe(seat),)), "what a seat cannot know is in its observation"
            )
            _require(_same((batch.remember(seat),), (twin.remember(seat),)), "determinize changes what a seat knows")
            _require(_same((batch.current_player,), (twin.current_player,)), "determinize changes who is to move")
            _require(_same((batch.scores(),), (twin.scores(),)), "determinize changes the scores")
            own = batch.current_player == seat
            _require(
                _same((batch.legal[own],), (twin.legal[own],)), "what a seat cannot know changes its legal actions"
            )


def _determinized_games_are_real(game: Game, seed: int) -> None:
    batch = Batch(game, FEW, seed)
    for step in _stages(batch, every=9):
        for row in np.flatnonzero(batch.current_player != NOBODY):
            twin = batch.determinize(None, rows=[row], seed=seed + step)
            _require(
                dict(game.components(twin._states[0])) == dict(game.components(batch._states[row])),
                "a determinized game has other components",
            )
            for _ in _stages(twin, every=MOST_STEPS):
                pass


def _snapshots_go_on_identically(game: Game, seed: int) -> None:
    batch = Batch(game, FEW, seed)
    for _ in range(5):
        batch.step(batch.sample_legal())
    twins = [batch.copy(), pickle.loads(pickle.dumps(batch)), Batch.from_bytes(batch.to_bytes())]
    records = [list(_record(twin)) for twin in (batch, *twins)]
    for record in records[1:]:
        same = all(_same(ours, theirs) for ours, theirs in zip(records[0], record, strict=True))
        _require(same, "a copy went on differently")


def _the_state_is_small_and_kernels_are_compiled_once(game: Game, seed: int) -> None:
    _require(game.rules.record.dtype.itemsize <= MOST_BYTES, f"a game takes more than {MOST_BYTES} bytes")
    Batch(game, 1, seed).step(Batch(game, 1, seed).sample_legal())
    if JIT:
        for loop in vars(kernels(game.rules, parallel=False)).values():
            _require(not callable(loop) or signatures(loop) <= 1, "a kernel was compiled for two signatures")


CHECKS: dict[str, Check] = {
    "mask and step agree": _mask_and_step_agree,
    "random play ends": _random_play_ends,
    "same seed, same game": _same_seed_same_game,
    "a batch equals its games one by one": _batch_equals_one_by_one,
    "compiled equals plain Python": _jit_equals_plain,
    "components are conserved": _components_are_conserved,
    "returns sum to zero and reach every seat once": _returns_reach_every_seat_once,
    "observations fit their layouts": _views_fit_their_layouts,
    "nothing hidden shows": _nothing_hidden_shows,
    "determinized games are real games": _determinized_games_are_real,
    "snapshots go on identically": _snapshots_go_on_identically,
    "states are small, kernels compile once": _the_state_is_small_and_kernels_are_compiled_once,
}
