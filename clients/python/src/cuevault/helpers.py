"""One call, one envelope: errors are in `err`, never raised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypedDict, TypeVar

import httpx

from ._core.reads import PROMPT_PATH, SECRETS_PATH, given, tag_list
from ._sync.service import Service
from .credential import GivenKey
from .environment import set_environment
from .errors import CuevaultError
from .prompts import check_asked
from .settings import Settings, resolved_environment
from .templates import text_of
from .vault import Secrets, read_secrets

Result = TypeVar("Result")


class _Secrets(TypedDict):
    err: str | None
    res: Secrets | None


class SecretsEnvelope(_Secrets, total=False):
    """`err` is None and `res` maps each key to its value, or `err` is a sentence and `res` is None."""

    not_set: list[str]
    """The secrets that `should_set_env` did not set; absent if there is none."""


class PromptEnvelope(TypedDict):
    """`err` is None and `res` is the service's result, or `err` is a sentence and `res` is None."""

    err: str | None
    res: dict[str, object] | None


def get_secrets(
    url: str | None = None,
    api_key: GivenKey = None,
    key: str | None = None,
    tags: Iterable[str] | None = None,
    should_set_env: bool = False,
    *,
    environment: str | None = None,
    allow: Iterable[str] = (),
    timeout: float = 5.0,
    total_timeout: float = 15.0,
    max_retries: int = 2,
    allow_insecure_http: bool | None = None,
    transport: httpx.BaseTransport | None = None,
) -> SecretsEnvelope:
    """Fetch all secrets, the one with `key`, or those that have all of `tags`.

    `url` and `api_key` default to the environment variables CUEVAULT_URL and CUEVAULT_API_KEY,
    `environment` to CUEVAULT_ENVIRONMENT. With `should_set_env` every returned secret becomes an environment variable
    of this process, except names that could change what programs do, such as PATH: `not_set` of the envelope has
    those. `allow` names such secrets to set nevertheless. Raises nothing: see `err`.
    """
    not_set: list[str] = []
    limits = {"timeout": timeout, "total_timeout": total_timeout}

    def fetch() -> Secrets:
        wanted = None if tags is None else tag_list(tags)
        body = given(key=key, environment=resolved_environment(environment), tags=wanted)
        settings = Settings(url, api_key, allow_insecure_http, max_retries=max_retries, **limits)
        secrets = read_secrets(_call(settings, SECRETS_PATH, body, transport))
        if should_set_env:
            not_set.extend(set_environment(secrets, allow=allow))
        return secrets

    result, sentence = _attempt(fetch)
    envelope: SecretsEnvelope = {"err": sentence, "res": result}
    if not_set:
        envelope["not_set"] = not_set
    return envelope


def get_prompt(
    url: str | None = None,
    api_key: GivenKey = None,
    name: str | None = None,
    prompt_id: str | None = None,
    version: str | None = None,
    should_compile: bool | None = None,
    variables: Mapping[str, object] | None = None,
    meta_properties: Mapping[str, object] | None = None,
    *,
    label: str | None = None,
    strict: bool | None = None,
    timeout: float = 5.0,
    total_timeout: float = 15.0,
    max_retries: int = 2,
    allow_insecure_http: bool | None = None,
    transport: httpx.BaseTransport | None = None,
) -> PromptEnvelope:
    """Fetch a prompt by `name` or `prompt_id`, compiled by the service if `should_compile`.

    `url` and `api_key` default to the environment variables CUEVAULT_URL and CUEVAULT_API_KEY. `res` is what the
    service sent: promptId, name, version, tags, metaProperties, prompt and, when compiled, compiledPrompt. Raises
    nothing: see `err`.
    """
    limits = {"timeout": timeout, "total_timeout": total_timeout}

    def fetch() -> dict[str, object]:
        body = given(
            name=name,
            promptId=prompt_id,
            version=version,
            label=label,
            shouldCompile=should_compile,
            variables=variables,
            strict=strict,
            metaProperties=meta_properties,
        )
        if isinstance(variables, Mapping):
            for each, value in variables.items():
                text_of(each, value)
        settings = Settings(url, api_key, allow_insecure_http, max_retries=max_retries, **limits)
        result = dict(_call(settings, PROMPT_PATH, body, transport))
        check_asked(result, body)
        return result

    result, sentence = _attempt(fetch)
    return {"err": sentence, "res": result}


def _call(
    settings: Settings, path: str, body: Mapping[str, object], transport: httpx.BaseTransport | None
) -> Mapping[str, object]:
    service = Service(settings, transport)
    try:
        return service.call(path, body, lambda *_, **__: None)
    finally:
        service.close()


def _attempt(fetch: Callable[[], Result]) -> tuple[Result | None, str | None]:
    try:
        return fetch(), None
    except CuevaultError as error:
        return None, str(error)
    except Exception as error:  # noqa: BLE001 - the helpers promise an envelope whatever happens
        # The text of a foreign error could contain anything.
        return None, f"The call failed unexpectedly ({type(error).__name__})."
