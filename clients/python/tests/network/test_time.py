from __future__ import annotations

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler

import pytest

from cuevault import (
    CuevaultError,
    CuevaultTimeoutError,
    RetryPolicy,
)
from cuevault._core.wire import TimeLeft
from support.http_server import Handle, body_of, secrets_server, serve
from support.reading import ONCE, Read, both, read_blocking, read_on_asyncio

# How long a busy machine may take.
PATIENCE = 60


def _silent(handler: BaseHTTPRequestHandler) -> None:
    body_of(handler)
    time.sleep(0.6)
    handler.close_connection = True


def _trickling(handler: BaseHTTPRequestHandler) -> None:
    body_of(handler)
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    try:
        for _ in range(100):
            handler.wfile.write(b" ")
            time.sleep(0.02)
    except OSError:
        handler.close_connection = True


def _dripping(handler: BaseHTTPRequestHandler) -> None:
    body_of(handler)
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    handler.close_connection = True
    try:
        for _ in range(300):
            handler.wfile.write(b"x: y\r\n")
            time.sleep(0.02)
    except OSError:
        return


@both
@pytest.mark.parametrize("handle", [_silent, _trickling])
def test_an_attempt_ends_in_time_even_if_the_body_keeps_coming(read: Read, handle: Handle) -> None:
    with serve(handle) as url:
        begun = time.monotonic()
        with pytest.raises(CuevaultTimeoutError):
            read(url, ONCE)
        assert time.monotonic() - begun < PATIENCE


def test_on_asyncio_an_attempt_ends_in_time_even_if_the_headers_keep_coming() -> None:
    with serve(_dripping) as url:
        begun = time.monotonic()
        with pytest.raises(CuevaultTimeoutError):
            read_on_asyncio(url, ONCE)
        assert time.monotonic() - begun < PATIENCE


def test_no_thread_is_started_for_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(secrets_server({"A": "1"})) as url:
        # The server starts threads too, but from a thread of its own.
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
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = time.monotonic()
    with pytest.raises(CuevaultError):
        read(f"http://127.0.0.1:{port}", policy)
    assert time.monotonic() - begun < PATIENCE


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
