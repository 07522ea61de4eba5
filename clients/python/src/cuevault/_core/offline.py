"""Secrets on disk, for outages. Needs the extra `offline`."""

from __future__ import annotations

import base64
import errno
import hashlib
import hmac
import json
import os
import secrets as randomness
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ..credential import key_id_of
from ..errors import CuevaultError, configuration_error
from ..settings import Settings, check_kind, check_seconds
from ..vault import Secrets
from .reads import Key, SecretsKey

# All clients share this format: test/vectors/offline.json.
_FORMAT = 1


def write_whole(path: Path, data: bytes) -> None:
    """Write a file with mode 0600 completely or not at all; a link stays one. Raises OSError."""
    target = Path(os.path.realpath(path))
    draft = target.with_name(f"{target.name}.{randomness.token_hex(6)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(draft, target)
    except BaseException:
        draft.unlink()
        raise


@dataclass(frozen=True)
class OfflineCopy:
    """Where the copies are stored, and for how many seconds one may be used.

    One file for each API key, environment and filter (key, tags), encrypted with AES-256-GCM under a key derived from
    the API key, mode 0600. The directory is created with mode 0700 if it does not exist. Others must not be able to
    write to it.
    """

    directory: str | Path
    max_age: float = 86_400.0

    def __post_init__(self) -> None:
        """Reject invalid values. Raises CuevaultError (`configuration`)."""
        check_seconds("offline.max_age", self.max_age, zero=False)


def copy_name(url: str, key: str | None, tags: Sequence[str], environment: str | None = None) -> str:
    """What a copy is of, with None for "default". It decides the file's name and is bound to its contents."""
    parts = [url.rstrip("/"), key, sorted(set(tags)), *([environment] if environment else [])]
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def _require_own(directory: Path) -> None:
    """Require that nobody else can put an old copy back. Raises CuevaultError (`configuration`)."""
    with suppress(OSError):
        status = directory.stat()
        if sys.platform != "win32" and (status.st_uid != os.getuid() or status.st_mode & 0o022):
            raise configuration_error(
                f'The folder of offline copies, "{directory}", must belong to the user who runs this, and others must '
                "not be able to write to it. Use a folder of its own."
            )


class OfflineCopies:
    """Saves, loads and deletes the copies of one API key and one service."""

    def __init__(self, options: OfflineCopy, settings: Settings) -> None:
        """Raises CuevaultError (`configuration`), also for a folder of others, or without the extra."""
        check_kind("offline", options, OfflineCopy)
        try:
            from .sealing import seal, unseal  # noqa: PLC0415 - the one part that needs an extra
        except ImportError:
            raise configuration_error(
                "Offline copies need the package cryptography, 42 or later: the extra `offline` of this package."
            ) from None
        self._settings = settings
        self._seal, self._unseal = seal, unseal
        self._directory = Path(options.directory)
        self._max_age = options.max_age
        self._newest: dict[str, int] = {}
        _require_own(self._directory)

    def save(self, key: Key, secrets: Secrets) -> str | None:
        """Write a copy, completely or not at all. If it cannot be written, the code of the reason."""
        name = self.name(key)
        self._newest[name] = int(secrets.fetched_at * 1000)
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            _require_own(self._directory)
            write_whole(self.path(name), self._file(name, secrets))
        except CuevaultError as error:
            return error.code
        except OSError as error:
            return errno.errorcode.get(error.errno or 0, "unknown")
        return None

    def load(self, key: Key) -> Secrets | None:
        """The copy; None if it is absent, too old, or older than the key's last refusal or one saved here."""
        name = self.name(key)
        try:
            _require_own(self._directory)
            fields = json.loads(self.path(name).read_bytes())
            saved_at = int(fields["savedAt"]) / 1000
            if fields["v"] != _FORMAT or time.time() - saved_at > self._max_age:
                return None
            refusal = self.path("refused", "refused")
            refused_at = int(refusal.read_text()) if refusal.exists() else 0
            if fields["savedAt"] <= refused_at or fields["savedAt"] < self._newest.get(name, 0):
                return None
            return Secrets(self._secrets(name, fields), source="offline", fetched_at=saved_at)
        except (OSError, ValueError, KeyError, TypeError, OverflowError, CuevaultError):
            return None

    def delete(self, key: Key, key_refused: bool = False) -> None:
        """Delete the copy if there is one; with `key_refused`, all copies of the API key end."""
        # It does not exist, or cannot be deleted; it expires by age.
        with suppress(OSError, ValueError, CuevaultError):
            self.path(self.name(key)).unlink()
        if key_refused:
            with suppress(OSError, CuevaultError):
                _require_own(self._directory)
                write_whole(self.path("refused", "refused"), str(int(time.time() * 1000)).encode())

    def name(self, key: Key) -> str:
        return copy_name(self._settings.url, *cast("SecretsKey", key))

    def path(self, name: str, suffix: str = "json") -> Path:
        """The file of a copy. Its name depends on the whole API key, so no other key touches it."""
        owner = self._settings.owner
        digest = hmac.new(owner.encode(), name.encode(), hashlib.sha256).hexdigest()[:32]
        return self._directory / f"{key_id_of(owner) or 'key'}-{digest}.{suffix}"

    def _file(self, name: str, secrets: Secrets) -> bytes:
        text = json.dumps(secrets, ensure_ascii=False, separators=(",", ":"))
        saved_at = int(secrets.fetched_at * 1000)
        sealed = self._seal(self._settings.owner, text.encode(), f"{name}\n{saved_at}")
        box = {part: base64.b64encode(data).decode() for part, data in sealed.items()}
        return json.dumps({"v": _FORMAT, **box, "savedAt": saved_at}).encode()

    def _secrets(self, name: str, fields: dict[str, str]) -> dict[str, str]:
        box = {part: base64.b64decode(fields[part]) for part in ("salt", "iv", "tag", "data")}
        text = self._unseal(self._settings.owner, box, f"{name}\n{fields['savedAt']}")
        return cast("dict[str, str]", json.loads(text))
