from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest

from cuevault import AsyncCuevault, CachePolicy, Cuevault, CuevaultError, RetryPolicy
from support.cli import cuevault, environment
from support.http_server import secrets_server, serve
from support.reading import ONCE, Read, both

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
