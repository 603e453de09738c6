"""Exports, imports and verification over HTTP."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from replay.access import operators
from replay.book import Book
from replay.formats.archive import writer
from replay.formats.archive.reader import verify_archive
from replay.formats.pictures.stills import check_extra
from replay.store import open_store
from service.settings import Settings
from tests.paths import FIXTURES
from tests.replay.store.tampering import run_unguarded
from tests.service.conftest import Api, OpenedMatch, bearer, serve

ACCEPTS_GZIP = {"Accept-Encoding": "gzip"}

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
SECRET = "S=FR.,M=..F,L=LLF,pass=2L"
RECORD = "application/x-plybook-record"
ARCHIVE = "application/x-plybook-archive"
COMMENTED = FIXTURES / "poptrix/commented.ply"
GOOD = '[Game "poptrix"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n\n1. M@c1 2. S@c6 (2. L@c6) *\n'
BAD = '[Game "poptrix"]\n\n1. M@c1 2. M@c1 *\n'


@pytest.fixture
def match(api: Any) -> Any:
    opened = api.open(players={"1": "Jet"})
    api.play(opened.id, opened.host, *MOVES)
    return opened


@pytest.fixture
def other() -> Iterator[Api]:
    with serve(Settings(longest_import=2000, events_per_match=3)) as api:
        yield api


def send(api: Any, text: str | bytes, kind: str = "text/plain", path: str = "/records") -> Any:
    content = text if isinstance(text, bytes) else text.encode()
    return api.post(path, content=content, headers={"Content-Type": kind})


def record(api: Any, match: str, query: str = "", **headers: str) -> Any:
    return api.get(f"/matches/{match}/record{query}", headers=headers)


@pytest.mark.parametrize(
    ("accept", "media_type", "begins"),
    [
        ("", RECORD, b'[Game "poptrix"]'),
        ("*/*", RECORD, b'[Game "poptrix"]'),
        ("text/plain", "text/plain", b'[Game "poptrix"]'),
        (ARCHIVE, ARCHIVE, b'{"format":"plybook archive"'),
        ("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "text/html", b"<!doctype html>"),
        ("image/*", "image/svg+xml", b"<svg"),
        ("image/svg+xml;q=0, text/*;q=0.1", "text/plain", b"[Game"),
        ("audio/ogg, */*;q=0.1", RECORD, b"[Game"),
    ],
)
def test_record_is_sent_in_the_accepted_format(api, match, accept, media_type, begins):
    answer = record(api, match.id, Accept=accept) if accept else record(api, match.id)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].partition(";")[0] == media_type
    assert answer.content.lower().startswith(begins.lower())
    assert "Accept" in answer.headers["vary"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("ply", 'attachment; filename="poptrix-{}.ply"'),
        ("archive", 'attachment; filename="poptrix-{}.plybook"'),
        ("html", 'attachment; filename="poptrix-{}.html"'),
        ("sheet", 'attachment; filename="poptrix-{}-sheet.html"'),
        ("svg", 'inline; filename="poptrix-{}.svg"'),
    ],
)
def test_format_names_the_file(api, match, name, file):
    answer = record(api, match.id, f"?format={name}", Accept="application/json")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == file.format(match.id)


def test_sheet_opens_as_a_page(api, match):
    answer = api.get(f"/m/{match.id}/sheet")
    assert answer.headers["content-type"].partition(";")[0] == "text/html"
    assert "content-disposition" not in answer.headers
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; style-src")
    assert answer.content == record(api, match.id, "?format=sheet").content
    known = {"If-None-Match": answer.headers["etag"]}
    assert api.get(f"/m/{match.id}/sheet", headers=known).status_code == 304


def test_picture_of_a_ply_has_its_drawings(api, match):
    body = {"ply": 2, "label": "d4=A"}
    assert "A</text>" not in record(api, match.id, "?format=svg&ply=2").text
    api.post(f"/matches/{match.id}/annotations", json=body, headers=match.host)
    assert "A</text>" in record(api, match.id, "?format=svg&ply=2").text
    assert "A</text>" not in record(api, match.id, "?format=svg").text
    for name in ("png", "card", "gif"):
        answer = record(api, match.id, f"?format={name}&ply=2")
        assert answer.status_code in (200, 501)
        kind = name.replace("card", "png")
        assert answer.headers["content-type"] in (f"image/{kind}", "application/problem+json")


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("gif", None), ("png", None), ("card", None), ("svg", "gzip"), ("html", "gzip")],
)
def test_pictures_are_not_compressed_again(api, match, name, encoding):
    pytest.importorskip("resvg_py")
    found = api.get(f"/matches/{match.id}/record?format={name}", headers=ACCEPTS_GZIP)
    assert (found.status_code, found.headers.get("content-encoding")) == (200, encoding)
    assert int(found.headers["content-length"]) > 400


def test_pictures_without_their_extra_are_a_501(api, match, monkeypatch):
    check_extra.cache_clear()
    monkeypatch.setattr("replay.formats.pictures.stills._missing", lambda modules: ["PIL"])
    answer = record(api, match.id, "?format=png")
    assert (answer.status_code, ".[pictures]" in answer.json()["detail"]) == (501, True)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?format=pdf", 400),
        ("?format=ply&ply=2", 400),
        ("?ply=2", 400),
        ("?format=svg&ply=5", 404),
    ],
)
def test_impossible_file_is_refused(api, match, query, status):
    assert record(api, match.id, query).status_code == status
    assert record(api, match.id, Accept="audio/ogg").status_code == 406


@pytest.mark.parametrize("name", ["ply", "archive", "html", "sheet", "svg"])
@pytest.mark.parametrize("who", ["nobody", "seat", "host"])
def test_no_file_contains_a_sealed_move(api, name, who):
    match = api.open("pyramid-ball")
    api.play(match.id, match.seats["1"], f"1:{SECRET}")
    bearers: dict[str, dict[str, str]] = {
        "nobody": {},
        "seat": match.seats["1"],
        "host": match.host,
    }
    answer = record(api, match.id, f"?format={name}", **bearers[who])
    assert answer.status_code == 200
    for part in ("FR.", "..F", "LLF"):
        assert part not in answer.text


def test_archive_has_the_forks_its_caller_may_see(api):
    match = api.open(visibility="public")
    api.play(match.id, match.host, *MOVES)

    def fork(of: str, who: dict[str, str], **body: Any) -> Any:
        return api.post(f"/matches/{of}/forks", json={"ply": 2} | body, headers=who).json()

    own = fork(match.id, {}, kind="match")
    shown, hidden = fork(match.id, {}), fork(match.id, {})
    api.post(f"/matches/{hidden['match']}/hide", headers=match.host)

    def ids(of: str, **who: str) -> set[str]:
        lines = record(api, of, "?format=archive", **who).text.splitlines()
        return {head["match"] for head in json.loads(lines[-1])["heads"]}

    assert ids(match.id) == {match.id, shown["match"]}
    assert ids(own["match"]) == {match.id, own["match"]}
    private = {"visibility": "private"}
    api.client.put(f"/matches/{match.id}/visibility", json=private, headers=match.host)
    assert record(api, own["match"], "?format=archive").status_code == 403
    assert record(api, own["match"]).status_code == 200


def test_good_records_are_stored_and_bad_ones_reported(api):
    answer = send(api, GOOD + "\n" + BAD)
    assert answer.status_code == 201, answer.text
    body = answer.json()
    (made,), (fault,) = body["matches"], body["faults"]
    assert (made["record"], made["events"], made["variations"]) == (1, 2, 1)
    assert (fault["record"], fault["line"], fault["text"]) == (2, 9, "M@c1")
    assert fault["clause"].startswith("POP-")
    host = bearer(made["tokens"]["host"])
    assert api.play(made["match"], host, "c1>L@c3").status_code == 200
    assert api.get(f"/matches/{made['match']}").json()["players"] == {"1": "Jet", "2": "Red"}
    assert answer.headers["cache-control"] == "no-store"


def test_dry_run_and_a_check_store_nothing(api):
    for path in ("/records?dry_run=true", "/records/check"):
        answer = send(api, GOOD + "\n" + BAD, RECORD, path)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert body["stored"] is False
        assert (body["matches"][0]["match"], body["matches"][0]["tokens"]) == (None, None)
        assert [fault["line"] for fault in body["faults"]] == [9]
    assert api.get("/stats").json() == {"games": []}


def test_import_without_good_records_is_400(api):
    for text in (BAD, "", "hello"):
        answer = send(api, text)
        assert answer.status_code == 400
        assert answer.json()["faults"]
    assert send(api, b"\xff\xfe").status_code == 400


def test_export_is_imported_unchanged(api):
    (first, *_) = send(api, COMMENTED.read_bytes()).json()["matches"]
    text = record(api, first["match"]).text
    (again,) = send(api, text).json()["matches"]
    assert record(api, again["match"]).text == text


def test_archive_is_imported_elsewhere_and_verifies(api, match):
    api.post(f"/matches/{match.id}/forks", json={"ply": 2, "kind": "variation"})
    archive = record(api, match.id, "?format=archive").content
    with serve() as there:
        tried = send(there, archive, ARCHIVE, "/records?dry_run=true")
        assert (tried.status_code, len(tried.json()["matches"])) == (200, 2)
        assert there.get(f"/matches/{match.id}").status_code == 404
        made = send(there, archive, ARCHIVE)
        assert made.status_code == 201, made.text
        host = bearer(made.json()["matches"][0]["tokens"]["host"])
        heads = [each.get(f"/matches/{match.id}").json()["head"] for each in (api, there)]
        assert heads[0] == heads[1]
        assert there.get(f"/matches/{match.id}/verify").json()["ok"]
        assert there.play(match.id, host, "c3xc4").status_code == 200


def test_archive_cannot_write_into_an_existing_match(api, match):
    before = record(api, match.id, "?format=archive").content
    assert send(api, before, ARCHIVE).status_code == 409
    api.client.delete(f"/matches/{match.id}", headers=match.host)
    assert send(api, before, ARCHIVE).status_code == 409


MERGE = "/records?merge=true"


def test_archive_merged_twice_changes_nothing(api, match):
    archive = record(api, match.id, "?format=archive").content
    with serve() as there:
        keys = [
            {"Content-Type": ARCHIVE, "Idempotency-Key": letter * 32} for letter in ("a", "a", "b")
        ]
        made, retried, again = (there.post(MERGE, content=archive, headers=key) for key in keys)
        assert (made.status_code, made.json()["matches"][0]["match"]) == (201, match.id)
        assert made.json()["matches"][0]["tokens"]["host"]
        assert retried.json() == made.json()
        before = there.get(f"/matches/{match.id}").json()
        assert (again.status_code, again.json()["matches"][0]["tokens"]) == (201, None)
        assert send(there, archive, ARCHIVE, MERGE).json() == again.json()
        assert there.get(f"/matches/{match.id}").json() == before


def test_merged_archive_continues_a_match_for_its_host(api, match):
    archive = record(api, match.id, "?format=archive").content
    with serve() as there:
        tokens = send(there, archive, ARCHIVE).json()["matches"][0]["tokens"]
        api.play(match.id, match.host, "c3xc4")
        longer = record(api, match.id, "?format=archive").content
        for who in ({}, bearer(tokens["seats"]["1"]), bearer("a-key-of-another-match-0001")):
            refused = there.post(MERGE, content=longer, headers={"Content-Type": ARCHIVE, **who})
            assert (refused.status_code, refused.json()["code"]) == (409, "already-stored")
            assert "only its host may import its further events" in refused.json()["detail"]
        host = {"Content-Type": ARCHIVE, **bearer(tokens["host"])}
        assert there.post(MERGE, content=longer, headers=host).status_code == 201
        heads = [each.get(f"/matches/{match.id}").json()["head"] for each in (api, there)]
        assert heads[0] == heads[1]


def test_merged_archive_of_a_diverged_match_is_refused(api, match):
    archive = record(api, match.id, "?format=archive").content
    with serve() as there:
        tokens = send(there, archive, ARCHIVE).json()["matches"][0]["tokens"]
        there.play(match.id, bearer(tokens["host"]), "1:resign")
        api.play(match.id, match.host, "c3xc4")
        longer = record(api, match.id, "?format=archive").content
        host = {"Content-Type": ARCHIVE, **bearer(tokens["host"])}
        refused = there.post(MERGE, content=longer, headers=host)
        assert (refused.status_code, "diverged" in refused.json()["detail"]) == (409, True)


def test_merged_archive_restores_a_trashed_match(api, match):
    archive = record(api, match.id, "?format=archive").content
    api.client.delete(f"/matches/{match.id}", headers=match.host)
    sent = {"Content-Type": ARCHIVE}
    assert api.post(MERGE, content=archive, headers=sent).status_code == 201
    assert api.get(f"/matches/{match.id}").status_code == 404
    assert api.post(MERGE, content=archive, headers=sent | match.host).status_code == 201
    assert api.get(f"/matches/{match.id}").status_code == 200


def taken(api: Any, who: dict[str, str]) -> list[str]:
    """Return the matches in the archive of all that a caller may take along."""
    content = api.get("/archive", headers=who).content
    if content.count(b"\n") == 2:  # a reader refuses an archive without a match
        return []
    return [each.match for each in verify_archive(io.BytesIO(content)) if each.ok]


def test_archive_has_all_matches_of_the_caller(fresh):
    own = {"Authorization": "Bearer a-key-that-opens-my-matches"}
    mine = [fresh.post("/matches", json={"game": "poptrix"}, headers=own) for _ in range(2)]
    ids = [each.json()["match"] for each in mine]
    other = fresh.open(visibility="private")
    fork = fresh.fork(ids[0], own, ply=0, kind="variation")
    assert taken(fresh, {}) == []
    assert taken(fresh, own) == [*ids, fork.id]
    operator = bearer(operators.issue(fresh.book))
    assert taken(fresh, operator) == [*ids, other.id, fork.id]
    with serve() as there:
        content = fresh.get("/archive", headers=operator).content
        assert len(send(there, content, ARCHIVE, MERGE).json()["matches"]) == 4
        assert [*there.book.matches()]


def test_archive_of_too_many_matches_is_refused(fresh, monkeypatch):
    monkeypatch.setattr(writer, "MAX_MATCHES", 2)
    own = {"Authorization": "Bearer a-key-that-opens-my-matches"}
    for _ in range(3):
        fresh.post("/matches", json={"game": "poptrix"}, headers=own)
    for path in ("/archive", "/library/take-away"):
        answer = fresh.get(path, headers=own)
        assert (answer.status_code, "at most 2 matches" in answer.text) == (400, True)


def test_match_with_sealed_move_is_left_out(fresh):
    own = {"Authorization": "Bearer a-key-that-opens-my-matches"}
    body = {"game": "pyramid-ball"}
    match = OpenedMatch.of(fresh.post("/matches", json=body, headers=own))
    assert taken(fresh, own) == [match.id]
    fresh.play(match.id, match.seats["1"], f"1:{SECRET}")
    assert taken(fresh, own) == []


def test_tampered_archive_is_refused_with_its_line(api, match):
    archive = record(api, match.id, "?format=archive").content
    for wrong in (archive.replace(b'"c4"', b'"c5"'), archive[:-30], b"{}", b"\xff"):
        answer = send(api, wrong, ARCHIVE)
        assert answer.status_code == 400, answer.text
        assert answer.json()["line"] >= 1


def test_imported_text_has_a_bounded_type_and_size(api, other):
    for kind in ("", "image/png"):
        assert send(api, GOOD, kind).status_code == 415
    assert send(api, GOOD, ARCHIVE, "/records/check").status_code == 415
    long = GOOD + "{" + "a" * 100_000 + "}"
    assert send(api, long, path="/records/check").status_code == 200
    assert send(other, long, path="/records/check").status_code == 413
    assert send(api, GOOD * 101, path="/records/check").status_code == 400
    four = '[Game "poptrix"]\n\n1. M@c1 2. S@c6 3. c1>L@c3 4. c6>M@c4 *\n'
    assert send(other, GOOD).status_code == 201
    assert send(other, four).status_code == 400


def test_imported_matches_count_as_opened_ones():
    with serve(Settings(matches_per_hour=2)) as api:
        assert send(api, GOOD * 2).status_code == 201
        again = send(api, GOOD)
        assert again.status_code == 429
        assert int(again.headers["retry-after"]) > 0
        assert send(api, GOOD, path="/records/check").status_code == 200


def test_sound_match_verifies(api, match):
    told = api.get(f"/matches/{match.id}/verify").json()
    assert (told["ok"], told["events"], told["fault"]) == (True, 4, None)
    assert told["head"] == api.get(f"/matches/{match.id}").json()["head"]


def test_picture_calls_players_by_their_names(api):
    match = api.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    drawn = record(api, match.id, "?format=svg").text
    assert ">Jet</text>" in drawn
    assert not re.search(r"seat \d", drawn, re.IGNORECASE)


def test_archive_of_all_leaves_out_a_match_with_damaged_secrets(tmp_path):
    own = {"Authorization": "Bearer a-key-that-opens-my-matches"}
    path = tmp_path / "book.db"
    with serve(book=Book(open_store(path))) as there:
        body = {"game": "pyramid-ball"}
        torn, whole = (OpenedMatch.of(there.post("/matches", json=body, headers=own)) for _ in "12")
        there.play(torn.id, torn.seats["1"], f"1:{SECRET}")
        there.play(torn.id, torn.seats["2"], "2:S=LFF,M=RFF,L=RFB")
    run_unguarded(path, "UPDATE events SET version = 77 WHERE version = 1")
    assert left_out(path, own) == torn.id
    run_unguarded(path, f"UPDATE streams SET public_id = 'a\u20ac' WHERE public_id = '{torn.id}'")
    assert left_out(path, own) == r"a\u20ac"
    with serve(book=Book(open_store(path))) as there:
        assert whole.id in there.get("/archive", headers=own).text


def left_out(path, own):
    with serve(book=Book(open_store(path))) as there:
        answer = there.get("/archive", headers=own)
        assert answer.status_code == 200, answer.text
        return answer.headers["left-out"]
