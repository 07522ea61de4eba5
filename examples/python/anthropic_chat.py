"""An Anthropic message with a chat of Cuevault and the conversation so far."""

from __future__ import annotations

from collections.abc import Sequence

from anthropic import Anthropic

from cuevault import Cuevault
from cuevault.adapters import to_anthropic


def reply(cuevault: Cuevault, anthropic: Anthropic, question: str, history: Sequence[object] = ()) -> str:
    prompt = cuevault.prompts.get(
        "assistant", variables={"question": question}, placeholders={"history": history}
    )
    request = to_anthropic(prompt, model=prompt.model or "claude-haiku-4-5", max_tokens=1000)
    message = anthropic.messages.create(**request)
    return "".join(block.text for block in message.content if block.type == "text")


if __name__ == "__main__":
    vault = Cuevault(label="production", strict=True)
    client = Anthropic(api_key=vault.secrets.get("ANTHROPIC_API_KEY"))
    print(reply(vault, client, "How do I reset my password?"))
