"""Secrets as environment variables, except those that could change what programs do."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, MutableMapping

# Names that decide which code programs load or run, or where they connect. The list is one for all clients:
# test/vectors/environment.json. `*` stands for the rest of a name.
DANGEROUS = (
    "CUEVAULT_* PATH PATHEXT HOME USERPROFILE SHELL COMSPEC IFS PAGER MANPAGER EDITOR VISUAL BROWSER "
    "LESSOPEN LESSCLOSE LD_* DYLD_* GLIBC_TUNABLES GCONV_PATH HOSTALIASES OPENSSL_CONF OPENSSL_MODULES "
    "OPENSSL_ENGINES ENV BASH_ENV BASH_FUNC_* BASHOPTS SHELLOPTS PROMPT_COMMAND PS4 ZDOTDIR FPATH INPUTRC "
    "NODE_* NPM_CONFIG_* BUN_OPTIONS PYTHON* PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYLIB RUBYOPT LUA_PATH* "
    "LUA_CPATH* LUA_INIT* PHPRC PHP_INI_SCAN_DIR CLASSPATH JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS "
    "_JAVA_OPTIONS DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH GIT_* *_PROXY SSL_* *_CA_BUNDLE "
    "AWS_ENDPOINT_URL* AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_CONTAINER_CREDENTIALS_* "
    "AWS_EC2_METADATA_*"
).split()
# Credentials with names of these families.
EXCEPTIONS = "NODE_ENV NODE_AUTH_TOKEN GIT_TOKEN GIT_USERNAME GIT_PASSWORD LD_SDK_KEY".split()
# The address and the API key of the program itself: a secret must not replace them.
_OWN = "CUEVAULT_"

_PARTS = tuple(entry.partition("*") for entry in DANGEROUS)


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


def _reason_against_name(name: str) -> str | None:
    if name == "":
        return "the name is empty"
    if "=" in name or "\0" in name:
        return 'the name contains "=" or NUL'
    if not _is_well_formed(name):
        return "the name is not well-formed Unicode"
    return None if _is_encodable(name) else "this system's encoding lacks a character of the name"


def _reason_against_value(value: object) -> str | None:
    if not isinstance(value, str):
        return "the value is not a string"
    if "\0" in value:
        return "the value contains NUL"
    if not _is_well_formed(value):
        return "the value is not well-formed Unicode"
    return None if _is_encodable(value) else "this system's encoding lacks a character of the value"


def _danger_of(name: str, allowed: frozenset[str]) -> str | None:
    if name.startswith(_OWN):
        return "a setting of Cuevault"
    if name in allowed or name in EXCEPTIONS:
        return None
    for start, star, end in _PARTS:
        if name.startswith(start) and name.endswith(end) if star else name == start:
            return "the name can change what programs do"
    return None


def unset_of(
    secrets: Mapping[str, object], *, allow: Iterable[str] = (), windows: bool = os.name == "nt"
) -> dict[str, str]:
    """The secrets that must not or cannot be environment variables, each with the reason.

    `allow` names dangerous ones to set nevertheless, in any case. See test/vectors/environment.json.
    """
    allowed = frozenset(name.upper() for name in allow)
    seen: set[str] = set()
    reasons: dict[str, str] = {}
    for name, value in secrets.items():
        upper = name.upper()
        reason = _reason_against_name(name) or _reason_against_value(value)
        if reason is None and windows and upper in seen:
            reason = "another name differs only in case"
        reason = reason or _danger_of(upper, allowed)
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
