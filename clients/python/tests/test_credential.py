from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from cuevault import Cuevault, CuevaultError
from cuevault.credential import resolve_credential
from support.drivers import MakeDriver
from support.service import URL, FakeService

AUDIENCE = "cuevault:prod:3fGh7KmP"


@pytest.fixture(autouse=True)
def _trust(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CUEVAULT_API_KEY", "ACTIONS_ID_TOKEN_REQUEST_URL", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CUEVAULT_TRUST", AUDIENCE)


def sent(service: FakeService) -> list[str]:
    return [request.headers["authorization"].removeprefix("Bearer ")[:5] for request in service.requests]


def test_github_has_less_time_than_an_attempt(make: MakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def get(*_: object, timeout: float, **__: object) -> httpx.Response:
        given.append(timeout)
        raise httpx.ReadTimeout("")

    monkeypatch.setattr(httpx, "get", get)
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", "https://github.example/?a=1")
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "job")
    with pytest.raises(CuevaultError, match="ReadTimeout"):
        make(api_key=None).secrets()
    assert given == [4.0]


def test_on_aws_the_sdk_gets_the_token(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    def get_web_identity_token(**given: object) -> dict[str, str]:
        assert given == {"Audience": [AUDIENCE], "SigningAlgorithm": "ES384", "DurationSeconds": 900}
        return {"WebIdentityToken": "aws1.b.c"}

    def made(name: str, *, config: dict[str, object]) -> object:
        assert (name, config["connect_timeout"], config["read_timeout"]) == ("sts", 4.0, 4.0)
        assert config["retries"] == {"total_max_attempts": 1}
        return SimpleNamespace(get_web_identity_token=get_web_identity_token)

    monkeypatch.setitem(sys.modules, "boto3", SimpleNamespace(client=made))
    monkeypatch.setitem(sys.modules, "botocore.config", SimpleNamespace(Config=dict))
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    with Cuevault(URL, transport=service) as client:
        client.prompts.get("greeting")
    assert sent(service) == ["aws1."]


def test_copies_of_a_trust_belong_to_its_audience_and_key(
    make: MakeDriver, service: FakeService, monkeypatch: pytest.MonkeyPatch, vectors: Callable[[str], Any]
) -> None:
    trust = vectors("offline.json")["trust"]
    monkeypatch.setenv("CUEVAULT_TRUST", trust["audience"])
    monkeypatch.setenv("CUEVAULT_OFFLINE_KEY", trust["offlineKey"])
    assert resolve_credential(lambda: "a.b.c").owner == trust["owner"]
    monkeypatch.setenv("CUEVAULT_OFFLINE_KEY", trust["offlineKey"][1:])
    with pytest.raises(CuevaultError, match="at least 32 characters: openssl rand") as caught:
        make(api_key=lambda: "a.b.c").secrets()
    assert (caught.value.code, service.requests) == ("configuration", [])


def test_a_function_provides_tokens_and_what_is_no_token_is_never_sent(
    make: MakeDriver, service: FakeService
) -> None:
    make(api_key=lambda: "a.b.c").prompt()
    assert sent(service) == ["a.b.c"]
    with pytest.raises(CuevaultError, match="identity token"):
        make(api_key=lambda: "a\nb").prompt()
    assert len(service.requests) == 1
