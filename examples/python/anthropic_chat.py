"""An Anthropic message with a Cuevault prompt as the system prompt."""

from __future__ import annotations

from anthropic import Anthropic

from cuevault import Cuevault


def reply(cuevault: Cuevault, anthropic: Anthropic, question: str) -> str:
    prompt = cuevault.prompts.get("support-reply", variables={"question": question})
    message = anthropic.messages.create(
        model=str(prompt.meta_properties.get("model", "claude-sonnet-4-5")),
        max_tokens=1000,
        system=prompt.compiled_prompt,
        messages=[{"role": "user", "content": question}],
    )
    return "".join(block.text for block in message.content if block.type == "text")


if __name__ == "__main__":
    vault = Cuevault(label="production", strict=True)
    client = Anthropic(api_key=vault.secrets.get("ANTHROPIC_API_KEY"))
    print(reply(vault, client, "How do I reset my password?"))
