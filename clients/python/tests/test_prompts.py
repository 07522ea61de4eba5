from __future__ import annotations

import dataclasses
import os

import pytest

from cuevault import CachePolicy, Cuevault, CuevaultError, InvalidRequestError
from support.drivers import MakeDriver
from support.service import API_KEY, URL, FakeService, failure, ok


def test_the_request_has_the_parameters_and_the_key_in_its_header(
    make: MakeDriver, service: FakeService
) -> None:
    make().prompt("greeting", label="production", meta_properties={"run": 1}, variables={"user": "Ada"})
    assert service.body() == {"name": "greeting", "label": "production", "metaProperties": {"run": 1}}
    request = service.requests[0]
    assert (request.method, str(request.url)) == ("POST", "https://vault.example/api/prompt/get-compiled")
    assert request.headers["authorization"] == f"Bearer {API_KEY}"
    assert request.headers["user-agent"].startswith("cuevault-python/")


def test_a_prompt_cannot_be_changed_so_the_cached_one_is_safe(make: MakeDriver) -> None:
    client = make()
    found = client.prompt()
    assert dataclasses.replace(found) == found
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.prompt = "changed"
    model = found.meta_properties["model"]
    assert isinstance(model, dict)
    model["name"] = "changed"
    assert client.prompt().meta_properties == {"model": {"name": "small"}}


def test_cached_secrets_are_copies(make: MakeDriver, service: FakeService) -> None:
    service.will(ok({"A": "1"}))
    client = make(cache=CachePolicy(secrets=60.0))
    client.secrets()["A"] = "changed by the caller"
    kept = client.secrets()
    assert (kept, kept.source, service.calls) == ({"A": "1"}, "cache", 1)


def test_values_that_json_cannot_express_are_rejected_before_the_call(
    make: MakeDriver, service: FakeService
) -> None:
    for value in (object(), float("nan"), {b"k": 1}):
        with pytest.raises(InvalidRequestError):
            make().prompt(meta_properties={"value": value})
    assert service.calls == 0


def test_a_call_has_retries_of_its_own_and_a_client_with_other_options_keeps_the_rest(
    make: MakeDriver, service: FakeService
) -> None:
    service.will(*[failure(503, "unavailable")] * 4)
    driver = make()
    with pytest.raises(CuevaultError):
        driver.secrets(max_retries=0)
    assert service.calls == 1
    driver.client = driver.client.with_options(max_retries=2)
    with pytest.raises(CuevaultError):
        driver.secrets()
    assert service.calls == 4
    with pytest.raises(TypeError, match='There is no option "tag"'):
        driver.secrets(tag=["llm"])


def test_secrets_are_applied_to_the_environment_except_dangerous_ones(
    service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.environ", {})
    service.will(ok({"A": "v", "LD_PRELOAD": "w"}))
    with Cuevault(URL, API_KEY, transport=service) as client:
        assert client.secrets.apply() == ["LD_PRELOAD"]
    assert os.environ == {"A": "v"}


def test_a_closed_client_says_so(make: MakeDriver) -> None:
    client = make(cache=CachePolicy(latest=0))
    client.close()
    with pytest.raises(CuevaultError, match="closed"):
        client.prompt()
