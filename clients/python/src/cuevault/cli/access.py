"""The address and the API key for the command line."""

from __future__ import annotations

from ..environment import quoted
from ..errors import CuevaultError, MissingVariablesError
from ..settings import (
    ALLOW_INSECURE_HTTP,
    API_KEY_VARIABLE,
    ENVIRONMENT_VARIABLE,
    INSECURE_VARIABLE,
    KEY_FILE_VARIABLE,
    LABEL_VARIABLE,
    NO_API_KEY,
    URL_VARIABLE,
)

HELP = (
    f"The address comes from {URL_VARIABLE} (default: http://localhost:3000), the API key from\n"
    f"{API_KEY_VARIABLE}, or from the file that {KEY_FILE_VARIABLE} names. {ENVIRONMENT_VARIABLE} is the\n"
    "environment of secrets, and the label of prompts that are asked for without version and label, unless\n"
    f"{LABEL_VARIABLE} is another one."
)


def cli_message(error: CuevaultError) -> str:
    """The message of a client's error, in the words of the command line."""
    if isinstance(error, MissingVariablesError):
        names = ", ".join(map(quoted, error.variables))
        return f"The prompt needs a value for {names}: add --var NAME=VALUE, or leave out --strict."
    if error.code == "unauthenticated":
        return "The API key was rejected: it is unknown, expired or revoked."
    return str(error).replace(ALLOW_INSECURE_HTTP, f"set {INSECURE_VARIABLE}=1").replace(NO_API_KEY, "set")
