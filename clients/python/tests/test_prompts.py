from __future__ import annotations

import dataclasses

import pytest

from cuevault import CachePolicy, CuevaultError, InvalidRequestError, MissingVariablesError, Prompt
from support.drivers import MakeDriver
from support.service import API_KEY, FakeService, failure, ok, prompt


def test_a_prompt_has_all_its_fields(make: MakeDriver) -> None:
    found = make().prompt("greeting")
    assert dataclasses.replace(found) == found
    assert (found.prompt_id, found.name, found.version) == ("prm_1", "greeting", "1.0.0")
    assert (found.tags, found.meta_properties) == (("sample",), {"model": {"name": "small"}})
    assert (found.prompt, found.compiled_prompt, found.source) == ("Hello {{user}}!", None, "service")


def test_the_request_has_the_parameters_and_the_key_in_its_header(
    make: MakeDriver, service: FakeService
) -> None:
    make().prompt("greeting", label="production", meta_properties={"run": 1}, variables={"user": "Ada"})
    assert service.body() == {"name": "greeting", "label": "production", "metaProperties": {"run": 1}}
    request = service.requests[0]
    assert (request.method, str(request.url)) == ("POST", "https://vault.example/api/prompt/get-compiled")
    assert request.headers["authorization"] == f"Bearer {API_KEY}"
    assert request.headers["user-agent"].startswith("cuevault-python/")


def test_by_id_and_exact_version(make: MakeDriver, service: FakeService) -> None:
    make().prompt(None, prompt_id="prm_1", version="1.0.0")
    assert service.body() == {"promptId": "prm_1", "version": "1.0.0"}


def test_variables_are_compiled_by_the_client(make: MakeDriver, service: FakeService) -> None:
    client = make()
    assert client.prompt(variables={"user": "{{x}} $& \\1"}).compiled_prompt == "Hello {{x}} $& \\1!"
    assert client.prompt(variables={}).compiled_prompt == "Hello {{user}}!"
    assert client.prompt(variables={"user": 1e21}).compiled_prompt == "Hello 1e+21!"
    assert client.prompt().compiled_prompt is None
    assert service.calls == 1


def test_strict_compiling_names_what_is_missing(make: MakeDriver) -> None:
    with pytest.raises(MissingVariablesError) as caught:
        make().prompt(strict=True)
    assert caught.value.variables == ("user",)
    assert (caught.value.code, caught.value.status) == ("missing_variables", None)


@pytest.mark.parametrize(("status", "code"), [(503, "unavailable"), (500, "internal"), (429, "rate_limited")])
def test_the_fallback_is_used_while_the_service_is_down(
    make: MakeDriver, service: FakeService, status: int, code: str
) -> None:
    service.will(failure(status, code))
    found = make().prompt(fallback="Hi {{user}}", variables={"user": "Ada"})
    assert (found.compiled_prompt, found.source, found.version, found.name) == (
        "Hi Ada",
        "fallback",
        "",
        "greeting",
    )


@pytest.mark.parametrize(
    ("status", "code"), [(400, "invalid_request"), (401, "unauthenticated"), (404, "prompt_not_found")]
)
def test_the_fallback_hides_no_refusal(
    make: MakeDriver, service: FakeService, status: int, code: str
) -> None:
    service.will(failure(status, code))
    with pytest.raises(CuevaultError) as caught:
        make().prompt(fallback="Hi")
    assert caught.value.code == code


def test_a_prompt_cannot_be_changed_so_the_cached_one_is_safe(make: MakeDriver) -> None:
    client = make()
    found = client.prompt()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.prompt = "changed"  # type: ignore[misc]
    model = found.meta_properties["model"]
    assert isinstance(model, dict)
    model["name"] = "changed"
    assert client.prompt().meta_properties == {"model": {"name": "small"}}


def test_values_that_json_cannot_express_are_rejected_before_the_call(
    make: MakeDriver, service: FakeService
) -> None:
    for value in (object(), float("nan"), {b"k": 1}):
        with pytest.raises(InvalidRequestError):
            make().prompt(meta_properties={"value": value})
    assert service.calls == 0


def test_meta_properties_reach_the_service_only_when_a_call_is_made(
    make: MakeDriver, service: FakeService
) -> None:
    client = make()
    client.prompt(meta_properties={"n": 1})
    client.prompt(meta_properties={"n": 2})
    assert service.calls == 1
    client.prompt(meta_properties={"n": 3}, fresh=True)
    assert service.body() == {"name": "greeting", "metaProperties": {"n": 3}}


def test_secrets_are_fetched_by_key_by_tags_or_all(make: MakeDriver, service: FakeService) -> None:
    service.will(ok({"A": "1", "__proto__": "2"}))
    client = make()
    assert client.secrets() == {"A": "1", "__proto__": "2"}
    assert service.body() == {}
    client.secrets(tags=["b", "a", "b"])
    assert service.body() == {"tags": ["a", "b"]}
    client.secrets(tags=[])
    assert service.body() == {}
    assert client.secret("A", tags=("t",)) == "1"
    assert service.body() == {"key": "A", "tags": ["t"]}
    assert str(service.requests[0].url) == "https://vault.example/api/vault/get-secrets"


def test_one_string_is_not_a_list_of_tags(make: MakeDriver, service: FakeService) -> None:
    with pytest.raises(InvalidRequestError):
        make().secrets(tags="production")
    assert service.calls == 0


def test_secrets_that_are_not_strings_are_rejected(make: MakeDriver, service: FakeService) -> None:
    service.will(ok({"A": 1}))
    with pytest.raises(CuevaultError) as caught:
        make().secrets()
    assert caught.value.code == "invalid_reply"


def test_without_a_cache_every_read_is_a_call(make: MakeDriver, service: FakeService) -> None:
    client = make(cache=None)
    assert [client.prompt(version="1.0.0").source for _ in range(3)] == ["service"] * 3
    assert service.calls == 3


def test_a_closed_client_says_so(make: MakeDriver) -> None:
    client = make(cache=CachePolicy(latest=0))
    client.close()
    with pytest.raises(CuevaultError, match="closed"):
        client.prompt()


def test_prompts_with_the_same_contents_are_equal() -> None:
    one, other = (Prompt("p", "n", "1.0.0", (), "t") for _ in range(2))
    assert one == other


def test_each_version_is_cached_separately(make: MakeDriver, service: FakeService) -> None:
    service.will(prompt("one", version="1.0.0"), prompt("two", version="2.0.0"))
    client = make()
    assert client.prompt(version="1.0.0").prompt == "one"
    assert client.prompt(version="2.0.0").prompt == "two"
