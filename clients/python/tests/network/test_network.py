from __future__ import annotations

import asyncio
import socket
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import NoReturn

import pytest

from cuevault import (
    AsyncCuevault,
    CuevaultError,
    UnavailableError,
)
from support.http_server import body_of, refusing, secrets_server, serve
from support.reading import ONCE, PATIENT, Read, both
from support.service import PATIENCE_SECONDS
from support.tls_server import serve_tls


@both
def test_secrets_are_fetched_over_a_real_connection(read: Read) -> None:
    with serve(secrets_server({"A": "ü\n"})) as url:
        assert read(url + "/", ONCE) == {"A": "ü\n"}


@both
def test_a_refused_connection(read: Read) -> None:
    with refusing() as url, pytest.raises(UnavailableError) as caught:
        read(url, ONCE)
    assert caught.value.code == "connection_failed"
    assert "(ECONNREFUSED)" in str(caught.value)


@both
def test_an_unknown_host_name(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> NoReturn:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    # Some networks answer for any name, and some answer late.
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(UnavailableError, match=r"\(EAI_NONAME\)"):
        read("https://cuevault.invalid", ONCE)


@both
def test_an_untrusted_certificate(read: Read, tmp_path: Path) -> None:
    with serve_tls(tmp_path) as url, pytest.raises(UnavailableError, match=r"\(self.signed certificate\)"):
        read(url, ONCE)


@both
def test_a_server_that_does_not_speak_tls(read: Read) -> None:
    with serve(secrets_server({})) as url, pytest.raises(UnavailableError, match=r"\([A-Z_]+\)"):
        read(url.replace("http:", "https:"), ONCE)


def _reset_mid_body(handler: BaseHTTPRequestHandler) -> None:
    body_of(handler)
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"err": null, "res": {')
    handler.close_connection = True


@both
def test_a_truncated_body(read: Read) -> None:
    with serve(_reset_mid_body) as url, pytest.raises(UnavailableError) as caught:
        read(url, ONCE)
    assert caught.value.code == "connection_failed"


def test_other_tasks_continue_when_the_first_reader_is_cancelled() -> None:
    arrived, let_go = threading.Event(), threading.Event()

    def held(handler: BaseHTTPRequestHandler) -> None:
        arrived.set()
        let_go.wait(PATIENCE_SECONDS)
        secrets_server({"A": "1"})(handler)

    async def read(url: str) -> object:
        async with AsyncCuevault(url, "cue_right", retry=PATIENT) as client:
            first = asyncio.ensure_future(client.secrets.all())
            while not arrived.is_set():
                await asyncio.sleep(0.001)
            second = asyncio.ensure_future(client.secrets.all())
            await asyncio.sleep(0)
            first.cancel()
            let_go.set()
            return await second

    with serve(held) as url:
        assert asyncio.run(read(url)) == {"A": "1"}


def test_closing_raises_in_waiting_tasks_instead_of_cancelling_them() -> None:
    arrived, let_go = threading.Event(), threading.Event()

    def held(handler: BaseHTTPRequestHandler) -> None:
        arrived.set()
        let_go.wait(PATIENCE_SECONDS)
        secrets_server({"A": "1"})(handler)

    async def read(url: str) -> BaseException | None:
        client = AsyncCuevault(url, "cue_right", retry=PATIENT)
        waiting = asyncio.ensure_future(client.secrets.all())
        while not arrived.is_set():
            await asyncio.sleep(0.001)
        await client.aclose()
        await asyncio.wait((waiting,))
        assert not waiting.cancelled()
        return waiting.exception()

    with serve(held) as url:
        error = asyncio.run(read(url))
        let_go.set()
    assert isinstance(error, CuevaultError)
    assert (error.code, str(error)) == ("configuration", "The client is closed.")
