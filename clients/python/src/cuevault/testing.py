"""A Cuevault for tests: the real clients over a service that lives in memory.

fake = FakeCuevault(prompts={"greeting": "Hello {{user}}!"}, secrets={"OPENAI_API_KEY": "sk-test"})
assert fake.client().prompts.get("greeting", variables={"user": "Ada"}).compiled_prompt == "Hello Ada!"
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, cast

import httpx

from ._async.client import AsyncCuevault
from ._core.reads import PROMPT_PATH
from ._sync.client import Cuevault
from .errors import InvalidRequestError
from .events import Operation
from .prompts import read_prompt

Failure = Literal["unavailable", "rate_limited", "timeout", "connection", "unauthenticated"]
"""How a call fails: 503, 429, no answer in time, a refused connection, 401."""


FakeVersion = str | Sequence[Mapping[str, Any]] | Mapping[str, Any]
"""A template, the messages of a chat, or the fields of either: prompt or messages, variables, model, config ..."""


class FakePrompt(TypedDict, total=False):
    """A prompt with several versions."""

    versions: Mapping[str, FakeVersion]
    """Contents by version; the highest is the latest."""
    labels: Mapping[str, str]
    """Versions by label."""
    tags: Sequence[str]
    metaProperties: Mapping[str, object]


class FakeSecret(TypedDict, total=False):
    """A secret with tags."""

    value: str
    tags: Sequence[str]


@dataclass(frozen=True)
class Call:
    """A call that a client made. `status` is that of the reply, None if there was none."""

    operation: Operation
    body: Mapping[str, Any]
    status: int | None


_STATUSES: dict[Failure, tuple[int, str, str]] = {
    "unavailable": (503, "unavailable", "The service is not available."),
    "rate_limited": (429, "rate_limited", "There were too many requests."),
    "unauthenticated": (401, "unauthenticated", "The API key is not valid."),
}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _failure(status: int, code: str, sentence: str) -> httpx.Response:
    return httpx.Response(status, json={"err": sentence, "res": None}, headers={"cuevault-error": code})


def _content(version: FakeVersion) -> Mapping[str, Any]:
    if isinstance(version, str):
        return {"prompt": version}
    fields = version if isinstance(version, Mapping) else {"messages": list(version)}
    chat = {"type": "chat", "prompt": json.dumps(fields["messages"])} if "messages" in fields else {}
    return {**fields, **chat}


def _compiled(result: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """What the service adds to a prompt that it compiles. Raises InvalidRequestError."""
    if body.get("shouldCompile") is not True:
        return {}
    text = read_prompt(result).compile(body.get("variables"), strict=body.get("strict") is True)
    return {
        "compiledPrompt": text,
        **({"compiledMessages": json.loads(text)} if "messages" in result else {}),
    }


class FakeCuevault:
    """A service in memory. Change `prompts` and `secrets` at any time; `calls` lists what clients requested."""

    def __init__(
        self,
        *,
        prompts: Mapping[str, str | Sequence[Mapping[str, Any]] | FakePrompt] | None = None,
        secrets: Mapping[str, str | FakeSecret] | None = None,
    ) -> None:
        """A template or messages are version 1.0.0 of a prompt, with every label; a value is a secret without tags."""
        self.prompts = dict(prompts or {})
        self.secrets = dict(secrets or {})
        self.calls: list[Call] = []
        self._outage: Failure | None = None
        self._next: list[Failure] = []
        self.transport = httpx.MockTransport(self._handle)
        """For a client of your own: Cuevault(url, key, transport=fake.transport)."""

    def client(self, **options: Any) -> Cuevault:
        """A blocking client of this service, without retries and pauses unless `options` say otherwise."""
        return Cuevault(**self._options(options))

    def async_client(self, **options: Any) -> AsyncCuevault:
        """An asyncio client of this service."""
        return AsyncCuevault(**self._options(options))

    def outage(self, kind: Failure = "unavailable") -> None:
        """Fail every call, until `recover`."""
        self._outage = kind

    def recover(self) -> None:
        """Answer again."""
        self._outage = None
        self._next = []

    def fail_next(self, count: int = 1, kind: Failure = "unavailable") -> None:
        """Fail the next `count` calls; each retry is a call."""
        self._next += [kind] * count

    def _options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "url": "https://cuevault.test",
            "api_key": "cue_testtest_fake",
            "max_retries": 0,
            "pause": 0.0,
            "transport": self.transport,
            **options,
        }

    def _handle(self, request: httpx.Request) -> httpx.Response:
        operation: Operation = "prompt" if request.url.path.endswith(PROMPT_PATH) else "secrets"
        body = json.loads(request.content)
        kind = self._next.pop(0) if self._next else self._outage
        if kind in ("timeout", "connection"):
            self.calls.append(Call(operation, body, None))
            raise httpx.ReadTimeout("timeout") if kind == "timeout" else httpx.ConnectError("connection")
        if kind is not None:
            response = _failure(*_STATUSES[kind])
        else:
            response = self._prompt(body) if operation == "prompt" else self._secrets(body)
        self.calls.append(Call(operation, body, response.status_code))
        return response

    def _prompt(self, body: Mapping[str, Any]) -> httpx.Response:
        name = body.get("name") or str(body.get("promptId", "")).removeprefix("prm_")
        prompt = self.prompts.get(name)
        if prompt is None:
            return _failure(404, "prompt_not_found", f"There is no prompt {name}.")
        alone = not isinstance(prompt, Mapping)
        fields = cast("FakePrompt", {"versions": {"1.0.0": prompt}} if alone else prompt)
        versions, labels, label = fields.get("versions", {}), fields.get("labels", {}), body.get("label")
        if label is not None and alone:
            labels = {label: "1.0.0"}
        if label is not None and label not in labels:
            return _failure(404, "label_not_found", f"The prompt {name} has no label {label}.")
        latest = max(versions, key=_numbers, default="")
        version = body.get("version") or latest if label is None else labels[label]
        if version not in versions:
            return _failure(404, "version_not_found", f"The prompt {name} has no version {version}.")
        result = {
            "promptId": f"prm_{name}",
            "name": name,
            "version": version,
            "tags": list(fields.get("tags", ())),
            "metaProperties": dict(fields.get("metaProperties", {})),
            **_content(versions[version]),
        }
        try:
            result |= _compiled(result, body)
        except InvalidRequestError as error:
            return _failure(400, error.code, error.message)
        return httpx.Response(200, json={"err": None, "res": result})

    def _secrets(self, body: Mapping[str, Any]) -> httpx.Response:
        key, wanted = body.get("key"), set(body.get("tags", ()))
        found = {}
        for name, secret in self.secrets.items():
            fields: FakeSecret = {"value": secret} if isinstance(secret, str) else secret
            if key in (None, name) and wanted.issubset(fields.get("tags", ())):
                found[name] = fields["value"]
        if key is not None and not found:
            return _failure(404, "secret_not_found", f"There is no secret {key}.")
        return httpx.Response(200, json={"err": None, "res": found})
