"""The secrets that the options of `run` select."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from .._core.offline import OfflineCopies, OfflineCopy
from .._sync.client import Cuevault
from ..environment import quoted
from ..errors import NotFoundError, listed
from ..events import Event
from ..settings import ENVIRONMENT_VARIABLE, Settings, resolved_environment
from .exits import NOT_FOUND, UNAVAILABLE, UNSUITABLE, USAGE, CliError
from .terminal import warn

_SECONDS_PER_HOUR = 3600.0
_MOST_CALLS = 8
_NAMES_FILE = "cuevault.names"


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


def _wishes(text: str) -> list[tuple[str, str | None]]:
    """Variables, each with the secret that it gets if that has another name."""
    parts = [name.partition("=") for name in names(text)]
    return [(_not_empty(name), _not_empty(key) if equals else None) for name, equals, key in parts]


def _prefix(text: str) -> str:
    if "=" in text or "\0" in text:
        raise argparse.ArgumentTypeError('must not contain "="')
    return text


def _folder(text: str) -> Path:
    return Path(_not_empty(text))


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--environment",
        metavar="NAME",
        type=_not_empty,
        help=f"the environment of the secrets (default: {ENVIRONMENT_VARIABLE}, else default)",
    )
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
        "--strip-prefix",
        metavar="P",
        default="",
        help="take P from the beginning of names that have it, before --prefix",
    )
    for option, meaning in (
        ("--only", "only these variables, and each must be found; B gets the secret KEY"),
        ("--optional", "these too, where they are found"),
    ):
        add(option, metavar="A,B=KEY", type=_wishes, action="extend", help=meaning)
    add(
        "--allow",
        metavar="A,B",
        type=names,
        action="extend",
        default=[],
        help="set these names although they can change what programs do; not those of CUEVAULT_*",
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


def _report(place: OfflineCopy | None, event: Event) -> None:
    if event.type == "offline_failed":
        folder = quoted(str(place.directory if place else ""))
        warn(f"The offline copy in {folder} could not be written ({event.error}).")
    elif event.type == "stale_served" and event.age is not None:
        age = event.age / _SECONDS_PER_HOUR
        warn(f"Cuevault cannot answer; the offline copy of the secrets is used. It is {age:.1f} h old.")


def _committed_names() -> list[str] | None:
    """The names that variables may have, one a line, None without such a file. Raises CliError (2)."""
    try:
        lines = Path(_NAMES_FILE).read_text("utf-8-sig").splitlines()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise CliError(f"The file {_NAMES_FILE} cannot be read ({type(error).__name__}).", USAGE) from None
    return [name for name in (line.partition("#")[0].strip() for line in lines) if name]


Read = Callable[[str | None], Mapping[str, str]]


def secrets_of(options: argparse.Namespace) -> dict[str, str]:
    """The secrets that the options select, each under its variable's name. Raises CuevaultError, CliError."""
    keys, tags = list(dict.fromkeys(options.key or ())), sorted(set(options.tags or ()))
    place, committed = None, _committed_names()
    if options.offline or options.offline_ok:
        place = OfflineCopy(
            options.offline_dir or _cache_folder(), options.offline_max_age * _SECONDS_PER_HOUR
        )
    if options.offline and place is not None:
        found = _read(_from_copies(place, tags, options.environment), keys)
    else:
        with Cuevault(
            environment=options.environment, offline=place, on_event=partial(_report, place)
        ) as client:
            found = _read(_from_service(client, tags), keys)
    named = _named(found, options)
    if options.only is not None or options.optional is not None:
        wishes = [*(options.only or ()), *(options.optional or ())]
        given = {name: named.get(name) if key is None else found.get(key) for name, key in wishes}
        named = {name: value for name, value in given.items() if value is not None}
    others = [name for name in named if committed is not None and name not in committed]
    if others:
        warn(f"Not set, as they are not in {_NAMES_FILE}: {listed(others)}.")
    named = {name: value for name, value in named.items() if name not in others}
    missing = [key or name for name, key in options.only or () if name not in named]
    readable = "that this API key may read"
    if missing:
        sentence = f"There is no secret {listed(missing)} {readable}; --optional accepts this."
        raise CliError(sentence, NOT_FOUND)
    if named or options.allow_empty:
        return named
    tagged = f" with the tags {listed(tags)}" if tags else ""
    raise CliError(f"There are no secrets{tagged} {readable}; --allow-empty accepts this.", NOT_FOUND)


def _named(secrets: Mapping[str, str], options: argparse.Namespace) -> dict[str, str]:
    """The secrets by the names that prefixes give their variables. Raises CliError (6)."""
    named: dict[str, str] = {}
    for key, value in secrets.items():
        name = options.prefix + key.removeprefix(options.strip_prefix)
        if name in named:
            raise CliError(f"Two secrets would be the variable {quoted(name)}.", UNSUITABLE)
        named[name] = value
    return named


def _from_service(client: Cuevault, tags: Sequence[str]) -> Read:
    def read(key: str | None) -> Mapping[str, str]:
        return client.secrets.all(tags=tags) if key is None else {key: client.secrets.get(key, tags=tags)}

    return read


def _from_copies(place: OfflineCopy, tags: Sequence[str], given: str | None) -> Read:
    environment = resolved_environment(given)
    copies = OfflineCopies(place, Settings())

    def read(key: str | None) -> Mapping[str, str]:
        copy = copies.load((key, tuple(tags), environment))
        if copy is None:
            raise CliError("There is no recent offline copy of these secrets.", UNAVAILABLE)
        return copy

    return read


def _read(read: Read, keys: Sequence[str]) -> Mapping[str, str]:
    """All secrets, or those of several keys, fetched in parallel; missing ones are named together."""
    if not keys:
        return read(None)

    def attempt(key: str) -> Mapping[str, str] | None:
        try:
            return read(key)
        except NotFoundError:
            return None

    with ThreadPoolExecutor(min(_MOST_CALLS, len(keys))) as pool:
        outcomes = dict(zip(keys, pool.map(attempt, keys), strict=True))
    missing = [key for key, outcome in outcomes.items() if outcome is None]
    if missing:
        raise CliError(f"There is no secret {listed(missing)}.", NOT_FOUND)
    return {key: (outcomes[key] or {})[key] for key in keys}
