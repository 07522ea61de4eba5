"""A bounded cache of answers."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import count
from typing import Callable, Generic, TypeVar

from ..settings import check_count, check_seconds
from .answers import AnswerT
from .forks import renew_in_child

FOREVER = float("inf")


@dataclass(frozen=True)
class CachePolicy:
    """What is kept in memory, and for how long. Times in seconds.

    An exact version never expires: it cannot change. `latest` is for prompts requested by label or as the latest
    version: an older copy is returned immediately, while one refresh runs in the background. `secrets` is for secrets:
    0 keeps none; with an older copy the service is called, and the copy answers only if that fails. A copy older than
    `max_stale` answers nothing. `max_entries` bounds prompts and secrets each; the least recently used is evicted.
    """

    latest: float = 60.0
    secrets: float = 0.0
    max_entries: int = 500
    max_stale: float = 86_400.0

    def __post_init__(self) -> None:
        """Reject invalid values. Raises CuevaultError (`configuration`)."""
        for name in ("latest", "secrets", "max_stale"):
            check_seconds(f"cache.{name}", getattr(self, name), endless=True)
        check_count("cache.max_entries", self.max_entries, 1)


class _Entry(Generic[AnswerT]):
    __slots__ = ("answer", "call", "kept_at", "no_refresh_before", "used")

    def __init__(self, answer: AnswerT, call: int, now: float) -> None:
        self.answer = answer
        self.call = call
        self.kept_at = now
        self.no_refresh_before = 0.0
        self.used = 0


Key = TypeVar("Key", bound=Hashable)


class Cache(Generic[Key, AnswerT]):
    """The most recently used answers, `max_entries` at most (0: none). Safe to use from several threads."""

    def __init__(self, max_entries: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._entries: dict[Key, _Entry[AnswerT]] = {}
        self._max_entries = max_entries
        self._clock = clock
        self._calls = count(1)
        self._uses = count(1)
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: the answers stay; the lock may have been held by a thread that no longer exists."""
        self._lock = threading.Lock()

    @property
    def off(self) -> bool:
        """Whether nothing is kept."""
        return self._max_entries == 0

    def get(self, key: Key, max_age: float) -> AnswerT | None:
        """The kept answer if it is younger than `max_age` seconds."""
        # Without the lock: a dict lookup is atomic, and only the use of an entry changes.
        entry = self._entries.get(key)
        if entry is None or entry.kept_at + max_age <= self._clock():
            return None
        entry.used = next(self._uses)
        return entry.answer

    def begin(self) -> int:
        """The number of a call that starts now."""
        return next(self._calls)

    def keep(self, key: Key, answer: AnswerT, call: int) -> None:
        """Keep the answer to a call, unless there is one to a call that started later."""
        if self.off:
            return
        with self._lock:
            kept = self._entries.get(key)
            if kept is not None and kept.call > call:
                return
            self._entries[key] = entry = _Entry(answer, call, self._clock())
            entry.used = next(self._uses)
            if len(self._entries) > self._max_entries:
                del self._entries[min(self._entries, key=lambda each: self._entries[each].used)]

    def delay_refresh(self, key: Key, seconds: float) -> None:
        """A refresh failed: do not repeat it with every use of the kept answer."""
        entry = self._entries.get(key)
        if entry is not None:
            entry.no_refresh_before = self._clock() + seconds

    def refresh_is_delayed(self, key: Key) -> bool:
        """Whether a refresh failed just now."""
        entry = self._entries.get(key)
        return entry is not None and entry.no_refresh_before > self._clock()

    def drop(self, key: Key) -> None:
        """Forget an answer."""
        with self._lock:
            self._entries.pop(key, None)
