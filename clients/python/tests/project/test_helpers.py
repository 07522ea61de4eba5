from __future__ import annotations

import inspect
from collections.abc import Callable

import httpx
import pytest

from cuevault import get_prompt, get_secrets
from support.service import API_KEY, URL, FakeService


@pytest.mark.parametrize(
    ("helper", "own"),
    [
        (get_secrets, ["key", "tags", "should_set_env"]),
        (
            get_prompt,
            ["name", "prompt_id", "version", "should_compile", "variables", "meta_properties"],
        ),
    ],
)
def test_the_parameters_are_those_of_the_contract(helper: Callable[..., object], own: list[str]) -> None:
    parameters = inspect.signature(helper).parameters.values()
    ordered = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert [p.name for p in ordered] == ["url", "api_key", *own]
    assert not any(p.default for p in ordered)


def test_without_an_address_the_local_one_is_called_and_a_failure_says_that_none_is_set(
    service: FakeService,
) -> None:
    service.will(httpx.ConnectError("refused"))
    envelope = get_secrets(api_key=API_KEY, max_retries=0, transport=service)
    assert str(service.requests[0].url).startswith("http://localhost:3000/")
    assert (envelope["err"] or "").endswith(" CUEVAULT_URL is not set; npm start starts one there.")


def test_not_even_a_fault_of_the_transport_or_the_arguments_is_raised() -> None:
    def broken(_: httpx.Request) -> httpx.Response:
        raise RuntimeError(f"with {API_KEY} in its text")

    transport = httpx.MockTransport(broken)
    assert get_secrets(URL, API_KEY, transport=transport) == {
        "err": "The call failed unexpectedly (RuntimeError).",
        "res": None,
    }
    assert get_secrets(URL, API_KEY, tags=7, transport=transport)["err"]  # type: ignore[arg-type]
    assert get_prompt(URL, API_KEY, "n", variables={"v": object()}, transport=transport)["err"]
