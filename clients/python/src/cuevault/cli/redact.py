"""Masking secrets in the output of a command."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Sequence
from typing import IO

# Values shorter than this, such as "true", are not masked: they occur in every output.
_SHORTEST_BYTES = 4
_MASK = b"[secret]"
_CHUNK_BYTES = 65_536


def _forms(value: str) -> Iterable[str]:
    """A value as it may occur in output: as it is, line by line, and in JSON."""
    return value, *map(str.strip, value.splitlines()), json.dumps(value, ensure_ascii=False)[1:-1]


class Redactor:
    """Masks secrets in a stream of bytes, across the borders of its chunks."""

    def __init__(self, values: Iterable[str]) -> None:
        """What to mask."""
        forms = {form.encode() for value in values for form in _forms(value)}
        self._forms = sorted((form for form in forms if len(form) >= _SHORTEST_BYTES), key=len, reverse=True)
        self._held = b""

    def push(self, chunk: bytes) -> bytes:
        """What can be printed now. The end of a chunk that may be the start of a value waits for the next chunk."""
        return self._take(self._held + chunk, last=False)

    def end(self) -> bytes:
        """The rest, at the end of the stream."""
        return self._take(self._held, last=True)

    def _take(self, data: bytes, *, last: bool) -> bytes:
        places = [data.find(form) for form in self._forms]
        hold = len(data) if last else self._hold_from(data, 0)
        printed, at = [], 0
        while True:
            found = self._next(data, at, places)
            # A longer value that begins where this one does would be held back.
            if found is None or found[0] >= hold:
                break
            printed += [data[at : found[0]], _MASK]
            at = found[0] + found[1]
            if hold < at:
                hold = self._hold_from(data, at)
        self._held = data[hold:]
        return b"".join([*printed, data[at:hold]])

    def _next(self, data: bytes, start: int, places: list[int]) -> tuple[int, int] | None:
        """Place and length of the first value from `start`, the longest one there. `places` has the next of each."""
        first = None
        for index, form in enumerate(self._forms):
            if 0 <= places[index] < start:
                places[index] = data.find(form, start)
            at = places[index]
            if at >= 0 and (first is None or at < first[0]):
                first = (at, len(form))
        return first

    def _hold_from(self, data: bytes, start: int) -> int:
        """The earliest place from which the data may be the start of a value."""
        earliest = len(data)
        for form in self._forms:
            at = data.find(form[:1], max(start, len(data) - len(form) + 1))
            while 0 <= at < earliest and not form.startswith(data[at:]):
                at = data.find(form[:1], at + 1)
            if at >= 0:
                earliest = min(earliest, at)
        return earliest


def _copy(source: IO[bytes], target: int, redactor: Redactor) -> None:
    def write(data: bytes) -> None:
        while data:
            data = data[os.write(target, data) :]

    with source:
        try:
            while chunk := os.read(source.fileno(), _CHUNK_BYTES):
                write(redactor.push(chunk))
            write(redactor.end())
        except OSError:
            # The reader is gone: so must be the pipe of the command.
            return


def print_masked(
    streams: Sequence[tuple[IO[bytes] | None, int]], values: Sequence[str]
) -> list[threading.Thread]:
    """Copy each stream to its file descriptor with these values masked; the threads end with the streams."""
    threads = [
        threading.Thread(target=_copy, args=(source, target, Redactor(values)), daemon=True)
        for source, target in streams
        if source is not None
    ]
    for thread in threads:
        thread.start()
    return threads
