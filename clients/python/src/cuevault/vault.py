"""The secrets that callers receive."""

from __future__ import annotations

import time
from collections.abc import Mapping

from ._core.answers import Source
from ._core.replies import invalid_reply


class Secrets(dict[str, str]):
    """Secrets by key: a dict that shows no values when printed. `source` says where they come from."""

    def __init__(
        self, values: Mapping[str, str], *, source: Source = "service", fetched_at: float | None = None
    ) -> None:
        """`fetched_at`: when the service sent them, in seconds of time.time(); now if omitted."""
        super().__init__(values)
        self.source: Source = source
        self.fetched_at = time.time() if fetched_at is None else fetched_at
        """When the service sent these secrets, in seconds since 1970."""

    @property
    def age(self) -> float:
        """Seconds since the service sent these secrets."""
        return max(0.0, time.time() - self.fetched_at)

    def has(self, name: str | None) -> bool:
        """Whether the secret is in it; None for all."""
        return name is None or name in self

    def own(self) -> Secrets:
        """A copy."""
        return self.served(self.source)

    def served(self, source: Source) -> Secrets:
        """A copy, marked as coming from `source`."""
        return Secrets(self, source=source, fetched_at=self.fetched_at)

    def __repr__(self) -> str:
        return f"<{len(self)} secrets, values hidden>"


def read_secrets(result: Mapping[str, object]) -> Secrets:
    """Secrets from the service's `res`. Raises UnavailableError (`invalid_reply`)."""
    values = {key: value for key, value in result.items() if isinstance(value, str)}
    if len(values) < len(result):
        raise invalid_reply("The reply contains something other than secrets.")
    return Secrets(values)


def single(secrets: Secrets, key: str) -> str:
    """The one secret that was requested. Raises UnavailableError (`invalid_reply`)."""
    value = secrets.get(key)
    if value is None:
        raise invalid_reply("The reply lacks the secret.")
    return value
