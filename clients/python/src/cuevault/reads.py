"""Policy of reading: what decides an answer, what is kept of it, what a failure does, which copy stands in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Callable, Generic, Optional

from .answers import AnswerT
from .cache import FOREVER, Cache, CachePolicy
from .errors import OUTAGES, REFUSALS, CuevaultError, InvalidRequestError
from .notices import OnWarning, offline, offline_failed, stale, warn_by_default
from .offline import OfflineCopies, copy_name
from .prompts import Prompt, read_prompt
from .settings import RetryPolicy, Settings
from .steps import Steps, Work, call
from .vault import Secrets, read_secrets

PROMPT_PATH = "/api/prompt/get-compiled"
SECRETS_PATH = "/api/vault/get-secrets"

PromptKey = tuple[Optional[str], Optional[str], Optional[str], Optional[str]]
"""Name, prompt id, version, label: all that decides which prompt comes."""
SecretsKey = tuple[Optional[str], tuple[str, ...]]
"""Key and tags: all that decides which secrets come."""
Key = tuple[object, ...]


@dataclass(frozen=True)
class Read(Generic[AnswerT]):
    """One read. Reads with equal keys may share a call and a kept answer."""

    key: Key
    steps: Callable[[], Steps[AnswerT]]
    behind: bool
    """Give a kept answer that is past its time at once, and refresh it in the background."""
    fresh: bool = False
    """Ask the service whatever is kept."""


def given(**fields: object) -> dict[str, object]:
    """A body of the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def tag_list(tags: Iterable[str] | None) -> list[str] | None:
    """The tags in order, each once, None for no filter. Raises InvalidRequestError."""
    refusal = InvalidRequestError('"tags" must be a list of strings.', code="invalid_request")
    if isinstance(tags, (str, bytes)):
        raise refusal
    try:
        return sorted(set(tags or ())) or None
    except TypeError:
        raise refusal from None


def checked_key(key: str) -> str:
    """The key of one secret. Raises InvalidRequestError: without a key the call would ask for every secret."""
    if not isinstance(key, str) or not key:
        raise InvalidRequestError('"key" must be a string that is not empty.', code="invalid_request")
    return key


def read_through(
    cache: Cache[Key, AnswerT],
    key: Key,
    lifetime: float | None,
    answer: Steps[AnswerT],
    tell_stale: Callable[[AnswerT, CuevaultError], None] | None = None,
) -> Steps[AnswerT]:
    """Ask the service and keep what it says, as fresh for `lifetime` seconds (None: do not keep it).

    When it is out of order, the kept copy answers, however old, and `tell_stale` is told; a refusal drops that copy.
    """
    number = cache.begin()
    try:
        found = yield from answer
    except REFUSALS:
        cache.drop(key)
        raise
    except CuevaultError as error:
        cache.rest(key)
        kept = cache.any_age(key)
        if kept is None or not isinstance(error, OUTAGES):
            raise
        if tell_stale is not None:
            tell_stale(kept, error)
        return kept.served("stale")
    if lifetime is not None:
        cache.keep(key, found.served("cache"), lifetime, number)
    return found


def with_offline_copy(
    copies: OfflineCopies, name: str, steps: Steps[Secrets], tell: OnWarning
) -> Steps[Secrets]:
    """Save what the service says; when it is out of order, the saved copy answers; a refusal deletes that copy."""
    try:
        secrets = yield from steps
    except OUTAGES as error:
        copy = yield Work(partial(copies.load, name))
        if not isinstance(copy, Secrets):
            raise
        tell(offline(copy, error))
        return copy
    except REFUSALS:
        yield Work(partial(copies.delete, name))
        raise
    if secrets.source == "service":
        failure = yield Work(partial(copies.save, name, secrets))
        if isinstance(failure, OSError):
            tell(offline_failed(failure))
    return secrets


class Reads:
    """Makes the reads of one client, and holds what they keep."""

    def __init__(
        self,
        settings: Settings,
        cache: CachePolicy | None,
        copies: OfflineCopies | None,
        on_warning: OnWarning | None,
    ) -> None:
        """`cache` None keeps nothing in memory, `copies` None nothing on disk."""
        self._url = settings.url
        self._retry: RetryPolicy = settings.retry
        self._policy = cache or CachePolicy()
        self._offline = copies
        self._tell = on_warning or warn_by_default
        entries = 0 if cache is None else cache.max_entries
        self.prompts: Cache[Key, Prompt] = Cache(entries)
        self.secrets: Cache[Key, Secrets] = Cache(entries)

    def prompt(
        self, key: PromptKey, meta_properties: Mapping[str, object] | None, fresh: bool
    ) -> Read[Prompt]:
        """Read a prompt's template; compiling is the client's own work."""
        name, prompt_id, version, label = key
        body = given(
            name=name, promptId=prompt_id, version=version, label=label, metaProperties=meta_properties
        )
        lifetime = self._policy.latest if version is None else FOREVER

        def answer() -> Steps[Prompt]:
            return read_prompt((yield from call(PROMPT_PATH, body, self._retry)))

        return Read(
            key, lambda: read_through(self.prompts, key, lifetime, answer()), behind=True, fresh=fresh
        )

    def some_secrets(self, key: str | None, tags: Iterable[str] | None) -> Read[Secrets]:
        """Read one secret, those that carry all of `tags`, or every one. Raises InvalidRequestError."""
        wanted = tag_list(tags)
        id_: SecretsKey = (key, tuple(wanted or ()))
        body = given(key=key, tags=wanted)

        def answer() -> Steps[Secrets]:
            return read_secrets((yield from call(SECRETS_PATH, body, self._retry)))

        def steps() -> Steps[Secrets]:
            through = read_through(
                self.secrets,
                id_,
                self._policy.secrets or None,
                answer(),
                lambda kept, error: self._tell(stale(kept, error)),
            )
            if self._offline is None:
                return through
            return with_offline_copy(self._offline, copy_name(self._url, *id_), through, self._tell)

        return Read(id_, steps, behind=False)
