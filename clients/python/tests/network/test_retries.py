from __future__ import annotations

import httpx
import pytest

from cuevault import UnavailableError
from cuevault._sync.service import Service
from cuevault.settings import Settings
from support.drivers import MakeDriver
from support.service import API_KEY, URL, FakeService, failure, prompt


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Records the requested pauses instead of waiting."""
    asked: list[float] = []

    async def sleep(seconds: float) -> None:
        asked.append(seconds)

    monkeypatch.setattr("cuevault._sync.service.sleep", asked.append)
    monkeypatch.setattr("cuevault._async.service.sleep", sleep)
    return asked


def test_the_service_decides_how_long_to_wait(
    make: MakeDriver, service: FakeService, pauses: list[float]
) -> None:
    service.will(failure(429, "rate_limited", **{"retry-after": "0.2"}), prompt())
    make().prompt()
    assert (pauses, service.calls) == ([0.2], 2)


def call_in_vain(max_retries: int) -> None:
    down = httpx.MockTransport(lambda _: failure(503, "unavailable"))
    with pytest.raises(UnavailableError):
        Service(Settings(URL, API_KEY, max_retries=max_retries, total_timeout=1e6), down).call(
            "/", {}, lambda *_, **__: None
        )


def test_pauses_are_random_below_a_bound_that_doubles_up_to_its_cap(
    pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cuevault._sync.service._BASE", 0.2)
    for _ in range(100):
        call_in_vain(6)
    bounds = [0.2, 0.4, 0.8, 1.6, 2.0, 2.0]
    for number, bound in enumerate(bounds):
        seen = pauses[number :: len(bounds)]
        assert len(seen) == 100
        assert 0 <= min(seen) < bound / 4
        assert bound * 3 / 4 < max(seen) <= bound


def test_any_number_of_retries_is_accepted(pauses: list[float]) -> None:
    call_in_vain(1_100)
    assert len(pauses) == 1_100
