"""Files that are written whole or not at all."""

import os
import secrets
from pathlib import Path

from parlour.envs.core.errors import ConfigError


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file beside its place, then move it there: whoever reads sees the old content or all of the new."""
    target = Path(path)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with open(draft, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)


def refuse_unwritable(path: str | Path) -> None:
    """Say before long work what would be a pity after it.

    Raises:
        ConfigError: If there is no such folder, if it may not be written to, or if the path is a folder itself.
    """
    target = Path(path)
    if target.is_dir():
        raise ConfigError(f"cannot save to {target}: it is a folder")
    if not target.parent.is_dir():
        raise ConfigError(f"cannot save to {target}: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise ConfigError(f"cannot save to {target}: no right to write in {target.parent}")
