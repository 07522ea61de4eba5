"""Remembering an outage, so that not every read has to detect it."""

from __future__ import annotations

import copy
import random
import threading

from ..errors import CuevaultError
from .process import now, renew_in_child

_BUSY = frozenset((429, 502, 503, 504))
_LONGEST_REST = 300.0
# After this many seconds without a probe an outage is forgotten.
_FORGOTTEN_AFTER = 60.0


def is_worth_retrying(error: CuevaultError) -> bool:
    """Whether the same call may succeed a moment later."""
    return error.code == "connection_failed" or error.status in _BUSY


def counts(error: CuevaultError) -> bool:
    """Whether an error says that the service, or the way to it, is down."""
    return is_worth_retrying(error) or error.code == "timeout"


class Breaker:
    """A circuit breaker (M. Nygard, "Release It!"): after a failed call nothing is sent for `rest` seconds.

    Then one caller at a time probes with one attempt. Safe to use from several threads.
    """

    def __init__(self, rest: float, longest_probe: float) -> None:
        """`rest` 0 turns it off. A probe without an outcome after `longest_probe` seconds was cut off."""
        self._rest = rest
        self._longest_probe = longest_probe
        self._failure: CuevaultError | None = None
        self._until = 0.0
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: the thread that held the lock or was probing no longer exists."""
        self._lock = threading.Lock()
        self._probing_until = 0.0

    def enter(self) -> tuple[CuevaultError | None, bool]:
        """The error of the failed call, None if the last one was answered; and whether this caller is to probe.

        The error is a copy, since each raise adds to its traceback.
        """
        if self._failure is None:
            return None, False
        with self._lock:
            begun = now()
            if begun < max(self._until, self._probing_until):
                return copy.copy(self._failure), False
            if begun >= self._until + _FORGOTTEN_AFTER:
                self._failure = None
                return None, False
            self._probing_until = begun + self._longest_probe
            return copy.copy(self._failure), True

    def failed(self, error: CuevaultError) -> float | None:
        """A call failed. Returns the seconds of the pause that begins now, None if there is none."""
        if not counts(error):
            self.succeeded()
            return None
        if self._rest == 0:
            return None
        with self._lock:
            failed_at = now()
            rest = max(self._rest, min(_LONGEST_REST, error.retry_after or 0.0))
            begins = self._failure is None or failed_at >= self._until
            self._failure, self._probing_until = error, 0.0
            self._until = failed_at + rest if begins else max(self._until, failed_at + rest)
            return rest if begins else None

    def succeeded(self) -> None:
        if self._failure is not None:
            with self._lock:
                self._failure, self._probing_until = None, 0.0

    def undecided(self) -> None:
        """A probe ended without a result: it was cancelled, or its caller timed out."""
        self._probing_until = 0.0


_SHORTEST_PAUSE = 5.0
_LONGEST_PAUSE = 60.0


class Pause:
    """After a refresh that failed nobody waits for one. Random, so that not all processes return at once."""

    def __init__(self) -> None:
        self._failures = 0
        self._until = 0.0

    @property
    def is_over(self) -> bool:
        """Whether a call may wait for a refresh."""
        return now() >= self._until

    def begin(self) -> None:
        """A refresh failed, or took too long."""
        if self.is_over:
            self._failures = min(self._failures + 1, 8)
            longest = min(_LONGEST_PAUSE, _SHORTEST_PAUSE * 2.0**self._failures)
            self._until = now() + random.uniform(_SHORTEST_PAUSE, longest)

    def end(self) -> None:
        self._failures, self._until = 0, 0.0
