"""Files that are written whole or not at all."""

import os
import secrets
from pathlib import Path


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
