"""Books, dumps, archives and text records of earlier versions still open, verify and read."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from litestar.testing import TestClient

from replay.book import Book
from replay.store import open_store
from service.app import create_app
from service.live.hook_deliveries import HookDeliverer
from tests.editions.first import FIRST, HOOK, SECOND
from tests.editions.story import Failed, answers, lines, match_story, runner
from tests.editions.third import plugged
from tests.paths import FIXTURES

VERIFIED = ("ok", "events", "head")
SEALED = ("dealt-again", "hearts", "pending", "typed", "whist")
"""Matches with hidden hands or programs: their archives verify, and are not imported yet."""
ILLEGAL = ("judged", "unjudged")
"""Matches that were recorded unjudged, with a move that `check` refuses."""
RENAMED = {"from_": "from", "token": "text", "tokens": "texts", "quiet": "unjudged"}
"""Fields with a new name: what they say is as before."""

VOLATILE = ("failures", "due", "tried", "delivered", "changed", "number", "next")
"""The calls of hooks, which go on, and the numbers of changes, which a copy counts anew."""
NO_TRICK = {"type": "row", "pieces": []}
"""A table without cards, in pictures without titles."""
GONE = ("/challenges",)
"""The routes that there are no more."""


class Edition(NamedTuple):
    """The folder of an edition, and what its version said about each match."""

    folder: Path
    expected: dict[str, Any]

    @property
    def names(self) -> dict[str, str]:
        return self.expected["names"]

    def named(self, ending: str) -> list[str]:
        """Return the matches with a file of this ending."""
        return sorted(
            each.stem for each in self.folder.glob(f"*.{ending}") if each.stem in self.names
        )


def load(name: str) -> Edition:
    folder = FIXTURES / f"{name}-edition"
    told = (folder / "expected.json").read_text(encoding="utf-8")
    # Effects called this field after a word of Python then.
    return Edition(folder, json.loads(told.replace('"from_":', '"from":')))


EDITIONS = {name: load(name) for name in ("first", "third")}
ON_POSTGRES = pytest.param("third", "book.sql", marks=pytest.mark.postgres)
RESTORED = [("first", "book.db"), ("third", "book.db"), ON_POSTGRES]


def files(ending: str, *editions: str) -> list[tuple[str, str]]:
    """Return the files with an ending: the edition and the match of each."""
    return [(each, name) for each in editions for name in EDITIONS[each].named(ending)]


@pytest.fixture(scope="module", autouse=True)
def games(tmp_path_factory):
    with plugged(tmp_path_factory.mktemp("site")):
        yield


def restore(request: pytest.FixtureRequest, edition: str, file: str, folder: Path) -> str:
    """Restore the book of an edition, in a file or on a server, and return where it is."""
    source = EDITIONS[edition].folder / file
    if source.suffix == ".db":
        return str(shutil.copy(source, folder))
    server = request.getfixturevalue("postgres")
    url = server.new_database()
    server.run(source.read_text(encoding="utf-8"), url)
    return url


@pytest.fixture(scope="module")
def books(request, tmp_path_factory):
    """Restore each book once for all tests that read it."""
    restored: dict[tuple[str, str], str] = {}

    def find(edition: str, file: str = "book.db") -> str:
        key = edition, file
        if key not in restored:
            restored[key] = restore(request, *key, tmp_path_factory.mktemp(edition))
        return restored[key]

    return find


@pytest.fixture(params=["first", "third"])
def edition(request: pytest.FixtureRequest) -> Edition:
    return EDITIONS[request.param]


@pytest.fixture
def client(edition: Edition, tmp_path: Path) -> Iterator[Any]:
    store = open_store(Path(shutil.copy(edition.folder / "book.db", tmp_path)))
    with closing(store), TestClient(create_app(Book(store))) as made:
        yield made


@pytest.mark.parametrize(("name", "file"), RESTORED)
def test_every_match_verifies_with_its_old_hashes(books, name, file):
    run, expected = runner(books(name, file)), EDITIONS[name].expected
    verified = sorted(lines(run, "verify"), key=lambda verdict: verdict["match"])
    assert {verdict.pop("people_head") for verdict in verified} == {None}
    assert verified == expected["verify"]
    assert all(verdict["ok"] for verdict in verified)
    assert "who played is not in the record before the next change of a name" in run("verify")
    # A list omits the times of clocks, which `show` has.
    trash = [{k: v for k, v in told.items() if k != "clocks"} for told in expected["trash"]]
    assert as_told(lines(run, "list", "--trash"), trash) == renamed(trash)


@pytest.mark.parametrize(("name", "file"), RESTORED)
def test_doctor_finds_the_migrated_book_sound(books, name, file):
    run = runner(books(name, file))
    run("list")  # any command brings a book up to date
    try:
        told = run("doctor", "--json")
    except Failed as failed:
        told = failed.args[-1]
    found = {each["check"]: each["verdict"] for each in map(json.loads, told.splitlines())}
    assert found.pop("schema") == "ok"
    if file == "book.sql":
        assert found.pop("durability") == "fault"  # the server of the tests has no fsync
    assert "fault" not in found.values()


@pytest.mark.parametrize(("name", "file"), RESTORED)
def test_matches_read_as_before(books, name, file):
    # The one intended difference: forks no longer list the retracted notes of their parent.
    run = runner(books(name, file))
    for match, expected in EDITIONS[name].expected["matches"].items():
        found = match_story(run, match)
        for part, value in expected.items():
            assert as_told(found[part], value) == renamed(value), (match, part)


def renamed(value: Any) -> Any:
    """Give the fields of a value their present names, without those that change by themselves."""
    if isinstance(value, dict):
        named = ((RENAMED.get(name, name), each) for name, each in value.items())
        return {name: renamed(each) for name, each in named if name not in VOLATILE}
    return list(map(renamed, value)) if isinstance(value, list) else value


def as_told(found: Any, expected: Any) -> Any:
    """Return the found values without the fields of later versions."""
    return _as_told(renamed(found), renamed(expected))


def _as_told(found: Any, expected: Any) -> Any:
    if expected == NO_TRICK:  # the last trick now lies there until the next lead
        return expected
    if isinstance(found, dict) and isinstance(expected, dict):
        found = former(found, expected) if {"rules", "head"} <= found.keys() else found
        return {name: _as_told(found[name], expected[name]) for name in expected if name in found}
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        return [_as_told(*both) for both in zip(found, expected, strict=True)]
    return found


def former(found: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a match as versions before this one wrote it."""
    if "fork" not in expected:  # over HTTP the name was that of the game
        return found | {each: value for each, value in expected.items() if each == "name"}
    unnamed = {
        seat: name for seat, name in expected["players"].items() if name in ("?", f"seat {seat}")
    }
    told = ("ply", "turn", "scene", "awaiting", "offered")
    gone = {each: expected[each] for each in ("clock", "clocks", "last") if each in expected}
    return {
        **gone,
        **found,
        **{each: expected[each] for each in ("unjudged",) if each in expected},  # was the header's
        "dice": found["dice"]["by"],
        "commitment": found["dice"]["commitment"],
        "seed": found["dice"]["seed"],
        "players": unnamed | found["players"],
        "at": expected.get("at", {}) | {each: found[each] for each in told if each in found},
    }


@pytest.mark.parametrize(("name", "file"), RESTORED[1:])
def test_every_caller_gets_the_same_answers(books, name, file, monkeypatch):
    monkeypatch.setattr(HookDeliverer, "start", lambda _: None)  # a delivery would change its hook
    expected = EDITIONS[name].expected
    with (
        closing(open_store(books(name, file))) as store,
        TestClient(create_app(Book(store))) as client,
    ):
        found = answers(client, expected["names"], expected["tokens"])
    still = {each: answer for each, answer in expected["http"].items() if not each.endswith(GONE)}
    for question, answer in still.items():
        assert as_told(found[question], answer) == renamed(answer), question


def test_book_verifies_in_a_process_without_the_plug_ins(tmp_path):
    book = shutil.copy(EDITIONS["third"].folder / "book.db", tmp_path)
    command = (sys.executable, "-m", "plybook", "--db", book, "verify", "--json")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = {each["match"]: each["head"] for each in map(json.loads, done.stdout.splitlines())}
    assert found == {each["match"]: each["head"] for each in EDITIONS["third"].expected["verify"]}


@pytest.mark.parametrize(("name", "match"), files("plybook", "first", "third"))
def test_archive_verifies_and_reads_as_in_the_book(tmp_path, name, match):
    run, expected = runner(tmp_path / "new.db"), EDITIONS[name].expected
    archive = EDITIONS[name].folder / f"{match}.plybook"
    heads = {one["match"]: one for one in expected["verify"]}
    for verdict in lines(run, "verify", archive):
        told = heads[verdict["match"]]
        assert [verdict[key] for key in VERIFIED] == [told[key] for key in VERIFIED]
    if match in SEALED:
        with pytest.raises(Failed, match="still sealed"):
            run("import", archive)
        return
    run("import", archive)
    number = expected["names"][match]
    if match == "trashed":
        return
    for part, arguments in COMMANDS.items():
        told = expected["matches"][number][part]
        assert as_told(lines(run, arguments[0], number, *arguments[1:]), told) == renamed(told), (
            part
        )


COMMANDS = {"line": ("log",), "log": ("log", "--all"), "annotations": ("annotations", "--history")}


@pytest.mark.parametrize(("name", "match"), files("ply", "first", "third"))
def test_text_record_is_valid_and_canonical(tmp_path, name, match):
    run, record = runner(tmp_path / "new.db"), EDITIONS[name].folder / f"{match}.ply"
    if match in ILLEGAL:
        with pytest.raises(Failed, match=r"c6>S@c5.*POP-3\.2"):
            run("check", record)
        return
    run("check", record)
    assert run("format", record) == record.read_text(encoding="utf-8")


def test_text_record_from_the_middle_is_valid(tmp_path):
    runner(tmp_path / "new.db")("check", EDITIONS["first"].folder / "set-up.ply")


@pytest.mark.parametrize(("name", "file"), RESTORED)
def test_text_records_are_exported_byte_for_byte(books, name, file):
    run, edition = runner(books(name, file)), EDITIONS[name]
    for match in edition.named("ply"):
        written = (edition.folder / f"{match}.ply").read_bytes()
        assert run("export", edition.names[match]).encode() == written, match


@pytest.mark.parametrize(("name", "file"), RESTORED[1:])
def test_archives_are_exported_byte_for_byte(books, name, file):
    run, edition = runner(books(name, file)), EDITIONS[name]
    for match in edition.named("plybook"):
        written = (edition.folder / f"{match}.plybook").read_text(encoding="utf-8")
        assert run("export", edition.names[match], "--format", "archive") == written, match


def test_tokens_open_the_same_matches(client, edition):
    pending, tokens = edition.names["pending"], edition.expected["tokens"]["pending"]
    assert client.get(f"/matches/{pending}").status_code == 401
    for token in (tokens["viewer"], tokens["seats"]["2"]):
        answer = client.get(f"/matches/{pending}/events", headers=bearer(token))
        assert answer.status_code == 200
        assert "FR." not in answer.text
    own = client.get(f"/matches/{pending}/events", headers=bearer(tokens["seats"]["1"]))
    assert own.json()["events"][0]["event"]["move"]["S"] == "FR."


def test_other_seats_move_reveals_the_sealed_one(client, edition):
    pending, tokens = edition.names["pending"], edition.expected["tokens"]["pending"]
    answer = client.post(
        f"/matches/{pending}/events",
        json={"events": [{"text": SECOND}]},
        headers=bearer(tokens["seats"]["2"]),
    )
    assert answer.status_code == 200, answer.text
    log = client.get(f"/matches/{pending}/events", headers=bearer(tokens["viewer"])).json()
    assert log["events"][0]["text"] == FIRST
    assert client.get(f"/matches/{pending}/verify", headers=bearer(tokens["host"])).json()["ok"]


def test_retry_of_an_old_event_stores_nothing(client, edition):
    revealed, tokens = edition.names["revealed"], edition.expected["tokens"]["revealed"]
    answer = client.post(
        f"/matches/{revealed}/events",
        json={"events": [{"text": FIRST, "id": "seat-1"}]},
        headers=bearer(tokens["seats"]["1"]),
    )
    assert answer.json()["version"] == 1
    log = client.get(f"/matches/{revealed}/events", headers=bearer(tokens["viewer"])).json()
    assert len(log["events"]) == 2


def test_hooks_are_kept(client, edition):
    pending, tokens = edition.names["pending"], edition.expected["tokens"]["pending"]
    found = client.get(f"/matches/{pending}/hooks", headers=bearer(tokens["host"])).json()
    assert [hook["url"] for hook in found["hooks"]] == [HOOK]


@pytest.mark.parametrize("edition", ["third"], indirect=True)
def test_dealt_match_goes_on_as_it_began(client, edition):
    name, tokens = edition.names["dealt-again"], edition.expected["tokens"]["dealt-again"]
    rolled = {"events": [{"roll": True}]}
    for seat in ("1", "2"):
        url, headers = f"/matches/{name}/events", bearer(tokens["seats"][seat])
        assert client.post(url, json=rolled, headers=headers).is_success
    assert client.get(f"/matches/{name}/verify", headers=bearer(tokens["host"])).json()["ok"]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
