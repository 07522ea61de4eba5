"""One interface for both clients, so that each behaviour is tested once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Driver:
    def __init__(self, client: Any, run: Callable[[Any], Any]) -> None:
        """`run` waits for what the client returns."""
        self.client, self._run = client, run

    def prompt(self, name: str = "greeting", **options: Any) -> Any:
        return self._run(self.client.prompts.get(name, **options))

    def secrets(self, **options: Any) -> Any:
        return self._run(self.client.secrets.all(**options))

    def close(self) -> None:
        self._run(getattr(self.client, "aclose" if hasattr(self.client, "aclose") else "close")())


MakeDriver = Callable[..., Driver]
# One read from an address, over a real connection.
Read = Callable[[str], object]
