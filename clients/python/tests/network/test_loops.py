from __future__ import annotations

import asyncio
import gc
import json
import threading
import time

import httpx
import pytest

from cuevault import AsyncCuevault, CachePolicy, Cuevault, CuevaultTimeoutError
from cuevault._core.wire import MOST_REQUESTS
from support.http_server import PromptServer
from support.service import API_KEY, PATIENCE_SECONDS, PATIENT, URL, FakeService, prompt, wait_until


async def text_of(client: AsyncCuevault) -> str:
    return (await client.prompts.get("greeting")).prompt


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


def test_one_client_serves_one_event_loop_after_another(server: PromptServer) -> None:
    client = AsyncCuevault(server.url, "cue_right", cache=False, **PATIENT)

    assert [asyncio.run(text_of(client)) for _ in range(3)] == ["greeting 1", "greeting 2", "greeting 3"]
    # What a loop has left open is a warning, and an error here.
    gc.collect()


def test_two_event_loops_may_use_one_client_at_the_same_time(server: PromptServer) -> None:
    client = AsyncCuevault(server.url, "cue_right", cache=False, **PATIENT)
    seen: list[str] = []

    async def read() -> None:
        for _ in range(5):
            seen.append(await text_of(client))

    threads = [threading.Thread(target=lambda: asyncio.run(read())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert sorted(seen) == sorted(f"greeting {number}" for number in range(1, 11))


def test_a_refresh_that_ends_with_its_event_loop_is_made_again_in_the_next(server: PromptServer) -> None:
    client = AsyncCuevault(server.url, "cue_right", cache=CachePolicy(latest=0.01), **PATIENT)
    server.held = {2}

    async def read_until_new() -> str:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            text = await text_of(client)
            if text != "greeting 1":
                return text
            await asyncio.sleep(0.01)
        return "old"

    async def leave_during_refresh() -> None:
        await text_of(client)
        while not server.arrived.is_set():
            await asyncio.sleep(0.01)

    assert asyncio.run(text_of(client)) == "greeting 1"
    time.sleep(0.02)
    asyncio.run(leave_during_refresh())
    server.gate.set()
    assert asyncio.run(read_until_new()) == "greeting 3"


def test_a_call_that_is_cancelled_by_its_only_caller_is_made_again_by_the_next(server: PromptServer) -> None:
    server.held = {1}

    async def run() -> str:
        async with AsyncCuevault(server.url, "cue_right", **PATIENT) as client:
            first = asyncio.ensure_future(client.prompts.get("greeting"))
            while not server.arrived.is_set():
                await asyncio.sleep(0.01)
            first.cancel()
            await asyncio.wait((first,))
            server.gate.set()
            return await text_of(client)

    assert asyncio.run(run()) == "greeting 2"


def test_each_waiter_has_its_own_timeout(server: PromptServer) -> None:
    server.held = {1}
    outcomes: list[str] = []

    def patient() -> None:
        outcomes.append(client.prompts.get("greeting").prompt)

    with Cuevault(server.url, "cue_right", **PATIENT) as client:
        thread = threading.Thread(target=patient)
        thread.start()
        assert server.arrived.wait(PATIENCE_SECONDS)
        with pytest.raises(CuevaultTimeoutError, match=r"within 0\.1 seconds"):
            client.prompts.get("greeting", timeout=0.1)
        server.gate.set()
        thread.join(PATIENCE_SECONDS)
    assert (outcomes, len(server.ports)) == (["greeting 1"], 1)


def test_a_shared_call_continues_for_the_caller_with_the_longer_timeout(
    service: FakeService, joined: list[None]
) -> None:
    service.will(httpx.ReadTimeout("The time of the hurried caller is over."), prompt())
    service.may_reply = lambda: len(joined) >= 2
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
