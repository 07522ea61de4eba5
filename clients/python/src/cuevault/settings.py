"""Where the service is and how calls to it behave."""

from __future__ import annotations

import math
import os
import re
from functools import cached_property
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx

from .credential import Credential, GivenKey, key_id_of, resolve_credential
from .errors import CuevaultError, configuration_error

URL_VARIABLE = "CUEVAULT_URL"
LABEL_VARIABLE = "CUEVAULT_LABEL"
ENVIRONMENT_VARIABLE = "CUEVAULT_ENVIRONMENT"
_DEFAULT_ENVIRONMENT = "default"
LATEST = "latest"
"""A `version` that replaces the client's label."""
_LOCAL = "http://localhost:3000"
ALLOW_INSECURE_HTTP = "allow this with allow_insecure_http"
INSECURE_VARIABLE = "CUEVAULT_ALLOW_INSECURE_HTTP"

# In seconds; sockets and locks cannot wait for much longer.
_LONGEST = 1_000_000.0


def check_kind(name: str, value: object, kind: type) -> None:
    """Reject what is not of this class. Raises CuevaultError (`configuration`)."""
    if not isinstance(value, kind):
        raise configuration_error(f"{name} must be of the class {kind.__name__}.")


def check_seconds(name: str, seconds: float, *, zero: bool = True) -> None:
    """Reject what is no time. Raises CuevaultError (`configuration`)."""
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not (number and (seconds > 0 or (zero and seconds == 0)) and math.isfinite(seconds)):
        raise configuration_error(f"{name} must be a number{', 0 or above' if zero else ' above 0'}.")


def check_count(name: str, number: int, least: int) -> None:
    """Reject anything but a whole number of at least `least`. Raises CuevaultError (`configuration`)."""
    if not isinstance(number, int) or isinstance(number, bool) or number < least:
        raise configuration_error(f"{name} must be a whole number, {least} or above.")


def resolved_environment(given: str | None) -> str | None:
    """The environment of secrets: `given`, else that of the variable; None for "default".

    Raises CuevaultError (`configuration`).
    """
    name = (os.environ.get(ENVIRONMENT_VARIABLE) or None) if given is None else given
    if name is not None and not (isinstance(name, str) and name):
        raise configuration_error("environment must be the name of an environment.")
    return None if name == _DEFAULT_ENVIRONMENT else name


def label_from_variables() -> str:
    """The label of reads without one, "" for the latest version; "default" names none."""
    return os.environ.get(LABEL_VARIABLE) or resolved_environment(None) or ""


class Settings:
    """Where the service is. Address and API key come from the arguments, else from the environment at the first use."""

    def __init__(
        self,
        url: str | None = None,
        api_key: GivenKey = None,
        allow_insecure_http: bool | None = None,
        *,
        timeout: float = 5.0,
        total_timeout: float = 15.0,
        max_retries: int = 2,
        pause: float = 5.0,
    ) -> None:
        """The limits are those of Cuevault; no address is read yet. Raises CuevaultError (`configuration`)."""
        for name, seconds in (("timeout", timeout), ("total_timeout", total_timeout)):
            check_seconds(name, seconds, zero=False)
        check_seconds("pause", pause)
        check_count("max_retries", max_retries, 0)
        self._given_url = url
        self._given_key = api_key
        self._allow_insecure_http = allow_insecure_http
        self.timeout = min(timeout, _LONGEST)
        self.total_timeout = min(total_timeout, _LONGEST)
        self.max_retries = max_retries
        self.pause = pause

    @cached_property
    def url(self) -> str:
        """The base address. Raises CuevaultError (`configuration`)."""
        given = self._given_url
        if given is None:
            given = os.environ.get(URL_VARIABLE) or _LOCAL
        return _checked_url(given, self._allow_insecure_http)

    @cached_property
    def credential(self) -> Credential:
        """What proves who the caller is. Raises CuevaultError (`configuration`)."""
        return resolve_credential(self._given_key)

    @property
    def owner(self) -> str:
        """Whose offline copies are. Raises CuevaultError (`configuration`), also for a trust without a key for them."""
        if not self.credential.owner:
            raise configuration_error(
                "Offline copies of a trust need CUEVAULT_TRUST, its audience, and CUEVAULT_OFFLINE_KEY, a secret of"
                " your own."
            )
        return self.credential.owner

    @property
    def sent(self) -> str:
        """What was sent where, for the message of a refused key or token."""
        key_id = key_id_of(self.credential.owner)
        return f" {f'The key with the id {key_id}' if key_id else 'It'} was sent to {self.url}."

    def resolve(self) -> None:
        _ = self.url, self.credential

    @property
    def is_loopback(self) -> bool:
        """Whether the service is on this machine."""
        return _is_loopback(httpx.URL(self.url))

    @property
    def hint(self) -> str:
        """What to add to the message of a failed connection."""
        unset = self._given_url is None and not os.environ.get(URL_VARIABLE)
        return f" {URL_VARIABLE} is not set; npm start starts one there." if unset else ""

    @property
    def shown_url(self) -> str | None:
        """The base address, None if it is invalid: it may contain a password."""
        try:
            return self.url
        except CuevaultError:
            return None


def _parsed(url: str) -> httpx.URL | None:
    """An address that can be used, else None. httpx and idna report invalid names only on use."""
    try:
        parts = httpx.URL(url)
        parts.raw_host.decode("ascii").encode("idna")
        split = urlsplit(url)
        plain = not re.search(r"[\s?#]", url) and "@" not in split.netloc and split.port != 0
    except (ValueError, httpx.InvalidURL):
        return None
    return parts if plain and parts.scheme in ("http", "https") and parts.host else None


def _is_loopback(url: httpx.URL) -> bool:
    host = url.host.rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _checked_url(url: str, allow_insecure_http: bool | None) -> str:
    stripped = url.strip() if isinstance(url, str) else ""
    if not re.match("https?://", stripped, re.IGNORECASE):
        raise configuration_error(
            f"The address of Cuevault (url, or {URL_VARIABLE}) must begin with https://, "
            "or http:// on this machine, such as http://localhost:3000."
        )
    parts = _parsed(stripped)
    if parts is None:
        # The text itself stays out of the message: it may contain a password.
        raise configuration_error(
            f"The address of Cuevault (url, or {URL_VARIABLE}) must be like https://vault.example.com,"
            " without user name, query or fragment."
        )
    allowed = allow_insecure_http
    if allowed is None:
        allowed = os.environ.get(INSECURE_VARIABLE, "").lower() in ("1", "true")
    if parts.scheme == "http" and not allowed and not _is_loopback(parts):
        raise configuration_error(
            "The address of Cuevault begins with http:// and is on another machine, so the API key and all secrets"
            f" would travel unencrypted. Use https://, or {ALLOW_INSECURE_HTTP}."
        )
    return stripped.rstrip("/")
