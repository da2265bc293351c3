"""Files are written whole or not at all."""

import os
from pathlib import Path

import pytest

from parlour.envs.core.errors import ConfigError
from parlour.envs.core.files import refuse_unwritable, write_whole


@pytest.mark.parametrize(("content", "expected"), [("§ 1\n", "§ 1\n".encode()), (b"\x00\x01", b"\x00\x01")])
def test_a_file_has_the_content(content: str | bytes, expected: bytes, tmp_path: Path) -> None:
    write_whole(tmp_path / "file", content)
    assert (tmp_path / "file").read_bytes() == expected


def test_a_file_is_replaced(tmp_path: Path) -> None:
    write_whole(tmp_path / "file", "a longer first content")
    write_whole(str(tmp_path / "file"), "second")
    assert (tmp_path / "file").read_text() == "second"


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no")

    write_whole(tmp_path / "file", "first")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no"):
        write_whole(tmp_path / "file", "second")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "first"


def test_a_place_that_cannot_be_written_to_is_told_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_unwritable(tmp_path / "file")
    with pytest.raises(ConfigError, match="it is a folder"):
        refuse_unwritable(tmp_path)
    with pytest.raises(ConfigError, match=r"there is no folder .*nowhere"):
        refuse_unwritable(tmp_path / "nowhere" / "file")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ConfigError, match="no right to write in"):
        refuse_unwritable(tmp_path / "file")
