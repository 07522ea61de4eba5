"""A bounded cache of answers."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, TypeVar

from ..settings import check_count, check_seconds
from .answers import AnswerT
from .process import now, renew_in_child

FOREVER = float("inf")


@dataclass(frozen=True)
class CachePolicy:
    """What is kept in memory, and for how long. Times in seconds.

    An exact version never expires: it cannot change. `latest` (±10 %) is for prompts requested by label or as the
    latest version: a copy up to three times as old is returned immediately, while one refresh runs in the background,
    except in a Lambda function. An older copy answers only if the service does not within `refresh_wait`. `secrets` is
    for secrets: 0 keeps none; with an older copy the service is called, and the copy answers only if that fails. A copy
    older than `max_stale` answers nothing. `max_entries` bounds prompts and secrets each; the least recently used is
    evicted.
    """

    latest: float = 60.0
    refresh_wait: float = 1.0
    secrets: float = 0.0
    max_entries: int = 500
    max_stale: float = 86_400.0

    def __post_init__(self) -> None:
        """Reject invalid values. Raises CuevaultError (`configuration`)."""
        for name in ("latest", "refresh_wait", "secrets", "max_stale"):
            check_seconds(f"cache.{name}", getattr(self, name))
        check_count("cache.max_entries", self.max_entries, 1)


@dataclass(slots=True)
class _Entry(Generic[AnswerT]):
    answer: AnswerT
    call: int
    used: int
    unused: int
    # The larger of both differences is the age: a frozen process stops one clock, and the other can be set back.
    kept_at: float
    wall_at: float
    # Not all copies of a process are refreshed at once.
    jitter: float = field(default_factory=lambda: random.uniform(0.9, 1.1))
    no_refresh_before: float = 0.0


Key = TypeVar("Key", bound=Hashable)


class Cache(Generic[Key, AnswerT]):
    """The most recently used answers, `max_entries` at most (0: none). Safe to use from several threads."""

    def __init__(self, max_entries: int) -> None:
        self._entries: dict[Key, _Entry[AnswerT]] = {}
        self._max_entries = max_entries
        self._calls = count(1)
        self._uses = count(1)
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: the answers stay; the lock may have been held by a thread that no longer exists."""
        self._lock = threading.Lock()

    @property
    def off(self) -> bool:
        return self._max_entries == 0

    def get(self, key: Key, max_age: float, exact: bool = False) -> AnswerT | None:
        """The kept answer if it is younger than `max_age` seconds, ±10 % unless `exact`."""
        entry = self._find(key, max_age, exact)
        if entry is None:
            return None
        entry.used = next(self._uses)
        return entry.answer

    def peek(self, key: Key, max_age: float, exact: bool = False, since: float = FOREVER) -> AnswerT | None:
        """As get, but no use of it; also the answer to a call that began after the one with the number `since`."""
        entry = self._find(key, max_age, exact, since)
        return None if entry is None else entry.answer

    def _find(self, key: Key, max_age: float, exact: bool, since: float = FOREVER) -> _Entry[AnswerT] | None:
        # Without the lock: a dict lookup is atomic, and only the use of an entry changes.
        entry = self._entries.get(key)
        if entry is None:
            return None
        if not exact:
            max_age *= entry.jitter
        is_old = entry.kept_at + max_age <= time.monotonic() or entry.wall_at + max_age <= time.time()
        return None if is_old and entry.call <= since else entry

    def used(self) -> list[Key]:
        """The keys that were asked for since their answers arrived, the most recently used one first."""
        with self._lock:
            found = [(entry.used, key) for key, entry in self._entries.items() if entry.used > entry.unused]
        return [key for _, key in sorted(found, key=lambda each: -each[0])]

    def begin(self) -> int:
        """The number of a call that starts now."""
        return next(self._calls)

    def keep(self, key: Key, answer: AnswerT, call: int, asked: bool = True) -> None:
        """Keep the answer to a call, unless there is one to a call that started later.

        `asked`: whether a caller wants it now.
        """
        if self.off:
            return
        with self._lock:
            kept = self._entries.get(key)
            if kept is not None and kept.call > call:
                return
            use = next(self._uses)
            at = time.monotonic(), time.time()
            self._entries[key] = _Entry(answer, call, use, 0 if asked else use, *at)
            if len(self._entries) > self._max_entries:
                del self._entries[min(self._entries, key=lambda each: self._entries[each].used)]

    def delay_refresh(self, key: Key, seconds: float) -> None:
        """A refresh failed: do not repeat it with every use of the kept answer."""
        entry = self._entries.get(key)
        if entry is not None:
            entry.no_refresh_before = now() + seconds

    def refresh_is_delayed(self, key: Key) -> bool:
        """Whether a refresh failed just now."""
        entry = self._entries.get(key)
        return entry is not None and entry.no_refresh_before > now()

    def drop(self, key: Key) -> None:
        with self._lock:
            self._entries.pop(key, None)
