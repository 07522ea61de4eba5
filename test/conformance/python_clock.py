"""The clocks of this process, which requests can move forward. To be imported before what takes the time."""

from __future__ import annotations

import time
from typing import Callable


class Clock:
    """Replaces the clocks."""

    def __init__(self) -> None:
        self._ahead = 0.0
        for name in ("monotonic", "time"):
            setattr(time, name, self._moved(getattr(time, name)))

    def _moved(self, clock: Callable[[], float]) -> Callable[[], float]:
        return lambda: clock() + self._ahead

    def move(self, seconds: float) -> None:
        self._ahead += seconds


CLOCK = Clock()
