from __future__ import annotations

import base64
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from cuevault import Cuevault, CuevaultError, OfflineCopy, UnavailableError
from cuevault.credential import resolve_credential
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
    assert asked == [([AUDIENCE], "Bearer job", 4.0)] * 2
    assert sent(service) == ["tok1.", "tok2.", "tok2."]


def test_on_aws_the_sdk_gets_the_token(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    def get_web_identity_token(**given: object) -> dict[str, str]:
        assert given == {"Audience": [AUDIENCE], "SigningAlgorithm": "ES384", "DurationSeconds": 900}
        return {"WebIdentityToken": token_until(900, "aws1")}

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


def test_while_the_token_service_of_a_platform_fails_a_copy_answers(
    make: MakeDriver, service: FakeService, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers: list[tuple[int, bytes] | None] = [(200, json.dumps({"value": token_until(30, "t")}).encode())]

    def get(url: str, **_: object) -> httpx.Response:
        if answers[-1] is None:
            raise httpx.ConnectError("secret")
        status, body = answers[-1]
        return httpx.Response(status, content=body, request=httpx.Request("GET", url))

    monkeypatch.setattr(httpx, "get", get)
    monkeypatch.setenv("CUEVAULT_OFFLINE_KEY", "k" * 32)
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", "https://github.example/?a=1")
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "job")
    service.will(ok({"A": "1"}))
    client = make(api_key=None, offline=OfflineCopy(tmp_path), pause=0)
    client.secrets()
    for answer, reason in (
        ((503, b""), "status 503"),
        ((200, b"<html>"), "JSONDecodeError"),
        (None, "ConnectError"),
    ):
        answers.append(answer)
        assert client.secrets() == {"A": "1"}
        with pytest.raises(
            UnavailableError, match=f"GitHub gave no token for CUEVAULT_TRUST .{reason}."
        ) as caught:
            client.secrets(fresh=True)
        assert "secret" not in str(caught.value)
    answers.append((403, b""))
    with pytest.raises(CuevaultError, match="status 403") as refused:
        client.secrets()
    assert refused.value.code == "configuration"


def test_a_function_provides_tokens_and_what_is_no_token_is_never_sent(
    make: MakeDriver, service: FakeService
) -> None:
    make(api_key=lambda: "a.b.c").prompt()
    assert sent(service) == ["a.b.c"]
    with pytest.raises(CuevaultError, match="identity token"):
        make(api_key=lambda: "a\nb").prompt()
    assert len(service.requests) == 1
