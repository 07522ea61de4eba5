"""The command as a child process, and the signals passed on to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Callable

from .command import start_with
from .exits import SIGNALLED
from .processes import is_alive, tree_of
from .redact import print_masked

_PASSED_ON = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
_FROM_THE_KEYBOARD = ("SIGINT", "SIGQUIT")
_POLL_SECONDS = 0.05
_STDOUT, _STDERR = 1, 2


class Child:
    """A command as a child process; it shares input and output.

    If standard input is not a terminal, the command leads its own process group, and signals go to the group. At
    a terminal it stays in the terminal's group, or it could not read from there; signals go to the command and all
    its descendants. Either way they reach what a shell or a wrapper such as npm has started.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], masked: Sequence[str] | None = None
    ) -> None:
        """Start it. With `masked`, these values are masked in its output. Raises CliError (126, 127)."""
        self._leads = leads_a_group()
        self._pipes = None if masked is None else subprocess.PIPE
        self._process = start_with(partial(self._start, environment), command, environment)
        process = self._process
        self._printing = print_masked(((process.stdout, _STDOUT), (process.stderr, _STDERR)), masked or ())

    def wait(self) -> int:
        """Wait until the command ends; its return code."""
        return_code = self._process.wait()
        for thread in self._printing:
            thread.join()
        return return_code

    def ended_within(self, seconds: float) -> int | None:
        """The return code; None if the command is still running."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return self.wait()

    def send(self, number: int) -> None:
        """Send a signal to the command and what it has started; they may have ended."""
        if self._leads:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, number)
        else:
            self._send_each(self._tree(), number)

    def stop(self, grace: float) -> int:
        """End the command and what it has started, after `grace` seconds by force; the command's return code."""
        deadline = time.monotonic() + grace
        tree = [] if self._leads else self._tree()
        if self._leads:
            self.send(signal.SIGTERM)
        else:
            self._send_each(tree, signal.SIGTERM)
        while self._is_there(tree) and time.monotonic() < deadline:
            # The shell may end before what it has started.
            time.sleep(_POLL_SECONDS)
        if self._is_there(tree):
            kill = getattr(signal, "SIGKILL", signal.SIGTERM)
            if self._leads:
                self.send(kill)
            self._send_each(tree, kill)
        return self.wait()

    def _tree(self) -> list[int]:
        ended = self._process.poll() is not None
        return [] if ended else [self._process.pid] if os.name == "nt" else tree_of(self._process.pid)

    def _send_each(self, processes: Iterable[int], number: int) -> None:
        for process in processes:
            with contextlib.suppress(OSError):
                if process == self._process.pid:
                    self._process.send_signal(number)
                else:
                    os.kill(process, number)

    def _is_there(self, tree: Sequence[int]) -> bool:
        running = self._process.poll() is None
        if not self._leads:
            return running or any(is_alive(process) for process in tree if process != self._process.pid)
        try:
            os.killpg(self._process.pid, 0)
        except OSError:
            return False
        return True

    def _start(
        self, environment: Mapping[str, str], file: str, arguments: Sequence[str]
    ) -> subprocess.Popen[bytes]:
        more: dict[str, Any] = {}
        if self._leads:
            more = {"process_group": 0} if sys.version_info >= (3, 11) else {"preexec_fn": os.setpgrp}
        return subprocess.Popen(
            arguments, executable=file, env=environment, stdout=self._pipes, stderr=self._pipes, **more
        )


def leads_a_group() -> bool:
    """Whether a command leads its own process group."""
    return os.name != "nt" and not (sys.stdin is not None and sys.stdin.isatty())


class Relay:
    """Forwards signals to one command after another; signals that arrive in between wait for the next."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._waiting: list[int] = []

    def receive(self, number: int) -> None:
        """A signal arrived."""
        if self._child is None:
            self._waiting.append(number)
        else:
            self._child.send(number)

    def begin(self, child: Child) -> None:
        """From now on `child` gets them."""
        self._child = child
        while self._waiting:
            child.send(self._waiting.pop(0))

    def end(self) -> None:
        """From now on they wait."""
        self._child = None


@contextmanager
def signals_to(receiver: Callable[[int], None]) -> Iterator[None]:
    """Pass the signals that this process gets to `receiver`, while the block runs.

    Ignored signals, as after nohup, stay ignored: for this process and for the command, which inherits that.
    """

    def handle(number: int, _: object) -> None:
        # A key pressed in a terminal reaches the terminal's whole group: forwarding it would deliver it twice.
        if leads_a_group() or signal.Signals(number).name not in _FROM_THE_KEYBOARD:
            receiver(number)

    numbers = [getattr(signal, name) for name in _PASSED_ON if hasattr(signal, name)]
    heeded = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    before = [(number, signal.signal(number, handle)) for number in heeded]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def end_as(return_code: int) -> int:
    """End this process by the signal that ended the command, or return the command's exit code."""
    if return_code >= 0:
        return return_code
    number = -return_code
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return SIGNALLED + number
