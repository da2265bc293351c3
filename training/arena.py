"""The arena: every agent against every other, and how sure we are of the result.

**Fair by construction.** A block is one deal (one seed) played in every seating of the two agents:

- two players, or two clans: both ways round, 2 games; a clan is played by one agent;
- more than two players: every way to fill the seats with the two agents in equal numbers, or with one more of the one
  and then of the other where the seats are odd. So 3 or 4 players make blocks of 6 games, 5 or 6 players of 20.

Each agent sits equally often in every seat, behind every neighbour, with the same cards: the luck of the deal cancels.
All pairings play the same deals. What agents leave to chance they draw from a stream of each game, which follows from
the seed and the number of the game: the same seed gives the same result in batches of any size. These streams are not
shared between the games of a block: an agent's own luck would not cancel but add up, as it plays in all of them.

What pairing is worth, as the variance of unpaired play (each game a deal of its own, seatings in turn) over that of
paired play: for `greedy` against `greedy` that moves at random one time in ten, over 12,000 games each, 1.36 in
Kintsugi, 1.38 in Broken and Beautiful and 1.35 in Patchwork, but 1.17 in Kitsu and 1.05 in Klink, which are dealt anew
every round. Against `random`, which hardly ever wins, it is worth nothing (0.73 to 1.02).

At a table an agent's result is the mean over all pairs of one of its seats and one of the other agent's: 1 where its
seat is ahead, 0.5 where they are level, 0 where it is behind (`standings.ahead`).
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.errors import ConfigError, MissingExtra
from parlour.envs.core.options import read_seed, read_whole
from parlour.envs.core.registry import make_game
from parlour.training import ratings
from parlour.training.ratings import Floats

if TYPE_CHECKING:
    from parlour.envs.core.batch import Batch
    from parlour.envs.core.game import Game
    from parlour.envs.core.solo import Agent

Indices = NDArray[np.int64]

ROUNDS = 16
"""In how many rounds a pairing is played when it may stop early."""
SMALLEST_ROUND = 16
"""Blocks of a round, at least: single blocks would leave batches empty."""
CHOICES = 0xC401CE
"""Tells the seeds of what agents leave to chance from those of the deals."""


@dataclass(frozen=True)
class AgentResult:
    """One agent over all its pairings. Fields are those of the JSON report."""

    name: str
    """As it was typed."""
    games: int
    win_rate: float
    """Mean over its pairings."""
    win_rate_low: float
    win_rate_high: float
    rating: float
    """In Elo points; the mean of all agents is 0."""
    rating_low: float
    rating_high: float
    mean_score: float
    """Over all seats it sat in."""
    seconds_per_move: float
    """Of the move in the middle, so that compiling before the first does not count."""


@dataclass(frozen=True)
class PairResult:
    """One pairing. Fields are those of the JSON report."""

    a: str
    b: str
    games: int
    a_win_rate: float
    a_win_rate_low: float
    a_win_rate_high: float


@dataclass(frozen=True)
class ArenaResult:
    """What the arena found, with intervals of 95 %."""

    game: str
    config: dict[str, Any]
    seed: int
    games: int
    """Of each pairing, at most."""
    agents: list[AgentResult]
    pairs: list[PairResult]
    circles: list[tuple[int, int, int]] = field(default_factory=list)
    """Numbers of agents of which each beats the next beyond doubt, and the last the first: ratings hide this."""

    def report(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        told = asdict(self)
        del told["circles"]
        return told


class Watcher:
    """Is told how far the arena is; this one does not care."""

    def expects(self, games: int) -> None:
        """So many games more (or fewer) will be played."""

    def finished(self, games: int) -> None:
        """So many games more are over."""

    def __enter__(self) -> "Watcher":
        return self

    def __exit__(self, *_: object) -> None:
        pass


@dataclass
class Contestant:
    """An agent, and what is noted of it while it plays."""

    name: str
    act: Callable[..., Any]
    games: int = 0
    score: float = 0.0
    seats: int = 0
    calls: list[tuple[int, float]] = field(default_factory=list)
    """How many moves it was asked for, and the seconds that it took for each of them."""

    def choose(self, batch: "Batch", rows: Indices) -> Indices:
        begin = perf_counter()
        chosen = np.asarray(self.act(batch, rows))
        self.calls.append((rows.size, (perf_counter() - begin) / rows.size))
        if chosen.shape != rows.shape or chosen.dtype.kind not in "iu":
            raise ConfigError(
                f"{self.name} must give {rows.size} whole numbers, one action per row, "
                f"got {chosen.dtype} of shape {chosen.shape}"
            )
        return chosen.astype(np.int64)

    @property
    def seconds_per_move(self) -> float:
        moves, seconds = np.array(sorted(self.calls, key=lambda call: call[1])).T
        return float(seconds[np.searchsorted(moves.cumsum(), moves.sum() / 2)])


def arena(
    game: "str | Game",
    agents: "Sequence[str | Agent]",
    games: int = 1_000,
    seed: int = 0,
    *,
    until_sure: bool = False,
    batch_size: int = 4_096,
    progress: bool = False,
    **config: Any,
) -> ArenaResult:
    """Let every agent play every other.

    Args:
        game: Its name, or the game itself.
        agents: Two or more, each a spec as `parlour.agents.load` takes it, or an agent. The same may come twice.
        games: How many each pairing plays, rounded up to whole blocks.
        seed: Of the deals, and of all that agents leave to chance.
        until_sure: Stop a pairing when one agent is the better one beyond doubt, by a test that stays valid although it
            looks after every round (`ratings.evidence`): of pairings of equal agents it stops at most one in twenty.
            Win rates of a pairing that stopped early lean a little towards its winner.
        batch_size: How many games are played at once; more takes more memory. The result does not depend on it.
        progress: Show a bar on the terminal.
        **config: Options of the game, such as `players=3`.

    Raises:
        ConfigError: If a game, agent, option or number does not exist or does not fit.
    """
    games, seed, batch_size = _at_least_1("games", games), int(read_seed(seed)), _at_least_1("batch_size", batch_size)
    made = make_game(game, **config) if isinstance(game, str) else game
    contestants = _contestants(agents, made)
    seatings = arrangements(made.players, made.teams)
    blocks = -(-games // len(seatings))
    pairs = list(combinations(range(len(contestants)), 2))
    with _watcher(progress) as watcher:
        watcher.expects(len(pairs) * blocks * len(seatings))
        pairings = [
            Pairing(made, (contestants[a], contestants[b]), seatings, seed, batch_size, watcher) for a, b in pairs
        ]
        results = [pairing.play(blocks, until_sure) for pairing in pairings]
    told, found = _summary(contestants, pairs, results, len(seatings), seed)
    circles = _circles(len(contestants), pairs, found)
    return ArenaResult(made.name, dict(made.config), seed, blocks * len(seatings), told, found, circles)


def arrangements(players: int, teams: int) -> Indices:
    """[T, players]: which of two agents, 0 or 1, sits where, in every seating of a block."""
    tables = [
        [0 if side in first else 1 for side in range(teams)]
        for many in sorted({teams // 2, teams - teams // 2})
        for first in combinations(range(teams), many)
    ]
    return np.array(tables)[:, np.arange(players) % teams]


@dataclass(frozen=True)
class Pairing:
    """Two agents, and the deals that they play in every seating."""

    game: "Game"
    agents: tuple[Contestant, Contestant]
    seatings: Indices
    seed: int
    batch_size: int
    watcher: Watcher

    def play(self, blocks: int, until_sure: bool = False) -> Floats:
        """The first agent's result in each block, up to so many."""
        step = max(SMALLEST_ROUND, -(-blocks // ROUNDS)) if until_sure else blocks
        results = np.empty(0)
        while results.size < blocks:
            played = np.arange(results.size, min(results.size + step, blocks))
            results = np.concatenate([results, self._play_blocks(played)])
            if until_sure and ratings.is_sure(results):
                break
        self.watcher.expects((results.size - blocks) * len(self.seatings))
        return results

    def _play_blocks(self, blocks: Indices) -> Floats:
        many = len(self.seatings)
        numbers = np.arange(blocks[0] * many, (blocks[-1] + 1) * many)
        starts = range(0, numbers.size, self.batch_size)
        results = np.concatenate([self._play_games(numbers[start : start + self.batch_size]) for start in starts])
        means: Floats = results.reshape(blocks.size, -1).mean(axis=1)
        return means

    def _play_games(self, numbers: Indices) -> Floats:
        """The first agent's result in each of these games, which are numbered block by block."""
        from parlour.envs.core.batch import Batch
        from parlour.training.standings import ahead

        block, table = np.divmod(numbers, len(self.seatings))
        seating = self.seatings[table]
        batch = Batch(self.game, numbers.size, self.seed)
        batch.reset(seed=_spread(self.seed, block))
        batch.seed_choices(_spread(self.seed ^ CHOICES, numbers))
        running = np.arange(numbers.size)
        while running.size:
            mover = seating[running, batch.states["player"][running]]
            _, terminated, truncated = batch.step(self._choices(batch, running, mover), running)
            over = terminated | truncated
            if over.any():
                running = running[~over]
                self.watcher.finished(int(over.sum()))
        self._note_scores(batch.scores(), seating)
        own, other = (seating == 0).astype(np.float64), (seating == 1).astype(np.float64)
        won = np.einsum("gi,gij,gj->g", own, ahead(batch), other)
        result: Floats = won / (own.sum(axis=1) * other.sum(axis=1))
        return result

    def _choices(self, batch: "Batch", rows: Indices, mover: Indices) -> Indices:
        """What each agent plays in the rows in which it is to move."""
        actions = np.empty(rows.size, np.int64)
        for number, agent in enumerate(self.agents):
            own = mover == number
            if own.any():
                actions[own] = agent.choose(batch, rows[own])
        return actions

    def _note_scores(self, scores: NDArray[np.int32], seating: Indices) -> None:
        for number, agent in enumerate(self.agents):
            own = scores[seating == number]
            agent.games += len(scores)
            agent.score += float(own.sum())
            agent.seats += own.size


def _watcher(progress: bool) -> Watcher:
    if not progress:
        return Watcher()
    try:
        from parlour.training.arena_progress import Bar
    except ImportError as missing:
        raise MissingExtra("a progress bar needs rich: pip install 'parlour[play]'") from missing
    return Bar()


def _spread(seed: int, numbers: Indices) -> NDArray[np.uint64]:
    """The seeds that follow from one, by number."""
    from parlour.envs.core.loops import spread_seeds

    seeds = np.empty(numbers.size, np.uint64)
    spread_seeds(np.uint64(seed), numbers, seeds)
    return seeds


def _at_least_1(what: str, value: int) -> int:
    number = read_whole(what, value)
    if number < 1:
        raise ConfigError(f"{what} must be at least 1, got {number}")
    return number


def _contestants(agents: "Sequence[str | Agent]", game: "Game") -> list[Contestant]:
    from parlour.agents import load, names
    from parlour.agents.human import Human

    if isinstance(agents, str) or len(agents) < 2:
        told = f"got {agents!r}" if len(agents) else "got none"
        raise ConfigError(f"an arena takes two agents or more, {told}; the agents are {', '.join(names())}")
    found = []
    for agent in agents:
        player = load(agent, game) if isinstance(agent, str) else agent
        if isinstance(player, Human):
            raise ConfigError(f"human cannot play in the arena: try `parlour play {game.name} --as human,greedy`")
        if not callable(getattr(player, "act", None)):
            raise ConfigError(f"an agent is a spec or has act(batch, rows), got {agent!r}")
        if not isinstance(agent, str) and hasattr(player, "check"):
            player.check(game)
        found.append(Contestant(agent if isinstance(agent, str) else type(agent).__name__, player.act))
    return found


def _summary(
    contestants: list[Contestant], pairs: list[tuple[int, int]], results: list[Floats], tables: int, seed: int
) -> tuple[list[AgentResult], list[PairResult]]:
    """Results and intervals of agents and pairings; each pairing has played blocks of so many tables."""
    many = len(contestants)
    won, weight = np.array([result.sum() for result in results]), np.array([result.size for result in results])
    resampled = ratings.resample(results, seed)
    rates, rates_again = won / weight, resampled[0] / resampled[1]
    means, means_again = _means(pairs, many, rates), _means(pairs, many, rates_again)
    strength = ratings.bradley_terry(ratings.tabulated(pairs, many, *ratings.add_doubt(won, weight)))
    strength_again = ratings.bradley_terry(ratings.tabulated(pairs, many, *resampled))
    columns = [*_with_interval(means, means_again), *_with_interval(strength, strength_again)]
    columns += [[agent.score / agent.seats for agent in contestants], [a.seconds_per_move for a in contestants]]
    agents = [
        AgentResult(agent.name, agent.games, *numbers) for agent, *numbers in zip(contestants, *columns, strict=True)
    ]
    by_pair = zip(pairs, results, *_with_interval(rates, rates_again), strict=True)
    return agents, [
        PairResult(contestants[a].name, contestants[b].name, result.size * tables, *numbers)
        for (a, b), result, *numbers in by_pair
    ]


def _with_interval(estimate: Floats, resampled: Floats) -> list[list[float]]:
    return [column.tolist() for column in (estimate, *ratings.interval(estimate, resampled))]


def _means(pairs: list[tuple[int, int]], many: int, rates: Floats) -> Floats:
    """Each agent's mean [..., agents] over its pairings, of the rates [..., pairings] of their first agents."""
    table = ratings.tabulated(pairs, many, rates, np.ones_like(rates))
    means: Floats = table.sum(axis=-1) / (many - 1)
    return means


def _circles(many: int, pairs: list[tuple[int, int]], found: list[PairResult]) -> list[tuple[int, int, int]]:
    beats = np.zeros((many, many), bool)
    for (a, b), pair in zip(pairs, found, strict=True):
        beats[a, b], beats[b, a] = pair.a_win_rate_low > 0.5, pair.a_win_rate_high < 0.5
    return ratings.circles(beats)
