"""Restarting the command when values change."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Callable

from ..connection import in_thread
from ..errors import CuevaultError
from .child import Child, Relay, signals_to
from .exits import CliError
from .terminal import warn

_GRACE_SECONDS = 10.0
_POLL_SECONDS = 0.05
_ENDS = frozenset(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
)


@dataclass(frozen=True)
class Watched:
    """What is watched: `start` runs the command with secrets, `read` reads them anew and refuses what cannot be set."""

    start: Callable[[Mapping[str, str]], Child]
    read: Callable[[], Mapping[str, str]]
    interval: float
    """Seconds between two looks."""


class Watch:
    """One command and its restarts."""

    def __init__(self, watched: Watched) -> None:
        """Nothing is started yet."""
        self._watched = watched
        self._relay = Relay()
        self._told_to_end = False

    def run(self, secrets: Mapping[str, str]) -> int:
        """Run until the command ends by itself or a signal ends it; its return code. Raises CliError (126, 127)."""
        with signals_to(self._receive):
            child = self._start(secrets)
            while True:
                return_code = child.ended_within(self._watched.interval)
                if return_code is not None:
                    return return_code
                changed = self._changed(child, secrets)
                if changed is None:
                    continue
                warn("Values have changed; the command is restarted.")
                return_code = child.stop(_GRACE_SECONDS)
                self._relay.end()
                if self._told_to_end:
                    return return_code
                secrets = changed
                child = self._start(secrets)

    def _start(self, secrets: Mapping[str, str]) -> Child:
        child = self._watched.start(secrets)
        self._relay.begin(child)
        return child

    def _receive(self, number: int) -> None:
        self._told_to_end = self._told_to_end or number in _ENDS
        self._relay.receive(number)

    def _changed(self, child: Child, secrets: Mapping[str, str]) -> Mapping[str, str] | None:
        """The secrets if they have changed; None also if the command ends before that is known."""
        look = in_thread(self._watched.read)
        while not look.done():
            if child.ended_within(_POLL_SECONDS) is not None:
                return None
        return self._judged(look, secrets) if child.ended_within(0) is None else None

    def _judged(
        self, look: Future[Mapping[str, str]], secrets: Mapping[str, str]
    ) -> Mapping[str, str] | None:
        try:
            now = look.result()
        except (CuevaultError, CliError) as error:
            warn(f"{error} The command keeps running with the values that it has.")
            return None
        return None if now == secrets else now
