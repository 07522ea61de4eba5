"""Calls as generators: they decide what happens next and leave doing it to whoever runs them.

The synchronous and the asynchronous client run the same generators; neither decides anything itself.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Callable, TypeVar, Union

from .errors import CuevaultError, CuevaultTimeoutError, InvalidRequestError, RateLimitedError
from .replies import Reply, result_of
from .settings import RetryPolicy
from .vault import Secrets


@dataclass(frozen=True)
class Send:
    """POST `body` to `path` within `seconds`; answered by the Reply or by the error that came instead."""

    path: str
    body: bytes
    seconds: float


@dataclass(frozen=True)
class Pause:
    """Wait."""

    seconds: float


@dataclass(frozen=True)
class Work:
    """Call something that reads or writes a file; answered by what it returns."""

    action: Callable[[], Secrets | OSError | None]


Result = TypeVar("Result")
Step = Union[Send, Pause, Work]
Outcome = Union[Reply, CuevaultError, Secrets, OSError, None]
Steps = Generator[Step, Outcome, Result]

_RETRIED_STATUSES = frozenset((429, 502, 503, 504))
# Beyond this the power would in the end not fit a float; every sensible cap is reached long before.
_LAST_DOUBLING = 30
# A timeout of 0 would mean "do not wait" to a socket, and no timeout to others.
_SHORTEST = 0.001


def encoded(body: Mapping[str, object]) -> bytes:
    """The JSON of a body. Raises InvalidRequestError for what JSON cannot hold."""
    try:
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequestError(
            f"The call cannot be written as JSON: {error}.", code="invalid_request"
        ) from None


def _worth_retrying(error: CuevaultError) -> bool:
    return error.code == "connection_failed" or error.status in _RETRIED_STATUSES


def _pause_after(attempt: int, error: CuevaultError, policy: RetryPolicy) -> float:
    bound = min(policy.cap, policy.base * 2.0 ** min(attempt, _LAST_DOUBLING))
    asked = error.retry_after if isinstance(error, RateLimitedError) else None
    return max(random.uniform(0, bound), asked or 0.0)


def _judged(outcome: Outcome) -> Mapping[str, object]:
    if isinstance(outcome, Reply):
        return result_of(outcome)
    assert isinstance(outcome, CuevaultError)
    raise outcome


def call(path: str, body: Mapping[str, object], policy: RetryPolicy) -> Steps[Mapping[str, object]]:
    """One call with its retries; returns `res`. Raises a CuevaultError: what the last whole try came to."""
    data = encoded(body)
    deadline = time.monotonic() + policy.total_timeout
    attempt = 0
    earlier: CuevaultError | None = None
    while True:
        left = deadline - time.monotonic()
        try:
            return _judged((yield Send(path, data, max(_SHORTEST, min(policy.timeout, left)))))
        except CuevaultError as error:
            if earlier is not None and left < policy.timeout and isinstance(error, CuevaultTimeoutError):
                # This try was cut short, so that it says nothing; the one before was given its time.
                raise earlier from None
            pause = _pause_after(attempt, error, policy)
            too_late = time.monotonic() + pause >= deadline
            if attempt >= policy.retries or too_late or not _worth_retrying(error):
                raise
            earlier = error
        yield Pause(pause)
        attempt += 1
