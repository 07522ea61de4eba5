from __future__ import annotations

import pickle

import httpx
import pytest

import cuevault
from cuevault import (
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
from support.drivers import MakeDriver
from support.service import FakeService, failure


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid_request", InvalidRequestError),
        (401, "unauthenticated", AuthenticationError),
        (403, "address_not_allowed", PermissionDeniedError),
        (403, "vault_stopped", PermissionDeniedError),
        (404, "prompt_not_found", NotFoundError),
        (409, "changed_meanwhile", InvalidRequestError),
        (413, "reply_too_large", InvalidRequestError),
        (429, "rate_limited", RateLimitedError),
        (500, "internal", UnavailableError),
        (503, "timeout", UnavailableError),
    ],
)
def test_each_status_has_its_error_with_code_sentence_and_request_id(
    make: MakeDriver, service: FakeService, status: int, code: str, kind: type[CuevaultError]
) -> None:
    service.will(failure(status, code))
    with pytest.raises(CuevaultError) as caught:
        make().prompt()
    error = caught.value
    assert type(error) is kind
    assert (error.status, error.code, error.request_id) == (status, code, "request-1")
    assert str(error) == f"It failed with {code}."


HTML = "<html>secret gateway</html>"


@pytest.mark.parametrize(
    ("response", "kind", "code"),
    [
        (httpx.Response(429, json={"message": "Too Many Requests"}), RateLimitedError, "rate_limited"),
        (
            httpx.Response(413, json={"message": "Request Entity Too Large"}),
            InvalidRequestError,
            "body_too_large",
        ),
        (httpx.Response(500, json={"message": "Internal Server Error"}), UnavailableError, "unavailable"),
        (httpx.Response(502, html=HTML), UnavailableError, "unavailable"),
        (httpx.Response(200, html=HTML), UnavailableError, "invalid_reply"),
        (httpx.Response(401, html=HTML), UnavailableError, "invalid_reply"),
        (httpx.Response(403, json={"message": "Forbidden"}), UnavailableError, "invalid_reply"),
        (httpx.Response(404, html=HTML), UnavailableError, "invalid_reply"),
        (
            httpx.Response(302, headers={"location": "https://elsewhere.example"}),
            UnavailableError,
            "invalid_reply",
        ),
        (httpx.Response(200, content=b'{"err": null, "res": {"promp'), UnavailableError, "invalid_reply"),
        (httpx.Response(200, content=b"[" * 100_000), UnavailableError, "invalid_reply"),
        (
            httpx.Response(200, json={"err": None, "res": {"name": "greeting"}}),
            UnavailableError,
            "invalid_reply",
        ),
        (httpx.Response(200, json={"err": None, "res": []}), UnavailableError, "invalid_reply"),
        (httpx.Response(200, json={"err": "No.", "res": None}), UnavailableError, "invalid_reply"),
        (httpx.Response(200, json={}), UnavailableError, "invalid_reply"),
    ],
)
def test_replies_that_are_not_the_services_own_become_the_right_error(
    make: MakeDriver, service: FakeService, response: httpx.Response, kind: type[CuevaultError], code: str
) -> None:
    service.will(response)
    with pytest.raises(CuevaultError) as caught:
        make().prompt()
    assert type(caught.value) is kind
    assert caught.value.code == code
    assert "secret" not in str(caught.value)


def test_the_content_type_does_not_matter(make: MakeDriver, service: FakeService) -> None:
    service.will(
        httpx.Response(200, headers={"content-type": "text/html"}, content=b'{"err":null,"res":{"A":"b"}}')
    )
    assert make().secrets() == {"A": "b"}


@pytest.mark.parametrize(
    ("raised", "kind", "code"),
    [
        (httpx.ConnectError("refused"), UnavailableError, "connection_failed"),
        (httpx.RemoteProtocolError("peer closed connection"), UnavailableError, "connection_failed"),
        (httpx.ReadTimeout("slow"), CuevaultTimeoutError, "timeout"),
        (httpx.DecodingError("not gzip"), UnavailableError, "invalid_reply"),
    ],
)
def test_connection_failures_become_the_right_error(
    make: MakeDriver, service: FakeService, raised: httpx.HTTPError, kind: type[CuevaultError], code: str
) -> None:
    service.will(raised)
    with pytest.raises(CuevaultError) as caught:
        make().prompt()
    assert type(caught.value) is kind
    assert (caught.value.code, caught.value.status) == (code, None)


def test_a_timeout_is_also_pythons_timeout_error() -> None:
    assert issubclass(CuevaultTimeoutError, TimeoutError)


def test_every_error_can_be_pickled() -> None:
    errors = [
        NotFoundError("Gone.", code="prompt_not_found", status=404, request_id="r"),
        CuevaultTimeoutError("Slow.", code="timeout"),
        RateLimitedError("Wait.", retry_after=2.5),
        MissingVariablesError(["a", "b"]),
    ]
    for error in errors:
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error)
        assert (str(copy), copy.__dict__) == (str(error), error.__dict__)


def test_the_exported_names_are_the_documented_ones() -> None:
    assert sorted(cuevault.__all__) == [
        "AsyncCuevault", "AuthenticationError", "CachePolicy", "CompiledPrompt", "Cuevault", "CuevaultError",
        "CuevaultTimeoutError", "Event", "InvalidRequestError", "MissingVariablesError", "NotFoundError",
        "OfflineCopy", "PermissionDeniedError", "Prompt", "PromptEnvelope", "RateLimitedError", "RetryPolicy",
        "Secrets", "SecretsEnvelope", "Source", "Strict", "UnavailableError", "__version__", "compile_template",
        "get_prompt", "get_secrets",
    ]  # fmt: skip
    assert all(hasattr(cuevault, name) for name in cuevault.__all__)
