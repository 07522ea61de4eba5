"""One read with each of the clients, over a real connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from cuevault import AsyncCuevault, Cuevault

Read = Callable[[str, Mapping[str, Any]], object]


def read_blocking(url: str, limits: Mapping[str, Any]) -> object:
    with Cuevault(url, "cue_right", **limits) as client:
        return client.secrets.all()


def read_on_asyncio(url: str, limits: Mapping[str, Any]) -> object:
    async def read() -> object:
        async with AsyncCuevault(url, "cue_right", **limits) as client:
            return await client.secrets.all()

    return asyncio.run(read())


both = pytest.mark.parametrize("read", [read_blocking, read_on_asyncio])
# Times that no machine exceeds.
PATIENT: dict[str, Any] = {"timeout": 120.0, "total_timeout": 300.0}
ONCE = {**PATIENT, "max_retries": 0}
