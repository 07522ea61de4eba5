from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cuevault import AsyncCuevault, Cuevault
from cuevault._async import service as async_service
from cuevault._sync import service as sync_service
from cuevault._sync.runtime import SingleFlight
from support.drivers import Driver, MakeDriver, Read
from support.http_server import PromptServer, serve
from support.service import API_KEY, PATIENT, URL, FakeService

# A background job of a shell starts with SIGINT ignored, and everything it starts inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests use neither the developer's own Cuevault nor, on this machine, a proxy.
for _name in [name for name in os.environ if name.startswith("CUEVAULT_")]:
    del os.environ[_name]
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "localhost,127.0.0.1"

VECTORS = Path(__file__).parents[3] / "test" / "vectors"


@pytest.fixture
def service() -> FakeService:
    return FakeService()


# No pauses.
FAST = {**PATIENT, "max_retries": 2, "pause": 0.0}
async_service._BASE = sync_service._BASE = 0.0


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest, service: FakeService) -> Iterator[MakeDriver]:
    """Creates clients of the fake service, blocking and asyncio: every test runs with both."""
    loop = asyncio.new_event_loop()
    drivers: list[Driver] = []

    def make_one(**given: Any) -> Driver:
        options = {"url": URL, "api_key": API_KEY, **FAST, "transport": service, **given}
        if request.param == "sync":
            drivers.append(Driver(Cuevault(**options), lambda result: result))
        else:
            drivers.append(Driver(AsyncCuevault(**options), loop.run_until_complete))
        return drivers[-1]

    yield make_one
    for driver in drivers:
        driver.close()
    loop.close()


@pytest.fixture
def read(make: MakeDriver) -> Read:
    return lambda url: make(url=url, api_key="cue_right", transport=None, max_retries=0).secrets()


@pytest.fixture
def server() -> Iterator[PromptServer]:
    one = PromptServer()
    with serve(one.handle) as one.url:
        yield one
        one.gate.set()


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One entry for each thread that has made or joined a call that may be shared."""
    joined: list[None] = []
    original = SingleFlight._enter

    def counted(*arguments: Any) -> Any:
        result = original(*arguments)
        joined.append(None)
        return result

    monkeypatch.setattr(SingleFlight, "_enter", counted)
    return joined


@pytest.fixture
def vectors() -> Callable[[str], dict[str, object]]:
    """Reads a file of test vectors that all implementations share."""

    def read(name: str) -> dict[str, object]:
        contents: dict[str, object] = json.loads((VECTORS / name).read_text("utf-8"))
        return contents

    return read
