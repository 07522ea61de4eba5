"""Waiting, sharing calls, and connections, on asyncio. `_sync/runtime.py` does the same with threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

import httpx

from .._core.process import IN_BACKGROUND, leave_to_parent, now, overslept, renew_in_child
from .._core.replies import Body, Reply
from .._core.wire import (
    MOST_REQUESTS,
    Connections,
    authorization_of,
    closed,
    configuring,
    failure_of,
    timed_out,
)

Result = TypeVar("Result")
Call = Callable[[float | None], Coroutine[Any, Any, Result]]
"""Something that may be shared. It gets the seconds that it may take: None here, since every waiter has its own."""

sleep = asyncio.sleep


async def in_thread(work: Callable[[], Result]) -> Result:
    """The result of something that reads or writes a file."""
    return await asyncio.get_running_loop().run_in_executor(None, work)


@dataclass
class _Flight(Generic[Result]):
    task: asyncio.Task[Result]
    begun: float
    waiters: int = 0


class SingleFlight(Generic[Result]):
    """Concurrent calls with the same key share one."""

    def __init__(self, max_age: float = float("inf")) -> None:
        """Nobody joins a call older than `max_age` seconds: the process may have been frozen while it ran."""
        self._max_age = max_age
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: no call is in progress. The tasks belong to the parent's event loop."""
        leave_to_parent(getattr(self, "_loops", None))
        # When a loop ends, so do its calls.
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Hashable, _Flight[Result]]] = (
            WeakKeyDictionary()
        )

    async def join(self, key: Hashable, call: Call[Result], timeout: float | None) -> Result:
        """The result of the call in progress, else of `call`; raises what it raises.

        The call continues while a caller waits for it, and is cancelled when none does. Raises
        CuevaultTimeoutError after `timeout` seconds, CuevaultError (`configuration`) if the client is closed.
        """
        flight = self._start(key, call)
        flight.waiters += 1
        try:
            begun = now()
            # Unlike awaiting the task, this is cancelled only if the caller is.
            done, _ = await asyncio.wait((flight.task,), timeout=timeout)
            if not done and timeout is not None and overslept(begun, timeout):
                # The process was frozen: that time does not count.
                done, _ = await asyncio.wait((flight.task,), timeout=timeout)
        finally:
            flight.waiters -= 1
            if flight.waiters == 0:
                flight.task.cancel()
                self._forget(self._flights(), key, flight.task)
        if not done:
            raise timed_out(timeout or 0.0, of_caller=True)
        if flight.task.cancelled():
            raise closed()
        return flight.task.result()

    async def run_unshared(self, call: Call[Result], timeout: float | None) -> Result:
        """The result of a call that is not shared. Raises CuevaultTimeoutError after `timeout` seconds."""
        return await self.join(object(), call, timeout)

    async def begin(self, key: Hashable, call: Call[Result]) -> None:
        """Start `call` in the background unless one is in progress. Its errors are ignored."""
        flight = self._start(key, call)
        flight.waiters += 1
        IN_BACKGROUND.add(flight.task)

    async def stop(self) -> None:
        """Cancel the calls in progress, and wait until they have ended."""
        flights = list(self._flights().values())
        for flight in flights:
            flight.task.cancel()
        await asyncio.gather(*(flight.task for flight in flights), return_exceptions=True)

    def _flights(self) -> dict[Hashable, _Flight[Result]]:
        return self._loops.setdefault(asyncio.get_running_loop(), {})

    def _start(self, key: Hashable, call: Call[Result]) -> _Flight[Result]:
        flights = self._flights()
        flight = flights.get(key)
        if flight is None or now() - flight.begun > self._max_age:
            flights[key] = flight = _Flight(asyncio.get_running_loop().create_task(call(None)), now())
            flight.task.add_done_callback(partial(self._forget, flights, key))
        return flight

    @staticmethod
    def _forget(flights: dict[Hashable, _Flight[Result]], key: Hashable, task: asyncio.Task[Result]) -> None:
        flight = flights.get(key)
        if flight is not None and flight.task is task:
            del flights[key]
        if task.done() and not task.cancelled():
            # Retrieved, so that asyncio does not report it when nobody waits for the task.
            task.exception()


async def _open_until_loop_ends(http: httpx.AsyncClient) -> AsyncGenerator[None, None]:
    # asyncio.run closes open generators, which closes the connections while the loop still runs.
    try:
        yield
    finally:
        with suppress(RuntimeError):
            await http.aclose()


class Http(Connections):
    """POST requests with a deadline. Connections belong to an event loop, so each loop has its own."""

    def renew(self) -> None:
        leave_to_parent(getattr(self, "_open", None))
        self._open: WeakKeyDictionary[
            asyncio.AbstractEventLoop, tuple[httpx.AsyncClient, AsyncGenerator[None, None]]
        ] = WeakKeyDictionary()
        self._turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    @asynccontextmanager
    async def turn(self, seconds: float) -> AsyncIterator[None]:
        """Waits until few enough calls are in progress. Raises CuevaultTimeoutError after `seconds`."""
        turns = self._turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(MOST_REQUESTS))
        try:
            await asyncio.wait_for(turns.acquire(), seconds)
        except asyncio.TimeoutError:
            raise timed_out(seconds) from None
        try:
            yield
        finally:
            turns.release()

    async def post(self, path: str, body: bytes, seconds: float) -> Reply:
        """The whole reply within `seconds`, name resolution included. Raises CuevaultError."""
        if self._closed:
            raise closed()
        exchange = asyncio.ensure_future(self._exchange(self._settings.url + path, body))
        try:
            # Unlike wait_for, this does not wait for the end of what it cancels: httpx may never end it.
            done, _ = await asyncio.wait((exchange,), timeout=seconds)
            if not done:
                raise timed_out(seconds)
            return exchange.result()
        except Exception as error:  # noqa: BLE001 - raised again if it is foreign
            raise failure_of(error, seconds, self._settings) from None
        finally:
            exchange.cancel()

    async def close(self) -> None:
        self._closed = True
        opened = self._open.pop(asyncio.get_running_loop(), None)
        if opened is not None:
            await opened[1].aclose()

    async def _exchange(self, url: str, body: bytes) -> Reply:
        is_token = self._settings.credential.is_token
        # The provider may wait for its platform.
        headers = await in_thread(lambda: authorization_of(self._settings)) if is_token else None
        async with (await self._client()).stream("POST", url, content=body, headers=headers) as response:
            received = Body()
            async for piece in response.aiter_bytes():
                received.add(piece)
            return Reply(response.status_code, response.headers, received.whole())

    async def _client(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        opened = self._open.get(loop)
        if opened is None:
            with configuring():
                http = httpx.AsyncClient(**self._options)
            self._open[loop] = opened = (http, _open_until_loop_ends(http))
            await opened[1].__anext__()
        return opened[0]
