"""What requests and replies of the protocol (README.md) mean in Python: names, seconds instead of milliseconds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cuevault import CachePolicy, CuevaultError, Event, OfflineCopy, Prompt

Json = dict[str, Any]

CONNECTION = ("url", "api_key", "allow_insecure_http", "timeout", "total_timeout", "max_retries")
# What varies from run to run.
UNSTABLE = ("duration", "delay", "age", "request_id")


def in_python(given: Json) -> Json:
    """Options by their Python names; milliseconds become seconds."""

    def name_of(name: str) -> str:
        return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name.removesuffix("Ms"))

    return {name_of(name): value / 1000 if name.endswith("Ms") else value for name, value in given.items()}


def protocol_name(name: str) -> str:
    return re.sub("_(.)", lambda part: part[1].upper(), name)


def described_envelope(envelope: Mapping[str, object]) -> Json:
    return {protocol_name(name): value for name, value in envelope.items()}


def connection(config: Json) -> Json:
    return {name: value for name, value in in_python(config).items() if name in CONNECTION}


class Recorder:
    """Collects a client's events."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        self.events.append(event)

    def taken(self) -> list[Json]:
        """The events since the last time, with the field names of the protocol."""
        events, self.events = self.events, []
        return [described_event(event) for event in events]


def described_event(event: Event) -> Json:
    fields = {
        name: value for name, value in vars(event).items() if value is not None and name not in UNSTABLE
    }
    if "pause" in fields:
        fields["pauseMs"] = round(fields.pop("pause") * 1000)
    return fields


def options(config: Json, recorder: Recorder) -> Json:
    given = in_python(config)
    if isinstance(given.get("cache"), dict):
        given["cache"] = CachePolicy(**in_python(given["cache"]))
    if "offline" in given:
        given["offline"] = OfflineCopy(**in_python(given["offline"]))
    return {**given, "on_event": recorder.record} if given.pop("events", False) else given


def shown(read: Any) -> Any:
    if not isinstance(read, Prompt):
        return read
    fields = {name: getattr(read, name) for name in dir(read) if not name.startswith("_")}
    described = {protocol_name(name): value for name, value in fields.items() if not callable(value)}
    return {**described, "ageMs": read.age * 1000}


def described(error: CuevaultError) -> Json:
    names = ("code", "status", "request_id", "retry_after", "variables")
    fields = {protocol_name(name): getattr(error, name, None) for name in names}
    return {"type": type(error).__name__, "message": str(error), **fields}
