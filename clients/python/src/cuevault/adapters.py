"""From a compiled prompt to the request of a provider's SDK: pure functions without dependencies.

openai.chat.completions.create(**to_openai(prompt))
anthropic.messages.create(**to_anthropic(prompt, model="claude-haiku-4-5", max_tokens=1024))

Of a prompt's `config`, parameters of sampling and reasoning pass, and what the application names in `allow`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import takewhile
from typing import Any

from .errors import invalid_call
from .prompts import Prompt

_OPENAI = {"topP": "top_p", "maxOutputTokens": "max_completion_tokens", "stopSequences": "stop"}
_ANTHROPIC = {
    "topP": "top_p",
    "topK": "top_k",
    "maxOutputTokens": "max_tokens",
    "stopSequences": "stop_sequences",
}


# They decide where a request goes, with which credentials, and what else the model can reach.
_TRANSPORT = frozenset(
    "extra_headers extra_body extra_query headers base_url api_base api_key timeout mcp_servers".split()
)
# https://platform.openai.com/docs/api-reference/chat/create
_OPENAI_PASSED = frozenset(
    "temperature top_p max_completion_tokens max_tokens stop seed frequency_penalty presence_penalty logit_bias "
    "logprobs top_logprobs reasoning_effort verbosity".split()
)
# https://platform.claude.com/docs/en/api/messages; of "output_config", only "effort" passes.
_ANTHROPIC_PASSED = frozenset("temperature top_p top_k max_tokens stop_sequences thinking".split())


def _is_system(message: object) -> bool:
    role = message.get("role") if isinstance(message, Mapping) else getattr(message, "role", None)
    return role in ("system", "developer")


def _messages_of(prompt: Prompt) -> list[Any]:
    """The messages of a prompt; a text is one message of the user. Raises InvalidRequestError."""
    if prompt.compiled_messages is not None:
        return list(prompt.compiled_messages)
    if prompt.compiled_prompt is None:
        raise invalid_call("The prompt is not compiled: pass variables or placeholders to prompts.get.")
    return [{"role": "user", "content": prompt.compiled_prompt}]


def _parts_of(prompt: Prompt, provider: str) -> tuple[list[str], list[Any]]:
    """The contents of the system messages with which the template begins, and the other messages.

    Messages of a list that was inserted are never among the first: its content may come from users. Raises
    InvalidRequestError for a system message elsewhere.
    """
    every = _messages_of(prompt)
    count = len(list(takewhile(_is_system, prompt.messages or ())))
    rest = every[count:]
    if any(map(_is_system, rest)):
        raise invalid_call(f"{provider} takes system messages only at the beginning of the template.")
    return [str(message["content"]) for message in every[:count]], rest


def _config_of(
    prompt: Prompt, names: Mapping[str, str], passed: Collection[str], allow: Collection[str]
) -> dict[str, Any]:
    """What passes of the configuration, with the provider's names. Raises InvalidRequestError for `allow`."""
    never = sorted(_TRANSPORT.intersection(allow))
    if never:
        raise invalid_call(
            f'"allow" cannot name {never[0]}: it would let the prompt decide where the request goes.'
        )
    renamed = [(names.get(name, name), value, name in allow) for name, value in prompt.config.items()]
    return {name: value for name, value, allowed in renamed if allowed or name in passed}


def _request(
    prompt: Prompt, provider: str, config: Mapping[str, Any], fields: dict[str, Any]
) -> dict[str, Any]:
    model = fields.get("model", prompt.model)
    if model is None:
        raise invalid_call('The prompt names no model: pass it, as in model="...".')
    return {**config, **fields, "model": str(model).removeprefix(f"{provider}/")}


def _openai_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    renamed = {"parameters" if name == "inputSchema" else name: value for name, value in tool.items()}
    return {"type": "function", "function": renamed}


def to_openai(prompt: Prompt, *, allow: Collection[str] = (), **overrides: Any) -> dict[str, Any]:
    """The arguments for OpenAI's `chat.completions.create`; `overrides` replace those of the prompt, such as `model`.

    `allow` names further fields of `config`. Raises InvalidRequestError for a prompt that is not compiled or names no
    model, and for a system or developer message in a list that the application inserted.
    """
    messages = _messages_of(prompt)
    if sum(map(_is_system, messages)) > sum(map(_is_system, prompt.messages or ())):
        raise invalid_call("A list of inserted messages contains a system or developer message.")
    fields: dict[str, Any] = {"messages": messages}
    schema = (prompt.output or {}).get("schema")
    if schema is not None:
        fields["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "output", "schema": schema},
        }
    if prompt.tools:
        fields["tools"] = [_openai_tool(tool) for tool in prompt.tools]
    config = _config_of(prompt, _OPENAI, _OPENAI_PASSED, allow)
    return _request(prompt, "openai", config, {**fields, **overrides})


def _anthropic_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in tool.items() if name != "inputSchema"}
    return {**rest, "input_schema": {"type": "object", **tool.get("inputSchema", {})}}


def to_anthropic(prompt: Prompt, *, allow: Collection[str] = (), **overrides: Any) -> dict[str, Any]:
    """The arguments for Anthropic's `messages.create`, with the leading system messages in `system`.

    `overrides` replace those of the prompt, such as `model` and `max_tokens`; `allow` names further fields of `config`.
    Raises InvalidRequestError for a prompt that is not compiled, names no model, or has no `maxOutputTokens`; for a
    system message that is empty or not at the beginning of the template.
    """
    system, rest = _parts_of(prompt, "Anthropic")
    if not all(text.strip() for text in system):
        raise invalid_call("Anthropic takes no empty system message.")
    fields: dict[str, Any] = {"messages": rest}
    if system:
        fields["system"] = [{"type": "text", "text": text} for text in system]
    output = prompt.config.get("output_config")
    if isinstance(output, Mapping) and "effort" in output:
        fields["output_config"] = {"effort": output["effort"]}
    schema = (prompt.output or {}).get("schema")
    if schema is not None:
        form = {"type": "json_schema", "schema": schema}
        fields["output_config"] = {**fields.get("output_config", {}), "format": form}
    if prompt.tools:
        fields["tools"] = [_anthropic_tool(tool) for tool in prompt.tools]
    config = _config_of(prompt, _ANTHROPIC, _ANTHROPIC_PASSED, allow)
    request = _request(prompt, "anthropic", config, {**fields, **overrides})
    if "max_tokens" not in request:
        raise invalid_call("Anthropic needs maxOutputTokens in the config of the prompt, or max_tokens.")
    return request
