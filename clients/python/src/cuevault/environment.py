"""Secrets as environment variables: all or none, and none that changes which code programs load."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, MutableMapping

from .errors import configuration_error

# Names that change which code other programs load or run. The list is one for all clients:
# test/vectors/environment.json. An entry that ends in * is the start of a name.
DANGEROUS = (
    "PATH PATHEXT COMSPEC SHELL IFS LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT GLIBC_TUNABLES GCONV_PATH DYLD_* "
    "ENV BASH_ENV BASH_FUNC_* BASHOPTS SHELLOPTS PROMPT_COMMAND PS4 ZDOTDIR "
    "NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED BUN_OPTIONS "
    "PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONBREAKPOINT PYTHONINSPECT PYTHONWARNINGS "
    "PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYLIB RUBYOPT LUA_PATH LUA_CPATH LUA_INIT PHPRC PHP_INI_SCAN_DIR "
    "CLASSPATH JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH "
    "GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_ASKPASS"
).split()

_NAMES = frozenset(name for name in DANGEROUS if not name.endswith("*"))
_STARTS = tuple(name[:-1] for name in DANGEROUS if name.endswith("*"))


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


def offenders(
    secrets: Mapping[str, object], *, allow_dangerous_names: bool = False, windows: bool = os.name == "nt"
) -> dict[str, str]:
    """The names that cannot be environment variables, each with the reason; see test/vectors/environment.json."""
    seen: list[str] = []
    reasons: dict[str, str] = {}
    for name, value in secrets.items():
        spelled = name.upper() if windows else name
        reason = _reason_against_name(name) or _reason_against_value(value)
        if reason is None and spelled in seen:
            reason = "another name differs only in case"
        if (
            reason is None
            and not allow_dangerous_names
            and (spelled in _NAMES or spelled.startswith(_STARTS))
        ):
            reason = "the name changes how programs load code; it must be allowed"
        if windows:
            seen.append(spelled)
        if reason is not None:
            reasons[name] = reason
    return reasons


def check_environment(secrets: Mapping[str, object], *, allow_dangerous_names: bool = False) -> None:
    """Refuse secrets that cannot be environment variables. Raises CuevaultError (`configuration`), naming each."""
    reasons = offenders(secrets, allow_dangerous_names=allow_dangerous_names)
    if reasons:
        names = ", ".join(f"{quoted(name)} ({reason})" for name, reason in reasons.items())
        raise configuration_error(f"Nothing was set. These secrets cannot be environment variables: {names}.")


def set_environment(
    secrets: Mapping[str, str],
    *,
    allow_dangerous_names: bool = False,
    environment: MutableMapping[str, str] | None = None,
) -> None:
    """Set every secret as an environment variable of this process, or none.

    Raises CuevaultError (`configuration`) that names every secret which cannot be one.
    """
    check_environment(secrets, allow_dangerous_names=allow_dangerous_names)
    (os.environ if environment is None else environment).update(secrets)
