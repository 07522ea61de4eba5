"""LiteLLM prompt management: completion(..., prompt_id="support-reply", prompt_variables={...}, prompt_label=...)."""

from __future__ import annotations

from typing import Any

from litellm.integrations.custom_prompt_management import CustomPromptManagement

from cuevault import Cuevault


class CuevaultPrompts(CustomPromptManagement):
    """Puts the prompt before the messages. Register it once: litellm.callbacks = [CuevaultPrompts(client)]."""

    def __init__(self, cuevault: Cuevault) -> None:
        super().__init__()
        self._cuevault = cuevault

    # acompletion calls this too, in a thread: an additional async hook would add the prompt twice.
    def get_chat_completion_prompt(
        self,
        *,
        model: str,
        messages: list[Any],
        non_default_params: dict[str, Any],
        prompt_id: str | None,
        prompt_variables: dict[str, Any] | None,
        prompt_label: str | None = None,
        **_: object,
    ) -> tuple[str, list[Any], dict[str, Any]]:
        if prompt_id is None:
            return model, messages, non_default_params
        prompt = self._cuevault.prompts.get(prompt_id, label=prompt_label, variables=prompt_variables or {})
        return model, [{"role": "system", "content": prompt.compiled_prompt}, *messages], non_default_params
