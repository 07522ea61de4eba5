from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Callable

import pytest

from cuevault._async.runtime import SingleFlight as AsyncSingleFlight
from cuevault._core.cache import Cache
from cuevault._sync.runtime import SingleFlight
from support.drivers import AsyncDriver, Clock, Driver, MakeDriver, SyncDriver
from support.service import FakeService

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


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest, service: FakeService) -> Iterator[MakeDriver]:
    """Creates clients of the fake service, blocking and asyncio: every test runs with both."""
    loop = asyncio.new_event_loop()
    drivers: list[Driver] = []

    def make_one(**options: object) -> Driver:
        kind = request.param
        driver = SyncDriver(service, options) if kind == "sync" else AsyncDriver(service, options, loop)
        drivers.append(driver)
        return driver

    yield make_one
    for driver in drivers:
        driver.close()
    loop.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the caches that are made from now on."""
    clock = Clock()
    monkeypatch.setattr(Cache.__init__, "__defaults__", (clock,))
    return clock


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One entry for each reader that has made or joined a call that may be shared."""
    joined: list[None] = []

    def count(owner: type, method: str) -> None:
        original = getattr(owner, method)

        def counted(*arguments: object) -> object:
            result = original(*arguments)
            joined.append(None)
            return result

        monkeypatch.setattr(owner, method, counted)

    count(SingleFlight, "_enter")
    count(AsyncSingleFlight, "_start")
    return joined


@pytest.fixture
def vectors() -> Callable[[str], dict[str, object]]:
    """Reads a file of test vectors that all implementations share."""

    def read(name: str) -> dict[str, object]:
        contents: dict[str, object] = json.loads((VECTORS / name).read_text("utf-8"))
        return contents

    return read


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUEVAULT_URL", raising=False)
    monkeypatch.delenv("CUEVAULT_API_KEY", raising=False)
