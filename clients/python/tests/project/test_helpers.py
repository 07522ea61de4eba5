from __future__ import annotations

import inspect
import os

import httpx
import pytest

from cuevault import RetryPolicy, get_prompt, get_secrets
from support.service import API_KEY, URL, FakeService, failure, ok, prompt

ONCE = RetryPolicy(retries=0)


def test_the_parameters_are_those_of_the_contract() -> None:
    parameters = inspect.signature(get_secrets).parameters.values()
    ordered = [(p.name, p.default) for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert ordered == [
        ("url", None),
        ("api_key", None),
        ("key", None),
        ("tags", None),
        ("should_set_env", False),
    ]


def test_get_secrets_returns_the_envelope(service: FakeService) -> None:
    service.will(ok({"A": "1"}))
    assert get_secrets(URL, API_KEY, transport=service) == {"err": None, "res": {"A": "1"}}
    assert service.body() == {}
    get_secrets(URL, API_KEY, "A", ["t", "s"], transport=service)
    assert service.body() == {"key": "A", "tags": ["s", "t"]}


def test_address_and_key_come_from_the_environment_unless_given(
    service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.will(ok({}))
    monkeypatch.setenv("CUEVAULT_URL", "https://environment.example/")
    monkeypatch.setenv("CUEVAULT_API_KEY", "cue_environment")
    get_secrets(transport=service)
    get_secrets(url="https://argument.example", api_key="cue_argument", transport=service)
    assert [str(request.url) for request in service.requests] == [
        "https://environment.example/api/vault/get-secrets",
        "https://argument.example/api/vault/get-secrets",
    ]
    assert [request.headers["authorization"] for request in service.requests] == [
        "Bearer cue_environment",
        "Bearer cue_argument",
    ]


def test_the_envelope_names_missing_settings() -> None:
    sentence = (
        "The API key is missing: pass api_key, or set CUEVAULT_API_KEY,"
        " or CUEVAULT_API_KEY_FILE to a file that contains it."
    )
    assert get_secrets() == get_prompt(name="greeting") == {"err": sentence, "res": None}


def test_without_an_address_the_local_one_is_called_and_a_failure_says_that_none_is_set(
    service: FakeService,
) -> None:
    service.will(httpx.ConnectError("refused"))
    envelope = get_secrets(api_key=API_KEY, retry=ONCE, transport=service)
    assert str(service.requests[0].url).startswith("http://localhost:3000/")
    assert (envelope["err"] or "").endswith(" CUEVAULT_URL is not set.")


@pytest.mark.parametrize(
    "fault",
    [
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        failure(401, "unauthenticated"),
        failure(503, "unavailable"),
        httpx.Response(200, html="<html>"),
        httpx.Response(429, json={"message": "Too Many Requests"}),
    ],
)
def test_no_failure_is_raised_and_none_is_silent(
    service: FakeService, fault: httpx.Response | httpx.HTTPError
) -> None:
    service.will(fault)
    for envelope in (
        get_secrets(URL, API_KEY, should_set_env=True, retry=ONCE, transport=service),
        get_prompt(URL, API_KEY, "greeting", retry=ONCE, transport=service),
    ):
        assert envelope["res"] is None
        assert envelope["err"]


def test_not_even_a_fault_of_the_transport_or_the_arguments_is_raised() -> None:
    def broken(_: httpx.Request) -> httpx.Response:
        raise RuntimeError(f"with {API_KEY} in its text")

    transport = httpx.MockTransport(broken)
    assert get_secrets(URL, API_KEY, transport=transport) == {
        "err": "The call failed unexpectedly (RuntimeError).",
        "res": None,
    }
    assert get_secrets(URL, API_KEY, tags=7, transport=transport)["err"]  # type: ignore[arg-type]
    assert get_prompt(URL, API_KEY, "n", variables={"v": object()}, transport=transport)["err"]


def test_the_environment_is_set_only_when_asked(
    service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    service.will(ok({"APP_TEST_A": "1", "APP_TEST_B": "2"}))
    get_secrets(URL, API_KEY, transport=service)
    assert "APP_TEST_A" not in os.environ
    assert get_secrets(URL, API_KEY, should_set_env=True, transport=service)["err"] is None
    assert (os.environ["APP_TEST_A"], os.environ["APP_TEST_B"]) == ("1", "2")


def test_names_that_could_change_what_programs_do_are_named_instead_of_set(
    service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", {"PATH": "before"})
    service.will(ok({"APP_TEST_A": "1", "PATH": "/tmp"}))
    envelope = get_secrets(URL, API_KEY, should_set_env=True, transport=service)
    secrets = {"APP_TEST_A": "1", "PATH": "/tmp"}
    assert envelope == {"err": None, "res": secrets, "not_set": ["PATH"]}
    assert os.environ == {"PATH": "before", "APP_TEST_A": "1"}
    allowed = get_secrets(URL, API_KEY, should_set_env=True, allow=["PATH"], transport=service)
    assert allowed == {"err": None, "res": secrets}
    assert os.environ == {"APP_TEST_A": "1", "PATH": "/tmp"}


def test_get_prompt_sends_every_field_and_returns_the_result_as_it_came(service: FakeService) -> None:
    service.will(prompt())
    envelope = get_prompt(
        URL,
        API_KEY,
        "greeting",
        None,
        "1.0.0",
        True,
        {"user": "Ada"},
        {"run": 7},
        strict=True,
        transport=service,
    )
    assert service.body() == {
        "name": "greeting",
        "version": "1.0.0",
        "shouldCompile": True,
        "variables": {"user": "Ada"},
        "metaProperties": {"run": 7},
        "strict": True,
    }
    assert envelope["err"] is None
    assert envelope["res"] is not None
    assert envelope["res"]["prompt"] == "Hello {{user}}!"
