"""Which secrets a command gets in addition to the environment that it inherits."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..environment import quoted, unset_of
from ..errors import listed
from .exits import NOT_FOUND, USAGE, CliError

EVERY = "*"
"""The value of `--override` without names."""

_NAME = re.compile(r"^[ \t]*(?:export[ \t]+)?([A-Za-z0-9_.-]+)[ \t]*=", re.MULTILINE)


@dataclass(frozen=True)
class Injection:
    """What becomes of secrets."""

    chosen: Mapping[str, str]
    report: str | None
    """One line about the others, None if there are none."""


def inject(
    secrets: Mapping[str, str], inherited: Mapping[str, str], allow: Iterable[str], override: Iterable[str]
) -> Injection:
    """Choose. `allow` are dangerous names to set nevertheless, `override` inherited ones to replace."""
    unset = unset_of(secrets, allow=allow)
    replaced = frozenset(override)
    kept = [
        name for name in secrets if name not in unset and inherited.get(name) and not replaced & {name, EVERY}
    ]
    # Inherited with the same value, it makes no difference.
    differing = [name for name in kept if inherited[name] != secrets[name]]
    reasons = ", ".join(f"{quoted(name)} ({reason})" for name, reason in unset.items())
    parts = [f"Not set: {reasons}."] if unset else []
    if differing:
        parts.append(f"Kept as inherited: {listed(differing)} (--override replaces them).")
    chosen = {name: value for name, value in secrets.items() if name not in unset and name not in kept}
    return Injection(chosen, " ".join(parts) or None)


def names_in(file: str) -> list[str]:
    """The names of the variables in a file such as `.env.example`. Raises CliError (2)."""
    try:
        text = Path(file).read_text("utf-8", errors="replace")
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "unreadable")
        raise CliError(f"{quoted(file)} cannot be read ({name}).", USAGE) from None
    return list(dict.fromkeys(_NAME.findall(text)))


def check_required(names: Iterable[str], environment: Mapping[str, str]) -> None:
    """Check that variables are set and not empty. Raises CliError (4) that names all others."""
    missing = [name for name in names if not environment.get(name)]
    if missing:
        raise CliError(f"These variables are missing or empty: {listed(missing)}.", NOT_FOUND)
