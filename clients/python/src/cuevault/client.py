"""The blocking client."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Callable, Generic

import httpx

from .answers import AnswerT
from .cache import Cache, CachePolicy
from .errors import OUTAGES
from .flights import Flights
from .notices import Notice
from .offline import OfflineCopies, OfflineCopy
from .prompts import Prompt, fallback_prompt
from .reads import Key, Read, Reads, checked_key
from .settings import RetryPolicy, resolve_settings
from .sync_transport import SyncTransport
from .vault import Secrets, single


class _Reader(Generic[AnswerT]):
    """Kept answers first, then one call for all who want the same."""

    def __init__(self, cache: Cache[Key, AnswerT], transport: SyncTransport) -> None:
        self._cache = cache
        self._transport = transport
        self._flights: Flights[AnswerT] = Flights()

    def obtain(self, read: Read[AnswerT]) -> AnswerT:
        if read.fresh or self._cache.off:
            return self._transport.run(read.steps())
        fresh = self._cache.fresh(read.key)
        if fresh is not None:
            return fresh.served("cache")
        stale = self._cache.any_age(read.key) if read.behind else None
        if stale is None:
            return self._flights.join(read.key, lambda: self._load(read)).own()
        if self._cache.refresh_due(read.key):
            self._flights.begin(read.key, lambda: self._load(read))
        return stale.served("stale")

    def _load(self, read: Read[AnswerT]) -> AnswerT:
        # Another thread's call may have come back since this one looked.
        fresh = self._cache.fresh(read.key)
        return self._transport.run(read.steps()) if fresh is None else fresh.served("cache")


class Prompts:
    """Reads of prompts; made by the client."""

    def __init__(self, reads: Reads, transport: SyncTransport) -> None:
        """For the client's own use."""
        self._reads = reads
        self._cache = reads.prompts
        self._reader = _Reader(reads.prompts, transport)

    def get(
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
                prompt = self._reader.obtain(self._reads.prompt(key, meta_properties, fresh))
            except OUTAGES:
                if fallback is None:
                    raise
                prompt = fallback_prompt(fallback, name, prompt_id)
        return prompt if variables is None and not strict else prompt.compiled(variables, strict)


class SecretReads:
    """Reads of secrets; made by the client."""

    def __init__(self, reads: Reads, transport: SyncTransport) -> None:
        """For the client's own use."""
        self._reads = reads
        self._reader = _Reader(reads.secrets, transport)

    def get(self, key: str, *, tags: Iterable[str] | None = None) -> str:
        """The value of one secret, which must carry all of `tags`. Raises CuevaultError."""
        return single(self._reader.obtain(self._reads.some_secrets(checked_key(key), tags)), key)

    def all(self, *, tags: Iterable[str] | None = None) -> Secrets:
        """Every secret that carries all of `tags`. Raises CuevaultError."""
        return self._reader.obtain(self._reads.some_secrets(None, tags))


class Cuevault:
    """Prompts and secrets of a Cuevault service. One client serves a whole program, from any number of threads.

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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        settings = resolve_settings(url, api_key, retry)
        copies = None if offline is None else OfflineCopies(offline, settings.api_key)
        self._url = settings.url
        self._transport = SyncTransport(settings, transport)
        reads = Reads(settings, cache, copies, on_warning)
        self.prompts = Prompts(reads, self._transport)
        self.secrets = SecretReads(reads, self._transport)

    def close(self) -> None:
        """Close the connections; the client makes no calls after that."""
        self._transport.close()

    def __enter__(self) -> Cuevault:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Cuevault(url={self._url!r})"
