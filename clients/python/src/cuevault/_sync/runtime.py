"""Waiting, sharing calls, and connections, with threads. `_async/runtime.py` does the same on asyncio."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager
from typing import Generic, TypeVar

import httpx

from .._core.process import IN_BACKGROUND, leave_to_parent, now, overslept, renew_in_child
from .._core.replies import Body, Reply
from .._core.wire import (
    MOST_REQUESTS,
    Connections,
    TimeLeft,
    authorization_of,
    closed,
    configuring,
    failure_of,
    timed_out,
)
from ..errors import CuevaultError, CuevaultTimeoutError

Result = TypeVar("Result")
Call = Callable[[float | None], Result]
"""Something that may be shared. It gets the seconds that it may take, None for no limit of the caller's."""

sleep = time.sleep


def in_thread(work: Callable[[], Result]) -> Result:
    """The result of something that reads or writes a file."""
    return work()


class SingleFlight(Generic[Result]):
    """Concurrent calls with the same key share one."""

    def __init__(self, max_age: float = float("inf")) -> None:
        """Nobody joins a call older than `max_age` seconds: the process may have been frozen while it ran."""
        self._max_age = max_age
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: no call is in progress, because the threads that made the calls do not exist."""
        self._futures: dict[Hashable, tuple[Future[Result], float]] = {}
        self._lock = threading.Lock()

    def join(self, key: Hashable, call: Call[Result], timeout: float | None) -> Result:
        """The result of the call in progress, else of `call`; raises what it raises.

        Raises CuevaultTimeoutError after `timeout` seconds.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            future, first = self._enter(key)
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if first:
                return self._lead(key, future, call, left)
            begun = now()
            try:
                return future.result(left)
            except CuevaultTimeoutError as error:
                if not error._of_caller:
                    raise
                # The thread that made the call had less time than this one.
            except CancelledError:
                # The thread that made the call was interrupted (KeyboardInterrupt, say); this one was not.
                continue
            except FutureTimeoutError:
                if overslept(begun, left or 0.0):
                    # The process was frozen: that time does not count.
                    deadline = None if timeout is None else time.monotonic() + timeout
                    continue
                raise timed_out(timeout or 0.0, of_caller=True) from None

    def run_unshared(self, call: Call[Result], timeout: float | None) -> Result:
        """The result of a call that is not shared. Raises CuevaultTimeoutError after `timeout` seconds."""
        return call(timeout)

    def begin(self, key: Hashable, call: Call[Result]) -> None:
        """Start `call` in the background unless one is in progress. Its errors are ignored."""
        future, first = self._enter(key)
        if not first:
            return
        thread = threading.Thread(
            target=self._lead_unshared, args=(key, future, call), name="cuevault-refresh", daemon=True
        )
        IN_BACKGROUND.add(future)
        try:
            thread.start()
        except RuntimeError:
            # No threads left, or the interpreter is ending: the cached copy must suffice.
            self._forget(key, future)
            future.cancel()

    def stop(self) -> None:
        """Nothing to stop: calls in progress end with their own deadlines."""

    def _enter(self, key: Hashable) -> tuple[Future[Result], bool]:
        with self._lock:
            future, begun = self._futures.get(key, (None, 0.0))
            if future is not None and now() - begun <= self._max_age:
                return future, False
            future = Future()
            self._futures[key] = future, now()
            return future, True

    def _lead(
        self, key: Hashable, future: Future[Result], call: Call[Result], timeout: float | None
    ) -> Result:
        try:
            result = call(timeout)
        except BaseException as error:
            self._forget(key, future)
            if isinstance(error, Exception):
                future.set_exception(error)
            else:
                future.cancel()
            raise
        self._forget(key, future)
        future.set_result(result)
        return result

    def _lead_unshared(self, key: Hashable, future: Future[Result], call: Call[Result]) -> None:
        try:
            self._lead(key, future, call, None)
        except CuevaultError:
            return

    def _forget(self, key: Hashable, future: Future[Result]) -> None:
        with self._lock:
            if self._futures.get(key, (None,))[0] is future:
                del self._futures[key]


class Http(Connections):
    """POST requests with a deadline. Threads share one pool of connections."""

    def renew(self) -> None:
        self._urls: dict[str, httpx.URL] = {}
        leave_to_parent(getattr(self, "_opened", None))
        self._opened: httpx.Client | None = None
        self._lock = threading.Lock()
        self._turns = threading.Semaphore(MOST_REQUESTS)

    @contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        """Waits until few enough calls are in progress. Raises CuevaultTimeoutError after `seconds`."""
        turns = self._turns
        if not turns.acquire(timeout=seconds):
            raise timed_out(seconds)
        try:
            yield
        finally:
            turns.release()

    def post(self, path: str, body: bytes, seconds: float) -> Reply:
        """The whole reply. Raises CuevaultError.

        `seconds` bound connecting, sending and receiving together, as far as httpx does: not the resolution of the
        name; with each piece of the reply's headers the time starts again.
        """
        if self._closed:
            raise closed()
        left = TimeLeft(seconds)
        try:
            client = self._client()
            response = client.send(self._request(client, path, body, left), stream=True)
            try:
                received = Body()
                for piece in response.iter_bytes():
                    left.check()
                    received.add(piece)
                return Reply(response.status_code, response.headers, received.whole())
            finally:
                response.close()
        except Exception as error:  # noqa: BLE001 - raised again if it is foreign
            raise failure_of(error, seconds, self._settings) from None

    def close(self) -> None:
        self._closed = True
        with self._lock:
            if self._opened is not None:
                self._opened.close()

    def _request(self, client: httpx.Client, path: str, body: bytes, left: TimeLeft) -> httpx.Request:
        # httpx's own build_request would parse the address and merge the headers for every call.
        url = self._urls.get(path)
        if url is None:
            url = self._urls[path] = httpx.URL(self._settings.url + path)
        headers = client.headers
        if self._settings.credential.is_token:
            headers = httpx.Headers([*headers.raw, *httpx.Headers(authorization_of(self._settings)).raw])
        return httpx.Request("POST", url, headers=headers, content=body, extensions={"timeout": left})

    def _client(self) -> httpx.Client:
        opened = self._opened
        if opened is None:
            with self._lock, configuring():
                opened = self._opened = self._opened or httpx.Client(**self._options)
        return opened
