"""Doing what steps say, with blocking calls."""

from __future__ import annotations

import time
from concurrent.futures import wait
from functools import partial
from typing import TypeVar

import httpx

from .connection import Connection, in_thread
from .forks import renew_in_child
from .replies import Reply
from .settings import Settings
from .steps import Outcome, Pause, Send, Step, Steps
from .wire import TimeLeft, closed, failure_of, headers_of, set_up, timed_out

Result = TypeVar("Result")

_MOST_IDLE = 10


class _Lent(httpx.BaseTransport):
    """A transport that all connections use and none of them closes."""

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self._transport = transport

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._transport.handle_request(request)


class SyncTransport:
    """Runs steps over httpx, each exchange in a thread of its own: only so does its time bound all of it.

    httpx bounds each pause between two pieces, each address that a name has, and no name's resolution.
    """

    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None = None) -> None:
        """`transport` stands in for the network. Raises CuevaultError (`configuration`)."""
        self._settings = settings
        self._closed = False
        self._given = transport
        with set_up():
            # One for all connections: reading the certificates takes longer than most calls.
            self._make = partial(
                httpx.Client,
                headers=headers_of(settings),
                transport=None if transport is None else _Lent(transport),
                verify=httpx.create_ssl_context() if transport is None else True,
            )
        self._idle: list[Connection] = [self._connect()]
        renew_in_child(self)

    def run(self, steps: Steps[Result]) -> Result:
        """Run steps to their end; returns their result and raises what they raise."""
        try:
            step = next(steps)
            while True:
                step = steps.send(self._do(step))
        except StopIteration as end:
            result: Result = end.value
            return result

    def close(self) -> None:
        """Close the connections."""
        self._closed = True
        self._close_idle()
        if self._given is not None:
            self._given.close()

    def renew(self) -> None:
        """In a forked process: give up its copies of the idle sockets. Those of the parent stay open."""
        self._close_idle()

    def _close_idle(self) -> None:
        idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _do(self, step: Step) -> Outcome:
        if isinstance(step, Send):
            return self._send(step)
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        return step.action()

    def _send(self, step: Send) -> Outcome:
        if self._closed:
            return closed()
        try:
            return self._exchange(step)
        except Exception as error:  # noqa: BLE001 - raised again if it is foreign
            return failure_of(error, step, self._settings)

    def _exchange(self, step: Send) -> Reply:
        connection = self._take()
        outcome = in_thread(partial(self._post, connection, step, TimeLeft(step.seconds)))
        try:
            if not wait((outcome,), step.seconds).done:
                raise timed_out(step)
            return outcome.result()
        finally:
            if not outcome.done():
                connection.break_off()

    def _post(self, connection: Connection, step: Send, left: TimeLeft) -> Reply:
        try:
            reply = connection.post(self._settings.url + step.path, step.body, left)
        except BaseException:
            connection.close()
            raise
        self._put_back(connection)
        return reply

    def _connect(self) -> Connection:
        with set_up():
            return Connection(self._make())

    def _take(self) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def _put_back(self, connection: Connection) -> None:
        if len(self._idle) >= _MOST_IDLE:
            connection.close()
            return
        self._idle.append(connection)
        if self._closed:
            self._close_idle()
