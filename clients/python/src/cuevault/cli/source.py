"""The secrets that the options of `run` and `env` select."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .._core.offline import OfflineCopies, OfflineCopy
from .._sync.client import Cuevault
from ..environment import quoted
from ..errors import CuevaultError, NotFoundError
from ..events import Event
from ..settings import RetryPolicy, Settings
from .exits import NOT_FOUND, UNAVAILABLE, USAGE, CliError
from .terminal import warn

_SECONDS_PER_HOUR = 3600.0
_MOST_CALLS = 8


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


def names(text: str) -> list[str]:
    """A list with commas, for argparse. An empty part is most likely an unset variable."""
    return [_not_empty(name.strip()) for name in text.split(",")]


def _prefix(text: str) -> str:
    if "=" in text or "\0" in text:
        raise argparse.ArgumentTypeError('must not contain "="')
    return text


def _folder(text: str) -> Path:
    return Path(_not_empty(text))


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that select secrets."""
    add = parser.add_argument
    add(
        "--key",
        metavar="KEY",
        type=_not_empty,
        action="append",
        help="only this secret; can be repeated",
    )
    add("--tags", metavar="A,B", type=names, help="only secrets with all of these tags")
    add("--prefix", metavar="P", type=_prefix, default="", help="put P before the name of every variable")
    add(
        "--only",
        metavar="A,B",
        type=names,
        action="extend",
        help="only the variables with these names, whatever else the filter finds",
    )
    add("--allow-empty", action="store_true", help="accept that nothing is found")
    add(
        "--offline-ok",
        action="store_true",
        help="keep an encrypted copy, and use it when the service cannot answer",
    )
    add("--offline", action="store_true", help="use the encrypted copy without a call")
    add(
        "--offline-dir",
        metavar="DIR",
        type=_folder,
        help="folder of the copy (default: cuevault in the user's cache folder)",
    )
    add(
        "--offline-max-age",
        metavar="H",
        type=positive,
        default=24.0,
        help="maximum age of the copy in hours (default: 24)",
    )


def _cache_folder() -> Path:
    base = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "cuevault"
    except RuntimeError:
        raise CliError("There is no home folder for the offline copy: add --offline-dir.", USAGE) from None


def _report(event: Event) -> None:
    if event.type == "offline_failed":
        warn("The offline copy of the secrets could not be written.")
    elif event.type == "stale_served" and event.age is not None:
        age = event.age / _SECONDS_PER_HOUR
        warn(f"Cuevault cannot answer; the offline copy of the secrets is used. It is {age:.1f} h old.")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


class SecretsSource:
    """Fetches secrets, each under its variable's name."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Raises CuevaultError (`configuration`), CliError (2)."""
        self._keys: list[str] = list(dict.fromkeys(options.key or ()))
        self._tags: list[str] = sorted(set(options.tags or ()))
        self._prefix: str = options.prefix
        self._only: list[str] | None = options.only
        self._allow_empty: bool = options.allow_empty
        place = None
        if options.offline or options.offline_ok:
            folder = options.offline_dir or _cache_folder()
            place = OfflineCopy(folder, options.offline_max_age * _SECONDS_PER_HOUR)
        self._copies: OfflineCopies | None = None
        if options.offline and place is not None:
            self._copies = OfflineCopies(place, Settings(None, None, RetryPolicy()))
        self._client = Cuevault(cache=None, retry=RetryPolicy(rest=0), offline=place, on_event=_report)

    def read(self) -> dict[str, str]:
        """The secrets as they are now. Raises CuevaultError, CliError."""
        secrets = self._selected() if self._keys else self._all()
        named = {self._prefix + name: value for name, value in secrets.items()}
        if self._only is not None:
            named = {name: value for name, value in named.items() if name in self._only}
        if not named and not self._allow_empty:
            raise self._nothing()
        return named

    def _nothing(self) -> CliError:
        tags = f" with the tags {_listed(self._tags)}" if self._tags else ""
        only = f" named {_listed(self._only)}" if self._only else ""
        return CliError(
            f"There are no secrets{tags}{only} that this API key may read; --allow-empty accepts this.",
            NOT_FOUND,
        )

    def _all(self) -> Mapping[str, str]:
        return self._client.secrets.all(tags=self._tags) if self._copies is None else self._copy(None)

    def _selected(self) -> dict[str, str]:
        """The secrets of several keys, fetched in parallel; missing ones are named together."""

        def attempt(key: str) -> str | CuevaultError | CliError:
            try:
                if self._copies is not None:
                    return self._copy(key)[key]
                return self._client.secrets.get(key, tags=self._tags)
            except (CuevaultError, CliError) as error:
                return error

        with ThreadPoolExecutor(min(_MOST_CALLS, len(self._keys))) as pool:
            outcomes = dict(zip(self._keys, pool.map(attempt, self._keys)))
        missing = [quoted(key) for key, outcome in outcomes.items() if isinstance(outcome, NotFoundError)]
        found = {}
        for key, outcome in outcomes.items():
            if isinstance(outcome, str):
                found[key] = outcome
            elif not isinstance(outcome, NotFoundError):
                raise outcome
        if missing:
            raise CliError(f"There is no secret {', '.join(missing)}.", NOT_FOUND)
        return found

    def _copy(self, key: str | None) -> Mapping[str, str]:
        copy = None if self._copies is None else self._copies.load((key, tuple(self._tags)))
        if copy is None:
            raise CliError("There is no recent offline copy of these secrets.", UNAVAILABLE)
        return copy
