"""Generates the blocking client from the asyncio one: when the package is built or installed, or as a program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = Path(__file__).parent / "src" / "cuevault"
NAMES = ("client.py", "reader.py", "service.py")
NOTE = "# Generated from ../_async by hatch_build.py: change it there.\n"


def blocking(source: str) -> str:
    """The same code without asyncio: the blocking `runtime` has what it waits for."""
    without = re.sub(
        r"\b(?:async|await) |\bAsync(?=[A-Z])|(?<=__)a(?=enter__|exit__)|\ba(?=close\b)", "", source
    )
    return NOTE + without.replace("for asyncio.", "for threads.")


def generate() -> None:
    """Writes the files that differ."""
    for name in NAMES:
        made = PACKAGE / "_sync" / name
        text = blocking((PACKAGE / "_async" / name).read_text("utf-8"))
        if not made.exists() or made.read_text("utf-8") != text:
            made.write_text(text, "utf-8")


class BlockingClient(BuildHookInterface[Any]):
    """Runs before each build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling."""
        generate()


if __name__ == "__main__":
    generate()
