"""The client for asyncio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from types import TracebackType
from typing import Any, Literal, overload

import httpx

from .._core.breaker import Breaker
from .._core.cache import FOREVER, CachePolicy
from .._core.chat import Placeholders
from .._core.offline import OfflineCopies, OfflineCopy
from .._core.reads import CallOptions, PromptOptions, Read, Reads, SecretOptions, checked_key
from ..credential import GivenKey
from ..environment import set_environment
from ..errors import NotFoundError
from ..events import Events, OnEvent
from ..prompts import CompiledPrompt, Fallback, Prompt
from ..settings import (
    ENVIRONMENT_VARIABLE,
    LABEL_VARIABLE,
    LATEST,
    Settings,
    check_kind,
    label_from_variables,
    resolved_environment,
)
from ..templates import Strict
from ..vault import Secrets, single
from .reader import AsyncReader
from .service import AsyncService

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncPrompts:
    """Reads of prompts; created by the client."""

    def __init__(
        self,
        reads: Reads,
        reader: AsyncReader[Prompt],
        policy: CachePolicy,
        events: Events,
        label: str | None,
    ) -> None:
        self._given_label = label
        self._reads = reads
        self._reader = reader
        self._kept = reader.cache.get
        self._latest = policy.latest
        self._events = events
        self._label = label

    @overload
    async def get(
        self,
        name: str | None = None,
        *,
        variables: Mapping[str, object],
        placeholders: Placeholders | None = None,
        strict: Strict | None = None,
        **options: Unpack[PromptOptions],
    ) -> CompiledPrompt: ...

    @overload
    async def get(
        self,
        name: str | None = None,
        *,
        variables: None = None,
        placeholders: Placeholders | None = None,
        strict: Literal[True, "exact"],
        **options: Unpack[PromptOptions],
    ) -> CompiledPrompt: ...

    @overload
    async def get(
        self,
        name: str | None = None,
        *,
        variables: Mapping[str, object] | None = None,
        placeholders: Placeholders,
        strict: Strict | None = None,
        **options: Unpack[PromptOptions],
    ) -> CompiledPrompt: ...

    @overload
    async def get(
        self,
        name: str | None = None,
        *,
        variables: Mapping[str, object] | None = None,
        placeholders: None = None,
        strict: Strict | None = None,
        **options: Unpack[PromptOptions],
    ) -> Prompt: ...

    async def get(
        self,
        name: str | None = None,
        *,
        prompt_id: str | None = None,
        version: str | None = None,
        label: str | None = None,
        variables: Mapping[str, object] | None = None,
        placeholders: Placeholders | None = None,
        strict: Strict | None = None,
        fallback: Fallback | None = None,
        meta_properties: Mapping[str, object] | None = None,
        **options: Unpack[CallOptions],
    ) -> Prompt:
        """A prompt by name or id: an exact `version`, the one that `label` points to, or "latest" as `version`.

        Without both, the client's label decides, else it is the latest.

        With `variables`, `placeholders` or `strict` its `compiled_prompt` is set, and the `compiled_messages`
        of a chat, with the lists of messages in `placeholders` inserted as they are. `strict` True requires a
        fitting value for every placeholder, "exact" also a placeholder for every value. `fallback` is a
        template, or messages, for when the service is down and no copy is kept. `meta_properties` is stored
        in the access history whenever a call is made. The further options are those of CallOptions. Raises
        CuevaultError; cuevault.errors shows the tree of errors.
        """
        own = label is None and self._given_label is None
        if label is None:
            if version is None:
                label = self._label if self._label is not None else self._label_from_environment()
            elif version == LATEST:
                version = None
        key = (name, prompt_id, version, label or None)
        prompt = None
        if not (options or self._events.on):
            # The fast path of cached reads.
            prompt = self._kept(key, self._latest if version is None else FOREVER)
        if prompt is None:
            read = self._reads.prompt(key, meta_properties, fallback, options)
            prompt = await self._found(read, label_is_own=key[3] is not None and own)
        if variables is None and placeholders is None and not strict:
            return prompt
        return prompt.compiled(variables, strict, placeholders)

    async def _found(self, read: Read[Prompt], *, label_is_own: bool) -> Prompt:
        try:
            return await self._reader.read(read)
        except NotFoundError as error:
            if not label_is_own or error.code != "label_not_found":
                raise
            hinted = copy(error)
            hinted.message += (
                f" The label comes from {LABEL_VARIABLE} or, without it, {ENVIRONMENT_VARIABLE}."
            )
            raise hinted from None

    def _label_from_environment(self) -> str:
        self._label = label_from_variables()
        return self._label


class AsyncSecretReads:
    """Reads of secrets; created by the client."""

    def __init__(self, reads: Reads, reader: AsyncReader[Secrets]) -> None:
        self._reads = reads
        self._reader = reader

    async def get(self, key: str, **options: Unpack[SecretOptions]) -> str:
        """The value of one secret, which must have all of `tags`; see SecretOptions. Raises CuevaultError.

        `fresh` bypasses all copies, as after a rotation.
        """
        return single(await self._reader.read(self._reads.secrets(checked_key(key), options)), key)

    async def all(self, **options: Unpack[SecretOptions]) -> Secrets:
        """Every secret that has all of `tags`; see SecretOptions. Raises CuevaultError."""
        return await self._reader.read(self._reads.secrets(None, options))

    async def apply(self, *, allow: Iterable[str] = (), **options: Unpack[SecretOptions]) -> list[str]:
        """Set what `all` returns as environment variables of this process; returns the names of those not set.

        Not set are CUEVAULT_*, and names that can change what programs do unless `allow` has them. Raises
        CuevaultError.
        """
        return set_environment(await self.all(**options), allow=allow)


def _checked_policy(cache: CachePolicy | Literal[False]) -> CachePolicy:
    policy = CachePolicy() if cache is False else cache
    check_kind("cache", policy, CachePolicy)
    return policy


class AsyncCuevault:
    """Prompts and secrets of a Cuevault service. Create one client for the whole program.

    `url` defaults to the environment variable CUEVAULT_URL, else `http://localhost:3000`; `api_key` to
    CUEVAULT_API_KEY, else to the content of the file that CUEVAULT_API_KEY_FILE names, else to a token of the platform
    for the audience CUEVAULT_TRUST; a function returns a token before each request. They are read at the first call.

    Times are seconds. An attempt takes at most `timeout`, all attempts and pauses of a call at most `total_timeout`.
    Connection errors and the statuses 429, 502, 503 and 504 are retried at most `max_retries` times, after a random
    pause; `Retry-After` is honored. After a failed call nothing is sent for `pause` seconds (0: no pause).

    `cache` says what is kept in memory; `cache=False` keeps nothing. `offline` keeps
    an encrypted copy of secrets on disk. `strict` is the default of every compile. `environment` is that of secrets,
    and the label of prompts read without version and label, where "default" names none (default:
    CUEVAULT_ENVIRONMENT); `label` replaces it for prompts (default: CUEVAULT_LABEL). `on_event` receives each
    cuevault.Event.
    `allow_insecure_http` accepts an http:// address of another machine (default: the environment variable
    CUEVAULT_ALLOW_INSECURE_HTTP). `transport` replaces the network in tests (httpx.MockTransport). Raises
    CuevaultError (`configuration`) for settings that are missing or invalid.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: GivenKey = None,
        *,
        timeout: float = 5.0,
        total_timeout: float = 15.0,
        max_retries: int = 2,
        pause: float = 5.0,
        cache: CachePolicy | Literal[False] = CachePolicy(),
        offline: OfflineCopy | None = None,
        strict: Strict = False,
        environment: str | None = None,
        label: str | None = None,
        on_event: OnEvent | None = None,
        allow_insecure_http: bool | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._options = {name: value for name, value in locals().items() if name != "self"}
        policy = _checked_policy(cache)
        settings = Settings(
            url,
            api_key,
            allow_insecure_http,
            timeout=timeout,
            total_timeout=total_timeout,
            max_retries=max_retries,
            pause=pause,
        )
        copies = None if offline is None else OfflineCopies(offline, settings)
        self._settings = settings
        self._service = AsyncService(settings, transport)
        events = Events(on_event, None if offline is None else offline.directory)
        breaker = Breaker(pause, settings.timeout + 1)
        reads = Reads(policy, strict, environment)
        if label is None and environment is not None:
            label = resolved_environment(environment) or ""
        prompts: AsyncReader[Prompt] = AsyncReader(self._service, breaker, events, cache, None, reads.again)
        secrets: AsyncReader[Secrets] = AsyncReader(self._service, breaker, events, cache, copies)
        self._readers = (prompts, secrets)
        self.prompts = AsyncPrompts(reads, prompts, policy, events, label)
        self.secrets = AsyncSecretReads(reads, secrets)

    def with_options(self, **options: Any) -> AsyncCuevault:
        """Another client, with these options in place of its own: the copies and connections of this one stay here."""
        return type(self)(**{**self._options, **options})

    async def aclose(self) -> None:
        """Stop the background work and close the connections; the client makes no calls afterwards."""
        for reader in self._readers:
            await reader.stop()
        await self._service.close()

    async def __aenter__(self) -> AsyncCuevault:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._settings.shown_url!r})"
