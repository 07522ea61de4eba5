"""Calls to the service, with retries."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping

import httpx

from .._core.breaker import counts, is_worth_retrying
from .._core.process import now, overslept
from .._core.replies import result_of
from .._core.wire import encoded, timed_out
from ..errors import AuthenticationError, CuevaultError, CuevaultTimeoutError
from ..events import Emit
from ..settings import Settings
from .runtime import Http, sleep

# The random pause before attempt n + 1 is at most `_BASE * 2 ** (n - 1)` seconds, and at most `_CAP` ("full jitter",
# AWS Architecture Blog, "Exponential Backoff And Jitter").
_BASE = 0.2
_CAP = 2.0
# So often a call is sent again because the process was frozen.
_MOST_THAWS = 3
# Prevents overflow; every sensible cap is reached long before.
_LAST_DOUBLING = 30
# A timeout of 0 would mean "do not wait" to a socket, and no timeout to others.
_SHORTEST = 0.001


def _pause_after(attempt: int, error: CuevaultError) -> float:
    bound = min(_CAP, _BASE * 2.0 ** min(attempt - 1, _LAST_DOUBLING))
    return max(random.uniform(0, bound), error.retry_after or 0.0)


class AsyncService:
    """The two endpoints."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None) -> None:
        """`transport` replaces the network. Raises CuevaultError (`configuration`)."""
        self._settings = settings
        self._http = Http(settings, transport)
        self.longest_call = settings.total_timeout

    async def call(
        self,
        path: str,
        body: Mapping[str, object],
        emit: Emit,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Mapping[str, object]:
        """One call with its retries; returns `res`. Raises the CuevaultError of the last complete attempt.

        `timeout` bounds all attempts and pauses in seconds, below the client's own limit; `max_retries` replaces it.
        """
        settings, data = self._settings, encoded(body)
        settings.resolve()
        total = settings.total_timeout if timeout is None else min(settings.total_timeout, timeout)
        deadline = time.monotonic() + total
        retries = settings.max_retries if max_retries is None else max_retries
        async with self._http.turn(total):
            attempt, thaws, earlier = 1, 0, None
            while True:
                begun = now()
                left = max(_SHORTEST, deadline - time.monotonic())
                seconds = min(settings.timeout, left)
                try:
                    return await self._attempt(path, data, seconds, attempt, emit)
                except CuevaultError as error:
                    if counts(error) and overslept(begun, seconds) and thaws < _MOST_THAWS:
                        # What was sent before a freeze counts as not sent, and says nothing about the service.
                        deadline = time.monotonic() + total
                        thaws += 1
                        continue
                    if left < settings.timeout and isinstance(error, CuevaultTimeoutError):
                        if timeout == total:
                            raise timed_out(total, of_caller=True) from None
                        if earlier is not None:
                            # An attempt that was cut short is not conclusive; the one before it had its full time.
                            raise earlier from None
                    pause = _pause_after(attempt, error)
                    too_late = time.monotonic() + pause >= deadline
                    if attempt > retries or too_late or not is_worth_retrying(error):
                        raise
                    earlier = error
                emit("retry", attempt=attempt, delay=pause, error=earlier.code)
                await sleep(pause)
                attempt += 1

    async def close(self) -> None:
        await self._http.close()

    async def _attempt(
        self, path: str, data: bytes, seconds: float, attempt: int, emit: Emit
    ) -> Mapping[str, object]:
        begun = time.monotonic()
        status, request_id, ignored, code = None, None, None, None
        try:
            reply = await self._http.post(path, data, seconds)
            status, request_id = reply.status, reply.headers.get("cuevault-request-id")
            ignored = reply.headers.get("cuevault-ignored")
            return result_of(reply)
        except CuevaultError as error:
            code = error.code
            if isinstance(error, AuthenticationError):
                error.sent = self._settings.sent
                error.message += error.sent
            raise
        finally:
            duration = time.monotonic() - begun
            emit(
                "request",
                attempt=attempt,
                duration=duration,
                status=status,
                request_id=request_id,
                ignored=ignored,
                error=code,
            )
