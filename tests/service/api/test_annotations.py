"""Annotations over HTTP: entering, editing, retracting and repeating them."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from replay.annotations.current import count_notes
from tests.service.conftest import bearer

ARCHIVE = {"Content-Type": "application/x-plybook-archive"}
MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")


@pytest.fixture
def match(api: Any) -> Any:
    opened = api.open(players={"1": "Jet"})
    api.play(opened.id, opened.host, *MOVES)
    return opened


def say(api: Any, match: Any, who: dict[str, str], **body: Any) -> Any:
    return api.post(f"/matches/{match.id}/annotations", json=body, headers=who)


def said(api: Any, match: Any, query: str = "", **who: str) -> list[dict[str, Any]]:
    answer = api.get(f"/matches/{match.id}/annotations{query}", headers=who)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["annotations"]
    return found


def test_ply_takes_several_annotations_at_once(api, match):
    things = {"comment": "Far  from home", "glyph": "!?", "arrow": "a1-c3", "circle": "d4"}
    answer = say(api, match, match.host, ply=2, label="d4=A", **things)
    assert answer.status_code == 201, answer.text
    told = answer.json()["annotations"]
    assert [(each["kind"], each["text"]) for each in told] == [
        ("comment", "Far from home"),
        ("glyph", "!?"),
        ("arrow", "a1-c3"),
        ("circle", "d4"),
        ("label", "d4=A"),
    ]
    assert {(each["ply"], each["version"]) for each in told} == {(2, 2)}
    assert said(api, match) == told
    assert said(api, match, "?ply=1") == []
    assert api.get(f"/matches/{match.id}/annotations?ply=9").status_code == 404


def test_bookmark_stays_until_the_ply_has_a_comment(api, match):
    marked = say(api, match, match.seats["1"], ply=2, bookmark=True)
    assert marked.status_code == 201, marked.text
    (told,) = said(api, match)
    assert (told["kind"], told["text"], told["words"]) == ("bookmark", "", "to comment")
    assert say(api, match, match.host, ply=2, bookmark=True).status_code == 400
    assert say(api, match, match.host, ply=2, comment="the plan").status_code == 201
    assert [each["kind"] for each in said(api, match)] == ["comment"]


def test_annotations_are_listed_by_ply_and_survive_takebacks(api, match):
    for ply in (4, 0, 2):
        say(api, match, match.host, ply=ply, comment=f"at {ply}")
    assert [each["ply"] for each in said(api, match)] == [0, 2, 4]
    api.post(f"/matches/{match.id}/takeback", json={"ply": 3}, headers=match.host)
    assert [(each["ply"], each["version"]) for each in said(api, match)] == [
        (0, 0),
        (2, 2),
        (None, 4),
    ]


def test_only_the_host_names_an_author(api, match):
    say(api, match, match.seats["1"], ply=1, comment="mine")
    say(api, match, match.host, ply=1, comment="noted")
    say(api, match, match.host, ply=1, comment="seen", author="Teal")
    told = [(each["author"], each["player"]) for each in said(api, match)]
    assert told == [("seat 1", "Jet"), ("scorekeeper", None), ("Teal", None)]
    forged = say(api, match, match.seats["1"], ply=1, comment="x", author="Teal")
    assert (forged.status_code, forged.json()["path"]) == (403, "$.author")
    for role in ("Seat 1", "Host", "Scorekeeper"):
        refused = say(api, match, match.host, ply=1, comment="x", author=role)
        assert (refused.status_code, refused.json()["path"]) == (400, "$.author"), role
    erased = {"players": {"1": "", "2": ""}}
    api.client.patch(f"/matches/{match.id}/people", json=erased, headers=match.host)
    assert "Jet" not in api.get(f"/matches/{match.id}/annotations?history=true").text


def test_changed_and_retracted_annotation_keeps_its_history(api, match):
    (made,) = say(api, match, match.seats["1"], ply=1, comment="good").json()["annotations"]
    path = f"/matches/{match.id}/annotations/{made['id']}"
    reworded = api.client.patch(path, json={"comment": "better"}, headers=match.seats["1"])
    assert (reworded.json()["text"], reworded.json()["edited"]) == ("better", True)
    assert api.client.patch(path, json={"glyph": "!"}, headers=match.host).status_code == 400
    assert api.client.patch(path, json={}, headers=match.host).status_code == 400
    gone = api.client.delete(path, headers=match.host)
    assert (gone.status_code, gone.json()["text"]) == (200, None)
    assert said(api, match) == []
    (there,) = said(api, match, "?history=true", **match.host)
    assert [(each["text"], each["author"]) for each in there["history"]] == [
        ("good", "seat 1"),
        ("better", "seat 1"),
        (None, "scorekeeper"),
    ]
    assert api.client.delete(path, headers=match.host).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"comment": "   "}, 400),
        ({"comment": "x" * 10_001}, 400),
        ({"comment": "\u0000"}, 400),
        ({"glyph": "!!!"}, 400),
        ({"arrow": "a1-z9"}, 400),
        ({"arrow": "a1"}, 400),
        ({"circle": "nowhere"}, 400),
        ({"label": "d4=long"}, 400),
        ({"comment": 7}, 400),
        ({"bookmark": False}, 400),
        ({"bookmark": "yes"}, 400),
        ({"remark": "x"}, 400),
        ({"comment": "x", "ply": 9}, 404),
        ({"comment": "x", "ply": -1}, 400),
    ],
)
def test_invalid_annotations_are_refused(api, match, body, status):
    answer = say(api, match, match.host, **({"ply": 1} | body))
    assert answer.status_code == status, answer.text
    assert said(api, match) == []


def test_annotation_of_sealed_ply_reveals_no_move(api):
    match = api.open("pyramid-ball")
    api.play(match.id, match.seats["1"], "1:S=FR.,M=..F,L=LLF,pass=2L")
    assert say(api, match, match.seats["1"], ply=1, comment="wait for it").status_code == 201
    assert "FR." not in api.get(f"/matches/{match.id}/annotations").text


def test_only_author_and_host_see_retracted_comments(api, fresh, match):
    spoken = say(api, match, match.seats["1"], ply=2, comment="Ashamed").json()["annotations"]
    path = f"/matches/{match.id}/annotations"
    api.client.patch(f"{path}/{spoken[0]['id']}", json={"comment": "Sorry"}, headers=match.host)
    say(api, match, match.seats["2"], ply=2, comment="Proud")
    fork = api.post(f"/matches/{match.id}/forks", json={"ply": 3}).json()
    api.client.delete(f"{path}/{spoken[0]['id']}", headers=match.seats["1"])
    forked = f"/matches/{fork['match']}"
    strangers = [
        (f"/matches/{match.id}", {}),
        (f"/matches/{match.id}", match.seats["2"]),
        (forked, bearer(fork["tokens"]["host"])),
        *((forked, bearer(token)) for token in fork["tokens"]["seats"].values()),
    ]
    for where, who in strangers:
        for query in ("annotations?history=true", "record?format=archive", "record?format=html"):
            text = api.get(f"{where}/{query}", headers=who).text
            assert "Proud" in text, (where, query)
            assert not {"Ashamed", "Sorry"} & set(re.findall(r"\w+", text)), (where, query)
    for who in (match.seats["1"], match.host):
        assert "Ashamed" in api.get(f"{path}?history=true", headers=who).text
    whole = api.get(f"/matches/{match.id}/record?format=archive", headers=match.host)
    assert "Ashamed" in whole.text
    for answer in (whole, api.get(f"/matches/{match.id}/record?format=archive")):
        checked = fresh.post("/records?dry_run=true", content=answer.content, headers=ARCHIVE)
        assert (checked.status_code, checked.json()["faults"]) == (200, []), checked.text


# Repeated requests


KEY = {"Idempotency-Key": "one"}


def test_repeated_annotation_key_stores_once(api, match):
    things = {"ply": 2, "comment": "Far from home", "glyph": "!?", "circle": "d4"}
    first = say(api, match, match.host | KEY, **things)
    assert first.status_code == 201
    key = first.json()["annotations"][0]["id"]
    path = f"/matches/{match.id}/annotations/{key}"
    api.client.patch(path, json={"comment": "Near"}, headers=match.host)
    again = say(api, match, match.host | KEY, **things)
    assert (again.status_code, again.json()) == (201, first.json())
    assert [each["text"] for each in said(api, match)] == ["Near", "!?", "d4"]


def test_repeated_annotation_of_undone_event_returns_the_first(api, match):
    first = say(api, match, match.host | KEY, ply=4, comment="Bold").json()["annotations"][0]
    api.post(f"/matches/{match.id}/takeback", json={"ply": 1}, headers=match.host)
    again = say(api, match, match.host | KEY, ply=4, comment="Bold").json()["annotations"][0]
    assert again == first | {"ply": None}


def test_annotation_key_belongs_to_author_and_text(api, match):
    say(api, match, match.host | KEY, ply=2, comment="Bold")
    for other in ({"comment": "Timid"}, {"glyph": "!"}, {"comment": "Bold", "author": "Teal"}):
        answer = say(api, match, match.host | KEY, ply=2, **other)
        assert answer.status_code == 409
    assert say(api, match, match.seats["1"] | KEY, ply=2, glyph="!").status_code == 201
    assert [each["text"] for each in said(api, match)] == ["Bold", "!"]


def test_fork_accepts_annotation_key_of_its_match(api, match):
    say(api, match, match.host | KEY, ply=1, comment="Bold")
    fork = api.post(f"/matches/{match.id}/forks", json={"ply": 2}).json()
    own = bearer(fork["tokens"]["host"]) | KEY
    path = f"/matches/{fork['match']}/annotations"
    assert api.post(path, json={"ply": 1, "comment": "Timid"}, headers=own).status_code == 201


def test_concurrent_requests_with_one_key_annotate_once(api, match):
    once = partial(say, api, match, match.host | KEY, ply=2, glyph="!?", comment="Bold")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: once(), range(8)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert len(said(api, match)) == 2


@pytest.mark.parametrize("key", ["", "two words", "x" * 201])
def test_invalid_key_is_refused(api, match, key):
    answer = say(api, match, match.host | {"Idempotency-Key": key}, ply=2, comment="Bold")
    assert (answer.status_code, answer.json()["path"]) == (400, "Idempotency-Key")


@pytest.fixture
def held(api: Any) -> Any:
    opened = api.open(players={"1": "Jet"}, comments="end", visibility="public")
    api.play(opened.id, opened.host, *MOVES)
    say(api, opened, opened.host, ply=2, comment="a quokka", glyph="?")
    return opened


def test_comment_is_held_until_the_end_of_the_match(api, held):
    own = say(api, held, held.seats["1"], ply=2, comment="mine", glyph="!")
    assert own.status_code == 201, "a clash would tell the held glyph"
    assert [each["text"] for each in said(api, held, **held.seats["2"])] == ["mine", "!"]
    assert len(said(api, held, **held.host)) == 4
    assert api.get("/search?q=quokka").json()["found"] == []
    api.play(held.id, held.seats["1"], "resign")
    assert {each["text"] for each in said(api, held)} == {"a quokka", "?", "mine", "!"}
    assert len(api.get("/search?q=quokka").json()["found"]) == 1
    assert "a quokka" in api.get(f"/matches/{held.id}/record").text


def test_nobody_but_the_host_changes_a_held_comment(api, held):
    (text, _) = said(api, held, **held.host)
    url = f"/matches/{held.id}/annotations/{text['id']}"
    assert api.client.delete(url, headers=held.seats["1"]).status_code == 404
    assert api.client.patch(url, json={"comment": "b"}, headers=held.host).status_code == 200


def test_fork_and_archive_hold_what_their_match_holds(api, held):
    fork = api.fork(held.id, held.seats["2"], ply=3)
    archive = api.get(f"/matches/{held.id}/record?format=archive")
    assert (said(api, fork, **fork.host), "quokka" in archive.text) == ([], False)
    whole = api.get(f"/matches/{held.id}/record?format=archive", headers=held.host)
    assert "quokka" in whole.text
    api.play(held.id, held.seats["1"], "resign")
    assert [each["text"] for each in said(api, fork)] == ["a quokka", "?"]


def test_page_shows_held_comments_to_the_host_only(api, held):
    url = f"/m/{held.id}/replay"
    assert "a quokka" in api.get(url, headers=held.host).text
    assert "a quokka" not in api.get(url, headers=held.seats["1"]).text


def test_stream_counts_the_annotations_that_its_reader_knows(api, held):
    say(api, held, held.seats["1"], ply=1, comment="mine")
    counts = [count_notes(api.book, api.book.find(held.id), whole=whole) for whole in (False, True)]
    assert counts == [1, 3]


def test_rematch_holds_comments_as_its_match_does(api, held):
    api.play(held.id, held.seats["1"], "resign")
    made = api.post(f"/matches/{held.id}/rematch", json={}, headers=held.host).json()
    assert api.get(f"/matches/{made['match']}").json()["comments"] == "end"
