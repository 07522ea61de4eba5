"""An OpenAI chat completion with a chat of Cuevault and the conversation so far."""

from __future__ import annotations

from collections.abc import Sequence

from openai import OpenAI

from cuevault import Cuevault
from cuevault.adapters import to_openai


def reply(cuevault: Cuevault, openai: OpenAI, question: str, history: Sequence[object] = ()) -> str:
    prompt = cuevault.prompts.get(
        "assistant", variables={"question": question}, placeholders={"history": history}
    )
    request = to_openai(prompt, model=prompt.model or "gpt-4o-mini")
    completion = openai.chat.completions.create(
        **request, metadata={"prompt": prompt.name, "prompt_version": prompt.version}
    )
    return completion.choices[0].message.content or ""


if __name__ == "__main__":
    vault = Cuevault(label="production", strict=True)
    print(reply(vault, OpenAI(api_key=vault.secrets.get("OPENAI_API_KEY")), "How do I reset my password?"))
