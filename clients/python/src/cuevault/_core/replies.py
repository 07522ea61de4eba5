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
    _TOO_MANY: RateLimitedError,
}
_FOREIGN = {
    413: ("body_too_large", "The request is too large."),
    _TOO_MANY: ("rate_limited", "Too many requests."),
}
"""What is known of replies that do not come from Cuevault: code and message."""


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


def _error(reply: Reply, sentence: str | None) -> CuevaultError:
    """The error that a reply describes, or that of a reply of a gateway, a proxy or another server."""
    status = reply.status
    is_failure = status >= _SERVER_FAULTS
    own, text = _FOREIGN.get(status, ("unavailable" if is_failure else "invalid_reply", None))
    code, kind = reply.headers.get(_CODE_HEADER) or own, _KINDS.get(status, UnavailableError)
    waits = (
        retry_after_seconds(reply.headers.get("retry-after")) if status in (_TOO_MANY, _UNAVAILABLE) else None
    )
    again = " Try again shortly." if waits is None else f" Try again in {math.ceil(waits)} seconds."
    if sentence is None and text is None:
        what = again if is_failure else " Check the address and any proxy."
        text = f"The reply with status {status} does not come from Cuevault.{what}"
        code, kind = own, UnavailableError
    elif status == _TOO_MANY:
        text = f"{text}{again}"
    return kind(
        sentence or text or "",
        code=code,
        status=status,
        request_id=reply.headers.get(_REQUEST_ID_HEADER),
        retry_after=waits,
    )


class Body:
    """The pieces of a reply, decompressed: at most 8 MB, which is more than the service can send."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._left = _MOST_BYTES

    def add(self, piece: bytes) -> None:
        """Another piece. Raises UnavailableError (`invalid_reply`)."""
        self._left -= len(piece)
        if self._left < 0:
            raise invalid_reply("The reply is longer than 8 MB.")
        self._pieces.append(piece)

    def whole(self) -> bytes:
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
    raise _error(reply, sentence if isinstance(sentence, str) and sentence else None)


def invalid_reply(message: str) -> UnavailableError:
    """The reply has the envelope, but its contents are not what the contract says."""
    return UnavailableError(message, code="invalid_reply", status=_OK)
