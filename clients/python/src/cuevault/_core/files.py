"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file with mode 0600; a link stays one, and a device or pipe is written to. Raises OSError."""
    # Before links are resolved: /dev/stdout can lead to a pipe, which has no path.
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    draft = target.with_name(f"{target.name}.{secrets.token_hex(6)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(draft, target)
    except BaseException:
        draft.unlink()
        raise
