"""Secrets on disk, for outages. Needs the extra `offline`."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import secrets as randomness
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from ..errors import configuration_error
from ..settings import Settings, check_kind, check_seconds
from ..vault import Secrets
from .reads import Key, SecretsKey

# All clients share this format: test/vectors/offline.json.
_FORMAT = 1


_KEY_ID = re.compile(r"cue_([0-9A-Za-z]{8})_")


@dataclass(frozen=True)
class OfflineCopy:
    """Where the copies are stored, and for how many seconds one may be used.

    One file for each API key, environment and filter (key, tags), encrypted with AES-256-GCM under a key derived from
    the API key, mode 0600. The directory is created with mode 0700 if it does not exist.
    """

    directory: str | Path
    max_age: float = 86_400.0

    def __post_init__(self) -> None:
        """Reject invalid values. Raises CuevaultError (`configuration`)."""
        check_seconds("offline.max_age", self.max_age, zero=False, endless=True)


def copy_name(url: str, key: str | None, tags: Sequence[str], environment: str | None = None) -> str:
    """What a copy is of, with None for "default". It decides the file's name and is bound to its contents."""
    parts = [url.rstrip("/"), key, sorted(set(tags)), *([environment] if environment else [])]
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


class OfflineCopies:
    """Saves, loads and deletes the copies of one API key and one service."""

    origin: Literal["offline"] = "offline"

    def __init__(self, options: OfflineCopy, settings: Settings) -> None:
        """Raises CuevaultError (`configuration`), also if the extra is not installed."""
        check_kind("offline", options, OfflineCopy)
        try:
            from .sealing import Sealing  # noqa: PLC0415 - the one part that needs an extra
        except ImportError:
            raise configuration_error(
                "Offline copies need the package cryptography, 42 or later: the extra `offline` of this package."
            ) from None
        self._settings = settings
        self._make_sealing = Sealing
        self._directory = Path(options.directory)
        self._max_age = options.max_age

    def save(self, key: Key, secrets: Secrets) -> bool:
        """Write a copy, completely or not at all; False if it cannot be written."""
        name = self.name(key)
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(self.path(name), self._file(name, secrets))
        except OSError:
            return False
        return True

    def load(self, key: Key) -> Secrets | None:
        """The copy, None if there is none that is recent enough and decrypts with this API key."""
        name = self.name(key)
        try:
            fields = json.loads(self.path(name).read_bytes())
            saved_at = int(fields["savedAt"]) / 1000
            if fields["v"] != _FORMAT or time.time() - saved_at > self._max_age:
                return None
            return Secrets(self._secrets(name, fields), source="offline", fetched_at=saved_at)
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            return None

    def delete(self, key: Key) -> None:
        """Delete the copy if there is one."""
        # It does not exist, or cannot be deleted; it expires by age.
        with suppress(OSError, ValueError):
            self.path(self.name(key)).unlink()

    def name(self, key: Key) -> str:
        """See copy_name."""
        return copy_name(self._settings.url, *cast("SecretsKey", key))

    def path(self, name: str) -> Path:
        """The file of a copy. Its name depends on the whole API key, so no other key touches it."""
        api_key = self._settings.api_key
        key_id = _KEY_ID.match(api_key)
        digest = hmac.new(api_key.encode(), name.encode(), hashlib.sha256).hexdigest()[:32]
        return self._directory / f"{key_id[1] if key_id else 'key'}-{digest}.json"

    def _file(self, name: str, secrets: Secrets) -> bytes:
        text = json.dumps(secrets, ensure_ascii=False, separators=(",", ":"))
        saved_at = int(secrets.fetched_at * 1000)
        box = {
            part: base64.b64encode(data).decode()
            for part, data in self._make_sealing(self._settings.api_key)
            .seal(text.encode(), f"{name}\n{saved_at}")
            .items()
        }
        return json.dumps({"v": _FORMAT, **box, "savedAt": saved_at}).encode()

    def _secrets(self, name: str, fields: dict[str, str]) -> dict[str, str]:
        box = {part: base64.b64decode(fields[part]) for part in ("salt", "iv", "tag", "data")}
        secrets: dict[str, str] = json.loads(
            self._make_sealing(self._settings.api_key).open(box, f"{name}\n{fields['savedAt']}")
        )
        return secrets

    @staticmethod
    def _write(path: Path, data: bytes) -> None:
        draft = path.with_name(f"{path.name}.{randomness.token_hex(6)}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(handle, "wb") as file:
                file.write(data)
            os.replace(draft, path)
        except BaseException:
            draft.unlink()
            raise
