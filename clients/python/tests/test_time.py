from __future__ import annotations

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from cuevault import (
    Cuevault,
    CuevaultError,
    CuevaultTimeoutError,
    RetryPolicy,
)
from cuevault.wire import TimeLeft
from http_server import Handle, body_of, secrets_server, serve
from reading import ONCE, Read, both, read_blocking


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
@pytest.mark.parametrize("handle", [_silent, _trickling, _dripping])
def test_one_try_ends_in_time_even_if_bytes_keep_coming(read: Read, handle: Handle) -> None:
    with serve(handle) as url:
        begun = time.monotonic()
        with pytest.raises(CuevaultTimeoutError):
            read(url, ONCE)
        assert time.monotonic() - begun < 10 * ONCE.timeout


def test_an_exchange_that_is_given_up_ends() -> None:
    ended = threading.Event()

    def endless(handler: BaseHTTPRequestHandler) -> None:
        body_of(handler)
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        handler.close_connection = True
        try:
            while True:
                handler.wfile.write(b"x: y\r\n")
                time.sleep(0.02)
        except OSError:
            ended.set()

    with serve(endless) as url, Cuevault(url, "cue_right", retry=ONCE) as client:
        with pytest.raises(CuevaultTimeoutError):
            client.secrets.all()
        assert ended.wait(10)
        for thread in threading.enumerate():
            if thread.name == "cuevault-call":
                thread.join(10)
                assert not thread.is_alive()


def test_a_name_that_is_not_resolved_in_time_ends_the_try(monkeypatch: pytest.MonkeyPatch) -> None:
    resolved = threading.Event()

    def slow(*_: object, **__: object) -> object:
        resolved.wait(20)
        raise socket.gaierror(socket.EAI_AGAIN, "Try again")

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    with Cuevault("http://cuevault.example", "cue_right", retry=ONCE) as client:
        with pytest.raises(CuevaultTimeoutError):
            client.secrets.all()
        assert not resolved.is_set()
        resolved.set()


def test_without_threads_calls_are_made_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    started = threading.Thread.start

    def none_for_calls(thread: threading.Thread) -> None:
        if thread.name == "cuevault-call":
            raise RuntimeError("can't start new thread")
        started(thread)

    monkeypatch.setattr(threading.Thread, "start", none_for_calls)
    with serve(secrets_server({"A": "1"})) as url:
        assert read_blocking(url, ONCE) == {"A": "1"}


@both
def test_all_tries_together_end_in_time(read: Read) -> None:
    policy = RetryPolicy(timeout=5.0, total_timeout=0.3, retries=1_000_000, base=0.01, cap=0.01)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = time.monotonic()
    with pytest.raises(CuevaultError):
        read(f"http://127.0.0.1:{port}", policy)
    assert time.monotonic() - begun < 10 * policy.total_timeout


def test_the_phases_of_a_request_share_one_time() -> None:
    left = TimeLeft(0.2)
    assert set(left) == {"connect", "read", "write", "pool"}
    first = left["connect"]
    time.sleep(0.05)
    assert left["read"] < first <= 0.2
    time.sleep(0.2)
    with pytest.raises(httpx.TimeoutException):
        left["read"]
    with pytest.raises(KeyError):
        left["other"]
