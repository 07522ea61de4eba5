"""With what a client proves who it is: an API key, or a token of its platform for a trust."""

from __future__ import annotations

import base64
import errno
import json
import os
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

import httpx

from ._core.process import renew_in_child
from .errors import CuevaultError, UnavailableError, configuration_error

API_KEY_VARIABLE = "CUEVAULT_API_KEY"
KEY_FILE_VARIABLE = "CUEVAULT_API_KEY_FILE"
TRUST_VARIABLE = "CUEVAULT_TRUST"
TOKEN_VARIABLE = "CUEVAULT_IDENTITY_TOKEN"
TOKEN_FILE_VARIABLE = "CUEVAULT_IDENTITY_TOKEN_FILE"
GITHUB_VARIABLE = "ACTIONS_ID_TOKEN_REQUEST_TOKEN"
OFFLINE_KEY_VARIABLE = "CUEVAULT_OFFLINE_KEY"
PROOF_VARIABLES = (
    API_KEY_VARIABLE,
    KEY_FILE_VARIABLE,
    TOKEN_VARIABLE,
    TOKEN_FILE_VARIABLE,
    GITHUB_VARIABLE,
    OFFLINE_KEY_VARIABLE,
)
"""What a command does not get with --without-api-key."""
NO_API_KEY = "pass api_key, or set"

TokenProvider = Callable[[], str]
"""Returns a token of the caller's platform for the audience of a trust. Called before each request, from any thread."""

GivenKey = str | TokenProvider | None
"""The argument `api_key`."""

# What a header can contain. A bad paste (line breaks, spaces, typographic quotes) does not match.
_HEADER_TEXT = re.compile(r"[\x21-\x7e]+")
# Below the limit of an attempt, so that its error names the platform.
_TIMEOUT_SECONDS = 4.0
_OFFLINE_KEY_CHARACTERS = 32
_TOO_MANY = 429
_SERVER_FAULTS = 500
# A token is replaced so long before it expires.
_EARLY_SECONDS = 60.0


def key_id_of(api_key: str) -> str | None:
    """The id in an API key; it is no secret. None for anything else."""
    found = re.match(r"cue_([0-9A-Za-z]{8})_", api_key)
    return found[1] if found else None


@dataclass(frozen=True)
class Credential:
    """Proves who the caller is."""

    owner: str
    """Whose copies and caches are: the API key, or the audience of a trust with CUEVAULT_OFFLINE_KEY; "" without it."""
    bearer: TokenProvider
    is_token: bool = True


def _read(variable: str) -> str | None:
    """The content of the file that a variable names. Raises CuevaultError (`configuration`)."""
    file = os.environ.get(variable)
    if not file:
        return None
    try:
        return Path(file).read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        number = error.errno if isinstance(error, OSError) else errno.EILSEQ
        name = errno.errorcode.get(number or 0, "unreadable")
        raise configuration_error(f"The file of {variable} cannot be read ({name}).") from None


def _expiry(token: str) -> float:
    try:
        payload = token.split(".")[1]
        return float(json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["exp"])
    except (IndexError, ValueError, KeyError, TypeError):
        return 0.0


class _Kept:
    """One request at a time, and none while the last token is valid for another minute."""

    def __init__(self, request: TokenProvider) -> None:
        self._request = request
        self._token = ""
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: the thread that had the lock does not exist."""
        self._lock = threading.Lock()

    def __call__(self) -> str:
        with self._lock:
            if _expiry(self._token) - _EARLY_SECONDS <= time.time():
                self._token = self._request()
            return self._token


def _no_token(source: str, reason: str, failure: bool) -> CuevaultError:
    """The error for a platform that gave no token; if its service fails, a copy may answer in its place."""
    message = f"{source} gave no token for CUEVAULT_TRUST ({reason})."
    return UnavailableError(message, code="unavailable") if failure else configuration_error(message)


def _is_failure(status: int) -> bool:
    return status == _TOO_MANY or status >= _SERVER_FAULTS


def _from_github(address: str, request_token: str, audience: str) -> str:
    try:
        reply = httpx.get(
            f"{address}&audience={quote(audience, safe='')}",
            headers={"authorization": f"Bearer {request_token}"},
            timeout=_TIMEOUT_SECONDS,
        )
        if reply.is_success:
            return str(reply.json()["value"])
    except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
        # Not chained: the texts of httpx quote what was sent.
        raise _no_token("GitHub", type(error).__name__, failure=True) from None
    status = reply.status_code
    raise _no_token("GitHub", f"status {status}", failure=_is_failure(status))


def _from_aws(audience: str) -> str:
    try:
        # Only callers on AWS need them. botocore's own limits are minutes, in which all threads would wait.
        boto3, config = import_module("boto3"), import_module("botocore.config").Config
        limits = {"connect_timeout": _TIMEOUT_SECONDS, "read_timeout": _TIMEOUT_SECONDS}
        sts = boto3.client("sts", config=config(**limits, retries={"total_max_attempts": 1}))
        return str(
            sts.get_web_identity_token(Audience=[audience], SigningAlgorithm="ES384", DurationSeconds=900)[
                "WebIdentityToken"
            ]
        )
    except Exception as error:  # noqa: BLE001 - the package's own classes are unknown here
        name = type(error).__name__
        reply = getattr(error, "response", {}).get("ResponseMetadata", {})
        refused = not _is_failure(reply.get("HTTPStatusCode", _SERVER_FAULTS)) and "Throttl" not in str(error)
        raise _no_token("AWS", name, failure=not (refused or isinstance(error, ImportError))) from None


def _platform_token(audience: str) -> TokenProvider:
    variables = os.environ
    if variables.get(TOKEN_FILE_VARIABLE):
        # The platform replaces the file before its token expires.
        return lambda: _read(TOKEN_FILE_VARIABLE) or ""
    token = variables.get(TOKEN_VARIABLE)
    if token:
        return token.strip
    address = variables.get("ACTIONS_ID_TOKEN_REQUEST_URL")
    request_token = variables.get(GITHUB_VARIABLE)
    if address and request_token:
        return _Kept(lambda: _from_github(address, request_token, audience))
    if variables.get("AWS_REGION") or variables.get("AWS_DEFAULT_REGION"):
        return _Kept(lambda: _from_aws(audience))
    raise configuration_error(
        f"{TRUST_VARIABLE} is set, but there is no token: set {TOKEN_FILE_VARIABLE} or {TOKEN_VARIABLE}; on GitHub,"
        ' give the job "permissions: id-token: write"; on AWS, set AWS_REGION.'
    )


def _owner_of_trust(audience: str | None) -> str:
    key = os.environ.get(OFFLINE_KEY_VARIABLE)
    if not key or not audience:
        return ""
    if len(key) < _OFFLINE_KEY_CHARACTERS:
        raise configuration_error(
            f"{OFFLINE_KEY_VARIABLE} must have at least {_OFFLINE_KEY_CHARACTERS} characters:"
            " openssl rand -base64 32 makes one."
        )
    return f"{audience}\n{key}"


def _checked(provider: TokenProvider) -> TokenProvider:
    def token() -> str:
        given = provider()
        if not isinstance(given, str) or _HEADER_TEXT.fullmatch(given) is None:
            raise configuration_error("The identity token is empty or contains invalid characters.")
        return given

    return token


def resolve_credential(given: GivenKey) -> Credential:
    """An API key or a function, by default of the environment: an API key, or a token for the audience CUEVAULT_TRUST.

    Raises CuevaultError (`configuration`).
    """
    audience = os.environ.get(TRUST_VARIABLE)
    if callable(given):
        return Credential(_owner_of_trust(audience), _checked(given))
    if given is None and audience:
        if os.environ.get(API_KEY_VARIABLE):
            raise configuration_error(
                f"{TRUST_VARIABLE} and {API_KEY_VARIABLE} are both set: remove the one that is not meant."
            )
        return Credential(_owner_of_trust(audience), _checked(_platform_token(audience)))
    api_key = _checked_key(
        given if given is not None else os.environ.get(API_KEY_VARIABLE) or _read(KEY_FILE_VARIABLE)
    )
    return Credential(api_key, lambda: api_key, is_token=False)


def _checked_key(given: str | None) -> str:
    if given is None:
        raise configuration_error(
            f"The API key is missing: {NO_API_KEY} {API_KEY_VARIABLE},"
            f" or {KEY_FILE_VARIABLE} to a file that contains it."
        )
    # Files and pasted values often end with a line break.
    api_key = given.strip() if isinstance(given, str) else ""
    if _HEADER_TEXT.fullmatch(api_key) is None:
        raise configuration_error(
            f"The API key (api_key, or {API_KEY_VARIABLE}) is empty or contains invalid characters."
        )
    return api_key
