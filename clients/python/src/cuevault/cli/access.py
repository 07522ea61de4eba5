"""The address and the API key for the command line."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from ..errors import CuevaultError
from ..settings import ALLOW_INSECURE_HTTP, API_KEY_VARIABLE, INSECURE_VARIABLE, URL_VARIABLE
from .exits import USAGE, CliError

KEY_FILE_VARIABLE = "CUEVAULT_API_KEY_FILE"
HELP = (
    f"The address comes from {URL_VARIABLE}, the API key from {API_KEY_VARIABLE}, or from the file that\n"
    f"{KEY_FILE_VARIABLE} names."
)

_LOCAL = "http://localhost:3000"


def url() -> str:
    """The address of the service; by default a local one."""
    return os.environ.get(URL_VARIABLE) or _LOCAL


def api_key() -> str:
    """The API key. Raises CliError (2)."""
    key, file = os.environ.get(API_KEY_VARIABLE), os.environ.get(KEY_FILE_VARIABLE)
    if not key and file:
        try:
            key = Path(file).read_text("utf-8").strip()
        except (OSError, ValueError) as error:
            number = error.errno if isinstance(error, OSError) else errno.EILSEQ
            name = errno.errorcode.get(number or 0, "unreadable")
            raise CliError(f"The file of {KEY_FILE_VARIABLE} cannot be read ({name}).", USAGE) from None
    if not key:
        raise CliError(
            f"Set {API_KEY_VARIABLE} to an API key of your Cuevault,"
            f" or {KEY_FILE_VARIABLE} to a file that contains it.",
            USAGE,
        )
    return key


def cli_message(error: CuevaultError) -> str:
    """The message of a client's error for the command line."""
    text = str(error).replace(ALLOW_INSECURE_HTTP, f"set {INSECURE_VARIABLE}=1")
    unset = error.code == "connection_failed" and not os.environ.get(URL_VARIABLE)
    return f"{text} {URL_VARIABLE} is not set." if unset else text
