from __future__ import annotations

import asyncio
import socket
import ssl
import threading
import time
from pathlib import Path
from typing import NoReturn

import pytest

from cuevault import (
    AsyncCuevault,
    Cuevault,
    CuevaultError,
    CuevaultTimeoutError,
    UnavailableError,
)
from cuevault._core.wire import TimeLeft
from support.cli import run
from support.drivers import Read
from support.http_server import PromptServer, secrets_server, serve
from support.service import PATIENT


def test_an_unknown_host_name(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> NoReturn:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    # Some networks answer for any name, and some answer late.
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(UnavailableError, match=r"\(EAI_NONAME\)"):
        read("https://cuevault.invalid")


def test_an_untrusted_certificate(read: Read, tmp_path: Path) -> None:
    file, tls = str(tmp_path / "server.pem"), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost"
    assert run([*own.split(), "-keyout", file, "-out", file]).returncode == 0
    tls.load_cert_chain(file)
    hint = r"\(self.signed certificate\)\. SSL_CERT_FILE names further authorities\."
    with serve(secrets_server({}), tls) as url, pytest.raises(UnavailableError, match=hint):
        read(url)


def test_a_server_that_does_not_speak_tls(read: Read) -> None:
    with serve(secrets_server({})) as url, pytest.raises(UnavailableError, match=r"\([A-Z_]+\)"):
        read(url.replace("http:", "https:"))


def test_other_tasks_continue_when_the_first_reader_is_cancelled(server: PromptServer) -> None:
    server.held = {1}

    async def read() -> str:
        async with AsyncCuevault(server.url, "cue_right", **PATIENT) as client:
            first = asyncio.ensure_future(client.prompts.get("greeting"))
            while not server.arrived.is_set():
                await asyncio.sleep(0.001)
            second = asyncio.ensure_future(client.prompts.get("greeting"))
            await asyncio.sleep(0)
            first.cancel()
            server.gate.set()
            return (await second).prompt

    assert asyncio.run(read()) == "greeting 1"


def test_closing_raises_in_waiting_tasks_instead_of_cancelling_them(server: PromptServer) -> None:
    server.held = {1}

    async def read() -> BaseException | None:
        client = AsyncCuevault(server.url, "cue_right", **PATIENT)
        waiting = asyncio.ensure_future(client.prompts.get("greeting"))
        while not server.arrived.is_set():
            await asyncio.sleep(0.001)
        await client.aclose()
        await asyncio.wait((waiting,))
        assert not waiting.cancelled()
        return waiting.exception()

    error = asyncio.run(read())
    assert isinstance(error, CuevaultError)
    assert (error.code, str(error)) == ("configuration", "The client is closed.")


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
        with Cuevault(url, "cue_right", **PATIENT) as client:
            assert client.secrets.all() == {"A": "1"}
    assert started == []


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
