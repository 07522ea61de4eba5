"""Running programs, and the command line as a user does."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path


def environment(url: str, key: str = "cue_right", **more: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "CUEVAULT_URL": url, "CUEVAULT_API_KEY": key, **more}


def run(
    command: Sequence[str], env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
