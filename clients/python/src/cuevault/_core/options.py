"""The options of `prompts.get` that do not change the type of its result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from ..prompts import Fallback


class PromptOptions(TypedDict, total=False):
    """See Prompts.get."""

    prompt_id: str | None
    version: str | None
    label: str | None
    fallback: Fallback | None
    meta_properties: Mapping[str, object] | None
    fresh: bool
    timeout: float | None
    ttl: float | None
