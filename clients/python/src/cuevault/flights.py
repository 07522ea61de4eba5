"""Sharing calls between threads."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from concurrent.futures import CancelledError, Future
from typing import Callable, Generic, TypeVar

from .errors import CuevaultError
from .forks import renew_in_child

Result = TypeVar("Result")


class Flights(Generic[Result]):
    """Calls on their way, by key: whoever wants the same thing meanwhile waits for the one that was first."""

    def __init__(self) -> None:
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: nothing is on its way, for the threads that made the calls are not there."""
        self._futures: dict[Hashable, Future[Result]] = {}
        self._lock = threading.Lock()

    def join(self, key: Hashable, call: Callable[[], Result]) -> Result:
        """The result of the call on its way, else of `call`; raises what it raises."""
        while True:
            future, first = self._board(key)
            if first:
                return self._fly(key, future, call)
            try:
                return future.result()
            except CancelledError:
                # The first one was interrupted (KeyboardInterrupt, say); that is not ours to share.
                continue

    def begin(self, key: Hashable, call: Callable[[], Result]) -> None:
        """Begin `call` in the background unless one is on its way; a CuevaultError of it is nobody's."""
        future, first = self._board(key)
        if not first:
            return
        thread = threading.Thread(
            target=self._fly_alone, args=(key, future, call), name="cuevault-refresh", daemon=True
        )
        try:
            thread.start()
        except RuntimeError:
            # No threads left, or the interpreter is ending: the kept copy has to do.
            self._land(key)
            future.cancel()

    def _board(self, key: Hashable) -> tuple[Future[Result], bool]:
        with self._lock:
            future = self._futures.get(key)
            if future is not None:
                return future, False
            self._futures[key] = future = Future()
            return future, True

    def _fly(self, key: Hashable, future: Future[Result], call: Callable[[], Result]) -> Result:
        try:
            result = call()
        except BaseException as error:
            self._land(key)
            if isinstance(error, Exception):
                future.set_exception(error)
            else:
                future.cancel()
            raise
        self._land(key)
        future.set_result(result)
        return result

    def _fly_alone(self, key: Hashable, future: Future[Result], call: Callable[[], Result]) -> None:
        try:
            self._fly(key, future, call)
        except CuevaultError:
            return

    def _land(self, key: Hashable) -> None:
        with self._lock:
            self._futures.pop(key, None)
