"""What prompts and secrets have in common once they are here."""

from __future__ import annotations

from typing import Literal, Protocol, TypeVar

Source = Literal["service", "cache", "stale", "offline", "fallback"]
"""Where an answer comes from: the service just now; the cache, still fresh; the cache, past its time; the offline
copy on disk; the text that the caller gave for this case."""

Self = TypeVar("Self", bound="Answer")


class Answer(Protocol):
    """Something that was fetched, may be kept, and may be given to many callers."""

    def own(self: Self) -> Self:
        """The same answer for one caller, who may do with it what it likes."""
        ...

    def served(self: Self, source: Source) -> Self:
        """The same answer for one caller, told as coming from `source`."""
        ...


AnswerT = TypeVar("AnswerT", bound=Answer)
