from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from cuevault import CachePolicy, Cuevault, NotFoundError, Prompt
from cuevault._core.cache import FOREVER, Cache
from cuevault._core.process import _Clock
from cuevault._sync.runtime import SingleFlight
from support.service import API_KEY, PATIENCE_SECONDS, PATIENT, URL, FakeService, wait_until


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """The readings of both clocks, to be changed."""
    readings = {"monotonic": 1_000.0, "time": 1_800_000_000.0}
    for name in readings:
        monkeypatch.setattr(f"time.{name}", partial(readings.__getitem__, name))
    monkeypatch.setattr("cuevault._core.cache.now", _Clock().now)
    return readings


def test_a_failed_refresh_is_not_repeated_with_every_use(clocks: dict[str, float]) -> None:
    cache: Cache[str, Prompt] = Cache(10)
    cache.keep("k", Prompt("p", "n", "1.0.0", (), "t"), cache.begin())
    assert not cache.refresh_is_delayed("k")
    cache.delay_refresh("k", 5.0)
    assert cache.refresh_is_delayed("k")
    clocks["monotonic"] += 5.1
    assert not cache.refresh_is_delayed("k")


def test_a_refresh_that_another_answer_overtakes_makes_no_call(
    clocks: dict[str, float], service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Cuevault(URL, API_KEY, **PATIENT, transport=service) as client:
        client.prompts.get("greeting")
        clocks["monotonic"] += 200.0
        flights = client._readers[0]._flights
        begin = flights.begin

        def overtaken(*arguments: Any) -> None:
            client.prompts.get("greeting", fresh=True)
            begin(*arguments)

        monkeypatch.setattr(flights, "begin", overtaken)
        assert client.prompts.get("greeting").source == "service"
    assert service.calls == 2


def test_at_most_eight_old_copies_are_refreshed_at_once(
    clocks: dict[str, float], service: FakeService
) -> None:
    policy, released = CachePolicy(refresh_wait=0.01), threading.Event()
    with Cuevault(URL, API_KEY, **PATIENT, cache=policy, transport=service) as client:
        for number in range(12):
            client.prompts.get("greeting", label=f"label-{number}")
        clocks["monotonic"] += 200.0
        service.may_reply = released.is_set
        assert client.prompts.get("greeting", label="label-0").source == "stale"
        wait_until(lambda: service.calls >= 20)
        refreshes = [thread for thread in threading.enumerate() if thread.name == "cuevault-refresh"]
        released.set()
        for thread in refreshes:
            thread.join(PATIENCE_SECONDS)
    assert (len(refreshes), service.calls) == (8, 20)


def test_a_late_answer_to_an_earlier_call_does_not_replace_a_newer_one() -> None:
    cache: Cache[str, Prompt] = Cache(2)
    earlier, later = cache.begin(), cache.begin()
    cache.keep("n", Prompt("p", "n", "1.0.1", (), "t"), later)
    cache.keep("n", Prompt("p", "n", "1.0.0", (), "t"), earlier)
    kept = cache.get("n", FOREVER)
    assert kept is not None
    assert kept.version == "1.0.1"


def test_an_interruption_is_not_shared(joined: list[None]) -> None:
    flights: SingleFlight[int] = SingleFlight()
    begun, gate = threading.Event(), threading.Event()

    def interrupted(_: float | None) -> int:
        begun.set()
        gate.wait(PATIENCE_SECONDS)
        raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(flights.join, "k", interrupted, None)
        assert begun.wait(PATIENCE_SECONDS)
        second = pool.submit(flights.join, "k", lambda _: 2, None)
        wait_until(lambda: len(joined) == 2)
        gate.set()
        assert second.result() == 2
        with pytest.raises(KeyboardInterrupt):
            first.result()


def test_a_failure_in_the_background_raises_nothing() -> None:
    flights: SingleFlight[int] = SingleFlight()
    failed = threading.Event()

    def failing(_: float | None) -> int:
        failed.set()
        raise NotFoundError("Gone.", code="prompt_not_found")

    flights.begin("k", failing)
    assert failed.wait(PATIENCE_SECONDS)
    for thread in threading.enumerate():
        if thread.name == "cuevault-refresh":
            thread.join(PATIENCE_SECONDS)
    assert flights.join("k", lambda _: 1, None) == 1


def test_without_threads_there_is_no_refresh_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_threads(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    flights: SingleFlight[int] = SingleFlight()
    monkeypatch.setattr(threading.Thread, "start", no_threads)
    flights.begin("k", lambda _: 1)
    assert flights.join("k", lambda _: 2, None) == 2
