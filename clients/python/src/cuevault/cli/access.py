"""The address and the API key for the command line."""

from __future__ import annotations

from ..credential import API_KEY_VARIABLE, KEY_FILE_VARIABLE, NO_API_KEY, TRUST_VARIABLE
from ..environment import quoted
from ..errors import CuevaultError, MissingVariablesError
from ..settings import (
    ALLOW_INSECURE_HTTP,
    ENVIRONMENT_VARIABLE,
    INSECURE_VARIABLE,
    LABEL_VARIABLE,
    URL_VARIABLE,
)

HELP = (
    f"The address comes from {URL_VARIABLE} (default: http://localhost:3000), the API key from\n"
    f"{API_KEY_VARIABLE}, or from the file that {KEY_FILE_VARIABLE} names. With {TRUST_VARIABLE}, a token of the\n"
    f"platform for this audience. {ENVIRONMENT_VARIABLE} is the environment of secrets, and the label of\n"
    f"prompts that are asked for without version and label, unless {LABEL_VARIABLE} is another one."
)


def cli_message(error: CuevaultError) -> str:
    """The message of a client's error, in the words of the command line."""
    if isinstance(error, MissingVariablesError):
        names = ", ".join(map(quoted, error.variables))
        return f"The prompt needs a value for {names}: add --var NAME=VALUE, or leave out --strict."
    if error.code == "unauthenticated":
        return f"The API key or token was rejected: it is unknown, expired or revoked.{error.sent}"
    return str(error).replace(ALLOW_INSECURE_HTTP, f"set {INSECURE_VARIABLE}=1").replace(NO_API_KEY, "set")
