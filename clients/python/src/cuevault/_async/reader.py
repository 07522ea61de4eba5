"""Reading: the order of answers, the cache, and outages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Generic, Literal, Protocol

from .._core.answers import AnswerT
from .._core.breaker import Breaker, Pause, counts
from .._core.cache import FOREVER, Cache, CachePolicy
from .._core.process import IN_BACKGROUND, is_freezing
from .._core.reads import Key, Read
from ..errors import OUTAGES, REFUSALS, AuthenticationError, CuevaultError, not_sent
from ..events import Events, EventType
from .runtime import SingleFlight, in_thread
from .service import AsyncService

# How long an old copy is served without another refresh after one has failed, in seconds.
_LONGEST_PAUSE = 5.0
# Refreshes of a process that begin without being asked for, and those beside them.
_MOST_REFRESHES = 8
# A copy this many times older than recent answers only if the service does not.
_OLD = 3


class Copies(Protocol[AnswerT]):
    """Answers that outlive the process. The methods may read and write files."""

    def load(self, key: Key) -> AnswerT | None:
        """The saved answer, if there is one."""

    def save(self, key: Key, answer: AnswerT) -> str | None:
        """Save an answer of the service. If that fails, the code of the reason."""

    def delete(self, key: Key, key_refused: bool = False) -> None:
        """Delete the saved answer; with `key_refused`, end all of the API key."""


class AsyncReader(Generic[AnswerT]):
    """Reads of one kind, prompts or secrets."""

    def __init__(
        self,
        service: AsyncService,
        breaker: Breaker,
        events: Events,
        policy: CachePolicy | Literal[False],
        copies: Copies[AnswerT] | None,
        again: Callable[[Any], Read[AnswerT]] | None = None,
    ) -> None:
        """`policy` False keeps nothing in memory. Prompts and secrets share the `breaker`.

        `again` makes the read of a key that may be asked for soon; None refreshes nothing by itself.
        """
        self._service = service
        self._breaker = breaker
        self._events = events
        self._policy = policy or CachePolicy()
        self._copies = copies
        self.cache: Cache[Key, AnswerT] = Cache(policy.max_entries if policy else 0)
        self._flights: SingleFlight[AnswerT] = SingleFlight(service.longest_call)
        self._again = again
        self._pause = Pause()

    async def read(self, read: Read[AnswerT]) -> AnswerT:
        """The answer from the first source that has it. Raises CuevaultError."""
        recent = None if read.fresh else self.cache.get(read.key, read.lifetime, read.exact)
        if recent is not None:
            self._emit(read, "cache_hit", recent)
            return recent.own()
        error, probes = self._breaker.enter()
        if error is None:
            return await self._read_while_up(read)
        if read.fresh:
            return await self._call(read, probe=True)
        stand_in = await self._stand_in(read, error)
        if probes:
            return await self._probe(read, stand_in)
        if stand_in is None:
            raise not_sent(error)
        return stand_in

    async def stop(self) -> None:
        await self._flights.stop()

    async def _read_while_up(self, read: Read[AnswerT]) -> AnswerT:
        old = self._old(read) if read.behind and not read.fresh else None
        if old is None:
            return await self._call(read, probe=False)
        aging = self.cache.get(read.key, read.lifetime * _OLD, read.exact) is not None and not is_freezing()
        renewed = None if aging or not self._pause.is_over else await self._renewed(read)
        if renewed is not None:
            return renewed
        if not is_freezing() and not self.cache.refresh_is_delayed(read.key):
            await self._flights.begin(read.key, partial(self._refresh, read, False))
        self._emit(read, "stale_served", old, origin="memory")
        return old.served("stale")

    async def _call(self, read: Read[AnswerT], probe: bool) -> AnswerT:
        try:
            if read.fresh or self.cache.off:
                return await self._flights.run_unshared(partial(self._load, read, probe), read.timeout)
            return (await self._flights.join(read.key, partial(self._unless_kept, read), read.timeout)).own()
        except OUTAGES as error:
            stand_in = await self._stand_in(read, error)
            if stand_in is None:
                raise
            return stand_in

    async def _renewed(self, read: Read[AnswerT]) -> AnswerT | None:
        """The answer that replaces an old copy, None if it does not come in time; the call continues.

        Other old copies are refreshed with it: after a quiet time, not each of them costs a wait. Raises CuevaultError
        of kinds that no copy may replace.
        """
        begun = self.cache.begin()
        await self._flights.begin(read.key, partial(self._refresh, read, False))
        await self._refresh_others(read)
        wait = self._policy.refresh_wait
        try:
            answer = await self._flights.join(
                read.key,
                partial(self._unless_kept, read, since=begun),
                wait if read.timeout is None else min(wait, read.timeout),
            )
        except OUTAGES:
            self._pause.begin()
            return None
        self.cache.get(read.key, read.lifetime)
        # The refresh may have ended before this call joined it: then the copy that it made is the answer.
        return answer.served("service")

    async def _refresh_others(self, read: Read[AnswerT]) -> None:
        if self._again is None:
            return
        for key in self.cache.used():
            if IN_BACKGROUND.count() >= _MOST_REFRESHES:
                return
            other = self._again(key)
            is_old = self.cache.peek(key, other.lifetime * _OLD, True) is None
            if key == read.key or not is_old or self.cache.refresh_is_delayed(key):
                continue
            await self._flights.begin(key, partial(self._refresh, other, False))

    async def _probe(self, read: Read[AnswerT], stand_in: AnswerT | None) -> AnswerT:
        if stand_in is None:
            return await self._flights.run_unshared(partial(self._load, read, True), read.timeout)
        if not is_freezing():
            await self._flights.begin(("probe", *read.key), partial(self._refresh, read, True))
            return stand_in
        try:
            return await self._flights.run_unshared(
                partial(self._load, read, True), self._policy.refresh_wait
            )
        except OUTAGES:
            return stand_in

    async def _stand_in(self, read: Read[AnswerT], error: CuevaultError) -> AnswerT | None:
        """The substitute answer during an outage, None if there is none."""
        # A fresh secret is asked for because the old value failed, and a string cannot show that it is old.
        if read.fresh and not read.behind:
            return None
        for key in (read.key, read.wider):
            old = None if key is None else self._old(read, key)
            if old is not None:
                self._emit(read, "stale_served", old, origin="memory", error=error.code)
                return old.served("stale")
        for key in (read.key, read.wider):
            if self._copies is None or key is None:
                continue
            copy = await in_thread(partial(self._copies.load, key))
            if copy is not None and copy.has(read.name):
                self._emit(read, "stale_served", copy, origin="offline", error=error.code)
                return copy
        if read.fallback is None:
            return None
        self._emit(read, "fallback_served", error=error.code)
        return read.fallback()

    def _old(self, read: Read[AnswerT], key: Key | None = None) -> AnswerT | None:
        old = self.cache.get(key or read.key, max(read.lifetime, self._policy.max_stale), True)
        return old if old is not None and old.has(read.name) else None

    async def _unless_kept(
        self, read: Read[AnswerT], timeout: float | None, since: float = FOREVER
    ) -> AnswerT:
        # Between the look at the copy and this call, another one may have been answered.
        recent = self.cache.peek(read.key, read.lifetime, read.exact, since)
        return await self._load(read, False, timeout) if recent is None else recent

    async def _refresh(self, read: Read[AnswerT], probe: bool, timeout: float | None) -> AnswerT:
        try:
            answer = await (self._load(read, True, timeout) if probe else self._unless_kept(read, timeout))
        except CuevaultError as error:
            if isinstance(error, OUTAGES):
                self._pause.begin()
            self._emit(read, "refresh_failed", error=error.code)
            raise
        self._pause.end()
        return answer

    async def _load(self, read: Read[AnswerT], probe: bool, timeout: float | None) -> AnswerT:
        """Call the service and keep its answer; a probe is one attempt."""
        number = self.cache.begin()
        emit = partial(self._emit, read)
        try:
            retries = 0 if probe else read.max_retries
            result = await self._service.call(
                read.path, read.body, emit, timeout=timeout, max_retries=retries
            )
            answer = read.parse(result)
        except CuevaultError as error:
            await self._failed(read, error)
            raise
        finally:
            if probe:
                self._breaker.undecided()
        self._breaker.succeeded()
        if read.keep:
            self.cache.keep(read.key, answer.served("cache"), number, read.asked)
        copies = self._copies
        reason = None if copies is None else await in_thread(partial(copies.save, read.key, answer))
        if reason is not None:
            self._emit(read, "offline_failed", error=reason)
        return answer

    async def _failed(self, read: Read[AnswerT], error: CuevaultError) -> None:
        if getattr(error, "_of_caller", False):
            return
        rest = self._breaker.failed(error)
        if rest is not None:
            self._emit(read, "breaker_open", pause=rest, error=error.code)
        if isinstance(error, REFUSALS):
            for key in (read.key, read.wider):
                if key is not None:
                    self.cache.drop(key)
                    if self._copies is not None:
                        refused = isinstance(error, AuthenticationError)
                        await in_thread(partial(self._copies.delete, key, refused))
        elif not counts(error):
            self.cache.delay_refresh(read.key, min(read.lifetime, _LONGEST_PAUSE))

    def _emit(
        self, read: Read[AnswerT], kind: EventType, answer: AnswerT | None = None, **fields: Any
    ) -> None:
        if answer is not None:
            fields.update(age=answer.age, version=getattr(answer, "version", None))
        self._events.emit(kind, read.operation, read.name, **fields)
