"""One read with each of the clients, over a real connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from cuevault import AsyncCuevault, Cuevault, RetryPolicy

Read = Callable[[str, RetryPolicy], object]


def read_blocking(url: str, retry: RetryPolicy) -> object:
    with Cuevault(url, "cue_right", retry=retry) as client:
        return client.secrets.all()


def read_on_asyncio(url: str, retry: RetryPolicy) -> object:
    async def read() -> object:
        async with AsyncCuevault(url, "cue_right", retry=retry) as client:
            return await client.secrets.all()

    return asyncio.run(read())


both = pytest.mark.parametrize("read", [read_blocking, read_on_asyncio])
# Times that no machine exceeds.
PATIENT = RetryPolicy(timeout=120.0, total_timeout=300.0)
ONCE = RetryPolicy(timeout=120.0, total_timeout=300.0, retries=0)
