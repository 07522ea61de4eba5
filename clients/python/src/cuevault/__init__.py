"""Prompts and secrets from a Cuevault service.

    from cuevault import Cuevault

    prompt = Cuevault().prompts.get("greeting", variables={"user": "Ada"})

The address and the API key come from the environment variables CUEVAULT_URL and CUEVAULT_API_KEY.
"""

from __future__ import annotations

from .answers import Source
from .async_client import AsyncCuevault
from .cache import CachePolicy
from .client import Cuevault
from .errors import (
    AuthenticationError,
    CuevaultError,
    CuevaultTimeoutError,
    InvalidRequestError,
    MissingVariablesError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    UnavailableError,
)
from .helpers import PromptEnvelope, SecretsEnvelope, get_prompt, get_secrets
from .notices import Notice
from .offline import OfflineCopy
from .prompts import Prompt
from .settings import RetryPolicy
from .templates import compile_template
from .vault import Secrets
from .version import __version__

__all__ = [
    "AsyncCuevault",
    "AuthenticationError",
    "CachePolicy",
    "Cuevault",
    "CuevaultError",
    "CuevaultTimeoutError",
    "InvalidRequestError",
    "MissingVariablesError",
    "NotFoundError",
    "Notice",
    "OfflineCopy",
    "PermissionDeniedError",
    "Prompt",
    "PromptEnvelope",
    "RateLimitedError",
    "RetryPolicy",
    "Secrets",
    "SecretsEnvelope",
    "Source",
    "UnavailableError",
    "__version__",
    "compile_template",
    "get_prompt",
    "get_secrets",
]
