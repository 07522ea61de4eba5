"""Generates the blocking client from the asyncio one; with --check it only reports whether it is up to date."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import unasync  # type: ignore[import-untyped]

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "src" / "cuevault"
NAMES = {
    "AsyncBaseTransport": "BaseTransport",
    "AsyncCuevault": "Cuevault",
    "AsyncPrompts": "Prompts",
    "AsyncReader": "Reader",
    "AsyncSecretReads": "SecretReads",
    "AsyncService": "Service",
    "aclose": "close",
}
NOTE = "# Generated from ../_async by scripts/generate_sync.py: change it there.\n"
BY_HAND = ("__init__.py", "runtime.py")


def generate(folder: Path) -> dict[Path, str]:
    """The files of the blocking client, by path; made in an empty `folder`."""
    (folder / "_async").mkdir()
    names = [file.name for file in (PACKAGE / "_async").glob("*.py") if file.name not in BY_HAND]
    for name in names:
        source = (PACKAGE / "_async" / name).read_text("utf-8").replace("for asyncio.", "for threads.")
        (folder / "_async" / name).write_text(NOTE + source, "utf-8")
    rule = unasync.Rule("/_async/", "/_sync/", additional_replacements=NAMES)
    unasync.unasync_files([str(folder / "_async" / name) for name in names], [rule])
    made = folder / "_sync"
    for command in (["check", "--fix", "--quiet", "--select", "I"], ["format", "--quiet"]):
        subprocess.run(["ruff", *command, "--config", str(PROJECT / "pyproject.toml"), str(made)], check=True)
    return {PACKAGE / "_sync" / name: (made / name).read_text("utf-8") for name in names}


def main() -> int:
    """Write the files, or compare them; 1 if they differ."""
    with tempfile.TemporaryDirectory() as folder:
        files = generate(Path(folder))
    stale = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(PROJECT)} is out of date: run scripts/generate_sync.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(files[path], "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
