from __future__ import annotations

import json
import stat
import time
from pathlib import Path
from typing import Any, Callable

import httpx
import pytest

from cuevault import (
    AuthenticationError,
    CachePolicy,
    CuevaultError,
    Notice,
    OfflineCopy,
    Secrets,
    UnavailableError,
)
from cuevault.offline import OfflineCopies, copy_name
from drivers import MakeDriver
from service import API_KEY, URL, FakeService, failure, ok

DOWN = failure(503, "unavailable")


def test_opens_what_every_client_writes(vectors: Callable[[str], Any], tmp_path: Path) -> None:
    vector = vectors("offline.json")
    name = copy_name(vector["url"], vector["key"], vector["tags"])
    assert name == vector["cacheKey"]
    (tmp_path / vector["fileName"]).write_text(json.dumps(vector["file"]))
    age = time.time() - vector["file"]["savedAt"] / 1000
    found = OfflineCopies(OfflineCopy(tmp_path, age + 60), vector["apiKey"]).load(name)
    assert (found, found and found.source) == (vector["secrets"], "offline")
    assert OfflineCopies(OfflineCopy(tmp_path, age - 60), vector["apiKey"]).load(name) is None


def test_while_the_service_is_out_of_order_the_copy_answers_another_client(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    service.will(ok({"A": "1"}), ok({"B": "2"}), DOWN)
    place = OfflineCopy(tmp_path / "new" / "folder")
    first = make(offline=place)
    assert first.secrets().source == "service"
    assert first.secret("B") == "2"
    later = make(offline=place)
    found = later.secrets()
    assert (found, found.source) == ({"A": "1"}, "offline")
    assert 0 <= found.age < 60
    assert later.secret("B") == "2"
    with pytest.raises(UnavailableError):
        later.secrets(tags=["other"])


def test_a_copy_is_one_file_that_only_its_owner_reads(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    service.will(ok({"A": "a value of the vault"}))
    make(offline=OfflineCopy(tmp_path / "copies")).secrets()
    (file,) = (tmp_path / "copies").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    contents = file.read_text()
    assert "a value of the vault" not in contents
    assert API_KEY not in contents
    assert sorted(json.loads(contents)) == ["data", "iv", "salt", "savedAt", "tag", "v"]


@pytest.mark.parametrize("part", ["salt", "iv", "tag", "data", "savedAt", "v"])
def test_a_copy_that_was_changed_or_cut_does_not_open(tmp_path: Path, part: str) -> None:
    copies, name = OfflineCopies(OfflineCopy(tmp_path), API_KEY), copy_name(URL, None, [])
    copies.save(name, Secrets({"A": "1"}))
    (file,) = tmp_path.iterdir()
    fields = json.loads(file.read_text())
    for wrong in ("AAAA", None, float("inf")):
        file.write_text(json.dumps({**fields, part: wrong}))
        assert copies.load(name) is None
    file.write_text(json.dumps(fields)[:-20])
    assert copies.load(name) is None


def test_a_copy_beyond_its_age_limit_cannot_be_made_younger(tmp_path: Path) -> None:
    copies, name = OfflineCopies(OfflineCopy(tmp_path, 60), API_KEY), copy_name(URL, None, [])
    copies.save(name, Secrets({"A": "1"}, fetched_at=time.time() - 61))
    assert copies.load(name) is None
    assert OfflineCopies(OfflineCopy(tmp_path, 120), API_KEY).load(name) == {"A": "1"}
    (file,) = tmp_path.iterdir()
    file.write_text(json.dumps({**json.loads(file.read_text()), "savedAt": int(time.time() * 1000)}))
    assert copies.load(name) is None


def test_a_copy_opens_for_its_own_key_address_and_filter_alone(tmp_path: Path) -> None:
    place, name = OfflineCopy(tmp_path), copy_name(URL, None, [])
    OfflineCopies(place, API_KEY).save(name, Secrets({"A": "1"}))
    assert OfflineCopies(place, API_KEY).load(name) == {"A": "1"}
    assert OfflineCopies(place, API_KEY + "x").load(name) is None
    (file,) = tmp_path.iterdir()
    for other in (
        copy_name("https://other.example", None, []),
        copy_name(URL, "A", []),
        copy_name(URL, None, ["t"]),
    ):
        copies = OfflineCopies(place, API_KEY)
        assert copies.load(other) is None
        copies._path(other).write_bytes(file.read_bytes())
        assert copies.load(other) is None


@pytest.mark.parametrize("refusal", [failure(401, "unauthenticated"), failure(404, "secret_not_found")])
def test_a_refusal_deletes_the_copy(
    make: MakeDriver, service: FakeService, tmp_path: Path, refusal: httpx.Response
) -> None:
    service.will(ok({"A": "1"}), refusal, DOWN)
    client = make(offline=OfflineCopy(tmp_path))
    client.secrets()
    with pytest.raises(CuevaultError):
        client.secrets()
    assert list(tmp_path.iterdir()) == []


def test_a_refusal_is_never_answered_by_the_copy(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    service.will(ok({"A": "1"}), failure(401, "unauthenticated"))
    client = make(offline=OfflineCopy(tmp_path))
    client.secrets()
    with pytest.raises(AuthenticationError):
        client.secrets()


def test_a_copy_that_cannot_be_written_is_a_warning(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    service.will(ok({"A": "1"}))
    (tmp_path / "file").write_text("")
    client = make(offline=OfflineCopy(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="could not be written"):
        assert client.secrets() == {"A": "1"}


def test_without_the_extra_a_clear_error(make: MakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cuevault.sealing", None)
    with pytest.raises(CuevaultError, match=r"cuevault\[offline\]") as caught:
        make(offline=OfflineCopy("somewhere"))
    assert caught.value.code == "configuration"


def test_old_secrets_are_told_with_their_age_and_the_reason(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    told: list[Notice] = []
    service.will(ok({"A": "hidden"}), DOWN)
    place = OfflineCopy(tmp_path)
    kept = make(cache=CachePolicy(secrets=0.001), offline=place, on_warning=told.append)
    assert kept.secret("A") == "hidden"
    assert told == []
    time.sleep(0.01)
    assert kept.secret("A") == "hidden"
    assert make(offline=place, on_warning=told.append).secret("A") == "hidden"
    assert [notice.kind for notice in told] == ["stale", "offline"]
    for notice in told:
        assert isinstance(notice.error, UnavailableError)
        assert notice.age is not None
        assert 0.01 <= notice.age < 60
        assert "hidden" not in repr(notice)


def test_a_copy_that_cannot_be_written_is_told_to_whoever_listens(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    told: list[Notice] = []
    service.will(ok({"A": "1"}))
    (tmp_path / "file").write_text("")
    assert make(offline=OfflineCopy(tmp_path / "file"), on_warning=told.append).secrets() == {"A": "1"}
    assert [(notice.kind, notice.age) for notice in told] == [("offline_failed", None)]
    assert isinstance(told[0].error, OSError)


@pytest.mark.parametrize("age", [0.0, -1.0, float("nan")])
def test_an_age_that_cannot_work_is_refused(tmp_path: Path, age: float) -> None:
    with pytest.raises(CuevaultError) as caught:
        OfflineCopy(tmp_path, age)
    assert caught.value.code == "configuration"
