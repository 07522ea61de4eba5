from __future__ import annotations

import pickle

import cuevault
from cuevault import (
    CuevaultTimeoutError,
    MissingVariablesError,
    NotFoundError,
    RateLimitedError,
)


def test_a_timeout_is_also_pythons_timeout_error() -> None:
    assert issubclass(CuevaultTimeoutError, TimeoutError)


def test_every_error_can_be_pickled() -> None:
    errors = [
        NotFoundError("Gone.", code="prompt_not_found", status=404, request_id="r"),
        CuevaultTimeoutError("Slow.", code="timeout"),
        RateLimitedError("Wait.", code="rate_limited", retry_after=2.5),
        MissingVariablesError(["a", "b"]),
    ]
    for error in errors:
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error)
        assert (str(copy), copy.__dict__) == (str(error), error.__dict__)


def test_the_exported_names_are_the_documented_ones() -> None:
    assert sorted(cuevault.__all__) == [
        "AsyncCuevault", "AuthenticationError", "CachePolicy", "CompiledPrompt", "Cuevault", "CuevaultError",
        "CuevaultTimeoutError", "ErrorCode", "Event", "InvalidRequestError", "MissingVariablesError", "NotFoundError",
        "OfflineCopy", "PermissionDeniedError", "Prompt", "PromptEnvelope", "RateLimitedError",
        "Secrets", "SecretsEnvelope", "Source", "Strict", "UnavailableError", "__version__", "compile_template",
        "get_prompt", "get_secrets",
    ]  # fmt: skip
    assert all(hasattr(cuevault, name) for name in cuevault.__all__)
