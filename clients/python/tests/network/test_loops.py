from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
import warnings
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from cuevault import AsyncCuevault, CachePolicy, Cuevault, CuevaultTimeoutError
from cuevault._core.wire import MOST_REQUESTS
from support.http_server import body_of, reply, serve
from support.reading import PATIENT
from support.service import API_KEY, PATIENCE_SECONDS, URL, FakeService, prompt, wait_until


class Server:
    """Counts calls; holds back those that come while `gate` is closed, and notices when a caller leaves."""

    def __init__(self) -> None:
        self.calls = 0
        self.gate = threading.Event()
        self.gate.set()
        self.arrived = threading.Event()

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = body_of(handler)
        self.calls += 1
        text = f"text {self.calls}"
        self.arrived.set()
        self.gate.wait(PATIENCE_SECONDS)
        prompt = {"promptId": "p", "version": "1.0.0", "tags": [], "metaProperties": {}, "prompt": text}
        reply(handler, 200, {"err": None, "res": {**prompt, "name": body.get("name")}})


@pytest.fixture
def server() -> Server:
    return Server()


def test_calls_wait_for_each_other_before_they_reach_the_pool_of_connections() -> None:
    running, most = 0, 0

    async def handle(request: httpx.Request) -> httpx.Response:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        name = json.loads(request.content)["name"]
        return prompt(name, name=name)

    async def read() -> list[str]:
        transport = httpx.MockTransport(handle)
        async with AsyncCuevault(URL, API_KEY, **PATIENT, transport=transport) as client:
            reads = [client.prompts.get(f"p{number}") for number in range(200)]
            return [each.prompt for each in await asyncio.gather(*reads)]

    assert asyncio.run(read()) == [f"p{number}" for number in range(200)]
    assert 1 < most <= MOST_REQUESTS


def test_one_client_serves_one_event_loop_after_another(server: Server) -> None:
    with serve(server.handle) as url, warnings.catch_warnings():
        warnings.simplefilter("error")
        client = AsyncCuevault(url, "cue_right", cache=False, **PATIENT)

        async def read() -> str:
            return (await client.prompts.get("greeting")).prompt

        assert [asyncio.run(read()) for _ in range(3)] == ["text 1", "text 2", "text 3"]
        gc.collect()


def test_two_event_loops_may_use_one_client_at_the_same_time(server: Server) -> None:
    with serve(server.handle) as url:
        client = AsyncCuevault(url, "cue_right", cache=False, **PATIENT)
        seen: list[str] = []

        async def read() -> None:
            for _ in range(5):
                seen.append((await client.prompts.get("greeting")).prompt)

        threads = [threading.Thread(target=lambda: asyncio.run(read())) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_SECONDS)
    assert sorted(seen) == sorted(f"text {number}" for number in range(1, 11))


def test_a_refresh_that_ends_with_its_event_loop_is_made_again_in_the_next(server: Server) -> None:
    with serve(server.handle) as url:
        client = AsyncCuevault(url, "cue_right", cache=CachePolicy(latest=0.01), **PATIENT)

        async def read() -> str:
            return (await client.prompts.get("greeting")).prompt

        async def read_until_new() -> str:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < deadline:
                text = await read()
                if text != "text 1":
                    return text
                await asyncio.sleep(0.01)
            return "old"

        async def leave_during_refresh() -> None:
            await read()
            while not server.arrived.is_set():
                await asyncio.sleep(0.01)

        assert asyncio.run(read()) == "text 1"
        time.sleep(0.02)
        server.gate.clear()
        server.arrived.clear()
        asyncio.run(leave_during_refresh())
        server.gate.set()
        assert asyncio.run(read_until_new()) == "text 3"


def test_a_call_that_is_cancelled_by_its_only_caller_is_made_again_by_the_next(server: Server) -> None:
    with serve(server.handle) as url:

        async def run() -> str:
            async with AsyncCuevault(url, "cue_right", **PATIENT) as client:
                server.gate.clear()
                first = asyncio.ensure_future(client.prompts.get("greeting"))
                while not server.arrived.is_set():
                    await asyncio.sleep(0.01)
                first.cancel()
                await asyncio.wait((first,))
                server.gate.set()
                return (await client.prompts.get("greeting")).prompt

        assert asyncio.run(run()) == "text 2"


def test_each_waiter_has_its_own_timeout(server: Server) -> None:
    with serve(server.handle) as url, Cuevault(url, "cue_right", **PATIENT) as client:
        server.gate.clear()
        outcomes: list[str] = []

        def patient() -> None:
            outcomes.append(client.prompts.get("greeting").prompt)

        thread = threading.Thread(target=patient)
        thread.start()
        assert server.arrived.wait(PATIENCE_SECONDS)
        with pytest.raises(CuevaultTimeoutError, match=r"within 0\.1 seconds"):
            client.prompts.get("greeting", timeout=0.1)
        server.gate.set()
        thread.join(PATIENCE_SECONDS)
    assert (outcomes, server.calls) == (["text 1"], 1)


def test_a_shared_call_continues_for_the_caller_with_the_longer_timeout(
    service: FakeService, joined: list[None]
) -> None:
    service.will(httpx.ReadTimeout("The time of the hurried caller is over."), prompt())
    service.hold_until(lambda: len(joined) >= 2)
    outcomes: list[object] = []

    def hurried() -> None:
        with pytest.raises(CuevaultTimeoutError, match=r"within 60 seconds"):
            client.prompts.get("greeting", timeout=60.0)
        outcomes.append("out of time")

    with Cuevault(URL, API_KEY, **PATIENT, transport=service) as client:
        thread = threading.Thread(target=hurried)
        thread.start()
        wait_until(lambda: len(joined) == 1)
        assert client.prompts.get("greeting").source == "service"
        thread.join(PATIENCE_SECONDS)
    assert (outcomes, service.calls) == (["out of time"], 2)
