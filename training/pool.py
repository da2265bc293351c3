"""`Pool`: whom the learner plays against, drawn anew for every game."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.errors import ConfigError
from parlour.envs.core.solo import Opponent

UNKNOWN = 10.0
"""Games at par that every member is thought to have played already, so that a few results do not decide."""
MEMORY = 1000.0
"""About so many games are remembered of each member, because the learner changes."""


@dataclass
class Member:
    """Someone in the pool, and how the learner fared against it of late."""

    name: str
    number: int
    weight: float
    snapshot: bool
    """Whether it is a past self, weighed by how hard it is to beat."""
    games: float = 0.0
    won: float = 0.0
    """Of these games, those that the learner won; a draw is half a win."""

    @property
    def win_rate(self) -> float:
        """How often the learner beats it, near one half while little is known."""
        return (self.won + UNKNOWN / 2) / (self.games + UNKNOWN)

    def note(self, games: int, won: float) -> None:
        kept = max(0.0, 1.0 - games / MEMORY)
        self.games, self.won = self.games * kept + games, self.won * kept + won


class Pool:
    """Opponents by name: baselines, the current policy, and past selves.

    Past selves are weighed by how hard they are to beat (prioritised fictitious self-play): as (1 - the learner's win
    rate) to a power, never less than a floor. Together they weigh `snapshots`, however many there are.

    A pool has no chance of its own: an environment draws with the seeded bits of its rows. Several may share a pool.

    Args:
        members: Opponents and their weights, for a start.
        snapshots: What all past selves together weigh.
        power: How much the hard ones are preferred; 0 treats all alike.
        floor: The least that a past self counts, beside the 1 of one that is never beaten.
    """

    def __init__(
        self,
        members: Mapping[str, tuple[Opponent, float]] | None = None,
        *,
        snapshots: float = 1.0,
        power: float = 2.0,
        floor: float = 0.02,
    ) -> None:
        if snapshots < 0 or power < 0 or floor <= 0:
            raise ConfigError(f"a pool needs snapshots >= 0, power >= 0, floor > 0, got {snapshots}, {power}, {floor}")
        self.snapshots, self.power, self.floor = snapshots, power, floor
        self._members: dict[int, Member] = {}
        self._agents: dict[int, Opponent] = {}
        self._next = 0
        for name, (agent, weight) in (members or {}).items():
            self.add(name, agent, weight)

    # --- who is in it

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, name: str) -> bool:
        return any(member.name == name for member in self._members.values())

    @property
    def members(self) -> list[Member]:
        """All members, oldest first."""
        return list(self._members.values())

    def add(self, name: str, agent: Opponent, weight: float = 1.0) -> None:
        """Take in a baseline or the current policy."""
        if not weight >= 0:
            raise ConfigError(f"the weight of {name} must not be negative, got {weight}")
        self._take_in(Member(name, self._next, float(weight), snapshot=False), agent)

    def add_snapshot(self, name: str, agent: Opponent) -> None:
        """Take in a past self."""
        self._take_in(Member(name, self._next, 1.0, snapshot=True), agent)

    def remove(self, name: str) -> None:
        """Send a member away. Games that it is playing go on to their end."""
        number = self[name].number
        del self._members[number], self._agents[number]

    def __getitem__(self, name: str) -> Member:
        for member in self._members.values():
            if member.name == name:
                return member
        raise ConfigError(f"no {name!r} in this pool; its members are {', '.join(m.name for m in self.members)}")

    def _take_in(self, member: Member, agent: Opponent) -> None:
        if member.name in self:
            raise ConfigError(f"there is a {member.name!r} in this pool already")
        self._members[member.number], self._agents[member.number] = member, agent
        self._next = member.number + 1

    # --- who plays

    @property
    def chances(self) -> dict[str, float]:
        """How likely each member is to be drawn."""
        weights = self._weights()
        return dict(zip((m.name for m in self.members), (weights / weights.sum()).tolist(), strict=True))

    def draw(self, bits: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The number of a member for each of these random bits, in their shape."""
        steps = np.cumsum(self._weights())
        share = (bits >> np.uint64(11)).astype(np.float64) / 2.0**53
        place = np.searchsorted(steps, share * steps[-1], side="right")
        drawn: NDArray[np.int64] = np.fromiter(self._members, np.int64)[place]
        return drawn

    def member(self, number: int) -> Opponent:
        """The agent of the member with this number."""
        return self._agents[number]

    def note(self, numbers: NDArray[np.int64], rewards: NDArray[np.float32]) -> None:
        """Games are over: the members that sat at each [R, k], and what the learner got [R]."""
        points = (np.sign(rewards) + 1) / 2
        for number in np.unique(numbers).tolist():
            if number in self._members:
                met = (numbers == number).any(axis=1)
                self._members[number].note(int(met.sum()), float(points[met].sum()))

    def _weights(self) -> NDArray[np.float64]:
        past = [max((1.0 - m.win_rate) ** self.power, self.floor) for m in self.members if m.snapshot]
        scale = self.snapshots / sum(past) if past else 0.0
        hardness = iter(past)
        weights = np.array([next(hardness) * scale if m.snapshot else m.weight for m in self.members])
        if not weights.sum() > 0:
            raise ConfigError("nobody in this pool can be drawn: add a member with a weight")
        return weights

    # --- checkpoints

    def state(self) -> dict[str, Any]:
        """Everything but the agents, as plain values."""
        options = {"snapshots": self.snapshots, "power": self.power, "floor": self.floor}
        return {**options, "next": self._next, "members": [asdict(member) for member in self.members]}

    @classmethod
    def restored(cls, state: Mapping[str, Any], agents: Mapping[str, Opponent]) -> "Pool":
        """The pool of a `state`, with the agents of its members by name."""
        pool = cls(snapshots=state["snapshots"], power=state["power"], floor=state["floor"])
        for told in state["members"]:
            member = Member(**told)
            if member.name not in agents:
                raise ConfigError(f"this pool has a member {member.name!r}, but no agent of that name was given")
            pool._take_in(member, agents[member.name])
        pool._next = state["next"]
        return pool
