"""Which processes a process has started."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_PROC = Path("/proc")


def _parents_from_proc() -> dict[int, int]:
    parents = {}
    for folder in _PROC.iterdir():
        if folder.name.isdigit():
            try:
                # The name in parentheses may contain anything, parentheses included.
                fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            except OSError:
                continue
            parents[int(folder.name)] = int(fields[1])
    return parents


def _parents_from_ps() -> dict[int, int]:
    done = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=False)
    rows = (line.split() for line in done.stdout.splitlines())
    return {int(pid): int(parent) for pid, parent in rows}


def tree_of(root: int) -> list[int]:
    """The process and all its descendants, parents first."""
    parents = _parents_from_proc() if (_PROC / "self" / "stat").exists() else _parents_from_ps()
    tree = [root]
    for process in tree:
        tree.extend(child for child, parent in parents.items() if parent == process)
    return tree


def is_alive(process: int) -> bool:
    """Whether a process runs; one that has ended but was not waited for does not."""
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    try:
        state = (_PROC / str(process) / "stat").read_bytes().rpartition(b")")[2].split()[0]
    except OSError:
        return not _PROC.exists()
    return state != b"Z"
