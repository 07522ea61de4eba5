from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cuevault import (
    CuevaultError,
    OfflineCopy,
)
from cuevault._core.offline import OfflineCopies, copy_name
from cuevault.settings import Settings
from support.drivers import MakeDriver
from support.service import API_KEY, URL, FakeService, ok


def copies_of(copy: OfflineCopy, api_key: str = API_KEY, url: str = URL) -> OfflineCopies:
    return OfflineCopies(copy, Settings(url, api_key))


def test_opens_what_every_client_writes(vectors: Callable[[str], Any], tmp_path: Path) -> None:
    vector = vectors("offline.json")
    name = copy_name(vector["url"], vector["key"], vector["tags"])
    assert name == vector["cacheKey"]
    (tmp_path / vector["fileName"]).write_text(json.dumps(vector["file"]))
    age = time.time() - vector["file"]["savedAt"] / 1000
    key = (vector["key"], tuple(sorted(set(vector["tags"]))))
    found = copies_of(OfflineCopy(tmp_path, age + 3_600), vector["apiKey"], vector["url"]).load(key)
    assert (found, found and found.source) == (vector["secrets"], "offline")
    assert copies_of(OfflineCopy(tmp_path, age - 3_600), vector["apiKey"], vector["url"]).load(key) is None


@pytest.mark.skipif(sys.platform == "win32", reason="owners of folders are not numbers there")
def test_copies_in_a_folder_of_another_user_are_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.getuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(CuevaultError, match=r"must belong to the user .* Use a folder of its own") as caught:
        copies_of(OfflineCopy(tmp_path))
    assert caught.value.code == "configuration"


def test_a_copy_that_cannot_be_written_is_a_warning(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    service.will(ok({"A": "1"}))
    (tmp_path / "file").write_text("")
    client = make(offline=OfflineCopy(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="could not be written"):
        assert client.secrets() == {"A": "1"}


def test_without_the_extra_the_error_names_it(make: MakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cuevault._core.sealing", None)
    with pytest.raises(CuevaultError, match="the extra `offline`") as caught:
        make(offline=OfflineCopy("somewhere"))
    assert caught.value.code == "configuration"
