"""What requests and replies of the protocol (README.md) mean in Python: names, seconds instead of milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cuevault import CachePolicy, CuevaultError, Event, OfflineCopy, Prompt

Json = dict[str, Any]

HELPER_OPTIONS = {
    "promptId": "prompt_id",
    "metaProperties": "meta_properties",
    "shouldCompile": "should_compile",
    "shouldSetEnv": "should_set_env",
}

READ_OPTIONS = {
    "promptId": "prompt_id",
    "metaProperties": "meta_properties",
    "timeoutMs": "timeout",
    "ttlMs": "ttl",
    "maxRetries": "max_retries",
}
CONTENT = ("messages", "model", "config", "output", "tools", "includes")
# What varies from run to run.
UNSTABLE = ("duration", "delay", "age", "request_id")


def renamed(args: Json, names: dict[str, str]) -> Json:
    """The arguments by their Python names; milliseconds become seconds."""
    return {
        names.get(name, name): value / 1000 if name.endswith("Ms") else value for name, value in args.items()
    }


def described_envelope(envelope: Mapping[str, object]) -> Json:
    return {"notSet" if name == "not_set" else name: value for name, value in envelope.items()}


def seconds(config: Json, names: dict[str, str]) -> Json:
    """The given settings; milliseconds become seconds."""
    return {
        name: config[given] / 1000 if given.endswith("Ms") else config[given]
        for given, name in names.items()
        if given in config
    }


def connection(config: Json) -> Json:
    names = {"timeoutMs": "timeout", "totalTimeoutMs": "total_timeout", "maxRetries": "max_retries"}
    return {
        "url": config.get("url"),
        "api_key": config.get("apiKey"),
        **seconds(config, names),
        "allow_insecure_http": config.get("allowInsecureHttp"),
    }


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
    cache, offline = config.get("cache", {}), config.get("offline")
    names = {
        "latestMs": "latest",
        "refreshWaitMs": "refresh_wait",
        "secretsMs": "secrets",
        "maxEntries": "max_entries",
        "maxStaleMs": "max_stale",
    }
    policy = cache if cache is True else CachePolicy(**seconds(cache or {}, names))
    return {
        **connection(config),
        **seconds(config, {"pauseMs": "pause"}),
        "snapshot": config.get("snapshot"),
        "strict": config.get("strict", False),
        "environment": config.get("environment"),
        "label": config.get("label"),
        "on_event": recorder.record if config.get("events") else None,
        "cache": False if cache is False else policy,
        "offline": offline
        and OfflineCopy(**seconds(offline, {"directory": "directory", "maxAgeMs": "max_age"})),
    }


def prompt_fields(prompt: Prompt) -> Json:
    return {
        "promptId": prompt.prompt_id,
        "name": prompt.name,
        "version": prompt.version,
        "tags": prompt.tags,
        "metaProperties": prompt.meta_properties,
        "prompt": prompt.prompt,
        "compiledPrompt": prompt.compiled_prompt,
        "compiledMessages": prompt.compiled_messages,
        "variables": prompt.variables,
        "declarations": prompt.declarations,
        **{name: getattr(prompt, name) for name in CONTENT},
        "source": prompt.source,
        "ageMs": prompt.age * 1000,
    }


def described(error: CuevaultError) -> Json:
    return {
        "type": type(error).__name__,
        "code": error.code,
        "status": error.status,
        "message": str(error),
        "requestId": error.request_id,
        "retryAfter": getattr(error, "retry_after", None),
        "variables": getattr(error, "variables", None),
    }
