"""Restarting the command when values change."""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Callable

from ..errors import CuevaultError
from .access import cli_message
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
    """What is watched: `start` runs the command; `read` fetches the secrets and rejects what cannot be set."""

    start: Callable[[Mapping[str, str]], Child]
    read: Callable[[], Mapping[str, str]]
    interval: float
    """Seconds between two checks."""


def _in_thread(call: Callable[[], Mapping[str, str]]) -> Future[Mapping[str, str]]:
    """The outcome of `call` in a thread that does not keep the process alive."""
    outcome: Future[Mapping[str, str]] = Future()

    def run() -> None:
        try:
            outcome.set_result(call())
        except Exception as error:  # noqa: BLE001 - raised where the outcome is used
            outcome.set_exception(error)

    threading.Thread(target=run, name="cuevault-check", daemon=True).start()
    return outcome


def _changed_names(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


class Watch:
    """One command and its restarts."""

    def __init__(self, watched: Watched) -> None:
        """Nothing is started yet."""
        self._watched = watched
        self._relay = Relay()
        self._told_to_end = False

    def run(self, secrets: Mapping[str, str]) -> int:
        """Run until the command ends on its own or by a signal; its return code. Raises CliError (126, 127)."""
        with signals_to(self._receive):
            child = self._start(secrets)
            while True:
                return_code = child.ended_within(self._watched.interval)
                if return_code is not None:
                    return return_code
                changed = self._changed(child, secrets)
                if changed is None:
                    continue
                warn(f"Changed: {', '.join(_changed_names(secrets, changed))}. The command is restarted.")
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
        check = _in_thread(self._watched.read)
        while not check.done():
            if child.ended_within(_POLL_SECONDS) is not None:
                return None
        return self._judged(check, secrets) if child.ended_within(0) is None else None

    def _judged(
        self, check: Future[Mapping[str, str]], secrets: Mapping[str, str]
    ) -> Mapping[str, str] | None:
        try:
            now = check.result()
        except (CuevaultError, CliError) as error:
            text = cli_message(error) if isinstance(error, CuevaultError) else str(error)
            warn(f"{text} The command keeps running with its current values.")
            return None
        return None if now == secrets else now
