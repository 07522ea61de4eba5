"""Which secrets a command gets in addition to the environment that it inherits."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..environment import quoted, unset_of
from ..errors import listed
from .exits import NOT_FOUND, CliError

EVERY = "*"
"""The value of `--override` without names."""


def known(name: str) -> str:
    """The name by which the system knows a variable: Windows ignores case, and os.environ has capitals there."""
    return name.upper() if os.name == "nt" else name


def merged(inherited: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """The environment of a command: what it inherits, and the secrets in place of variables of their names."""
    names = set(map(known, chosen))
    return {**{name: value for name, value in inherited.items() if known(name) not in names}, **chosen}


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
        name
        for name in secrets
        if name not in unset and inherited.get(known(name)) and not replaced & {name, EVERY}
    ]
    # Inherited with the same value, it makes no difference.
    differing = [name for name in kept if inherited[known(name)] != secrets[name]]
    reasons = ", ".join(f"{quoted(name)} ({reason})" for name, reason in unset.items())
    parts = [f"Not set: {reasons}."] if unset else []
    if differing:
        parts.append(f"Kept as inherited: {listed(differing)} (--override replaces them).")
    chosen = {name: value for name, value in secrets.items() if name not in unset and name not in kept}
    return Injection(chosen, " ".join(parts) or None)


def check_required(names: Iterable[str], environment: Mapping[str, str]) -> None:
    """Check that variables are set and not empty. Raises CliError (4) that names all others."""
    filled = {known(name) for name, value in environment.items() if value}
    missing = [name for name in names if known(name) not in filled]
    if missing:
        raise CliError(f"These variables are missing or empty: {listed(missing)}.", NOT_FOUND)
