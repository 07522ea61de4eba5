"""A bounded memory of answers."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import count
from typing import Callable, Generic, TypeVar

from .answers import AnswerT
from .errors import configuration_error
from .forks import renew_in_child

FOREVER = float("inf")

# How long a copy past its time is served without asking again after the service failed to answer, in seconds.
_LONGEST_REST = 5.0


@dataclass(frozen=True)
class CachePolicy:
    """What is kept in memory, and how long it counts as fresh, in seconds.

    An exact version is fresh for ever: it cannot change. `latest` is for prompts asked for by label or as the latest
    version; after it the copy is still given at once, while one refresh runs in the background. `secrets` is for
    secrets: 0 keeps none; after it the service is asked, and the copy answers only when it is out of order.
    `max_entries` bounds prompts and secrets each; what was not used for longest goes first.
    """

    latest: float = 60.0
    secrets: float = 0.0
    max_entries: int = 500

    def __post_init__(self) -> None:
        """Refuse what cannot work. Raises CuevaultError (`configuration`)."""
        if not (self.latest >= 0 and self.secrets >= 0 and self.max_entries >= 1):
            raise configuration_error(
                "The cache's times must not be negative, and it must hold one entry at least."
            )


@dataclass(frozen=True)
class Entry(Generic[AnswerT]):
    """A kept answer. Times are those of the cache's clock."""

    answer: AnswerT
    lifetime: float
    fresh_until: float
    rests_until: float
    call: int
    """The number of the call that it answered."""


Key = TypeVar("Key", bound=Hashable)


class Cache(Generic[Key, AnswerT]):
    """The answers used last, `max_entries` at most (0: none). Safe to use from several threads."""

    def __init__(self, max_entries: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._entries: OrderedDict[Key, Entry[AnswerT]] = OrderedDict()
        self._max_entries = max_entries
        self._clock = clock
        self._calls = count(1)
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: the answers stay; the lock may have been held by a thread that is not there."""
        self._lock = threading.Lock()

    @property
    def off(self) -> bool:
        """Whether nothing is kept."""
        return self._max_entries == 0

    def fresh(self, key: Key) -> AnswerT | None:
        """The kept answer if it is still fresh."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.fresh_until <= self._clock():
                return None
            self._entries.move_to_end(key)
            return entry.answer

    def any_age(self, key: Key) -> AnswerT | None:
        """The kept answer, however old."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry.answer

    def refresh_due(self, key: Key) -> bool:
        """Whether the kept answer is past its time, and asking again has not failed just now."""
        with self._lock:
            entry, now = self._entries.get(key), self._clock()
            return entry is not None and entry.fresh_until <= now and entry.rests_until <= now

    def begin(self) -> int:
        """The number of a call that begins now."""
        return next(self._calls)

    def keep(self, key: Key, answer: AnswerT, lifetime: float, call: int) -> None:
        """Keep the answer to a call as fresh for `lifetime` seconds, unless there is one to a call that began later."""
        if self.off:
            return
        with self._lock:
            kept = self._entries.get(key)
            if kept is not None and kept.call > call:
                return
            self._entries[key] = Entry(answer, lifetime, self._clock() + lifetime, 0.0, call)
            self._entries.move_to_end(key)
            if len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)

    def rest(self, key: Key) -> None:
        """Asking again failed: do not repeat it with every use of the kept answer."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                pause = min(entry.lifetime, _LONGEST_REST)
                self._entries[key] = replace(entry, rests_until=self._clock() + pause)

    def drop(self, key: Key) -> None:
        """Forget an answer."""
        with self._lock:
            self._entries.pop(key, None)
