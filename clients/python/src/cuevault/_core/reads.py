"""What is read: the request, what identifies it, and how long a cached answer is used."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypedDict

from ..errors import invalid_call, listed
from ..events import Operation
from ..prompts import Fallback, Prompt, check_asked, fallback_prompt, read_prompt
from ..settings import check_count, check_seconds, resolved_environment
from ..templates import Strict
from ..vault import Secrets, read_secrets
from .answers import AnswerT
from .cache import FOREVER, CachePolicy

PROMPT_PATH = "/api/prompt/get-compiled"
SECRETS_PATH = "/api/vault/get-secrets"

PromptKey = tuple[str | None, str | None, str | None, str | None]
"""Name, prompt id, version, label: everything that selects a prompt."""
SecretsKey = tuple[str | None, tuple[str, ...], str | None]
"""Key, tags and environment (None for "default"): everything that selects secrets."""
Key = tuple[object, ...]


class CallOptions(TypedDict, total=False):
    """Of each call: `fresh` calls the service even if there is a copy; the others replace those of the client.

    `timeout` bounds the call in seconds, retries included; `ttl` is the age in seconds up to which a copy in memory is
    used; `max_retries` are further attempts.
    """

    fresh: bool
    timeout: float | None
    ttl: float | None
    max_retries: int | None


class PromptOptions(CallOptions, total=False):
    """The options of `prompts.get` that do not change the type of its result; see there."""

    prompt_id: str | None
    version: str | None
    label: str | None
    fallback: Fallback | None
    meta_properties: Mapping[str, object] | None


class SecretOptions(CallOptions, total=False):
    """Only secrets that have all of `tags`; of the client's `environment` unless another one is given."""

    tags: Iterable[str]
    environment: str | None


@dataclass(frozen=True)
class Read(Generic[AnswerT]):
    """One read. Reads with equal keys may share a call and a cached answer."""

    operation: Operation
    name: str | None
    key: Key
    path: str
    body: Mapping[str, object]
    parse: Callable[[Mapping[str, object]], AnswerT]
    lifetime: float
    """Age in seconds up to which a cached answer is used without a call."""
    exact: bool
    """Whether that age is the caller's; else it varies by 10 %."""
    keep: bool
    """Whether the answer is kept in memory."""
    behind: bool
    """Return an old answer immediately and refresh it in the background."""
    fresh: bool
    """Return no cached answer while the service can answer, and share no call."""
    timeout: float | None
    """Longest wait of this caller in seconds."""
    max_retries: int | None
    """Further attempts, None for those of the client."""
    fallback: Callable[[], AnswerT] | None = None
    """The last resort if nothing else can answer."""
    wider: Key | None = None
    """What else has the answer in it, to be used during an outage."""
    asked: bool = True
    """Whether a caller asks now; else it is repeated for what may be asked soon."""


def given(**fields: object) -> dict[str, object]:
    """A body of the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def tag_list(tags: Iterable[str]) -> list[str] | None:
    """The tags in order, each once, None for no filter. Raises InvalidRequestError, also for None."""
    try:
        if not isinstance(tags, (str, bytes)):
            return sorted(set(tags)) or None
    except TypeError:
        pass
    raise invalid_call('"tags" must be a list of strings.')


def checked_key(key: str) -> str:
    """The key of one secret. Raises InvalidRequestError: without a key the call would return every secret."""
    if not isinstance(key, str) or not key:
        raise invalid_call("Pass the key of the secret.")
    return key


def _limits(options: CallOptions, names: Collection[str]) -> dict[str, Any]:
    """What limits a read. Raises CuevaultError (`configuration`), and TypeError for options beyond these names."""
    unknown = sorted(options.keys() - names)
    if unknown:
        # A misspelled filter must not return every secret.
        raise TypeError(
            f"There is no option {listed(unknown[:1])}. The options are {', '.join(sorted(names))}."
        )
    timeout, ttl, retries = options.get("timeout"), options.get("ttl"), options.get("max_retries")
    if timeout is not None:
        check_seconds("timeout", timeout, zero=False)
    if ttl is not None:
        check_seconds("ttl", ttl)
    if retries is not None:
        check_count("max_retries", retries, 0)
    return {"fresh": options.get("fresh", False), "timeout": timeout, "max_retries": retries}


class Reads:
    """Creates the reads of one client."""

    def __init__(self, policy: CachePolicy, strict: Strict, environment: str | None) -> None:
        self._environment = environment
        self._policy = policy
        self._strict = strict

    def again(self, key: PromptKey) -> Read[Prompt]:
        """Read a prompt that may be asked for soon."""
        return replace(self.prompt(key, None, None, {}), asked=False)

    def prompt(
        self,
        key: PromptKey,
        meta_properties: Mapping[str, object] | None,
        fallback: Fallback | None,
        options: CallOptions,
    ) -> Read[Prompt]:
        """Read a prompt's template; compiling is the client's own work. Raises CuevaultError (`configuration`)."""
        limits = _limits(options, CallOptions.__optional_keys__)
        name, prompt_id, version, label = key
        ttl = options.get("ttl")
        latest = self._policy.latest if ttl is None else ttl
        body = given(
            name=name, promptId=prompt_id, version=version, label=label, metaProperties=meta_properties
        )

        def parse(result: Mapping[str, object]) -> Prompt:
            prompt = read_prompt(result, self._strict)
            check_asked(result, body)
            return prompt

        return Read(
            operation="prompt",
            name=prompt_id if name is None else name,
            key=key,
            path=PROMPT_PATH,
            body=body,
            parse=parse,
            lifetime=latest if version is None else FOREVER,
            exact=ttl is not None,
            keep=True,
            behind=True,
            **limits,
            fallback=None
            if fallback is None
            else partial(fallback_prompt, fallback, name, prompt_id, self._strict),
        )

    def secrets(self, key: str | None, options: SecretOptions) -> Read[Secrets]:
        """Read one secret, those that carry all of `tags`, or every one.

        Raises InvalidRequestError, CuevaultError (`configuration`).
        """
        limits = _limits(options, SecretOptions.__optional_keys__)
        environment, ttl = options.get("environment"), options.get("ttl")
        wanted = tag_list(options.get("tags", ()))
        place = resolved_environment(self._environment if environment is None else environment)
        lifetime = self._policy.secrets if ttl is None else ttl
        return Read(
            operation="secrets",
            name=key,
            key=(key, tuple(wanted or ()), place),
            path=SECRETS_PATH,
            body=given(key=key, environment=place, tags=wanted),
            parse=read_secrets,
            lifetime=lifetime,
            exact=True,
            keep=max(lifetime, self._policy.secrets) > 0,
            behind=False,
            **limits,
            wider=None if key is None else (None, tuple(wanted or ()), place),
        )
