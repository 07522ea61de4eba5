from __future__ import annotations

import base64
import json
import sys
import time
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from cuevault import Cuevault, CuevaultError
from support.drivers import MakeDriver
from support.service import URL, FakeService, ok

AUDIENCE = "cuevault:prod:3fGh7KmP"


@pytest.fixture(autouse=True)
def _trust(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CUEVAULT_API_KEY", "ACTIONS_ID_TOKEN_REQUEST_URL", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CUEVAULT_TRUST", AUDIENCE)


def token_until(seconds: float, name: str) -> str:
    payload = base64.urlsafe_b64encode(json.dumps({"exp": time.time() + seconds}).encode()).decode()
    return f"{name}.{payload.rstrip('=')}.s"


def sent(service: FakeService) -> list[str]:
    return [request.headers["authorization"].removeprefix("Bearer ")[:5] for request in service.requests]


def test_on_github_one_request_gets_a_token_and_another_when_it_is_about_to_expire(
    make: MakeDriver, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def get(url: str, *, headers: dict[str, str], timeout: float) -> httpx.Response:
        asked.append((parse_qs(urlsplit(url).query)["audience"], headers["authorization"], timeout))
        token = token_until(30 if len(asked) == 1 else 600, f"tok{len(asked)}")
        return httpx.Response(200, json={"value": token}, request=httpx.Request("GET", url))

    monkeypatch.setattr(httpx, "get", get)
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", "https://github.example/?a=1")
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "job")
    service.will(ok({"A": "1"}))
    client = make(api_key=None)
    for _ in range(3):
        client.secrets(fresh=True)
    assert asked == [([AUDIENCE], "Bearer job", 5.0)] * 2
    assert sent(service) == ["tok1.", "tok2.", "tok2."]


def test_on_aws_the_sdk_gets_the_token(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    def get_web_identity_token(**given: object) -> dict[str, str]:
        assert given == {"Audience": [AUDIENCE], "SigningAlgorithm": "ES384", "DurationSeconds": 900}
        return {"WebIdentityToken": token_until(900, "aws1")}

    def made(name: str, *, config: dict[str, object]) -> object:
        assert (name, config["connect_timeout"], config["read_timeout"]) == ("sts", 5.0, 5.0)
        assert config["retries"] == {"total_max_attempts": 1}
        return SimpleNamespace(get_web_identity_token=get_web_identity_token)

    monkeypatch.setitem(sys.modules, "boto3", SimpleNamespace(client=made))
    monkeypatch.setitem(sys.modules, "botocore.config", SimpleNamespace(Config=dict))
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    with Cuevault(URL, transport=service) as client:
        client.prompts.get("greeting")
    assert sent(service) == ["aws1."]


def test_a_function_provides_tokens_and_what_is_no_token_is_never_sent(
    make: MakeDriver, service: FakeService
) -> None:
    make(api_key=lambda: "a.b.c").prompt()
    assert sent(service) == ["a.b.c"]
    with pytest.raises(CuevaultError, match="identity token"):
        make(api_key=lambda: "a\nb").prompt()
    assert len(service.requests) == 1
