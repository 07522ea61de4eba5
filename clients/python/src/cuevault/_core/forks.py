"""What a forked process must not share with its parent: connections, calls in progress, held locks."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Renewable(Protocol):
    """Something that a forked process replaces."""

    def renew(self) -> None:
        """Called in the new process, before anything else in it runs."""
        ...


_holders: WeakSet[Renewable] = WeakSet()
_of_the_parent: list[object] = []


def renew_in_child(holder: Renewable) -> None:
    """Renew `holder` in every process forked from this one, for as long as it lives."""
    _holders.add(holder)


def leave_to_parent(thing: object) -> None:
    """Keep a reference to something that only the parent may close: the parent's event loop owns it."""
    _of_the_parent.append(thing)


def _renew_all() -> None:
    for holder in list(_holders):
        holder.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
