from __future__ import annotations

import gc
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Callable

import pytest

from cuevault import (
    CuevaultError,
    CuevaultTimeoutError,
    RetryPolicy,
)
from cuevault._core.wire import TimeLeft
from support.http_server import body_of, refusing, secrets_server, serve
from support.reading import ONCE, Read, both, read_blocking, read_on_asyncio
from support.service import PATIENCE_SECONDS

IMPATIENT = RetryPolicy(timeout=0.1, retries=0)

# What a server does after it got a request, until the event is set.
Reaction = Callable[[BaseHTTPRequestHandler, threading.Event], None]


def _silence(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    over.wait(PATIENCE_SECONDS)
    handler.close_connection = True


def _repeat(handler: BaseHTTPRequestHandler, piece: bytes, over: threading.Event) -> None:
    handler.close_connection = True
    deadline = time.monotonic() + PATIENCE_SECONDS
    with suppress(OSError):
        while not over.wait(0.01) and time.monotonic() < deadline:
            handler.wfile.write(piece)


def _trickle_of_body(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000000")
    handler.end_headers()
    _repeat(handler, b" ", over)


def _trickle_of_headers(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    _repeat(handler, b"x: y\r\n", over)


def read_in_vain(read: Read, react: Reaction) -> None:
    """An attempt that only its own timeout ends."""
    over = threading.Event()

    def handle(handler: BaseHTTPRequestHandler) -> None:
        body_of(handler)
        react(handler, over)

    with serve(handle) as url:
        with pytest.raises(CuevaultTimeoutError, match=r"within 0\.1 seconds"):
            read(url, IMPATIENT)
        over.set()
    # On a busy machine the time ends while asyncio connects, which leaves the connection to the garbage collector.
    gc.collect()


left_open = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@left_open
@both
@pytest.mark.parametrize("react", [_silence, _trickle_of_body])
def test_an_attempt_ends_in_time_even_if_the_body_keeps_coming(read: Read, react: Reaction) -> None:
    read_in_vain(read, react)


@left_open
def test_on_asyncio_an_attempt_ends_in_time_even_if_the_headers_keep_coming() -> None:
    read_in_vain(read_on_asyncio, _trickle_of_headers)


def test_no_thread_is_started_for_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(secrets_server({"A": "1"})) as url:
        # The server starts threads too, but from its own thread.
        started: list[str] = []
        start, caller = threading.Thread.start, threading.current_thread()

        def counted(thread: threading.Thread) -> None:
            if threading.current_thread() is caller:
                started.append(thread.name)
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", counted)
        assert read_blocking(url, ONCE) == {"A": "1"}
    assert started == []


@both
def test_all_attempts_together_end_in_time(read: Read) -> None:
    policy = RetryPolicy(timeout=5.0, total_timeout=0.3, retries=1_000_000, base=0.01, cap=0.01)
    with refusing() as url, pytest.raises(CuevaultError):
        read(url, policy)


def test_the_phases_of_a_request_share_one_time() -> None:
    left = TimeLeft(60)
    assert set(left) == {"connect", "read", "write", "pool"}
    first = left["connect"]
    time.sleep(0.01)
    assert left["read"] < first <= 60
    with pytest.raises(KeyError):
        left["other"]
    short = TimeLeft(0.01)
    time.sleep(0.02)
    with pytest.raises(CuevaultTimeoutError):
        short["read"]
