"""The client for asyncio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Callable, Generic

import httpx

from .answers import AnswerT
from .async_flights import AsyncFlights
from .async_transport import AsyncTransport
from .cache import Cache, CachePolicy
from .errors import OUTAGES
from .notices import Notice
from .offline import OfflineCopies, OfflineCopy
from .prompts import Prompt, fallback_prompt
from .reads import Key, Read, Reads, checked_key
from .settings import RetryPolicy, resolve_settings
from .vault import Secrets, single


class _Reader(Generic[AnswerT]):
    """Kept answers first, then one call for all who want the same."""

    def __init__(self, cache: Cache[Key, AnswerT], transport: AsyncTransport) -> None:
        self._cache = cache
        self._transport = transport
        self._flights: AsyncFlights[AnswerT] = AsyncFlights()

    async def obtain(self, read: Read[AnswerT]) -> AnswerT:
        if read.fresh or self._cache.off:
            return await self._transport.run(read.steps())
        fresh = self._cache.fresh(read.key)
        if fresh is not None:
            return fresh.served("cache")
        stale = self._cache.any_age(read.key) if read.behind else None
        if stale is None:
            return (await self._flights.join(read.key, lambda: self._transport.run(read.steps()))).own()
        if self._cache.refresh_due(read.key):
            self._flights.begin(read.key, lambda: self._transport.run(read.steps()))
        return stale.served("stale")

    async def stop(self) -> None:
        await self._flights.stop()


class AsyncPrompts:
    """Reads of prompts; made by the client."""

    def __init__(self, reads: Reads, transport: AsyncTransport) -> None:
        """For the client's own use."""
        self._reads = reads
        self._cache = reads.prompts
        self._reader = _Reader(reads.prompts, transport)

    async def get(
        self,
        name: str | None = None,
        *,
        prompt_id: str | None = None,
        version: str | None = None,
        label: str | None = None,
        variables: Mapping[str, object] | None = None,
        strict: bool = False,
        fallback: str | None = None,
        meta_properties: Mapping[str, object] | None = None,
        fresh: bool = False,
    ) -> Prompt:
        """A prompt by name or id: an exact `version`, the one that `label` points to, or the latest.

        With `variables` (or `strict`) its `compiled_prompt` is set; `strict` demands a value for every placeholder.
        `fallback` is a template that stands in while the service is out of order and no copy is kept.
        `meta_properties` goes to the access history whenever a call is made; `fresh` makes one always.
        Raises CuevaultError; the tree of errors is drawn in cuevault.errors.
        """
        key = (name, prompt_id, version, label)
        prompt = None if fresh else self._cache.fresh(key)
        if prompt is None:
            try:
                prompt = await self._reader.obtain(self._reads.prompt(key, meta_properties, fresh))
            except OUTAGES:
                if fallback is None:
                    raise
                prompt = fallback_prompt(fallback, name, prompt_id)
        return prompt if variables is None and not strict else prompt.compiled(variables, strict)

    async def stop(self) -> None:
        """End what runs in the background; for the client's own use."""
        await self._reader.stop()


class AsyncSecretReads:
    """Reads of secrets; made by the client."""

    def __init__(self, reads: Reads, transport: AsyncTransport) -> None:
        """For the client's own use."""
        self._reads = reads
        self._reader = _Reader(reads.secrets, transport)

    async def get(self, key: str, *, tags: Iterable[str] | None = None) -> str:
        """The value of one secret, which must carry all of `tags`. Raises CuevaultError."""
        return single(await self._reader.obtain(self._reads.some_secrets(checked_key(key), tags)), key)

    async def all(self, *, tags: Iterable[str] | None = None) -> Secrets:
        """Every secret that carries all of `tags`. Raises CuevaultError."""
        return await self._reader.obtain(self._reads.some_secrets(None, tags))

    async def stop(self) -> None:
        """End what runs in the background; for the client's own use."""
        await self._reader.stop()


class AsyncCuevault:
    """Prompts and secrets of a Cuevault service. One client serves all tasks of one event loop.

    `url` and `api_key` default to the environment variables CUEVAULT_URL and CUEVAULT_API_KEY; `cache=None` keeps
    nothing in memory; `offline` keeps an encrypted copy of secrets on disk; `on_warning` is told when old secrets are
    used; `transport` stands in for the network in tests (httpx.MockTransport). Raises CuevaultError (`configuration`)
    for settings that are missing or cannot work.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        retry: RetryPolicy = RetryPolicy(),
        cache: CachePolicy | None = CachePolicy(),
        offline: OfflineCopy | None = None,
        on_warning: Callable[[Notice], None] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        settings = resolve_settings(url, api_key, retry)
        copies = None if offline is None else OfflineCopies(offline, settings.api_key)
        self._url = settings.url
        self._transport = AsyncTransport(settings, transport)
        reads = Reads(settings, cache, copies, on_warning)
        self.prompts = AsyncPrompts(reads, self._transport)
        self.secrets = AsyncSecretReads(reads, self._transport)

    async def aclose(self) -> None:
        """End what runs in the background and close the connections; the client makes no calls after that."""
        await self.prompts.stop()
        await self.secrets.stop()
        await self._transport.close()

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
        return f"AsyncCuevault(url={self._url!r})"
