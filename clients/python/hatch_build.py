"""Generates the blocking client from the asyncio one, and copies the data that all clients share: when the package is
built or installed, or as a program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = Path(__file__).parent / "src" / "cuevault"
NAMES = ("client.py", "reader.py", "service.py")
SHARED = Path(__file__).parents[2] / "contract" / "environment-names.json"
NOTE = "# Generated from ../_async by hatch_build.py: change it there.\n"


def blocking(source: str) -> str:
    """The same code without asyncio: the blocking `runtime` has what it waits for."""
    without = re.sub(
        r"\b(?:async|await) |\bAsync(?=[A-Z])|(?<=__)a(?=enter__|exit__)|\ba(?=close\b)", "", source
    )
    return NOTE + without.replace("for asyncio.", "for threads.")


def generate() -> None:
    """Writes the files that differ. A source distribution has the shared data already."""
    texts = {
        PACKAGE / "_sync" / name: blocking((PACKAGE / "_async" / name).read_text("utf-8")) for name in NAMES
    }
    if SHARED.exists():
        texts[PACKAGE / SHARED.name] = SHARED.read_text("utf-8")
    for made, text in texts.items():
        if not made.exists() or made.read_text("utf-8") != text:
            made.write_text(text, "utf-8")


class BlockingClient(BuildHookInterface[Any]):
    """Runs before each build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling."""
        generate()


if __name__ == "__main__":
    generate()
