"""The clocks of this process, which requests can move forward. To be imported before what takes the time."""

from __future__ import annotations

import time
from collections.abc import Callable


class Clock:
    """Replaces the clocks."""

    def __init__(self) -> None:
        self._ahead = {"monotonic": 0.0, "time": 0.0}
        for name in self._ahead:
            setattr(time, name, self._moved(name, getattr(time, name)))

    def _moved(self, name: str, clock: Callable[[], float]) -> Callable[[], float]:
        return lambda: clock() + self._ahead[name]

    def move(self, wall: float, steady: float) -> None:
        self._ahead["time"] += wall
        self._ahead["monotonic"] += steady


CLOCK = Clock()
