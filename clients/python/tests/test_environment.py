from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuevault.environment import set_environment, unset_of


def test_every_ordinary_name_is_set_and_no_dangerous_one(vectors: Callable[[str], Any]) -> None:
    shared = vectors("environment.json")
    assert unset_of(dict.fromkeys(shared["ordinary"], "v"), windows=True) == {}
    assert list(unset_of(dict.fromkeys(shared["dangerous"], "v"), windows=False)) == shared["dangerous"]


def test_sets_what_every_client_sets(vectors: Callable[[str], Any]) -> None:
    for case in vectors("environment.json")["cases"]:
        for windows in (True, False):
            if case.get("platform") in (None, "windows" if windows else "posix"):
                unset = unset_of(case["secrets"], allow=case.get("allow", ()), windows=windows)
                assert list(unset) == case["notSet"], case["title"]


def test_the_others_arrive_in_the_environment_and_the_rest_is_named(vectors: Callable[[str], Any]) -> None:
    for case in vectors("environment.json")["cases"]:
        if case.get("platform") != "windows":
            environment: dict[str, str] = {"TEST_A": "inherited"}
            notset = set_environment(case["secrets"], allow=case.get("allow", ()), environment=environment)
            assert notset == case["notSet"], case["title"]
            chosen = {name: value for name, value in case["secrets"].items() if name not in notset}
            assert environment == {"TEST_A": "inherited", **chosen}
