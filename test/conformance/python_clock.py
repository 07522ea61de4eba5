"""The clocks of this process, which requests can move forward. To be imported before what takes the time."""

from __future__ import annotations

import time
from collections.abc import Callable

_ahead = {"monotonic": 0.0, "time": 0.0}


def _moved(name: str, clock: Callable[[], float]) -> Callable[[], float]:
    return lambda: clock() + _ahead[name]


for _name in _ahead:
    setattr(time, _name, _moved(_name, getattr(time, _name)))


def move(wall: float, steady: float) -> None:
    _ahead["time"] += wall
    _ahead["monotonic"] += steady
