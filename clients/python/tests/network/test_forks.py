from __future__ import annotations

import asyncio
import threading
import time
from types import SimpleNamespace

import pytest

from cuevault import AsyncCuevault, CachePolicy, Cuevault, Secrets
from cuevault._core.cache import Cache
from support.drivers import MakeDriver
from support.forked import Child
from support.http_server import PromptServer
from support.service import PATIENCE_SECONDS, PATIENT, URL

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

Client = Cuevault | AsyncCuevault
NAMES = [f"prompt-{number}" for number in range(6)]


def text(client: Client, name: str) -> str:
    if isinstance(client, Cuevault):
        return client.prompts.get(name).prompt
    return asyncio.run(client.prompts.get(name)).prompt


def test_forked_processes_open_their_own_connections(make: MakeDriver, server: PromptServer) -> None:
    driver = make(url=server.url, transport=None)
    driver.prompt("before")
    children = [Child(lambda name=name: text(driver.client, name)) for name in NAMES]  # type: ignore[misc]
    answers = [child.result() for child in children]
    assert [answer.split()[0] for answer in answers] == NAMES
    driver.prompt("after")
    assert server.ports[0] == server.ports[-1]
    assert len(set(server.ports)) == 1 + len(NAMES)


def test_a_call_in_progress_at_the_fork_is_repeated_by_the_child(
    make: MakeDriver, server: PromptServer
) -> None:
    server.held = {2}
    driver = make(url=server.url, transport=None)
    driver.prompt("first")
    thread = threading.Thread(target=driver.prompt, args=("shared",))
    thread.start()
    assert server.arrived.wait(PATIENCE_SECONDS)
    assert Child(lambda: text(driver.client, "shared")).result() == "shared 3"
    server.gate.set()
    thread.join()
    assert driver.prompt("shared").prompt == "shared 2"


def test_a_refresh_under_way_at_the_fork_does_not_keep_the_child_on_its_old_copy(
    server: PromptServer,
) -> None:
    server.held = {2}

    def refreshed() -> str:
        deadline = time.monotonic() + PATIENCE_SECONDS / 2
        while time.monotonic() < deadline:
            prompt = client.prompts.get("kept")
            if prompt.prompt != "kept 1":
                return prompt.prompt
            time.sleep(0.01)
        return "old"

    policy = CachePolicy(latest=0.01, refresh_wait=0.0)
    with Cuevault(server.url, "cue_right", cache=policy, **PATIENT) as client:
        text(client, "kept")
        time.sleep(0.02)
        assert client.prompts.get("kept").source == "stale"
        assert server.arrived.wait(PATIENCE_SECONDS)
        assert Child(refreshed).result().startswith("kept ")


def test_a_lock_that_another_thread_holds_at_the_fork_does_not_stop_the_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inside, leave = threading.Event(), threading.Event()
    main = threading.current_thread()

    def clock() -> float:
        if threading.current_thread() is not main:
            inside.set()
            leave.wait(PATIENCE_SECONDS)
        return 0.0

    monkeypatch.setattr("cuevault._core.cache.time", SimpleNamespace(monotonic=clock, time=clock))
    cache: Cache[str, Secrets] = Cache(5)
    secrets = Secrets({"A": "1"})
    thread = threading.Thread(target=cache.keep, args=("other", secrets, cache.begin()))
    thread.start()

    def keep() -> object:
        cache.keep("k", secrets, cache.begin())
        return cache.get("k", 60.0)

    try:
        assert inside.wait(PATIENCE_SECONDS)
        assert Child(keep).result() == {"A": "1"}
    finally:
        leave.set()
        thread.join()


def test_a_closed_client_stays_closed_in_the_child() -> None:
    def code(client: Client) -> str:
        try:
            return text(client, "any")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is compared
            return str(error)

    blocking, on_asyncio = Cuevault(URL, "cue_right"), AsyncCuevault(URL, "cue_right")
    blocking.close()
    asyncio.run(on_asyncio.aclose())
    for client in (blocking, on_asyncio):
        assert Child(lambda client=client: code(client)).result() == "The client is closed."  # type: ignore[misc]
