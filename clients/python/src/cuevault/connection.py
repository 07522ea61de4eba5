"""One exchange at a time, in a thread of its own, which can be given up."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any, Callable, TypeVar

import httpx

from .replies import Reply
from .wire import TimeLeft, reply_of

Result = TypeVar("Result")

_CONNECTED = (".connect_tcp.complete", ".start_tls.complete")


class Connection:
    """An httpx.Client for one exchange at a time, which another thread can break off."""

    def __init__(self, http: httpx.Client) -> None:
        """Takes the client over: closes it when it is closed itself."""
        self._http = http
        self._socket: socket.socket | None = None

    def post(self, url: str, body: bytes, left: TimeLeft) -> Reply:
        """Send `body` and receive the whole reply. Raises httpx.HTTPError."""
        extensions = {"timeout": left, "trace": self._trace}
        with self._http.stream("POST", url, content=body, extensions=extensions) as response:
            return reply_of(response, response.read())

    def break_off(self) -> None:
        """End the exchange that another thread is in.

        That thread closes the socket: its number, once free, could at once be another socket's.
        """
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # Not the method of SSLSocket, which also takes the encryption away.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it, while no exchange is under way."""
        self._http.close()

    def _trace(self, event: str, details: Mapping[str, Any]) -> None:
        # The one place where httpx tells its socket before the reply has come.
        if event.endswith(_CONNECTED):
            self._socket = details["return_value"].get_extra_info("socket")


def in_thread(call: Callable[[], Result]) -> Future[Result]:
    """Begin `call` in a thread; what comes of it."""
    outcome: Future[Result] = Future()
    context = copy_context()

    def fly() -> None:
        try:
            outcome.set_result(context.run(call))
        except BaseException as error:  # noqa: BLE001 - it is raised where the outcome is asked for
            outcome.set_exception(error)

    try:
        threading.Thread(target=fly, name="cuevault-call", daemon=True).start()
    except RuntimeError:
        # No threads left, or the interpreter is ending: then the time bounds only each pause in the exchange.
        fly()
    return outcome
