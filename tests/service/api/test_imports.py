"""The settings limit the size of an import, and the schema states the limit."""

from __future__ import annotations

import pytest

from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.referee.entering import play
from replay.referee.opening import open_match as create_match
from replay.registry import find
from service.settings import Settings
from tests.replay.formats.archive.families import archived, forged, former
from tests.replay.formats.ply.texts import OFFER, SLIP
from tests.service.conftest import bearer, serve

SMALL = Settings(variations_per_import=2, variation_depth=2, events_per_import=6)
HEAD = '[Game "poptrix"]\n\n'
TOO_MUCH = {
    "variations": ("M@c1 (M@b1) (M@d1) (M@a1) *", "column 20", "at most 2 variations"),
    "depth": ("M@c1 (M@b1 (M@d1 (M@a1))) *", "column 18", "at most 2 deep"),
    "events": ("M@c1 (M@b1 S@c6 b1>L@b3) S@c6 (S@a6) *", "column 32", "at most 6 events"),
}
TEXT = {"Content-Type": "text/plain"}


@pytest.fixture(scope="module")
def small():
    with serve(SMALL) as api:
        yield api


@pytest.mark.parametrize("path", ["/records", "/records?dry_run=true", "/records/check"])
@pytest.mark.parametrize("what", TOO_MUCH)
def test_record_beyond_limit_refuses_the_whole_import(small, path, what):
    moves, column, most = TOO_MUCH[what]
    answer = small.post(path, content=f"{HEAD}M@c1 *\n\n{HEAD}{moves}\n", headers=TEXT)
    assert answer.status_code == 400, answer.text
    detail = answer.json()["detail"]
    assert detail.startswith(f"record 2, line 7, {column}")
    assert most in detail
    assert list(small.client.app.state.book.matches()) == []


def test_archive_beyond_limit_is_refused_with_line(small):
    with serve() as elsewhere:
        record = f"{HEAD}M@c1 (M@b1) (M@d1) (M@a1) *\n"
        answer = elsewhere.post("/records", content=record, headers=TEXT)
        match = answer.json()["matches"][0]["match"]
        archive = elsewhere.get(f"/matches/{match}/record?format=archive").content
    sent = {"Content-Type": "application/x-plybook-archive"}
    answer = small.post("/records", content=archive, headers=sent)
    assert answer.status_code == 400
    assert "at most 2 variations" in answer.json()["detail"]
    assert answer.json()["line"] > 1


def test_by_default_thousands_of_forks_are_refused(api):
    record = f"{HEAD}M@c1 {'(M@b1) ' * 16_665} *"
    answer = api.post("/records", content=record, headers=TEXT)
    assert answer.status_code == 400
    assert "at most 500 variations" in answer.json()["detail"]


@pytest.mark.parametrize(("most", "status"), [(2, 400), (3, 201), (0, 201)])
def test_matches_of_one_import_are_limited(most, status):
    with serve(Settings(matches_per_import=most)) as api:
        answer = api.post("/records", content=f"{HEAD}M@c1 *\n\n" * 3, headers=TEXT)
    assert answer.status_code == status
    assert ("at most 2 records" in answer.text) == (most == 2)


def test_archive_of_many_variations_is_imported(fresh):
    record = f"{HEAD}M@c1 {'(M@b1) ' * 120} *"
    match = fresh.post("/records", content=record, headers=TEXT).json()["matches"][0]["match"]
    archive = fresh.get(f"/matches/{match}/record?format=archive").content
    with serve() as elsewhere:
        sent = {"Content-Type": "application/x-plybook-archive"}
        assert elsewhere.post("/records", content=archive, headers=sent).status_code == 201


@pytest.mark.parametrize("settings", [SMALL, Settings(), Settings(variation_depth=0)])
def test_schema_has_the_limits_in_force(settings):
    with serve(settings) as api:
        paths = api.get("/schema/openapi.json").json()["paths"]
    for path in ("/records", "/records/check"):
        assert paths[path]["post"]["requestBody"]["x-bounds"] == {
            "events_per_import": settings.events_per_import,
            "variations_per_import": settings.variations_per_import,
            "variation_depth": settings.variation_depth,
        }


@pytest.mark.parametrize("path", ["/records", "/records?dry_run=true", "/records/check"])
def test_records_are_accepted_as_json(api, path):
    record = f"{HEAD}M@c1 S@c6 *\n"
    plain = api.post(path, content=record, headers=TEXT)
    told = api.post(path, json={"records": record})
    assert told.status_code == plain.status_code, told.text
    assert [each["events"] for each in told.json()["matches"]] == [2]


def test_json_without_records_is_refused(api):
    for body, fault in (({}, "$.records"), ({"records": 1}, "$.records"), ({"x": 1}, "$.x")):
        answer = api.post("/records/check", json=body)
        assert (answer.status_code, answer.json()["path"]) == (400, fault)


def test_invalid_records_have_a_code(api):
    answer = api.post("/records", json={"records": f"{HEAD}M@c9 *\n"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-record")
    assert answer.json()["faults"][0]["line"]


@pytest.mark.parametrize("path", ["/records", "/records/check"])
def test_refusal_says_what_would_mend_the_record(api, path):
    answer = api.post(path, json={"records": SLIP}).json()
    assert OFFER in answer["faults"][0]["message"]


def test_all_faults_of_a_record_are_reported(api):
    text = '[Game "poptrix"]\n[Date "x"]\n\n1. M@c1 2. Z@z9 *\n'
    answer = api.client.post("/records", content=text, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 400
    assert [each["line"] for each in answer.json()["faults"]] == [2, 4]


STRANGE = '[Game "poptrix"]\n[Seat1 "\u202eAnn"]\n[Seat2 "Ben"]\n\n1. M@c1 {a\u200bb} *\n'


@pytest.mark.parametrize("path", ["/records", "/records?dry_run=true", "/records/check"])
def test_warnings_stand_beside_faults(fresh, path):
    answer = fresh.post(path, content=STRANGE.encode(), headers=TEXT).json()
    assert answer["faults"] == []
    assert answer["warnings"] == [
        {"record": 1, "line": 2, "column": 1,
         "message": "the tag Seat1: left out the invisible character U+202E"},
        {"record": 1, "line": 5, "column": 9,
         "message": "this comment: left out the invisible character U+200B"},
    ]  # fmt: skip


def test_archive_is_cleaned_with_warnings_and_merges_again(fresh):
    book = fresh.client.app.state.book
    record = play(book, create_match(book, find("poptrix"), players={1: "Ann"}), ["M@c1"])
    annotate(book, record, 1, Wording("abc"))
    lines = former(archived(book, record)).splitlines(keepends=True)
    dirty = [line.replace(b'"Ann"', '"\u202eAnn\\u001b"'.encode()) for line in lines]
    dirty = [line.replace(b'"abc"', '"a\u200bbc\\u0007"'.encode()) for line in dirty]
    archive = forged(dirty)
    with serve() as elsewhere:
        sent = {"Content-Type": "application/x-plybook-archive"}
        answer = elsewhere.post("/records", content=archive, headers=sent)
        told = answer.json()["warnings"]
        assert [(each["record"], each["line"]) for each in told] == [(1, 3), (1, 5)], answer.text
        assert told[1]["message"].endswith("left out the invisible character U+200B and 1 more")
        match, host = answer.json()["matches"][0]["match"], answer.json()["matches"][0]["tokens"]
        read = elsewhere.get(f"/matches/{match}/record?format=ply").text
        assert '[Seat1 "Ann"]' in read
        assert "{abc}" in read
        own = sent | {"Authorization": f"Bearer {host['host']}"}
        again = elsewhere.post("/records?merge=true", content=archive, headers=own)
        assert again.status_code == 201, again.text
    assert fresh.post("/records?merge=true", content=archive, headers=sent).status_code == 201


GROWING = '[Game "poptrix"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n[Event "Cup"]\n\n'


def send(api, movetext, token=None):
    text = f"{GROWING}{movetext} *\n"
    headers = TEXT | (bearer(token) if token else {})
    return api.post("/records", content=text, headers=headers).json()


def test_growing_record_goes_on_only_for_the_host(fresh):
    (first,) = send(fresh, "M@c1")["matches"]
    host, red = first["tokens"]["host"], first["tokens"]["seats"]["2"]
    grown = send(fresh, "M@c1 S@c6", host)
    (again,) = grown["matches"]
    assert (again["match"], again["continued"], again["tokens"]) == (first["match"], True, None)
    assert fresh.get(f"/matches/{first['match']}").json()["version"] == 2
    assert send(fresh, "M@c1 S@c6", host)["matches"] == [again]
    for token in (None, red):
        (other,) = send(fresh, "M@c1 S@c6 c1>L@c3", token)["matches"]
        assert other["match"] != first["match"]
        assert other["tokens"]
    assert fresh.get(f"/matches/{first['match']}").json()["version"] == 2


def test_match_that_begins_alike_is_told_if_it_is_public(fresh):
    (first,) = send(fresh, "M@c1")["matches"]
    assert send(fresh, "M@c1 S@c6")["warnings"] == []
    shown = {"visibility": "public"}
    path = f"/matches/{first['match']}/visibility"
    assert fresh.client.put(path, headers=bearer(first["tokens"]["host"]), json=shown).is_success
    (warning,) = send(fresh, "M@c1 S@d6")["warnings"]
    assert first["match"] in warning["message"]
