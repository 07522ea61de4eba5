from __future__ import annotations

import time
from email.utils import formatdate
from typing import NoReturn

import httpx
import pytest

from cuevault import (
    CuevaultError,
    CuevaultTimeoutError,
    NotFoundError,
    RateLimitedError,
    RetryPolicy,
    UnavailableError,
)
from cuevault._core.replies import retry_after_seconds
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


@pytest.mark.parametrize(
    "fault",
    [
        httpx.ConnectError("refused"),
        httpx.ReadError("reset"),
        httpx.RemoteProtocolError("body broke off"),
        failure(429, "rate_limited"),
        failure(502, "unavailable"),
        failure(503, "unavailable"),
        failure(504, "unavailable"),
        httpx.Response(503, html="<html>"),
    ],
)
def test_transient_faults_are_retried(
    make: MakeDriver, service: FakeService, fault: httpx.Response | httpx.HTTPError
) -> None:
    service.will(fault, fault, prompt())
    assert make().prompt().version == "1.0.0"
    assert service.calls == 3


@pytest.mark.parametrize(
    "fault",
    [
        failure(400, "invalid_request"),
        failure(401, "unauthenticated"),
        failure(403, "forbidden"),
        failure(404, "prompt_not_found"),
        failure(500, "internal"),
        httpx.Response(200, html="<html>"),
        httpx.ReadTimeout("slow"),
    ],
)
def test_other_faults_are_not_retried(
    make: MakeDriver, service: FakeService, fault: httpx.Response | httpx.HTTPError
) -> None:
    service.will(fault, prompt())
    with pytest.raises(CuevaultError):
        make().prompt()
    assert service.calls == 1


def test_retries_are_limited(make: MakeDriver, service: FakeService) -> None:
    service.will(failure(503, "unavailable"))
    with pytest.raises(UnavailableError):
        make(retry=RetryPolicy(timeout=120.0, total_timeout=300.0, retries=3, base=0.0)).prompt()
    assert service.calls == 4


def test_the_service_decides_how_long_to_wait(
    make: MakeDriver, service: FakeService, pauses: list[float]
) -> None:
    service.will(failure(429, "rate_limited", **{"retry-after": "0.2"}), prompt())
    make().prompt()
    assert (pauses, service.calls) == ([0.2], 2)


def test_a_pause_that_does_not_fit_is_skipped(make: MakeDriver, service: FakeService) -> None:
    service.will(failure(429, "rate_limited", **{"retry-after": "3600"}), prompt())
    with pytest.raises(RateLimitedError) as caught:
        make().prompt()
    assert caught.value.retry_after == 3600
    assert service.calls == 1


DOWN = UnavailableError("Down.", code="unavailable", status=503)


class Attempts:
    """Replaces the HTTP layer: raises `errors` in order, then repeats the last one."""

    def __init__(self, *errors: CuevaultError) -> None:
        self.errors = list(errors)
        self.seconds: list[float] = []

    def post(self, _path: str, _body: bytes, seconds: float) -> NoReturn:
        self.seconds.append(seconds)
        raise self.errors.pop(0) if len(self.errors) > 1 else self.errors[0]


def call(policy: RetryPolicy, attempts: Attempts) -> None:
    service = Service(Settings(URL, API_KEY, policy), httpx.MockTransport(lambda _: prompt()))
    service._http = attempts  # type: ignore[assignment]
    service.call("/", {}, lambda *_, **__: None)


def test_pauses_are_random_below_a_bound_that_doubles_up_to_its_cap(pauses: list[float]) -> None:
    policy = RetryPolicy(retries=6, base=0.1, cap=1.0, total_timeout=1000.0)
    for _ in range(200):
        with pytest.raises(UnavailableError):
            call(policy, Attempts(DOWN))
    bounds = [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    for number, bound in enumerate(bounds):
        seen = pauses[number :: len(bounds)]
        assert len(seen) == 200
        assert 0 <= min(seen) < bound / 4
        assert bound * 3 / 4 < max(seen) <= bound


def test_any_number_of_retries_is_accepted(pauses: list[float]) -> None:
    with pytest.raises(UnavailableError):
        call(RetryPolicy(retries=3000, base=1.0, cap=1.0, total_timeout=1e9), Attempts(DOWN))
    assert len(pauses) == 3000


def test_an_attempt_is_limited_to_the_remaining_total_time() -> None:
    attempts = Attempts(NotFoundError("No.", code="prompt_not_found"))
    with pytest.raises(NotFoundError):
        call(RetryPolicy(timeout=5_000.0, total_timeout=1_000.0), attempts)
    assert 800 < attempts.seconds[0] <= 1_000


def test_an_attempt_that_the_total_time_cuts_short_does_not_hide_what_went_wrong_before() -> None:
    with pytest.raises(UnavailableError, match="Down"):
        call(
            RetryPolicy(timeout=5_000.0, total_timeout=1_000.0, base=0.0),
            Attempts(DOWN, CuevaultTimeoutError("Slow.", code="timeout")),
        )


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("3", 3.0),
        ("0.5", 0.5),
        ("-1", None),
        ("1e3", None),
        ("1_0", None),
        ("Wed, 21 Oct 2099 07:28:00 +0200", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("", None),
    ],
)
def test_retry_after_in_seconds(header: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(header) == seconds


def test_retry_after_as_a_date() -> None:
    seconds = retry_after_seconds(formatdate(time.time() + 3_600, usegmt=True))
    assert seconds is not None
    assert 3_000 <= seconds <= 3_600
