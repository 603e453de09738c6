"""A book, archives and text records written by version 0.1.0 still open, verify and read."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from replay.book import Book
from replay.store import open_store
from service.app import create_app
from tests.first_edition.make import ARCHIVED, FIRST, HOOK, SECOND
from tests.first_edition.story import HERE, lines, runner, story

EXPECTED: dict[str, Any] = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
NAMES: dict[str, str] = EXPECTED["names"]
VERIFIED = ("ok", "events", "head")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copy(HERE / "book.db", tmp_path_factory.mktemp("first") / "book.db"))


@pytest.fixture(scope="module")
def read(book: Path) -> dict[str, Any]:
    return story(runner(book), list(EXPECTED["matches"]))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Any]]:
    store = open_store(Path(shutil.copy(HERE / "book.db", tmp_path / "served.db")))
    with TestClient(create_app(Book(store))) as made:
        yield made
    store.close()


def test_every_match_verifies_with_its_old_hashes(read):
    assert read["verify"] == EXPECTED["verify"]
    assert all(verdict["ok"] for verdict in read["verify"])
    # A list omits the times of clocks, which `show` has.
    expected = [{k: v for k, v in told.items() if k != "clocks"} for told in EXPECTED["trash"]]
    assert [
        {k: each[k] for k in told} for each, told in zip(read["trash"], expected, strict=True)
    ] == expected


@pytest.mark.parametrize("name", [name for name in NAMES if name != "trashed"])
def test_match_reads_as_before(read, name):
    # The one intended difference: forks no longer list the retracted notes of their parent.
    found, expected = read["matches"][NAMES[name]], EXPECTED["matches"][NAMES[name]]
    for part, value in expected.items():
        assert _as_told(found[part], value) == value, part


def _as_told(found: Any, expected: Any) -> Any:
    """Return the found values without the fields of later versions."""
    if isinstance(found, dict) and isinstance(expected, dict):
        told = {name: value for name, value in found.items() if name in expected}
        return {name: _as_told(value, expected[name]) for name, value in told.items()}
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        return [_as_told(*both) for both in zip(found, expected, strict=True)]
    return found


@pytest.mark.parametrize("name", ARCHIVED)
def test_archive_verifies_and_reads_as_in_the_book(tmp_path, name):
    run = runner(tmp_path / "new.db")
    archive = HERE / f"{name}.plybook"
    for verdict in lines(run, "verify", archive):
        (expected,) = (one for one in EXPECTED["verify"] if one["match"] == verdict["match"])
        assert [verdict[key] for key in VERIFIED] == [expected[key] for key in VERIFIED]
    run("import", archive)
    expected = EXPECTED["matches"][NAMES[name]]
    for part in ("line", "log", "annotations"):
        assert lines(run, *COMMANDS[part](NAMES[name])) == expected[part], part


COMMANDS = {
    "line": lambda match: ("log", match),
    "log": lambda match: ("log", match, "--all"),
    "annotations": lambda match: ("annotations", match, "--history"),
}


@pytest.mark.parametrize("name", [*ARCHIVED, "set-up"])
def test_text_record_is_valid_and_canonical(tmp_path, name):
    run, record = runner(tmp_path / "new.db"), HERE / f"{name}.ply"
    run("check", record)
    if name in ARCHIVED:
        assert run("format", record) == record.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ARCHIVED)
def test_text_record_is_exported_byte_for_byte(book, name):
    assert runner(book)("export", NAMES[name]).encode() == (HERE / f"{name}.ply").read_bytes()


def test_tokens_open_the_same_matches(client):
    pending, tokens = NAMES["pending"], EXPECTED["tokens"]["pending"]
    assert client.get(f"/matches/{pending}").status_code == 401
    for token in (tokens["viewer"], tokens["seats"]["2"]):
        answer = client.get(f"/matches/{pending}/events", headers=bearer(token))
        assert answer.status_code == 200
        assert "FR." not in answer.text
    own = client.get(f"/matches/{pending}/events", headers=bearer(tokens["seats"]["1"]))
    assert own.json()["events"][0]["event"]["move"]["S"] == "FR."


def test_other_seats_move_reveals_the_sealed_one(client):
    pending, tokens = NAMES["pending"], EXPECTED["tokens"]["pending"]
    answer = client.post(
        f"/matches/{pending}/events",
        json={"events": [{"token": SECOND}]},
        headers=bearer(tokens["seats"]["2"]),
    )
    assert answer.status_code == 200, answer.text
    log = client.get(f"/matches/{pending}/events", headers=bearer(tokens["viewer"])).json()
    assert log["events"][0]["token"] == FIRST
    assert client.get(f"/matches/{pending}/verify", headers=bearer(tokens["host"])).json()["ok"]


def test_retry_of_an_old_event_stores_nothing(client):
    revealed, tokens = NAMES["revealed"], EXPECTED["tokens"]["revealed"]
    answer = client.post(
        f"/matches/{revealed}/events",
        json={"events": [{"token": FIRST, "id": "seat-1"}]},
        headers=bearer(tokens["seats"]["1"]),
    )
    assert answer.json()["version"] == 1
    log = client.get(f"/matches/{revealed}/events", headers=bearer(tokens["viewer"])).json()
    assert len(log["events"]) == 2


def test_hooks_are_kept(client):
    pending, tokens = NAMES["pending"], EXPECTED["tokens"]["pending"]
    found = client.get(f"/matches/{pending}/hooks", headers=bearer(tokens["host"])).json()
    assert [hook["url"] for hook in found["hooks"]] == [HOOK]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
