"""Prompts and secrets from a Cuevault service.

    from cuevault import Cuevault

    prompt = Cuevault().prompts.get("greeting", variables={"user": "Ada"})

The address and the API key come from the environment variables CUEVAULT_URL and CUEVAULT_API_KEY.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._core.answers import Source
from ._core.cache import CachePolicy
from ._core.offline import OfflineCopy
from ._sync.client import Cuevault
from .errors import (
    AuthenticationError,
    CuevaultError,
    CuevaultTimeoutError,
    ErrorCode,
    InvalidRequestError,
    MissingVariablesError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    UnavailableError,
)
from .events import Event
from .helpers import PromptEnvelope, SecretsEnvelope, get_prompt, get_secrets
from .prompts import CompiledPrompt, Prompt
from .templates import Strict, compile_template
from .vault import Secrets
from .version import __version__

if TYPE_CHECKING:
    from ._async.client import AsyncCuevault

__all__ = [
    "AsyncCuevault",
    "AuthenticationError",
    "CachePolicy",
    "CompiledPrompt",
    "Cuevault",
    "CuevaultError",
    "CuevaultTimeoutError",
    "ErrorCode",
    "Event",
    "InvalidRequestError",
    "MissingVariablesError",
    "NotFoundError",
    "OfflineCopy",
    "PermissionDeniedError",
    "Prompt",
    "PromptEnvelope",
    "RateLimitedError",
    "Secrets",
    "SecretsEnvelope",
    "Source",
    "Strict",
    "UnavailableError",
    "__version__",
    "compile_template",
    "get_prompt",
    "get_secrets",
]


def __getattr__(name: str) -> object:
    """Import asyncio only if it is used: it takes longer than the rest of this package."""
    if name == "AsyncCuevault":
        from ._async.client import AsyncCuevault  # noqa: PLC0415 - that is the point

        return AsyncCuevault
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
