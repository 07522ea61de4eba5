"""What happens to a process: it is forked, and it is frozen."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakSet

if TYPE_CHECKING:
    from asyncio import Task
    from concurrent.futures import Future


class Renewable(Protocol):
    """Something that a forked process replaces."""

    def renew(self) -> None:
        """Called in the new process, before anything else in it runs."""


_holders: WeakSet[Renewable] = WeakSet()
_of_the_parent: list[object] = []


def renew_in_child(holder: Renewable) -> None:
    """Renew `holder` in every process forked from this one, for as long as it lives."""
    _holders.add(holder)


def leave_to_parent(thing: object) -> None:
    """Keep a reference to something that only the parent may close: the parent's event loop owns it."""
    _of_the_parent.append(thing)


def _renew_all() -> None:
    for holder in list(_holders):
        holder.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)


class _InBackground:
    """The calls of all clients of this process that began behind an answer. Those of the parent are not its own."""

    def __init__(self) -> None:
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        self._calls: WeakSet[Any] = WeakSet()

    def add(self, call: Future[Any] | Task[Any]) -> None:
        self._calls.add(call)

    def count(self) -> int:
        return sum(not call.done() for call in list(self._calls))


IN_BACKGROUND = _InBackground()

_TOLERANCE = 1.0
"""Jumps of the wall clock below this are corrections, in seconds."""
_AT_ONCE = 0.05
"""Readings of both clocks belong together if they take less, in seconds."""


class _Clock:
    def __init__(self) -> None:
        self._asleep = 0.0
        self._known: float | None = None
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: the thread that had the lock does not exist."""
        self._lock = threading.Lock()

    def now(self) -> float:
        # Two threads must not count the same jump, nor one that waits between its readings find any.
        with self._lock:
            before, wall, steady = time.monotonic(), time.time(), time.monotonic()
            while steady - before > _AT_ONCE:
                before, wall, steady = time.monotonic(), time.time(), time.monotonic()
            lead = wall - steady
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
