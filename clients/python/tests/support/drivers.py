"""One interface for both clients, so that each behaviour is tested once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from cuevault import AsyncCuevault, Cuevault, Prompt, Secrets


class Driver(Protocol):
    client: Any

    def prompt(self, name: str = "greeting", **options: Any) -> Prompt: ...
    def secrets(self, **options: Any) -> Secrets: ...
    def close(self) -> None: ...


MakeDriver = Callable[..., Driver]


class SyncDriver:
    def __init__(self, **options: Any) -> None:
        self.client = Cuevault(**options)

    def prompt(self, name: str = "greeting", **options: Any) -> Prompt:
        prompt: Prompt = self.client.prompts.get(name, **options)
        return prompt

    def secrets(self, **options: Any) -> Secrets:
        return self.client.secrets.all(**options)

    def close(self) -> None:
        self.client.close()


class AsyncDriver:
    def __init__(self, loop: asyncio.AbstractEventLoop, **options: Any) -> None:
        self.loop = loop
        self.client = AsyncCuevault(**options)

    def prompt(self, name: str = "greeting", **options: Any) -> Prompt:
        prompt: Prompt = self.loop.run_until_complete(self.client.prompts.get(name, **options))
        return prompt

    def secrets(self, **options: Any) -> Secrets:
        return self.loop.run_until_complete(self.client.secrets.all(**options))

    def close(self) -> None:
        self.loop.run_until_complete(self.client.aclose())
