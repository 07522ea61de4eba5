"""What a client would log if it logged."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Callable, Literal

from .errors import CuevaultError
from .vault import Secrets


@dataclass(frozen=True)
class Notice:
    """Secrets are old, or could not be kept.

    `kind` is `stale` (a copy in memory answered, since the service cannot), `offline` (the copy on disk did) or
    `offline_failed` (it could not be written). `age` is how many seconds ago the service gave what was served.
    """

    kind: Literal["stale", "offline", "offline_failed"]
    message: str
    age: float | None
    error: Exception


OnWarning = Callable[[Notice], None]


def stale(secrets: Secrets, error: CuevaultError) -> Notice:
    """A copy in memory answers, because of `error`."""
    message = "Cuevault cannot answer; secrets that were read earlier are used."
    return Notice("stale", message, secrets.age, error)


def offline(secrets: Secrets, error: CuevaultError) -> Notice:
    """The copy on disk answers, because of `error`."""
    message = "Cuevault cannot answer; the offline copy of the secrets is used."
    return Notice("offline", message, secrets.age, error)


def offline_failed(error: OSError) -> Notice:
    """The copy on disk could not be written."""
    message = f"The offline copy of the secrets could not be written ({error.strerror})."
    return Notice("offline_failed", message, None, error)


def warn_by_default(notice: Notice) -> None:
    """Without anyone to tell, only what has to be put right is told, as a RuntimeWarning."""
    if notice.kind == "offline_failed":
        warnings.warn(notice.message, RuntimeWarning, stacklevel=2)
