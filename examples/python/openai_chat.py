"""An OpenAI chat completion with a Cuevault prompt. The prompt's metadata can name the model."""

from __future__ import annotations

from openai import OpenAI

from cuevault import Cuevault


def reply(cuevault: Cuevault, openai: OpenAI, question: str) -> str:
    prompt = cuevault.prompts.get("support-reply", variables={"question": question})
    completion = openai.chat.completions.create(
        model=str(prompt.meta_properties.get("model", "gpt-4o-mini")),
        messages=[{"role": "user", "content": prompt.compiled_prompt}],
        metadata={"prompt": prompt.name, "prompt_version": prompt.version},
    )
    return completion.choices[0].message.content or ""


if __name__ == "__main__":
    vault = Cuevault(label="production", strict=True)
    print(reply(vault, OpenAI(api_key=vault.secrets.get("OPENAI_API_KEY")), "How do I reset my password?"))
