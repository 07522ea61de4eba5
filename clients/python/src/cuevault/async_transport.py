"""Doing what steps say, on asyncio."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import httpx

from .forks import leave_to_parent, renew_in_child
from .replies import Reply
from .settings import Settings
from .steps import Outcome, Pause, Send, Step, Steps
from .wire import TimeLeft, closed, failure_of, headers_of, reply_of, set_up, timed_out

Result = TypeVar("Result")


class AsyncTransport:
    """Runs steps over an httpx.AsyncClient."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """`transport` stands in for the network. Raises CuevaultError (`configuration`)."""
        self._settings = settings
        self._given = transport
        self._http = self._connect()
        renew_in_child(self)

    async def run(self, steps: Steps[Result]) -> Result:
        """Run steps to their end; returns their result and raises what they raise."""
        try:
            step = next(steps)
            while True:
                step = steps.send(await self._do(step))
        except StopIteration as end:
            result: Result = end.value
            return result

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def renew(self) -> None:
        """In a forked process: begin anew. What was open belongs to the parent's event loop."""
        leave_to_parent(self._http)
        if not self._http.is_closed:
            self._http = self._connect()

    def _connect(self) -> httpx.AsyncClient:
        with set_up():
            return httpx.AsyncClient(headers=headers_of(self._settings), transport=self._given)

    async def _do(self, step: Step) -> Outcome:
        if isinstance(step, Send):
            return await self._send(step)
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return None
        return await asyncio.get_running_loop().run_in_executor(None, step.action)

    async def _send(self, step: Send) -> Outcome:
        if self._http.is_closed:
            return closed()
        try:
            return await asyncio.wait_for(self._exchange(step), step.seconds)
        except asyncio.TimeoutError:
            return timed_out(step)
        except Exception as error:  # noqa: BLE001 - raised again if it is foreign
            return failure_of(error, step, self._settings)

    async def _exchange(self, step: Send) -> Reply:
        url = self._settings.url + step.path
        extensions = {"timeout": TimeLeft(step.seconds)}
        response = await self._http.post(url, content=step.body, extensions=extensions)
        return reply_of(response, response.content)
