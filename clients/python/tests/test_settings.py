from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import httpx
import pytest

from cuevault import AsyncCuevault, CachePolicy, Cuevault, CuevaultError, RetryPolicy, compile_template
from support.cli import cuevault, environment
from support.drivers import MakeDriver
from support.http_server import secrets_server, serve
from support.reading import ONCE, Read, both
from support.service import API_KEY, URL, FakeService, ok, prompt

NOT_AN_ADDRESS = "must be like https://cuevault.example.com"


@both
def test_spaces_around_the_address_are_ignored(read: Read) -> None:
    with serve(secrets_server({"A": "1"})) as url:
        assert read(f" {url}/\n", ONCE) == {"A": "1"}


@both
@pytest.mark.parametrize(
    "url",
    [
        "http://a..b",
        f"http://{'a' * 70}.example",
        "http://a b",
        "http://a\nb",
        "http://127.0.0.1:99999",
        "http://127.0.0.1/?",
        "http://127.0.0.1/#",
        "http://@127.0.0.1",
    ],
)
def test_an_invalid_address_is_a_configuration_error(read: Read, url: str) -> None:
    with pytest.raises(CuevaultError, match=NOT_AN_ADDRESS) as caught:
        read(url, ONCE)
    assert caught.value.code == "configuration"


UNUSABLE = [
    ("ALL_PROXY", "socks5://127.0.0.1:9", "httpx[socks]"),
    ("ALL_PROXY", "ftp://user:hidden@127.0.0.1", "ALL_PROXY"),
    ("SSL_CERT_FILE", "/nonexistent", "SSL_CERT_FILE or SSL_CERT_DIR names cannot be read (ENOENT)"),
    ("SSL_CERT_FILE", __file__, "SSL_CERT_FILE or SSL_CERT_DIR names cannot be read (NO_CERTIFICATE"),
]


@both
@pytest.mark.parametrize(("name", "value", "says"), UNUSABLE)
def test_an_invalid_proxy_or_certificate_file_is_a_configuration_error(
    read: Read, monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(CuevaultError) as caught:
        read("https://cuevault.example", ONCE)
    assert caught.value.code == "configuration"
    assert says in str(caught.value)
    assert "hidden" not in str(caught.value)


@both
@pytest.mark.parametrize("proxy", ["http://user:hidden@a..b", "http://user:hidden@127.0.0.1:99999"])
def test_a_proxy_that_nobody_can_connect_to_is_an_error_of_this_package(
    read: Read, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(CuevaultError) as caught:
        read("https://cuevault.example", ONCE)
    # Which layer reports it differs between systems.
    assert caught.value.code in ("configuration", "connection_failed")
    assert "hidden" not in str(caught.value)


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    for name, value, says in [*UNUSABLE, ("CUEVAULT_URL", "http://a..b", NOT_AN_ADDRESS)]:
        env = {**environment("https://cuevault.example"), name: value}
        done = cuevault(["run", "--", "touch", str(ran)], env)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith("cuevault: ")
        assert says in done.stderr
    assert not ran.exists()


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, -1.0, "5"])
@pytest.mark.parametrize("name", ["timeout", "total_timeout", "base", "cap"])
def test_invalid_times_are_rejected(name: str, value: Any) -> None:
    with pytest.raises(CuevaultError) as caught:
        RetryPolicy(**{name: value})
    assert caught.value.code == "configuration"


@pytest.mark.parametrize(
    "options", [{"timeout": 0}, {"total_timeout": 0}, {"retries": -1}, {"retries": math.inf}]
)
def test_zero_times_and_negative_retries_are_rejected(options: dict[str, Any]) -> None:
    with pytest.raises(CuevaultError) as caught:
        RetryPolicy(**options)
    assert caught.value.code == "configuration"


def test_times_beyond_what_sockets_can_wait_for_are_accepted() -> None:
    policy = RetryPolicy(timeout=1e10, total_timeout=1e300)
    with serve(secrets_server({"A": "1"})) as url, Cuevault(url, "cue_right", retry=policy) as client:
        assert client.secrets.all() == {"A": "1"}


@pytest.mark.parametrize("key", [None, "", 5, ["A"]])
def test_a_secret_without_a_key_is_not_requested(key: Any) -> None:
    asked: list[object] = []
    with serve(asked.append) as url:
        with Cuevault(url, "cue_right", retry=ONCE) as client, pytest.raises(CuevaultError) as caught:
            client.secrets.get(key)
        assert caught.value.code == "invalid_request"

        async def get() -> str:
            async with AsyncCuevault(url, "cue_right", retry=ONCE) as client:
                return await client.secrets.get(key)

        with pytest.raises(CuevaultError) as caught:
            asyncio.run(get())
        assert caught.value.code == "invalid_request"
    assert asked == []


def test_an_invalid_cache_is_rejected() -> None:
    with pytest.raises(CuevaultError):
        CachePolicy(latest=math.nan)


@pytest.mark.parametrize("tags", [None, "llm", 7])
def test_a_filter_that_is_none_or_no_list_does_not_return_everything(
    make: MakeDriver, service: FakeService, tags: Any
) -> None:
    client = make()
    with pytest.raises(CuevaultError) as caught:
        client.secrets(tags=tags)
    assert (caught.value.code, service.requests) == ("invalid_request", [])


def test_the_environment_is_read_at_the_first_call_and_the_key_may_be_in_a_file(
    service: FakeService, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    service.will(ok({"A": "1"}))
    client = Cuevault(URL, transport=service)
    with pytest.raises(CuevaultError, match="CUEVAULT_API_KEY_FILE") as caught:
        client.secrets.all()
    assert (caught.value.code, service.requests) == ("configuration", [])
    file = tmp_path / "key"
    monkeypatch.setenv("CUEVAULT_API_KEY_FILE", str(file))
    with pytest.raises(CuevaultError, match=r"cannot be read \(ENOENT\)"):
        client.secrets.all()
    file.write_text(f"{API_KEY}\r\n")
    assert client.secrets.all() == {"A": "1"}
    monkeypatch.delenv("CUEVAULT_API_KEY_FILE")
    assert client.secrets.all() == {"A": "1"}
    assert service.requests[0].headers["authorization"] == f"Bearer {API_KEY}"


def test_the_label_of_a_read_is_its_own_else_the_clients_else_that_of_the_environment(
    make: MakeDriver, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.will(prompt())
    monkeypatch.setenv("CUEVAULT_LABEL", "staging")
    client = make(label="production")
    for options in ({}, {"label": "test"}, {"version": "1.0.0"}, {"version": "latest"}):
        client.prompt("a", **options)
    make().prompt("a")
    monkeypatch.delenv("CUEVAULT_LABEL")
    make().prompt("a")
    assert [{**service.body(number), "name": None} for number in range(6)] == [
        {"name": None, "label": "production"},
        {"name": None, "label": "test"},
        {"name": None, "version": "1.0.0"},
        {"name": None},
        {"name": None, "label": "staging"},
        {"name": None},
    ]


def test_variables_that_are_no_mapping_are_rejected() -> None:
    with pytest.raises(CuevaultError, match="must be a mapping") as caught:
        compile_template("{{a}}", ["a"])  # type: ignore[arg-type]
    assert caught.value.code == "invalid_request"


def test_a_read_that_is_not_sent_during_an_outage_says_so(make: MakeDriver, service: FakeService) -> None:
    service.will(httpx.ConnectError("refused"))
    client, errors = make(retry=RetryPolicy(retries=0, rest=60)), []
    for _ in range(3):
        with pytest.raises(CuevaultError) as caught:
            client.secrets()
        errors.append(caught.value)
    unsent = f"{errors[0]} This call was not sent, because an earlier one failed in this way."
    assert [str(error) for error in errors[1:]] == [unsent, unsent]
    assert [error.code for error in errors] == ["connection_failed"] * 3
    assert errors[1] is not errors[2]


@both
def test_no_proxy_gets_calls_to_this_machine(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    with serve(asked.append) as proxy, serve(secrets_server({"A": "1"})) as url:
        monkeypatch.setenv("HTTP_PROXY", proxy)
        monkeypatch.setenv("ALL_PROXY", proxy)
        assert read(url, ONCE) == {"A": "1"}
    assert asked == []
