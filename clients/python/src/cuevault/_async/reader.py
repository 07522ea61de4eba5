"""Reading: the order of answers, the cache, and outages."""

from __future__ import annotations

from functools import partial
from typing import Any, Generic, Literal, Protocol

from .._core.answers import AnswerT
from .._core.breaker import Breaker, Gate, counts
from .._core.cache import Cache, CachePolicy
from .._core.reads import Key, Read
from ..errors import OUTAGES, REFUSALS, CuevaultError, not_sent
from ..events import Events, EventType
from .runtime import SingleFlight, in_thread
from .service import AsyncService

# How long an old copy is served without another refresh after one has failed, in seconds.
_LONGEST_PAUSE = 5.0

Origin = Literal["memory", "offline", "snapshot"]


class Copies(Protocol[AnswerT]):
    """Answers that outlive the process. The methods may read and write files."""

    @property
    def origin(self) -> Origin:
        """Where they are kept."""
        ...

    def load(self, key: Key) -> AnswerT | None:
        """The saved answer, if there is one."""
        ...

    def save(self, key: Key, answer: AnswerT) -> bool:
        """Save an answer of the service; False if that fails."""
        ...

    def delete(self, key: Key) -> None:
        """Delete the saved answer."""
        ...


class AsyncReader(Generic[AnswerT]):
    """Reads of one kind, prompts or secrets."""

    def __init__(
        self,
        service: AsyncService,
        breaker: Breaker,
        events: Events,
        policy: CachePolicy | None,
        copies: Copies[AnswerT] | None,
    ) -> None:
        """`policy` None keeps nothing in memory. Prompts and secrets share the `breaker`."""
        self._service = service
        self._breaker = breaker
        self._events = events
        self._policy = policy or CachePolicy()
        self._copies = copies
        self.cache: Cache[Key, AnswerT] = Cache(0 if policy is None else policy.max_entries)
        self._flights: SingleFlight[AnswerT] = SingleFlight()

    async def read(self, read: Read[AnswerT]) -> AnswerT:
        """The answer from the first source that has it. Raises CuevaultError."""
        recent = None if read.fresh else self.cache.get(read.key, read.lifetime)
        if recent is not None:
            self._emit(read, "cache_hit", recent)
            return recent.own()
        gate = self._breaker.enter()
        error = self._breaker.failure
        if gate is Gate.CLOSED or error is None:
            return await self._read_while_up(read)
        stand_in = await self._stand_in(read, error)
        if gate is Gate.PROBE:
            return await self._probe(read, stand_in)
        if stand_in is None:
            raise not_sent(error)
        return stand_in

    async def stop(self) -> None:
        """Stop the background work."""
        await self._flights.stop()

    async def _read_while_up(self, read: Read[AnswerT]) -> AnswerT:
        old = self._old(read) if read.behind and not read.fresh else None
        if old is not None:
            if not self.cache.refresh_is_delayed(read.key):
                await self._flights.begin(read.key, partial(self._refresh, read, False))
            self._emit(read, "stale_served", old, origin="memory")
            return old.served("stale")
        try:
            if read.fresh or self.cache.off:
                return await self._flights.run_unshared(partial(self._load, read, False), read.timeout)
            return (await self._flights.join(read.key, partial(self._shared, read), read.timeout)).own()
        except OUTAGES as error:
            stand_in = await self._stand_in(read, error)
            if stand_in is None:
                raise
            return stand_in

    async def _probe(self, read: Read[AnswerT], stand_in: AnswerT | None) -> AnswerT:
        if stand_in is None:
            return await self._flights.run_unshared(partial(self._load, read, True), read.timeout)
        await self._flights.begin(("probe", *read.key), partial(self._refresh, read, True))
        return stand_in

    async def _stand_in(self, read: Read[AnswerT], error: CuevaultError) -> AnswerT | None:
        """The substitute answer during an outage, None if there is none."""
        if not read.may_fall_back:
            return None
        old = self._old(read)
        if old is not None:
            self._emit(read, "stale_served", old, origin="memory", error=error.code)
            return old.served("stale")
        copy = None if self._copies is None else await in_thread(partial(self._copies.load, read.key))
        if copy is not None and self._copies is not None:
            self._emit(read, "stale_served", copy, origin=self._copies.origin, error=error.code)
            return copy
        if read.fallback is None:
            return None
        self._emit(read, "fallback_served", error=error.code)
        return read.fallback()

    def _old(self, read: Read[AnswerT]) -> AnswerT | None:
        return self.cache.get(read.key, max(read.lifetime, self._policy.max_stale))

    async def _shared(self, read: Read[AnswerT], timeout: float | None) -> AnswerT:
        # Another caller's answer may have arrived in the meantime.
        recent = self.cache.get(read.key, read.lifetime)
        return await self._load(read, False, timeout) if recent is None else recent

    async def _refresh(self, read: Read[AnswerT], probe: bool, timeout: float | None) -> AnswerT:
        try:
            return await self._load(read, probe, timeout)
        except CuevaultError as error:
            self._emit(read, "refresh_failed", error=error.code)
            raise

    async def _load(self, read: Read[AnswerT], probe: bool, timeout: float | None) -> AnswerT:
        """Call the service and keep its answer; a probe is one attempt."""
        number = self.cache.begin()
        emit = self._events.about(read.operation, read.name)
        try:
            result = await self._service.call(read.path, read.body, emit, timeout=timeout, retry=not probe)
            answer = read.parse(result)
        except CuevaultError as error:
            await self._failed(read, error)
            raise
        finally:
            if probe:
                self._breaker.undecided()
        self._breaker.succeeded()
        if read.keep:
            self.cache.keep(read.key, answer.served("cache"), number)
        if self._copies is not None and not await in_thread(partial(self._copies.save, read.key, answer)):
            self._emit(read, "offline_failed", error="offline_failed")
        return answer

    async def _failed(self, read: Read[AnswerT], error: CuevaultError) -> None:
        if getattr(error, "_of_caller", False):
            return
        rest = self._breaker.failed(error)
        if rest is not None:
            self._emit(read, "breaker_open", rest=rest, error=error.code)
        if isinstance(error, REFUSALS):
            self.cache.drop(read.key)
            if self._copies is not None:
                await in_thread(partial(self._copies.delete, read.key))
        elif not counts(error):
            self.cache.delay_refresh(read.key, min(read.lifetime, _LONGEST_PAUSE))

    def _emit(
        self, read: Read[AnswerT], kind: EventType, answer: AnswerT | None = None, **fields: Any
    ) -> None:
        if answer is not None:
            fields.update(age=answer.age, version=getattr(answer, "version", None))
        self._events.emit(kind, read.operation, read.name, **fields)
