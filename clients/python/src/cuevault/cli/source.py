"""The secrets that the options of `run` and `env` ask for."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ..notices import Notice
from ..offline import OfflineCopies, OfflineCopy
from ..reads import Reads
from ..settings import RetryPolicy, resolve_settings
from ..sync_transport import SyncTransport
from .exits import USAGE, CliError
from .terminal import warn

_SECONDS_PER_HOUR = 3600.0


def positive(text: str) -> float:
    """A number above 0, for argparse."""
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError(text)
    return number


def _not_empty(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def _folder(text: str) -> Path:
    return Path(_not_empty(text))


def _tags(text: str) -> list[str]:
    # An empty one is most likely a variable that is not set; leaving it out would fetch more than was meant.
    return [_not_empty(tag.strip()) for tag in text.split(",")]


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which secrets."""
    parser.add_argument("--key", metavar="KEY", type=_not_empty, help="only this secret")
    parser.add_argument("--tags", metavar="A,B", type=_tags, help="only secrets that carry all of these tags")
    parser.add_argument("--prefix", metavar="P", default="", help="put P before the name of every variable")
    parser.add_argument(
        "--offline-ok",
        action="store_true",
        help="keep an encrypted copy, and use it when the service cannot answer",
    )
    parser.add_argument(
        "--offline-dir",
        metavar="DIR",
        type=_folder,
        help="where the copy lies (default: cuevault in the user's cache folder)",
    )
    parser.add_argument(
        "--offline-max-age",
        metavar="H",
        type=positive,
        default=24.0,
        help="hours after which the copy is of no use any more (default: 24)",
    )


def _cache_folder() -> Path:
    base = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "cuevault"
    except RuntimeError:
        raise CliError("There is no home folder for the offline copy: add --offline-dir.", USAGE) from None


def _tell(notice: Notice) -> None:
    age = "" if notice.age is None else f" It is {notice.age / _SECONDS_PER_HOUR:.1f} h old."
    warn(notice.message + age)


class SecretsSource:
    """Reads secrets, each under its variable's name."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Raises CuevaultError (`configuration`), CliError (2)."""
        settings = resolve_settings(None, None, RetryPolicy())
        copies = None
        if options.offline_ok:
            place = OfflineCopy(
                options.offline_dir or _cache_folder(), options.offline_max_age * _SECONDS_PER_HOUR
            )
            copies = OfflineCopies(place, settings.api_key)
        self._reads = Reads(settings, None, copies, _tell)
        self._transport = SyncTransport(settings)
        self._key: str | None = options.key
        self._tags: list[str] | None = options.tags
        self._prefix: str = options.prefix

    def read(self) -> dict[str, str]:
        """The secrets as they are now. Raises CuevaultError."""
        secrets = self._transport.run(self._reads.some_secrets(self._key, self._tags).steps())
        return {self._prefix + name: value for name, value in secrets.items()}
