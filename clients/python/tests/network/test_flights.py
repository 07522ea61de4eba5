from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from cuevault import NotFoundError
from cuevault._sync.runtime import SingleFlight


def test_concurrent_callers_share_the_call_in_progress() -> None:
    flights: SingleFlight[int] = SingleFlight()
    begun, gate = threading.Event(), threading.Event()

    def slow(_: float | None) -> int:
        begun.set()
        gate.wait(5)
        return 1

    with ThreadPoolExecutor(5) as pool:
        first = pool.submit(flights.join, "k", slow, None)
        begun.wait(5)
        others = [pool.submit(flights.join, "k", lambda _: 2, None) for _ in range(4)]
        time.sleep(0.05)
        gate.set()
        assert [first.result(), *(other.result() for other in others)] == [1] * 5
    assert flights.join("k", lambda _: 3, None) == 3


def test_an_interruption_is_not_shared() -> None:
    flights: SingleFlight[int] = SingleFlight()
    begun, gate = threading.Event(), threading.Event()

    def interrupted(_: float | None) -> int:
        begun.set()
        gate.wait(5)
        raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(flights.join, "k", interrupted, None)
        begun.wait(5)
        second = pool.submit(flights.join, "k", lambda _: 2, None)
        time.sleep(0.05)
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
    assert failed.wait(5)
    for thread in threading.enumerate():
        if thread.name == "cuevault-refresh":
            thread.join(5)
    assert flights.join("k", lambda _: 1, None) == 1


def test_without_threads_there_is_no_refresh_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_threads(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    flights: SingleFlight[int] = SingleFlight()
    monkeypatch.setattr(threading.Thread, "start", no_threads)
    flights.begin("k", lambda _: 1)
    assert flights.join("k", lambda _: 2, None) == 2
