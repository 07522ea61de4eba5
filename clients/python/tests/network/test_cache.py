from __future__ import annotations

import threading
import time

import httpx
import pytest

from cuevault import CachePolicy, CuevaultError, NotFoundError, Prompt, UnavailableError
from cuevault._core.cache import FOREVER, Cache
from support.drivers import Clock, MakeDriver, eventually
from support.service import FakeService, failure, ok, prompt

AT_ONCE_STALE = CachePolicy(latest=0.0)
OUTAGES = [
    failure(503, "unavailable"),
    failure(500, "internal"),
    httpx.ConnectError("refused"),
    httpx.ReadTimeout("s"),
]
REFUSALS = [failure(401, "unauthenticated"), failure(403, "forbidden"), failure(404, "prompt_not_found")]


def test_the_latest_version_is_fetched_once_a_minute(make: MakeDriver, service: FakeService) -> None:
    client = make()
    assert [client.prompt().source for _ in range(3)] == ["service", "cache", "cache"]
    assert service.calls == 1


def test_everything_that_decides_the_answer_is_in_the_key(make: MakeDriver, service: FakeService) -> None:
    client = make()
    client.prompt("a")
    client.prompt("b")
    client.prompt("a", version="1.0.0")
    client.prompt("a", label="production")
    client.prompt(None, prompt_id="a")
    assert service.calls == 5


def test_a_stale_copy_is_returned_while_one_refresh_runs(
    make: MakeDriver, service: FakeService, clock: Clock
) -> None:
    service.will(prompt("old"), prompt("new"))
    client = make(cache=CachePolicy(latest=60.0))
    client.prompt()
    clock.now += 61
    refresh_may_end = threading.Event()
    service.hold_until(refresh_may_end.is_set)
    assert [(p.prompt, p.source) for p in client.prompts(20)] == [("old", "stale")] * 20
    refresh_may_end.set()
    assert eventually(client, lambda: client.prompt().prompt == "new")
    assert service.calls == 2


def test_an_exact_version_never_expires(make: MakeDriver, service: FakeService) -> None:
    client = make(cache=AT_ONCE_STALE)
    assert [client.prompt(version="1.0.0").source for _ in range(2)] == ["service", "cache"]
    assert service.calls == 1


@pytest.mark.parametrize("outage", OUTAGES)
def test_while_the_service_is_down_the_copy_answers_with_its_age(
    make: MakeDriver, service: FakeService, outage: httpx.Response | httpx.HTTPError
) -> None:
    service.will(prompt(), outage)
    client = make()
    client.prompt()
    time.sleep(0.05)
    found = client.prompt(fresh=True, fallback="not needed")
    assert (found.prompt, found.source) == ("Hello {{user}}!", "stale")
    assert found.age >= 0.05


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refusal_deletes_the_copy(make: MakeDriver, service: FakeService, refusal: httpx.Response) -> None:
    service.will(prompt(), refusal, failure(503, "unavailable"))
    client = make()
    client.prompt()
    with pytest.raises(CuevaultError):
        client.prompt(fresh=True)
    with pytest.raises(UnavailableError):
        client.prompt()


def test_a_refusal_of_a_background_refresh_deletes_the_copy(make: MakeDriver, service: FakeService) -> None:
    service.will(prompt(), failure(404, "prompt_not_found"))
    client = make(cache=AT_ONCE_STALE)
    client.prompt()
    assert client.prompt().source == "stale"

    def refused() -> bool:
        try:
            client.prompt()
        except NotFoundError:
            return True
        return False

    assert eventually(client, refused)


def test_a_failed_refresh_is_not_repeated_with_every_use() -> None:
    now = 0.0
    cache: Cache[str, Prompt] = Cache(10, clock=lambda: now)
    cache.keep("k", Prompt("p", "n", "1.0.0", (), "t"), cache.begin())
    assert not cache.refresh_is_delayed("k")
    cache.delay_refresh("k", 5.0)
    assert cache.refresh_is_delayed("k")
    now = 5.1
    assert not cache.refresh_is_delayed("k")


def test_the_least_recently_used_answer_is_evicted_first() -> None:
    cache: Cache[str, Prompt] = Cache(2)
    for name in ("a", "b"):
        cache.keep(name, Prompt("p", name, "1.0.0", (), "t"), cache.begin())
    assert cache.get("a", FOREVER) is not None
    cache.keep("c", Prompt("p", "c", "1.0.0", (), "t"), cache.begin())
    assert [cache.get(name, FOREVER) is not None for name in ("a", "b", "c")] == [True, False, True]


def test_an_answer_is_used_up_to_the_age_that_the_reader_accepts() -> None:
    now = 0.0
    cache: Cache[str, Prompt] = Cache(2, clock=lambda: now)
    cache.keep("a", Prompt("p", "a", "1.0.0", (), "t"), cache.begin())
    now = 10.0
    assert [cache.get("a", age) is None for age in (0.0, 9.0, 11.0, FOREVER)] == [True, True, False, False]


def test_a_late_answer_to_an_earlier_call_does_not_replace_a_newer_one() -> None:
    cache: Cache[str, Prompt] = Cache(2)
    earlier, later = cache.begin(), cache.begin()
    cache.keep("n", Prompt("p", "n", "1.0.1", (), "t"), later)
    cache.keep("n", Prompt("p", "n", "1.0.0", (), "t"), earlier)
    kept = cache.get("n", FOREVER)
    assert kept is not None
    assert kept.version == "1.0.1"


def test_a_hundred_concurrent_misses_make_one_call(
    make: MakeDriver, service: FakeService, joined: list[None]
) -> None:
    service.hold_until(lambda: len(joined) == 100)
    found = make().prompts(100)
    assert {p.prompt for p in found} == {"Hello {{user}}!"}
    assert service.calls == 1


def test_a_shared_failure_reaches_everyone_and_the_next_read_tries_again(
    make: MakeDriver, service: FakeService, joined: list[None]
) -> None:
    service.will(failure(404, "prompt_not_found"), prompt())
    service.hold_until(lambda: len(joined) >= 10)
    client = make()
    with pytest.raises(NotFoundError):
        client.prompts(10)
    assert service.calls == 1
    assert client.prompt().source == "service"


def test_secrets_are_cached_only_on_request(make: MakeDriver, service: FakeService) -> None:
    service.will(ok({"A": "1"}), failure(503, "unavailable"))
    client = make()
    client.secrets()
    with pytest.raises(UnavailableError):
        client.secrets()


def test_cached_secrets_are_copies_and_expired_ones_only_answer_during_an_outage(
    make: MakeDriver, service: FakeService, clock: Clock
) -> None:
    service.will(ok({"A": "1"}), ok({"A": "2"}), failure(503, "unavailable"))
    client = make(cache=CachePolicy(secrets=60.0))
    client.secrets()["A"] = "changed by the caller"
    kept = client.secrets()
    assert (kept, kept.source, service.calls) == ({"A": "1"}, "cache", 1)
    clock.now += 61
    assert client.secrets() == {"A": "2"}
    clock.now += 61
    stale = client.secrets()
    assert (stale, stale.source) == ({"A": "2"}, "stale")


def test_invalid_settings_are_rejected() -> None:
    for wrong in ({"latest": -1.0}, {"secrets": float("nan")}, {"max_entries": 0}, {"max_stale": True}):
        with pytest.raises(CuevaultError) as caught:
            CachePolicy(**wrong)
        assert caught.value.code == "configuration"
