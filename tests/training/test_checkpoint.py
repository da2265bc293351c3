"""Checkpoints: whole or not at all, the newest good one is used, and a full disk takes none away."""

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import parlour
from parlour.training.checkpoint import Checkpoint, Shelf


def made(number: int, size: int = 1000) -> Checkpoint:
    return Checkpoint({"net/a": np.full(size, number, np.float32), "starts": np.zeros(3, np.uint8)}, {"number": number})


def test_a_checkpoint_survives_its_bytes() -> None:
    again = Checkpoint.from_bytes(made(7).to_bytes())
    assert again.state == {"number": 7}
    assert np.array_equal(again.part("net")["a"], np.full(1000, 7, np.float32))
    assert list(again.part("starts")) == []


@pytest.mark.parametrize(
    "change", [lambda d: d[:-1], lambda d: d[:40], lambda d: d[:0], lambda d: d[:-9] + b"x" + d[-8:]]
)
def test_damaged_bytes_are_refused(change: object) -> None:
    with pytest.raises(parlour.ConfigError, match="damaged, cut short or no checkpoint"):
        Checkpoint.from_bytes(change(made(1).to_bytes()))  # type: ignore[operator]


def test_the_last_few_are_kept(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "kept", keep=2)
    for number in range(5):
        shelf.put(made(number), number)
    assert [Checkpoint.from_bytes(path.read_bytes()).state["number"] for path in shelf.paths()] == [3, 4]
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_a_damaged_checkpoint_is_named_and_the_one_before_it_used(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.put(made(1), 1)
    broken = shelf.put(made(2), 2)
    broken.write_bytes(broken.read_bytes()[:-100])
    found, complaints = shelf.latest()
    assert found is not None
    assert found.state["number"] == 1
    assert len(complaints) == 1
    assert str(broken) in complaints[0]


def test_where_there_is_none_there_is_none(tmp_path: Path) -> None:
    assert Shelf(tmp_path / "nowhere").latest() == (None, [])


def test_a_write_that_fails_midway_leaves_the_last_good_one(tmp_path: Path) -> None:
    """The system refuses to let a file grow beyond a limit, as a full disk would."""
    shelf = Shelf(tmp_path)
    shelf.put(made(1), 1)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            shelf.put(made(2, size=100_000), 2)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-000000000001.parlour"]
    found, complaints = shelf.latest()
    assert found is not None
    assert (found.state["number"], complaints) == (1, [])


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB."""
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(tmp_path)], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("only root can mount a small file system")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount a file system")
def test_a_full_disk_leaves_the_last_good_one(small_disk: Path) -> None:
    shelf = Shelf(small_disk, keep=9)
    written = -1
    while shutil.disk_usage(small_disk).free > len(made(0).to_bytes()):
        written += 1
        shelf.put(made(written), written)
    with pytest.raises(OSError, match="No space left"):
        shelf.put(made(99), 99)
    found, complaints = shelf.latest()
    assert found is not None
    assert (found.state["number"], complaints) == (written, [])
    assert len(list(small_disk.iterdir())) == written + 1
