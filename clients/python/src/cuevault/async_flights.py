"""Sharing calls between asyncio tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable
from typing import Callable, Generic, TypeVar

from .forks import leave_to_parent, renew_in_child
from .wire import closed

Result = TypeVar("Result")


class AsyncFlights(Generic[Result]):
    """Calls on their way, by key: whoever wants the same thing meanwhile waits for the one that was first."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Result]] = {}
        renew_in_child(self)

    async def join(self, key: Hashable, call: Callable[[], Coroutine[object, object, Result]]) -> Result:
        """The result of the call on its way, else of `call`; raises what it raises.

        The call goes on if its caller is cancelled: others may be waiting for it. Raises CuevaultError
        (`configuration`) if it was stopped.
        """
        task = self.begin(key, call)
        # Unlike awaiting the task, this ends as cancelled only if the caller itself is.
        await asyncio.wait((task,))
        if task.cancelled():
            raise closed()
        return task.result()

    def begin(
        self, key: Hashable, call: Callable[[], Coroutine[object, object, Result]]
    ) -> asyncio.Task[Result]:
        """Begin `call` unless one is on its way; its task. An error that nobody waits for is nobody's."""
        task = self._tasks.get(key)
        if task is None:
            task = asyncio.get_running_loop().create_task(call())
            self._tasks[key] = task
            task.add_done_callback(lambda done: self._land(key, done))
        return task

    async def stop(self) -> None:
        """Cancel what is on its way, and wait until it has ended."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def renew(self) -> None:
        """In a forked process: nothing is on its way. The tasks belong to the parent's event loop."""
        leave_to_parent(self._tasks)
        self._tasks = {}

    def _land(self, key: Hashable, task: asyncio.Task[Result]) -> None:
        self._tasks.pop(key, None)
        if not task.cancelled():
            # Looked at, so that asyncio does not report it when nobody waits for the task.
            task.exception()
