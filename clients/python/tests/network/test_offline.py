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
    Event,
    OfflineCopy,
    RetryPolicy,
    Secrets,
    UnavailableError,
)
from cuevault._core.offline import OfflineCopies, copy_name
from cuevault.settings import Settings
from support.drivers import MakeDriver
from support.service import API_KEY, URL, FakeService, failure, ok

DOWN = failure(503, "unavailable")
ALL = (None, ())


def copies_of(copy: OfflineCopy, api_key: str = API_KEY, url: str = URL) -> OfflineCopies:
    return OfflineCopies(copy, Settings(url, api_key, RetryPolicy()))


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


def test_while_the_service_is_down_the_copy_answers_another_client(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    service.will(ok({"A": "1"}), ok({"B": "2"}), DOWN)
    copy = OfflineCopy(tmp_path / "new" / "folder")
    first = make(offline=copy)
    assert first.secrets().source == "service"
    assert first.secret("B") == "2"
    later = make(offline=copy)
    found = later.secrets()
    assert (found, found.source) == ({"A": "1"}, "offline")
    assert 0 <= found.age < 3_600
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
def test_a_changed_or_truncated_copy_cannot_be_decrypted(tmp_path: Path, part: str) -> None:
    copies = copies_of(OfflineCopy(tmp_path))
    assert copies.save(ALL, Secrets({"A": "1"}))
    (file,) = tmp_path.iterdir()
    fields = json.loads(file.read_text())
    for wrong in ("AAAA", None, float("inf")):
        file.write_text(json.dumps({**fields, part: wrong}))
        assert copies.load(ALL) is None
    file.write_text(json.dumps(fields)[:-20])
    assert copies.load(ALL) is None


def test_a_copy_beyond_its_age_limit_cannot_be_made_younger(tmp_path: Path) -> None:
    copies = copies_of(OfflineCopy(tmp_path, 3_600))
    copies.save(ALL, Secrets({"A": "1"}, fetched_at=time.time() - 3_601))
    assert copies.load(ALL) is None
    assert copies_of(OfflineCopy(tmp_path, 7_200)).load(ALL) == {"A": "1"}
    (file,) = tmp_path.iterdir()
    file.write_text(json.dumps({**json.loads(file.read_text()), "savedAt": int(time.time() * 1000)}))
    assert copies.load(ALL) is None


def test_a_copy_opens_only_for_its_own_key_address_and_filter(tmp_path: Path) -> None:
    copy = OfflineCopy(tmp_path)
    copies_of(copy).save(ALL, Secrets({"A": "1"}))
    assert copies_of(copy).load(ALL) == {"A": "1"}
    (file,) = tmp_path.iterdir()
    for copies, key in (
        (copies_of(copy, API_KEY + "x"), ALL),
        (copies_of(copy, url="https://other.example"), ALL),
        (copies_of(copy), ("A", ())),
        (copies_of(copy), (None, ("t",))),
    ):
        assert copies.load(key) is None
        copies.path(copies.name(key)).write_bytes(file.read_bytes())
        assert copies.load(key) is None


OTHER_KEYS = ["cue_Zz9dEf7h_another", API_KEY[:-1] + "x", "not-of-the-usual-form"]


@pytest.mark.parametrize("other", OTHER_KEYS)
def test_another_api_key_neither_replaces_nor_deletes_a_copy(
    make: MakeDriver, service: FakeService, tmp_path: Path, other: str
) -> None:
    service.will(ok({"A": "1"}), ok({"A": "of another key"}), failure(401, "unauthenticated"), DOWN)
    copy = OfflineCopy(tmp_path)
    make(offline=copy).secrets()
    stranger = make(offline=copy, api_key=other)
    stranger.secrets()
    with pytest.raises(AuthenticationError):
        stranger.secrets()
    assert make(offline=copy).secrets() == {"A": "1"}


def test_the_file_is_named_after_the_id_of_the_api_key(tmp_path: Path) -> None:
    for key, start in ((API_KEY, "Ab3dEf7h-"), ("cue_short_x", "key-"), ("cue_Ab3dEf7h", "key-")):
        copies = copies_of(OfflineCopy(tmp_path), key)
        assert copies.path(copies.name(ALL)).name.startswith(start)


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


def test_without_the_extra_the_error_names_it(make: MakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cuevault._core.sealing", None)
    with pytest.raises(CuevaultError, match=r"cuevault\[offline\]") as caught:
        make(offline=OfflineCopy("somewhere"))
    assert caught.value.code == "configuration"


def test_old_secrets_are_reported_with_their_age_and_the_reason(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    events: list[Event] = []
    service.will(ok({"A": "hidden"}), DOWN)
    copy = OfflineCopy(tmp_path)
    kept = make(cache=CachePolicy(secrets=0.001), offline=copy, on_event=events.append)
    assert kept.secret("A") == "hidden"
    time.sleep(0.01)
    assert kept.secret("A") == "hidden"
    assert make(offline=copy, on_event=events.append).secret("A") == "hidden"
    stale = [event for event in events if event.type == "stale_served"]
    assert [(event.origin, event.error) for event in stale] == [
        ("memory", "unavailable"),
        ("offline", "unavailable"),
    ]
    for event in stale:
        assert event.age is not None
        assert 0.01 <= event.age < 3_600
    assert "hidden" not in repr(events)


def test_a_copy_that_cannot_be_written_is_an_event(
    make: MakeDriver, service: FakeService, tmp_path: Path
) -> None:
    events: list[Event] = []
    service.will(ok({"A": "1"}))
    (tmp_path / "file").write_text("")
    assert make(offline=OfflineCopy(tmp_path / "file"), on_event=events.append).secrets() == {"A": "1"}
    assert events[-1] == Event("offline_failed", "secrets", error="offline_failed")


@pytest.mark.parametrize("age", [0.0, -1.0, float("nan")])
def test_an_invalid_age_is_rejected(tmp_path: Path, age: float) -> None:
    with pytest.raises(CuevaultError) as caught:
        OfflineCopy(tmp_path, age)
    assert caught.value.code == "configuration"
