"""Doing something in a forked process."""

from __future__ import annotations

import json
import os
import select
import signal
import traceback
from collections.abc import Callable
from typing import Any

_PATIENCE_SECONDS = 120


class Child:
    """A forked process that does one thing. It shares open resources with this one."""

    def __init__(self, action: Callable[[], object]) -> None:
        self._from_child, to_parent = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                os.write(to_parent, json.dumps(action()).encode())
            except BaseException:  # noqa: BLE001 - the test must not continue in this process
                traceback.print_exc()
            finally:
                os._exit(0)
        os.close(to_parent)

    def result(self) -> Any:
        """What `action` returned; fails if it does not return."""
        ready, _, _ = select.select([self._from_child], [], [], _PATIENCE_SECONDS)
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        with open(self._from_child, "rb") as answer:
            assert ready, "The child hangs."
            return json.loads(answer.read())
