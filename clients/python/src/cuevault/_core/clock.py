"""The time that has passed, also while the process was frozen."""

from __future__ import annotations

import os
import time

_TOLERANCE = 1.0
"""Jumps of the wall clock below this are corrections, in seconds."""


class _Clock:
    def __init__(self) -> None:
        self._asleep = 0.0
        self._known: float | None = None

    def now(self) -> float:
        steady = time.monotonic()
        lead = time.time() - steady
        known = lead if self._known is None else self._known
        if lead - known > _TOLERANCE:
            self._asleep += lead - known
            self._known = lead
        elif lead < known or self._known is None:
            self._known = lead
        return steady + self._asleep


now = _Clock().now
"""Seconds on a clock that never goes back, and that includes the time in which the process was frozen.

The monotonic clock stands still in a frozen Lambda function while the wall clock does not, and the wall clock can be
set back.
"""


def overslept(begun: float, seconds: float) -> bool:
    """Whether something that began at `begun` and takes `seconds` at most took longer: the process was frozen."""
    return now() - begun > seconds + _TOLERANCE


def is_freezing() -> bool:
    """Whether the process stops between calls: a Lambda function is frozen when it has answered."""
    return bool(os.environ.get("AWS_LAMBDA_FUNCTION_NAME"))
