"""Exit codes and messages of the command line."""

from __future__ import annotations

from ..credential import API_KEY_VARIABLE, KEY_FILE_VARIABLE, NO_API_KEY, TRUST_VARIABLE
from ..errors import (
    OUTAGES,
    AuthenticationError,
    CuevaultError,
    NotFoundError,
    PermissionDeniedError,
)
from ..settings import (
    ALLOW_INSECURE_HTTP,
    ENVIRONMENT_VARIABLE,
    INSECURE_VARIABLE,
    URL_VARIABLE,
)

DONE = 0
OTHER = 1
USAGE = 2
REFUSED = 3
NOT_FOUND = 4
UNAVAILABLE = 5
UNSUITABLE = 6
CANNOT_RUN = 126
NO_SUCH_COMMAND = 127
SIGNALLED = 128

TEXT = """\
exit codes: 0 done; 1 anything else; 2 wrong usage; 3 the API key was rejected or lacks
permission, or all secrets are stopped; 4 not found; 5 the service cannot be reached or cannot answer; 6 the secrets
cannot be set; 126 the command cannot be run; 127 the command does not exist. "run"
exits as its command exits."""


class CliError(Exception):
    """A failure of the command line itself: what to print, and the exit code."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def exit_code_of(error: CliError | CuevaultError) -> int:
    if isinstance(error, CliError):
        return error.exit_code
    if isinstance(error, (AuthenticationError, PermissionDeniedError)):
        return REFUSED
    if isinstance(error, NotFoundError):
        return NOT_FOUND
    if isinstance(error, OUTAGES):
        return UNAVAILABLE
    return USAGE if error.code == "configuration" else OTHER


HELP = (
    f"The address comes from {URL_VARIABLE} (default: http://localhost:3000), the API key from\n"
    f"{API_KEY_VARIABLE}, or from the file that {KEY_FILE_VARIABLE} names. With {TRUST_VARIABLE}, a token of the\n"
    f"platform for this audience. {ENVIRONMENT_VARIABLE} is the environment of secrets."
)


def cli_message(error: CuevaultError) -> str:
    """The message of a client's error, in the words of the command line."""
    if error.code == "unauthenticated":
        return f"The API key or token was rejected: it is unknown, expired or revoked.{error.sent}"
    return str(error).replace(ALLOW_INSECURE_HTTP, f"set {INSECURE_VARIABLE}=1").replace(NO_API_KEY, "set")
