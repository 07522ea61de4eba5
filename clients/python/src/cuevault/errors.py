"""The errors of this package, as one hierarchy.

CuevaultError                a setting is missing or invalid
├── AuthenticationError      401: the API key is missing, unknown, expired or revoked
├── PermissionDeniedError    403: the key lacks the permission, the address is not allowed, or the vault is stopped
├── NotFoundError            404: no such prompt, version, label or secret
├── InvalidRequestError      400, 409, 413: the call itself must change
│   └── MissingVariablesError    compiling in strict mode: placeholders have no value
├── RateLimitedError         429: too many calls
├── UnavailableError         5xx, connection errors, replies that are not the service's
└── CuevaultTimeoutError     no answer in time (also a TimeoutError)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, cast

from .environment import quoted

ErrorCode = Literal[
    "address_not_allowed",
    "body_too_large",
    "configuration",
    "connection_failed",
    "environment_not_found",
    "environment_required",
    "forbidden",
    "integrity",
    "internal",
    "invalid_json",
    "invalid_reply",
    "invalid_request",
    "invalid_variables",
    "label_not_found",
    "method_not_allowed",
    "missing_placeholders",
    "missing_variables",
    "prompt_not_found",
    "reply_too_large",
    "route_not_found",
    "secret_not_found",
    "timeout",
    "token_too_large",
    "unauthenticated",
    "unavailable",
    "unknown_variables",
    "vault_stopped",
    "version_not_found",
]
"""The codes of the service's calls for applications, and of this package; a later service may have more."""


class CuevaultError(Exception):
    """Base class of all errors of this package.

    `code` is stable: one of the service's codes (header `cuevault-error`), or one of this package's own:
    `connection_failed`, `timeout`, `invalid_reply`, `configuration`. `status` is the HTTP status, None if
    there was no reply; `request_id` names the call in the service's log; `retry_after` is how many seconds it asks to
    wait (429, 503), None if it does not. The text is for people and never contains an API key or a secret's value.
    """

    sent = ""
    """The end of the message of a refused key or token: what was sent where."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = cast("ErrorCode", code)
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (type(self), dict(self.__dict__)))


def _restored(kind: type[CuevaultError], fields: dict[str, object]) -> CuevaultError:
    """Rebuild a pickled error: process pools pass errors this way."""
    error = kind.__new__(kind)
    Exception.__init__(error, fields["message"])
    error.__dict__.update(fields)
    return error


class AuthenticationError(CuevaultError):
    """The API key is missing, malformed, unknown, expired or revoked (401)."""


class PermissionDeniedError(CuevaultError):
    """The API key is valid but not allowed to do this or not from this address, or all secrets are stopped (403)."""


class NotFoundError(CuevaultError):
    """There is no such prompt, version, label or secret, or the key may not see it (404)."""


class InvalidRequestError(CuevaultError):
    """The call cannot succeed as it is (400, 409, 413)."""


class MissingVariablesError(InvalidRequestError):
    """Strict compiling found placeholders without a value; `variables` names them in order of occurrence."""

    def __init__(self, variables: Sequence[str]) -> None:
        sentence = (
            f'The prompt needs a value for {listed(variables)}. Add it to "variables", or leave out "strict".'
        )
        super().__init__(sentence, code="missing_variables")
        self.variables = tuple(variables)


class RateLimitedError(CuevaultError):
    """Too many calls (429)."""


class UnavailableError(CuevaultError):
    """The service, or the way to it, is down: 5xx, connection errors, replies that are not its own."""


class CuevaultTimeoutError(CuevaultError, TimeoutError):
    """No complete answer arrived within the time allowed."""

    _of_caller = False
    """Whether the limit is that of one caller, which says nothing about the service."""


REFUSALS = (AuthenticationError, PermissionDeniedError, NotFoundError)
"""Errors that say that the caller may not read something, or that it is gone: copies of it are deleted."""

OUTAGES = (RateLimitedError, UnavailableError, CuevaultTimeoutError)
"""Errors that say nothing about what was requested: a copy of it remains valid."""


def not_sent(outage: CuevaultError) -> CuevaultError:
    """The error for a call that is not sent because an earlier one failed; `outage` is a copy of that one's error."""
    outage.message += " This call was not sent, because an earlier one failed in this way."
    return outage


def listed(names: Iterable[str]) -> str:
    """Names for a sentence."""
    return ", ".join(map(quoted, names))


def invalid_call(message: str) -> InvalidRequestError:
    """The call was never sent (code `invalid_request`)."""
    return InvalidRequestError(message, code="invalid_request")


def configuration_error(message: str) -> CuevaultError:
    """A setting is missing or invalid (code `configuration`)."""
    return CuevaultError(message, code="configuration")
