"""What mypy (with the rest) and pyright (test_typing.py) must accept, with the types that they must infer."""

from __future__ import annotations

from cuevault import AsyncCuevault, CompiledPrompt, Cuevault, Prompt


def blocking(client: Cuevault) -> tuple[str, str, str | None, Prompt]:
    with_variables: str = client.prompts.get("greeting", variables={"user": "Ada"}).compiled_prompt
    strict: CompiledPrompt = client.prompts.get(prompt_id="p", label="production", strict=True)
    without: str | None = client.prompts.get("greeting", version="1.0.0", timeout=1.0).compiled_prompt
    maybe: dict[str, object] | None = None
    either: Prompt = client.prompts.get("greeting", variables=maybe, fallback="Hi", ttl=5)
    return with_variables, strict.compiled_prompt, without, either


async def on_asyncio(client: AsyncCuevault) -> str:
    prompt = await client.prompts.get("greeting", variables={"user": "Ada"}, strict="exact")
    return prompt.compiled_prompt


def refused(client: Cuevault) -> None:
    client.prompts.get("greeting", verson="1.0.0")  # type: ignore[call-overload]
    text: str = client.prompts.get("greeting").compiled_prompt  # type: ignore[assignment]
    print(text)
