"""From an HTTP reply to a result or the right error."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from ..errors import (
    AuthenticationError,
    CuevaultError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    UnavailableError,
)

_OK = 200
_MOST_BYTES = 8_000_000
_TOO_LARGE = 413
_TOO_MANY = 429
_SERVER_FAULTS = 500
_UNAVAILABLE = 503

# Python accepts more as a number than HTTP does.
_SECONDS = re.compile(r"[0-9]+(\.[0-9]+)?")

_CODE_HEADER = "cuevault-error"
_REQUEST_ID_HEADER = "cuevault-request-id"

_KINDS: dict[int, type[CuevaultError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: InvalidRequestError,
    413: InvalidRequestError,
}


@dataclass(frozen=True)
class Reply:
    """A complete HTTP reply. Looking up a header ignores case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def retry_after_seconds(header: str | None) -> float | None:
    """Seconds that a `Retry-After` header asks to wait (a number or a date, RFC 9110, 10.2.3), None if unreadable."""
    if header is None:
        return None
    if _SECONDS.fullmatch(header):
        seconds = float(header)
        return seconds if math.isfinite(seconds) else None
    if not header.endswith(" GMT"):
        return None
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _object(body: bytes) -> Mapping[str, object]:
    try:
        # json.loads would guess other encodings from bytes, and accept lone surrogates.
        value = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _code_without_header(status: int) -> str:
    if status == _TOO_LARGE:
        return "body_too_large"
    return "unavailable" if status >= _SERVER_FAULTS else "invalid_reply"


def _foreign(reply: Reply) -> CuevaultError:
    """The error for a reply of a gateway, a proxy or another server."""
    status = reply.status
    if status == _TOO_LARGE:
        return InvalidRequestError(
            "The request is too large.", code=_code_without_header(status), status=status
        )
    return UnavailableError(
        f"The reply (status {status}) is not the service's own: is the address right, or is a proxy in between?",
        code=_code_without_header(status),
        status=status,
    )


def _error_without_wait(reply: Reply, sentence: str | None) -> CuevaultError:
    status, code = reply.status, reply.headers.get(_CODE_HEADER)
    request_id = reply.headers.get(_REQUEST_ID_HEADER)
    if status == _TOO_MANY:
        text = sentence or "Too many requests. Try again shortly."
        return RateLimitedError(text, code=code or "rate_limited", request_id=request_id)
    if not sentence:
        return _foreign(reply)
    # The issuer of a token has new keys: what is known stays valid until the service has them too.
    is_outage = status >= _SERVER_FAULTS or code == "unknown_signing_key"
    kind = UnavailableError if is_outage else _KINDS.get(status, UnavailableError)
    return kind(sentence, code=code or _code_without_header(status), status=status, request_id=request_id)


def _error(reply: Reply, sentence: str | None) -> CuevaultError:
    error = _error_without_wait(reply, sentence)
    if reply.status in (_TOO_MANY, _UNAVAILABLE):
        error.retry_after = retry_after_seconds(reply.headers.get("retry-after"))
    return error


class Body:
    """The pieces of a reply, decompressed: at most 8 MB, which is more than the service can send."""

    def __init__(self) -> None:
        """Nothing was received yet."""
        self._pieces: list[bytes] = []
        self._left = _MOST_BYTES

    def add(self, piece: bytes) -> None:
        """Another piece. Raises UnavailableError (`invalid_reply`)."""
        self._left -= len(piece)
        if self._left < 0:
            raise invalid_reply("it is longer than 8 MB")
        self._pieces.append(piece)

    def whole(self) -> bytes:
        """All pieces."""
        return b"".join(self._pieces)


def result_of(reply: Reply) -> Mapping[str, object]:
    """The `res` of a success. Raises the CuevaultError for the reply.

    A reply is from Cuevault if it is a JSON object with `err` and `res`, regardless of its content type.
    """
    value = _object(reply.body)
    ours = "err" in value and "res" in value
    result, sentence = (value["res"], value["err"]) if ours else (None, None)
    if reply.status == _OK and sentence is None and isinstance(result, dict):
        return result
    raise _error(reply, sentence if isinstance(sentence, str) else None)


def invalid_reply(what: str) -> UnavailableError:
    """The reply has the envelope, but its contents are not what the contract says."""
    return UnavailableError(f"The service's reply cannot be read: {what}.", code="invalid_reply", status=_OK)
