from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuevault.environment import set_environment, unset_of


def test_every_ordinary_name_is_set_and_no_dangerous_one(vectors: Callable[[str], Any]) -> None:
    shared = vectors("environment.json")
    assert unset_of(dict.fromkeys(shared["ordinary"], "v"), windows=True) == {}
    assert list(unset_of(dict.fromkeys(shared["dangerous"], "v"), windows=False)) == shared["dangerous"]


def test_sets_what_every_client_sets_and_names_the_rest(vectors: Callable[[str], Any]) -> None:
    for case in vectors("environment.json")["cases"]:
        secrets, notset, allow = case["secrets"], case["notSet"], case.get("allow", ())
        if case.get("platform") != "posix":
            assert list(unset_of(secrets, allow=allow, windows=True)) == notset, case["title"]
        if case.get("platform") != "windows":
            environment = {"TEST_A": "inherited"}
            assert set_environment(secrets, allow=allow, environment=environment) == notset, case["title"]
            chosen = {name: value for name, value in secrets.items() if name not in notset}
            assert environment == {"TEST_A": "inherited", **chosen}
