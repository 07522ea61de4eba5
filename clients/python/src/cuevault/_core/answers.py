"""What fetched prompts and secrets have in common."""

from __future__ import annotations

from typing import Literal, Protocol, TypeVar

Source = Literal["service", "cache", "stale", "offline", "fallback"]
"""Where an answer comes from: the service; the cache; the cache, expired; the offline copy on disk; the
caller's fallback."""

Self = TypeVar("Self", bound="Answer")


class Answer(Protocol):
    """Something that was fetched, may be cached, and may be given to many callers."""

    @property
    def age(self) -> float:
        """Seconds since the service sent it."""

    def has(self, name: str | None) -> bool:
        """Whether what is named is in it; None for everything."""

    def own(self: Self) -> Self:
        """The same answer for one caller, who may change it."""

    def served(self: Self, source: Source) -> Self:
        """The same answer for one caller, marked as coming from `source`."""


AnswerT = TypeVar("AnswerT", bound=Answer)
