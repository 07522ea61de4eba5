"""Secrets on disk, for the time when the service cannot answer. Needs the extra `cuevault[offline]`."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets as randomness
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import configuration_error
from .vault import Secrets

# The form of the file is one for all clients: test/vectors/offline.json.
_FORMAT = 1


@dataclass(frozen=True)
class OfflineCopy:
    """Where the copies lie, and for how many seconds one is of use.

    One file for each filter (key, tags), encrypted with AES-256-GCM under a key derived from the API key, mode 0600.
    The directory is made with mode 0700 if it is not there.
    """

    directory: str | Path
    max_age: float = 86_400.0

    def __post_init__(self) -> None:
        """Refuse what cannot work. Raises CuevaultError (`configuration`)."""
        # Written so that a time which is no number is refused too: no copy would be older than that.
        if not self.max_age > 0:
            raise configuration_error("The age of an offline copy must be a number of seconds above 0.")


def copy_name(url: str, key: str | None, tags: Sequence[str]) -> str:
    """What a copy is of: address and filter. It decides the file's name and is bound to its contents."""
    return json.dumps([url.rstrip("/"), key, sorted(set(tags))], ensure_ascii=False, separators=(",", ":"))


class OfflineCopies:
    """Saves, loads and deletes copies for one API key."""

    def __init__(self, place: OfflineCopy, api_key: str) -> None:
        """Raises CuevaultError (`configuration`) where the extra is not installed."""
        try:
            from .sealing import Sealing  # noqa: PLC0415 - the one part that needs an extra
        except ImportError:
            raise configuration_error(
                'Offline copies need the extra "offline": pip install "cuevault[offline]".'
            ) from None
        self._sealing = Sealing(api_key)
        self._directory = Path(place.directory)
        self._max_age = place.max_age

    def save(self, name: str, secrets: Secrets) -> OSError | None:
        """Write a copy, whole or not at all; returns what went wrong: the secrets are here anyway."""
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(self._path(name), self._file(name, secrets))
        except OSError as error:
            return error
        return None

    def load(self, name: str) -> Secrets | None:
        """The copy, None if there is none that is young enough and opens with this API key."""
        try:
            fields = json.loads(self._path(name).read_bytes())
            saved_at = int(fields["savedAt"]) / 1000
            if fields["v"] != _FORMAT or time.time() - saved_at > self._max_age:
                return None
            return Secrets(self._secrets(name, fields), source="offline", fetched_at=saved_at)
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            return None

    def delete(self, name: str) -> None:
        """Delete the copy if there is one."""
        try:
            self._path(name).unlink()
        except (OSError, ValueError):
            # It is not there, or not ours to delete; its age will end it.
            return

    def _path(self, name: str) -> Path:
        return self._directory / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.json"

    def _file(self, name: str, secrets: Secrets) -> bytes:
        text = json.dumps(secrets, ensure_ascii=False, separators=(",", ":"))
        saved_at = int(secrets.fetched_at * 1000)
        box = {
            part: base64.b64encode(data).decode()
            for part, data in self._sealing.seal(text.encode(), f"{name}\n{saved_at}").items()
        }
        return json.dumps({"v": _FORMAT, **box, "savedAt": saved_at}).encode()

    def _secrets(self, name: str, fields: dict[str, str]) -> dict[str, str]:
        box = {part: base64.b64decode(fields[part]) for part in ("salt", "iv", "tag", "data")}
        secrets: dict[str, str] = json.loads(self._sealing.open(box, f"{name}\n{fields['savedAt']}"))
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
