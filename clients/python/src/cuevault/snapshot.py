"""Prompts in a file for outages, written by `cuevault prompt snapshot`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Union, cast

from ._core.process import now
from ._core.reads import Key, PromptKey
from .errors import CuevaultError, configuration_error
from .prompts import Prompt, read_prompt
from .templates import Strict

SnapshotSource = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""The path of a snapshot file, or its contents."""

_FORMAT = 1


def _not_one() -> CuevaultError:
    return configuration_error('The snapshot was not written by "cuevault prompt snapshot".')


def fields_of(prompt: Prompt) -> dict[str, object]:
    """The fields of a prompt as the service returns them."""
    return {
        "promptId": prompt.prompt_id,
        "name": prompt.name,
        "version": prompt.version,
        "tags": list(prompt.tags),
        "metaProperties": prompt.meta_properties,
        "prompt": prompt.prompt,
        **prompt.content,
    }


@dataclass(frozen=True)
class SnapshotEntry:
    """A prompt of a snapshot, and how it was requested: by label, as the latest, or by exact version."""

    prompt: Prompt
    label: str | None
    latest: bool

    def answers(self, version: str | None, label: str | None) -> bool:
        """Whether this is what such a request means."""
        if version is not None:
            return self.prompt.version == version
        return self.label == label if label is not None else self.latest

    def written(self) -> dict[str, object]:
        asked: dict[str, object] = {"latest": True} if self.latest else {}
        if self.label is not None:
            asked = {"label": self.label}
        return {**asked, **fields_of(self.prompt)}


def _read(source: SnapshotSource) -> object:
    if isinstance(source, Mapping):
        return source
    try:
        return json.loads(Path(source).read_text("utf-8"))
    except OSError as error:
        raise configuration_error(f"The snapshot cannot be read ({error.strerror}).") from None
    except (ValueError, RecursionError):
        raise _not_one() from None


def _entry(entry: object, saved_at: float, strict: Strict) -> SnapshotEntry:
    if not isinstance(entry, Mapping):
        raise _not_one()
    label, latest = entry.get("label"), entry.get("latest", False)
    if not isinstance(latest, bool) or not (label is None or isinstance(label, str)):
        raise _not_one()
    try:
        prompt = read_prompt(entry, strict).served("snapshot")
    except CuevaultError:
        raise _not_one() from None
    fetched_at = now() - (time.time() - saved_at)
    object.__setattr__(prompt, "_fetched_at", fetched_at)
    return SnapshotEntry(prompt, label, latest)


class Snapshot:
    origin: Literal["snapshot"] = "snapshot"

    def __init__(self, source: SnapshotSource, strict: Strict = False) -> None:
        """Read it. Raises CuevaultError (`configuration`) if it is not a snapshot."""
        value = _read(source)
        if not isinstance(value, Mapping) or value.get("cuevaultSnapshot") != _FORMAT:
            raise _not_one()
        saved_at, prompts = value.get("savedAt"), value.get("prompts")
        if not isinstance(saved_at, (int, float)) or not isinstance(prompts, list):
            raise _not_one()
        self.entries = tuple(_entry(entry, saved_at / 1000, strict) for entry in prompts)

    def load(self, key: Key) -> Prompt | None:
        """The prompt that a read's key (name, prompt id, version, label) means, None if it is not here."""
        name, prompt_id, version, label = cast("PromptKey", key)
        for entry in self.entries:
            prompt = entry.prompt
            named = prompt.name == name if name is not None else prompt.prompt_id == prompt_id
            if named and entry.answers(version, label):
                return prompt
        return None

    def save(self, key: Key, prompt: Prompt) -> None:
        """Nothing to do."""

    def delete(self, key: Key, key_refused: bool = False) -> None:
        """Nothing to do."""


def snapshot_text(entries: Sequence[SnapshotEntry]) -> str:
    """The text of a snapshot file with these prompts, saved now."""
    value = {
        "cuevaultSnapshot": _FORMAT,
        "savedAt": int(time.time() * 1000),
        "prompts": [each.written() for each in entries],
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
