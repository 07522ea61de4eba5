"""Keys and values never show."""

from __future__ import annotations

import json
import pprint
import traceback

import httpx
import pytest

from cuevault import AsyncCuevault, Cuevault, CuevaultError, Secrets, get_secrets
from cuevault.settings import Settings
from support.drivers import MakeDriver
from support.service import API_KEY, URL, FakeService, failure, ok

VALUE = "a-value-of-the-vault"


def test_clients_show_no_key(service: FakeService) -> None:
    with Cuevault(URL, API_KEY, transport=service) as client:
        asyncio_client = AsyncCuevault(URL, API_KEY, transport=service)
        for thing in (client, asyncio_client, client.prompts, client.secrets):
            assert API_KEY not in repr(thing)
        assert [repr(client), repr(asyncio_client)] == [f"Cuevault({URL!r})", f"AsyncCuevault({URL!r})"]
    assert API_KEY not in repr(Settings(URL, API_KEY))


def test_secrets_show_no_values_but_are_a_dict() -> None:
    secrets = Secrets({"A": VALUE})
    shown = [
        repr(secrets),
        str(secrets),
        f"{secrets}",
        f"{secrets!r}",
        pprint.pformat(secrets),
        repr([secrets]),
    ]
    assert all(VALUE not in text for text in shown)
    assert json.loads(json.dumps(secrets)) == {"A": VALUE}
    assert {**secrets} == {"A": VALUE}


def test_the_envelope_shows_no_values_either(service: FakeService) -> None:
    service.will(ok({"A": VALUE}))
    envelope = get_secrets(URL, API_KEY, transport=service)
    assert VALUE not in repr(envelope)


@pytest.mark.parametrize(
    "fault",
    [
        httpx.ConnectError(f"refused {API_KEY} {VALUE}"),
        httpx.Response(200, content=f'{{"err": null, "res": {{"A": "{VALUE}"'.encode()),
        httpx.Response(200, json={"err": None, "res": {"A": [VALUE]}}),
        failure(401, "unauthenticated"),
    ],
)
def test_errors_and_their_tracebacks_show_nothing(
    make: MakeDriver, service: FakeService, fault: httpx.Response | httpx.HTTPError
) -> None:
    service.will(fault)
    with pytest.raises(CuevaultError) as caught:
        make(max_retries=0).secrets()
    text = "".join(traceback.format_exception(type(caught.value), caught.value, caught.value.__traceback__))
    assert API_KEY not in text
    assert VALUE not in text
