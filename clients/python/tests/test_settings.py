from __future__ import annotations

import pytest

from cuevault import Cuevault, CuevaultError
from cuevault.cli.main import main
from support.drivers import Read
from support.http_server import secrets_server, serve

NOT_AN_ADDRESS = "must be like https://vault.example.com"


@pytest.mark.parametrize(
    "url",
    [
        "http://a..b",
        f"http://{'a' * 70}.example",
        "http://a b",
        "http://a\nb",
        "http://@127.0.0.1",
    ],
)
def test_an_invalid_address_is_a_configuration_error(read: Read, url: str) -> None:
    with pytest.raises(CuevaultError, match=NOT_AN_ADDRESS) as caught:
        read(url)
    assert caught.value.code == "configuration"


UNUSABLE = [
    ("ALL_PROXY", "socks5://127.0.0.1:9", "httpx[socks]"),
    ("ALL_PROXY", "ftp://user:hidden@127.0.0.1", "ALL_PROXY"),
    ("SSL_CERT_FILE", "/nonexistent", "SSL_CERT_FILE or SSL_CERT_DIR names cannot be read (ENOENT)"),
    ("SSL_CERT_FILE", __file__, "SSL_CERT_FILE or SSL_CERT_DIR names cannot be read (NO_CERTIFICATE"),
]


@pytest.mark.parametrize(("name", "value", "says"), UNUSABLE)
def test_an_invalid_proxy_or_certificate_file_is_a_configuration_error(
    read: Read, monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(CuevaultError) as caught:
        read("https://cuevault.example")
    assert caught.value.code == "configuration"
    assert says in str(caught.value)
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("proxy", ["http://user:hidden@a..b", "http://user:hidden@127.0.0.1:99999"])
def test_a_proxy_that_nobody_can_connect_to_is_an_error_of_this_package(
    read: Read, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(CuevaultError) as caught:
        read("https://cuevault.example")
    # Which layer reports it differs between systems.
    assert caught.value.code in ("configuration", "connection_failed")
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "says"), [*UNUSABLE, ("CUEVAULT_URL", "http://a..b", NOT_AN_ADDRESS)]
)
def test_the_command_line_says_it_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, says: str
) -> None:
    variables = {"CUEVAULT_URL": "https://cuevault.example", "CUEVAULT_API_KEY": "cue_right", name: value}
    for variable, text in variables.items():
        monkeypatch.setenv(variable, text)
    monkeypatch.setattr("cuevault.cli.run.hand_over", lambda *_: 0)
    assert main(["run", "--", "true"]) == 2
    out, err = capsys.readouterr()
    assert (out, err[:10], err.count("\n")) == ("", "cuevault: ", 1)
    assert says in err


def test_an_option_of_another_class_is_rejected() -> None:
    with pytest.raises(CuevaultError) as caught:
        Cuevault(offline="folder")  # type: ignore[arg-type]
    assert caught.value.code == "configuration"


def test_no_proxy_gets_calls_to_this_machine(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    with serve(asked.append) as proxy, serve(secrets_server({"A": "1"})) as url:
        monkeypatch.setenv("HTTP_PROXY", proxy)
        monkeypatch.setenv("ALL_PROXY", proxy)
        assert read(url) == {"A": "1"}
    assert asked == []
