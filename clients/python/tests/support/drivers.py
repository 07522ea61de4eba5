"""One interface for both clients, so that each behaviour is tested once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Protocol

from cuevault import AsyncCuevault, Cuevault, Prompt, RetryPolicy, Secrets
from support.service import API_KEY, PATIENCE_SECONDS, URL, FakeService

# No pauses, and times that no machine exceeds.
FAST = RetryPolicy(timeout=120.0, total_timeout=300.0, retries=2, base=0.0, rest=0.0)
_MOMENT = 0.01


class Driver(Protocol):
    def prompt(self, name: str | None = "greeting", **options: Any) -> Prompt: ...
    def prompts(self, count: int, **options: Any) -> list[Prompt]:
        """Run many concurrently."""
        ...

    def secret(self, key: str, **options: Any) -> str: ...
    def secrets(self, **options: Any) -> Secrets: ...
    def let_run(self) -> None:
        """Let background work run for a moment."""
        ...

    def close(self) -> None: ...


MakeDriver = Callable[..., Driver]


def _with_defaults(service: FakeService, options: Mapping[str, Any]) -> dict[str, Any]:
    return {"url": URL, "api_key": API_KEY, "retry": FAST, "transport": service, **options}


class SyncDriver:
    def __init__(self, service: FakeService, options: Mapping[str, Any]) -> None:
        self.client = Cuevault(**_with_defaults(service, options))

    def prompt(self, name: str | None = "greeting", **options: Any) -> Prompt:
        prompt: Prompt = self.client.prompts.get(name, **options)
        return prompt

    def prompts(self, count: int, **options: Any) -> list[Prompt]:
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(lambda _: self.prompt(**options), range(count)))

    def secret(self, key: str, **options: Any) -> str:
        return self.client.secrets.get(key, **options)

    def secrets(self, **options: Any) -> Secrets:
        return self.client.secrets.all(**options)

    def let_run(self) -> None:
        time.sleep(_MOMENT)

    def close(self) -> None:
        self.client.close()


class AsyncDriver:
    def __init__(
        self, service: FakeService, options: Mapping[str, Any], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.loop = loop
        self.client = AsyncCuevault(**_with_defaults(service, options))

    def prompt(self, name: str | None = "greeting", **options: Any) -> Prompt:
        prompt: Prompt = self.loop.run_until_complete(self.client.prompts.get(name, **options))
        return prompt

    def prompts(self, count: int, **options: Any) -> list[Prompt]:
        async def all_of_them() -> list[Prompt]:
            return await asyncio.gather(
                *(self.client.prompts.get("greeting", **options) for _ in range(count))
            )

        return self.loop.run_until_complete(all_of_them())

    def secret(self, key: str, **options: Any) -> str:
        return self.loop.run_until_complete(self.client.secrets.get(key, **options))

    def secrets(self, **options: Any) -> Secrets:
        return self.loop.run_until_complete(self.client.secrets.all(**options))

    def let_run(self) -> None:
        self.loop.run_until_complete(asyncio.sleep(_MOMENT))

    def close(self) -> None:
        self.loop.run_until_complete(self.client.aclose())


class Clock:
    """Stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def eventually(driver: Driver, attempt: Callable[[], bool]) -> bool:
    """Whether `attempt` becomes true while background work runs."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not attempt():
        if time.monotonic() > deadline:
            return False
        driver.let_run()
    return True
