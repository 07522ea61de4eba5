"""Events of a client. The client itself logs nothing."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from .environment import quoted

EventType = Literal[
    "request",
    "retry",
    "cache_hit",
    "stale_served",
    "fallback_served",
    "refresh_failed",
    "breaker_open",
    "offline_failed",
]
Operation = Literal["prompt", "secrets"]


@dataclass(frozen=True)
class Event:
    """Something that happened while a client answered. It contains no API key, no value and no variable.

    `name` is the prompt's name or id, or the key of the secret; None for `secrets.all`. Of the other fields each type
    sets its own; the rest is None:

    - `request`, after each attempt: `attempt` (from 1), `duration` in seconds, `status`, `request_id`, `error` (code),
      and `ignored`: fields that an older service does not know, as its header has them
    - `retry`, before the pause: `attempt` (the one that failed), `delay` in seconds, `error`
    - `cache_hit`, a recent copy answered: `age` in seconds, `version` of a prompt
    - `stale_served`, an old copy answered: `origin`, `age`, `version`, and `error` if an outage is the reason
    - `fallback_served`: `error`
    - `refresh_failed`, in the background: `error`
    - `breaker_open`, the client stops calling: `pause` in seconds, `error`
    - `offline_failed`, the offline copy could not be written: `error`
    """

    type: EventType
    operation: Operation
    name: str | None = None
    attempt: int | None = None
    duration: float | None = None
    delay: float | None = None
    status: int | None = None
    request_id: str | None = None
    ignored: str | None = None
    error: str | None = None
    age: float | None = None
    version: str | None = None
    origin: Literal["memory", "offline"] | None = None
    pause: float | None = None


OnEvent = Callable[[Event], None]
Emit = Callable[..., None]
"""Emits an event of one read: its type, then its fields by name."""


class Events:
    """Passes events to the client's callback. Exceptions of the callback are ignored."""

    def __init__(self, callback: OnEvent | None, folder: object = None) -> None:
        """Without a callback, only an offline copy that fails is reported, with its folder: as a RuntimeWarning."""
        self._callback = callback
        self._folder = folder
        self.on = callback is not None

    def emit(self, kind: EventType, operation: Operation, name: str | None, **fields: Any) -> None:
        """Emit one event."""
        if self._callback is not None:
            with suppress(Exception):
                self._callback(Event(kind, operation, name, **fields))
        elif kind == "offline_failed":
            message = f"The offline copy in {quoted(str(self._folder))} could not be written ({fields.get('error')})."
            warnings.warn(message, RuntimeWarning, stacklevel=2)
