"""Checkpoints: one file each, written whole or not at all, that holds arrays and plain values. Reading runs no code."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from parlour.agents.tensors import Arrays, pack, unpack
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.files import write_whole

_MAGIC = b"parlour checkpoint 1\n"
_STATE = "state"


@dataclass(frozen=True)
class Checkpoint:
    """Everything a run needs to go on."""

    arrays: Mapping[str, NDArray[Any]]
    state: Mapping[str, Any]
    """Plain JSON values."""

    def to_bytes(self) -> bytes:
        content = pack(self.arrays, {_STATE: json.dumps(self.state)})
        return _MAGIC + hashlib.sha256(content).digest() + content

    @classmethod
    def from_bytes(cls, data: bytes) -> "Checkpoint":
        """The checkpoint that `to_bytes` wrote; anything else is a `ConfigError`."""
        end = len(_MAGIC) + hashlib.sha256().digest_size
        content = data[end:]
        if not data.startswith(_MAGIC) or hashlib.sha256(content).digest() != data[len(_MAGIC) : end]:
            raise ConfigError("it is damaged, cut short or no checkpoint")
        arrays, notes = unpack(content)
        return cls(arrays, json.loads(notes[_STATE]))

    def part(self, name: str) -> Arrays:
        """The arrays whose names begin with `name/`, without it."""
        start = f"{name}/"
        return {key[len(start) :]: array for key, array in self.arrays.items() if key.startswith(start)}


class Shelf:
    """The checkpoints of a run in their folder, newest last."""

    def __init__(self, folder: Path, keep: int = 3) -> None:
        self.folder, self.keep = folder, keep

    def paths(self) -> list[Path]:
        return sorted(self.folder.glob("checkpoint-*.parlour"))

    def put(self, checkpoint: Checkpoint, number: int) -> Path:
        """Write a checkpoint, then forget the oldest. If writing fails, those that were there still are."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"checkpoint-{number:012d}.parlour"
        write_whole(path, checkpoint.to_bytes())
        for old in self.paths()[: -self.keep]:
            old.unlink(missing_ok=True)
        return path

    def latest(self) -> tuple[Checkpoint | None, list[str]]:
        """The newest checkpoint that is whole, and what is wrong with any that are newer."""
        complaints: list[str] = []
        for path in reversed(self.paths()):
            try:
                return Checkpoint.from_bytes(path.read_bytes()), complaints
            except (ConfigError, OSError) as error:
                complaints.append(f"{path} cannot be used: {error}")
        return None, complaints
