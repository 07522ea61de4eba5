"""The prompt that callers receive."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from ._core.answers import Source
from ._core.chat import Messages, Placeholders, are_messages, checked_lists, inserted, is_placeholder
from ._core.process import now
from ._core.replies import invalid_reply
from .templates import Declarations, Strict, Template, compile_all

PromptT = TypeVar("PromptT", bound="Prompt")

Fallback = str | Sequence[Mapping[str, object]]
"""What answers when nothing else can: a template, or the messages of a chat."""


@dataclass(frozen=True)
class Prompt:
    """One version of a prompt. It never changes, so threads and tasks may share it.

    `prompt` is the raw template; `compiled_prompt` the text with variables filled in, None unless variables were
    given. For a chat, both are the JSON text of messages, and `compiled_messages` has the messages with variables
    filled in and lists inserted. `model` is the model that the author names. `source` says where it comes from, `age`
    how long ago the service sent it.
    """

    prompt_id: str
    name: str
    version: str
    tags: tuple[str, ...]
    prompt: str
    compiled_prompt: str | None = None
    source: Source = "service"
    compiled_messages: list[Any] | None = field(default=None, hash=False)
    model: str | None = None
    _metadata: str = field(default="{}", repr=False)
    _content: str = field(default="{}", repr=False)
    _strict: Strict = field(default=False, repr=False, compare=False)
    _messages: Messages | None = field(init=False, repr=False, compare=False)
    _declarations: Declarations = field(init=False, repr=False, compare=False)
    _templates: tuple[Template, ...] = field(init=False, repr=False, compare=False)
    variables: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """Names of the placeholders for values, each once, in the order in which they first occur."""
    _fetched_at: float = field(default_factory=now, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Parse the templates once, for all copies of this prompt."""
        content = json.loads(self._content)
        messages = content.get("messages")
        texts = (
            [self.prompt] if messages is None else [m["content"] for m in messages if not is_placeholder(m)]
        )
        templates = tuple(Template(text) for text in texts)
        parsed = {
            "_messages": messages,
            "_declarations": content.get("variables", {}),
            "_templates": templates,
            "variables": tuple(dict.fromkeys(name for each in templates for name in each.variables)),
        }
        for name, value in parsed.items():
            object.__setattr__(self, name, value)

    @property
    def content(self) -> dict[str, Any]:
        """The fields of the reply that not all prompts have, such as messages and config; a new object each time."""
        return cast("dict[str, Any]", json.loads(self._content))

    @property
    def messages(self) -> list[dict[str, Any]] | None:
        """The messages of a chat as they were stored, None for a text."""
        return cast("list[dict[str, Any]] | None", self.content.get("messages", None))

    @property
    def config(self) -> dict[str, Any]:
        """Parameters for the model."""
        return cast("dict[str, Any]", self.content.get("config", {}))

    @property
    def output(self) -> dict[str, Any] | None:
        """What the model is to reply with."""
        return cast("dict[str, Any] | None", self.content.get("output", None))

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools to offer to the model."""
        return cast("list[dict[str, Any]]", self.content.get("tools", []))

    @property
    def includes(self) -> list[dict[str, str]]:
        """The fragments that the version includes: name, version and contentHash. `prompt` has their text."""
        return cast("list[dict[str, str]]", self.content.get("includes", []))

    @property
    def declarations(self) -> dict[str, dict[str, Any]]:
        """What the author says about variables, by name: type, description, enum, default."""
        return cast("dict[str, dict[str, Any]]", self.content.get("variables", {}))

    @property
    def meta_properties(self) -> dict[str, object]:
        """The metadata stored with this version; a new object each time, so changing it changes nothing else."""
        return cast("dict[str, object]", json.loads(self._metadata))

    @property
    def age(self) -> float:
        """Seconds since the service sent this prompt."""
        return now() - self._fetched_at

    def compile(self, variables: Mapping[str, object] | None = None, *, strict: Strict | None = None) -> str:
        """Fill in the placeholders, by the service's rules; no call is made. A chat gives JSON text.

        A placeholder without a value (None counts as none) gets the default of its declaration, else it stays as
        written. `strict` defaults to the client's setting: True raises MissingVariablesError if there is one, and
        InvalidRequestError (`invalid_variables`) for a value that does not fit its declaration; "exact" also
        InvalidRequestError (`unknown_variables`) for a value without a placeholder. Raises InvalidRequestError for a
        value that JSON cannot express.
        """
        return self._compile(variables, strict)[0]

    def compile_messages(
        self,
        variables: Mapping[str, object] | None = None,
        *,
        placeholders: Placeholders | None = None,
        strict: Strict | None = None,
    ) -> list[Any] | None:
        """Fill in the messages of a chat, and insert the lists in `placeholders` as they are; None for a text.

        Raises as compile does, and InvalidRequestError for a list that is missing (`missing_placeholders`) or has an
        unknown name.
        """
        return self._compile(variables, strict, placeholders or {})[1]

    def compiled(
        self,
        variables: Mapping[str, object] | None,
        strict: Strict | None,
        placeholders: Placeholders | None = None,
    ) -> CompiledPrompt:
        """This prompt with its `compiled_prompt` and `compiled_messages`; errors as for compile_messages."""
        text, messages = self._compile(variables, strict, {} if placeholders is None else placeholders)
        prompt = self._with(CompiledPrompt, "compiled_prompt", text)
        prompt.__dict__["compiled_messages"] = messages
        return prompt

    def _compile(
        self,
        variables: Mapping[str, object] | None,
        strict: Strict | None,
        placeholders: Placeholders | None = None,
    ) -> tuple[str, list[Any] | None]:
        messages = self._messages
        lists: Mapping[str, Sequence[object]] = {}
        # A template as fallback has none of the placeholders of the chat that it replaces.
        if placeholders is not None and not (messages is None and self.source == "fallback"):
            lists = checked_lists(messages or (), placeholders)
        strictness = self._strict if strict is None else strict
        texts = compile_all(self._templates, self.variables, variables, strictness, self._declarations)
        if messages is None:
            return texts[0], None
        rest = iter(texts)
        whole = [each if is_placeholder(each) else {**each, "content": next(rest)} for each in messages]
        text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
        return text, None if placeholders is None else inserted(whole, lists)

    def has(self, name: str | None) -> bool:  # noqa: ARG002 - an answer is one prompt
        """Always: an answer is one prompt."""
        return True

    def own(self) -> Prompt:
        """This prompt: it cannot be changed, so all callers may share it."""
        return self

    def served(self, source: Source) -> Prompt:
        """This prompt, marked as coming from `source`."""
        return self if source == self.source else self._with(Prompt, "source", source)

    def _with(self, kind: type[PromptT], field_name: str, value: object) -> PromptT:
        # dataclasses.replace would take longer than the rest of a cached get.
        copy = object.__new__(kind)
        fields = copy.__dict__
        fields.update(self.__dict__)
        fields[field_name] = value
        return copy


@dataclass(frozen=True)
class CompiledPrompt(Prompt):
    """A prompt that was requested with variables: `compiled_prompt` is always set."""

    compiled_prompt: str = ""


_FIELDS = {
    "promptId": str,
    "name": str,
    "version": str,
    "prompt": str,
    "tags": list,
    "metaProperties": dict,
}
_CONTENT = {
    "type": str,
    "messages": list,
    "variables": dict,
    "model": str,
    "config": dict,
    "output": dict,
    "tools": list,
    "includes": list,
}


_VERSION = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}")


def check_asked(result: Mapping[str, object], asked: Mapping[str, object]) -> None:
    """Check that a reply has the prompt that was asked for. Raises UnavailableError (`invalid_reply`)."""
    for name in ("name", "promptId", "version"):
        if asked.get(name) is not None and result.get(name) != asked[name]:
            raise invalid_reply("The reply has another prompt or version.")


def read_prompt(result: Mapping[str, object], strict: Strict = False) -> Prompt:
    """A prompt from the service's `res`. Raises UnavailableError (`invalid_reply`)."""
    content = {name: result[name] for name in _CONTENT if result.get(name) is not None}
    fits = all(isinstance(result.get(name), kind) for name, kind in _FIELDS.items())
    fits = fits and all(isinstance(value, _CONTENT[name]) for name, value in content.items())
    known = cast("dict[str, Any]", result)
    if not (fits and are_messages(content.get("messages", [])) and _VERSION.fullmatch(known["version"])):
        raise invalid_reply("The reply contains no prompt.")
    return Prompt(
        prompt_id=known["promptId"],
        name=known["name"],
        version=known["version"],
        tags=tuple(str(tag) for tag in known["tags"]),
        prompt=known["prompt"],
        model=cast("str | None", content.get("model")),
        _metadata=json.dumps(known["metaProperties"]),
        _content=json.dumps(content),
        _strict=strict,
    )


def fallback_prompt(fallback: Fallback, name: str | None, prompt_id: str | None, strict: Strict) -> Prompt:
    """A prompt from the caller's own text or messages; it has no version."""
    text = fallback if isinstance(fallback, str) else json.dumps(list(fallback), ensure_ascii=False)
    return Prompt(
        prompt_id=prompt_id or "",
        name=name or "",
        version="",
        tags=(),
        prompt=text,
        source="fallback",
        _content="{}" if isinstance(fallback, str) else json.dumps({"messages": list(fallback)}),
        _strict=strict,
    )
