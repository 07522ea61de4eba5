"""What both clients share about HTTP: requests, time limits, and the meaning of failures."""

from __future__ import annotations

import errno
import json
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import httpx

from ..errors import (
    CuevaultError,
    CuevaultTimeoutError,
    UnavailableError,
    configuration_error,
    invalid_call,
)
from ..settings import Settings
from ..version import __version__
from .process import renew_in_child

MOST_REQUESTS = 50
"""Calls of a client at once; others wait. httpx's pool takes quadratic time for what waits in it."""

_PHASES = ("connect", "read", "write", "pool")

# What httpx and the system raise for invalid names and ports, some of them only on connecting.
_UNUSABLE = (httpx.InvalidURL, UnicodeError, OverflowError)


class TimeLeft(Mapping[str, float]):
    """httpx's four timeouts as one: each phase gets what is left of the time for the whole request.

    httpx would give every phase (waiting for a connection, connecting, sending, receiving) the full timeout.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds

    def check(self) -> float:
        """Seconds left. Raises CuevaultTimeoutError when there are none."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise timed_out(self._seconds)
        return left

    def __getitem__(self, phase: str) -> float:
        if phase not in _PHASES:
            raise KeyError(phase)
        return self.check()

    def __iter__(self) -> Iterator[str]:
        return iter(_PHASES)

    def __len__(self) -> int:
        return len(_PHASES)


def encoded(body: Mapping[str, object]) -> bytes:
    """The JSON of a body. Raises InvalidRequestError for what JSON cannot express."""
    try:
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise invalid_call("The request contains a value that JSON cannot express.") from error


def authorization_of(settings: Settings) -> dict[str, str]:
    """The header that proves who the caller is. Raises CuevaultError (`configuration`)."""
    return {"authorization": f"Bearer {settings.credential.bearer()}"}


def headers_of(settings: Settings) -> dict[str, str]:
    """Headers of every request. A token is added to each: it expires."""
    return {
        **({} if settings.credential.is_token else authorization_of(settings)),
        "content-type": "application/json",
        "user-agent": f"cuevault-python/{__version__}",
    }


def timed_out(seconds: float, *, of_caller: bool = False) -> CuevaultTimeoutError:
    """No complete answer within so many seconds, which are the caller's limit or the client's."""
    error = CuevaultTimeoutError(f"Cuevault did not answer within {seconds:.3g} seconds.", code="timeout")
    error._of_caller = of_caller
    return error


@contextmanager
def configuring() -> Iterator[None]:
    """While httpx reads its own settings. Raises CuevaultError (`configuration`)."""
    try:
        yield
    except ImportError:
        raise configuration_error(
            'A SOCKS proxy needs another package: pip install "httpx[socks]".'
        ) from None
    except OSError as error:
        raise configuration_error(
            f"The certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read ({_name_of(error)})."
        ) from None
    except (httpx.InvalidURL, ValueError):
        raise _unusable() from None


def _unusable() -> CuevaultError:
    # The address itself stays out of the message: it may contain a password.
    return configuration_error(
        "The address of the service or of a proxy (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY) is invalid."
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        # If several addresses failed, report one of them.
        group = getattr(error, "exceptions", None)
        error = group[0] if group else error.__cause__ or error.__context__


def _name_of(error: OSError) -> str | None:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    if isinstance(error, ssl.SSLError):
        return error.reason
    if isinstance(error, socket.gaierror):
        names = (name for name in dir(socket) if name.startswith("EAI_"))
        return next((name for name in names if getattr(socket, name) == error.errno), None)
    return errno.errorcode.get(error.errno or 0)


def _reason_of(error: httpx.HTTPError) -> str:
    """The name of the underlying failure, such as ECONNREFUSED."""
    names = [_name_of(cause) for cause in _causes(error) if isinstance(cause, OSError)]
    return next((name for name in reversed(names) if name), type(error).__name__)


def failure_of(error: Exception, seconds: float, settings: Settings) -> CuevaultError:
    """What a failed exchange means. Texts of httpx are left out, because they may quote what was sent.

    Raises the failure itself if it comes neither from httpx nor from the settings.
    """
    if isinstance(error, CuevaultError):
        return error
    if any(isinstance(cause, _UNUSABLE) for cause in _causes(error)):
        return _unusable()
    if not isinstance(error, httpx.HTTPError):
        raise error
    if isinstance(error, httpx.TimeoutException):
        return timed_out(seconds)
    if isinstance(error, httpx.UnsupportedProtocol):
        return _unusable()
    if isinstance(error, httpx.DecodingError):
        return UnavailableError("The reply cannot be decompressed.", code="invalid_reply")
    sentence = (
        f"Cuevault at {settings.url} cannot be reached, or the connection was lost ({_reason_of(error)})."
    )
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in _causes(error)):
        sentence += " SSL_CERT_FILE names further authorities."
    return UnavailableError(sentence + settings.hint, code="connection_failed")


class Connections:
    """What the connections of both clients have in common. Nothing is read or opened before the first call."""

    def __init__(
        self, settings: Settings, transport: httpx.BaseTransport | httpx.AsyncBaseTransport | None
    ) -> None:
        """`transport` replaces the network."""
        self._settings = settings
        self._transport = transport
        self._closed = False
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked process: open new connections. Those that were open belong to the parent."""
        raise NotImplementedError

    @cached_property
    def _options(self) -> dict[str, Any]:
        # Once for all event loops: reading the certificates takes longer than most calls.
        return {
            "headers": headers_of(self._settings),
            "transport": self._transport,
            "verify": httpx.create_ssl_context() if self._transport is None else True,
            "timeout": None,
            # A proxy would get the API key of a service on this machine.
            "trust_env": not self._settings.is_loopback,
        }


def closed() -> CuevaultError:
    return configuration_error("The client is closed.")
