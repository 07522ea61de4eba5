"""A Cuevault prompt as the first part of a LangChain chain: cuevault_prompt(client, "support-reply") | model."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.prompt_values import ChatPromptValue
from langchain_core.runnables import Runnable, RunnableLambda

from cuevault import Cuevault


def cuevault_prompt(
    cuevault: Cuevault, name: str, *, label: str | None = None
) -> Runnable[dict[str, Any], ChatPromptValue]:
    """Fetches the prompt for each run, usually from the cache, and fills in the variables."""

    def compile_prompt(variables: dict[str, Any]) -> ChatPromptValue:
        prompt = cuevault.prompts.get(name, label=label, variables=variables)
        return ChatPromptValue(messages=[HumanMessage(prompt.compiled_prompt)])

    # Not a LangChain template: those escape values or evaluate expressions.
    return RunnableLambda(compile_prompt, name=f"cuevault {name}")
