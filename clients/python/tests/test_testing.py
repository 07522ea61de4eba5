from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from cuevault import (
    AuthenticationError,
    CachePolicy,
    CuevaultError,
    CuevaultTimeoutError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
    get_prompt,
)
from cuevault.testing import Call, FakeCuevault, FakePrompt


def test_a_template_alone_is_the_first_version_of_a_prompt() -> None:
    fake = FakeCuevault(prompts={"greeting": "Hello {{user}}!"})
    prompt = fake.client().prompts.get("greeting", variables={"user": "Ada"})
    assert (prompt.compiled_prompt, prompt.version, prompt.source) == ("Hello Ada!", "1.0.0", "service")
    assert fake.client().prompts.get(prompt_id=prompt.prompt_id).name == "greeting"
    assert fake.calls[0] == Call("prompt", {"name": "greeting"}, 200)


def test_it_compiles_on_request_as_the_service_does() -> None:
    chat = [{"role": "user", "content": "{{a}} {{b}}"}]
    transport = FakeCuevault(prompts={"chat": chat}).transport

    def ask(compiled: bool, strict: bool = False) -> dict[str, Any]:
        envelope = get_prompt(
            "https://cuevault.test",
            "k",
            "chat",
            should_compile=compiled,
            strict=strict,
            variables={"a": 1},
            transport=transport,
        )
        return dict(envelope)

    assert "compiledPrompt" not in ask(False)["res"]
    compiled = [{"role": "user", "content": "1 {{b}}"}]
    assert ask(True)["res"]["compiledMessages"] == compiled
    assert json.loads(ask(True)["res"]["compiledPrompt"]) == compiled
    assert 'needs a value for "b"' in ask(True, strict=True)["err"]


@pytest.mark.parametrize("ttl", [float("inf"), float("nan"), -1.0])
def test_what_is_no_time_is_refused(ttl: float) -> None:
    client = FakeCuevault(secrets={"A": "1"}).client()
    with pytest.raises(CuevaultError, match="ttl must be a number, 0 or above"):
        client.secrets.get("A", ttl=ttl)


def test_versions_labels_and_tags_choose_as_in_the_service() -> None:
    fake = FakeCuevault(
        prompts={
            "greeting": {
                "versions": {"1.9.0": "old", "1.10.0": "new"},
                "labels": {"production": "1.9.0"},
                "metaProperties": {"model": "small"},
            }
        },
        secrets={"A": {"value": "1", "tags": ["x", "y"]}, "B": {"value": "2", "tags": ["x"]}, "C": "3"},
    )
    client = fake.client()
    assert client.prompts.get("greeting").prompt == "new"
    assert client.prompts.get("greeting", label="production").prompt == "old"
    assert client.prompts.get("greeting", version="1.9.0").meta_properties == {"model": "small"}
    assert client.secrets.all() == {"A": "1", "B": "2", "C": "3"}
    assert client.secrets.all(tags=["x", "y"]) == {"A": "1"}
    assert client.secrets.get("C") == "3"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"name": "nobody"}, "prompt_not_found"),
        ({"name": "versions", "label": "test"}, "label_not_found"),
        ({"name": "greeting", "version": "9.9.9"}, "version_not_found"),
    ],
)
def test_missing_items_have_the_codes_of_the_service(options: dict[str, str], code: str) -> None:
    prompts: dict[str, str | FakePrompt] = {"greeting": "Hi", "versions": {"versions": {"1.0.0": "Hi"}}}
    client = FakeCuevault(prompts=prompts, secrets={"A": "1"}).client()
    with pytest.raises(NotFoundError) as caught:
        client.prompts.get(**options)  # type: ignore[call-overload]
    assert caught.value.code == code
    with pytest.raises(NotFoundError):
        client.secrets.get("A", tags=["x"])


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("unavailable", UnavailableError),
        ("rate_limited", RateLimitedError),
        ("timeout", CuevaultTimeoutError),
        ("connection", UnavailableError),
        ("unauthenticated", AuthenticationError),
    ],
)
def test_outages_can_be_scripted(kind: str, error: type[CuevaultError]) -> None:
    fake = FakeCuevault(secrets={"A": "1"})
    client = fake.client()
    fake.outage(kind)  # type: ignore[arg-type]
    with pytest.raises(error):
        client.secrets.all()
    fake.recover()
    assert client.secrets.all() == {"A": "1"}
    fake.fail_next(1, kind)  # type: ignore[arg-type]
    with pytest.raises(error):
        client.secrets.all()
    assert client.secrets.all() == {"A": "1"}


def test_an_outage_with_a_cached_copy_can_be_simulated() -> None:
    fake = FakeCuevault(prompts={"greeting": "Hi"})
    client = fake.client(cache=CachePolicy(latest=0.0))
    client.prompts.get("greeting")
    fake.outage("connection")
    assert client.prompts.get("greeting").source == "stale"


def test_changes_take_effect_at_once_for_both_clients() -> None:
    fake = FakeCuevault(secrets={"A": "1"})

    async def read() -> str:
        async with fake.async_client() as client:
            return await client.secrets.get("A")

    assert asyncio.run(read()) == "1"
    fake.secrets["A"] = "2"
    assert (asyncio.run(read()), fake.client().secrets.get("A")) == ("2", "2")
