"""Secrets as environment variables, except those that could change what programs do."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import Path

# The same for all clients and the service: hatch_build.py copies contract/environment-names.json.
_DATA = json.loads(Path(__file__).with_name("environment-names.json").read_text("utf-8"))
_NAMES = frozenset(_DATA["names"])
_HARMLESS = frozenset(_DATA["harmless"])
_PREFIXES = tuple(_DATA["prefixes"])
# The address and the API key of the program itself: a secret must not replace them.
_OWN = _DATA["own"]


def _is_well_formed(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def quoted(name: str) -> str:
    """A name for a message, with escapes only for ill-formed Unicode."""
    return json.dumps(name, ensure_ascii=not _is_well_formed(name))


def _is_encodable(text: str) -> bool:
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


def _reason_against(what: str, text: object, forbidden: str, named: str) -> str | None:
    if not isinstance(text, str):
        return f"{what} is not a string"
    if any(each in text for each in forbidden):
        return f"{what} contains {named}"
    if not _is_well_formed(text):
        return f"{what} is not well-formed Unicode"
    return None if _is_encodable(text) else f"this system's encoding lacks a character of {what}"


def danger_of(name: str, allow: Iterable[str]) -> str | None:
    """Why a name is not set although a variable can have it, or None; `allow` are names to set nevertheless."""
    upper = name.upper()
    if upper.startswith(_OWN):
        return "a setting of Cuevault"
    if upper in _HARMLESS or upper in {each.upper() for each in allow}:
        return None
    danger = upper in _NAMES or upper.startswith(_PREFIXES)
    return "the name can change what programs do" if danger else None


def unset_of(
    secrets: Mapping[str, object], *, allow: Iterable[str] = (), windows: bool = os.name == "nt"
) -> dict[str, str]:
    """The secrets that must not or cannot be environment variables, each with the reason.

    `allow` names dangerous ones to set nevertheless, in any case. See test/vectors/environment.json.
    """
    allowed = frozenset(allow)
    seen: set[str] = set()
    reasons: dict[str, str] = {}
    for name, value in secrets.items():
        upper = name.upper()
        reason = None if name else "the name is empty"
        reason = reason or _reason_against("the name", name, "=\0", '"=" or NUL')
        reason = reason or _reason_against("the value", value, "\0", "NUL")
        if reason is None and windows and upper in seen:
            reason = "another name differs only in case"
        reason = reason or danger_of(name, allowed)
        seen.add(upper)
        if reason is not None:
            reasons[name] = reason
    return reasons


def set_environment(
    secrets: Mapping[str, str],
    *,
    allow: Iterable[str] = (),
    environment: MutableMapping[str, str] | None = None,
) -> list[str]:
    """Set the secrets as environment variables of this process, except those of `unset_of`; returns their names."""
    unset = unset_of(secrets, allow=allow)
    target = os.environ if environment is None else environment
    target.update({name: value for name, value in secrets.items() if name not in unset})
    return list(unset)
