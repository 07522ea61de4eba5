from __future__ import annotations

import os
from typing import Any, Callable

import pytest

from cuevault import CuevaultError
from cuevault.environment import DANGEROUS, offenders, set_environment


def test_the_list_of_dangerous_names_is_the_shared_one(vectors: Callable[[str], Any]) -> None:
    assert vectors("environment.json")["dangerous"] == DANGEROUS


def test_rejects_what_every_client_rejects(vectors: Callable[[str], Any]) -> None:
    for case in vectors("environment.json")["invalidCases"]:
        for windows in (True, False):
            if case.get("platform") in (None, "windows" if windows else "posix"):
                found = offenders(
                    case["secrets"],
                    allow_dangerous_names=case.get("allowDangerousNames", False),
                    windows=windows,
                )
                assert list(found) == case["offenders"], case["title"]


def test_accepts_what_every_client_accepts(vectors: Callable[[str], Any]) -> None:
    for case in vectors("environment.json")["validCases"]:
        for windows in (True, False):
            if case.get("platform") in (None, "windows" if windows else "posix"):
                found = offenders(
                    case["secrets"],
                    allow_dangerous_names=case.get("allowDangerousNames", False),
                    windows=windows,
                )
                assert found == {}, case["title"]


def test_all_are_set_or_none(vectors: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    before = dict(os.environ)
    for case in vectors("environment.json")["invalidCases"]:
        if case.get("platform") != "windows":
            with pytest.raises(CuevaultError) as caught:
                set_environment(case["secrets"], allow_dangerous_names=case.get("allowDangerousNames", False))
            assert caught.value.code == "configuration"
    assert os.environ == before


def test_the_error_names_the_rejected_secrets_and_shows_no_value() -> None:
    with pytest.raises(CuevaultError) as caught:
        set_environment({"A=B": "hidden-1", "LD_PRELOAD": "hidden-2", "GOOD": "hidden-3"})
    assert '"A=B"' in str(caught.value)
    assert '"LD_PRELOAD"' in str(caught.value)
    assert "hidden" not in str(caught.value)
    assert "GOOD" not in str(caught.value)


def test_the_error_shows_names_as_they_are_written() -> None:
    with pytest.raises(CuevaultError) as caught:
        set_environment({"clé=": "v", "日本=": "v", "A\ud800": "v"})
    assert [name in str(caught.value) for name in ('"clé="', '"日本="', '"A\\ud800"')] == [True] * 3


def test_values_arrive_in_a_real_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUEVAULT_TEST_VALUE", raising=False)
    set_environment({"CUEVAULT_TEST_VALUE": "two\nlines é $HOME 'quoted'"})
    assert os.environ.pop("CUEVAULT_TEST_VALUE") == "two\nlines é $HOME 'quoted'"
