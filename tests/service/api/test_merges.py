"""Events that a host merges into a match are judged like entered events, and kept as written."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from domain.entry import move_text
from replay.access import operators
from replay.book import Book
from replay.formats.archive.importer import import_archive
from replay.record import dice
from replay.referee.verification import verify_match
from replay.store import temporary_store
from tests.replay.formats.archive.families import forged
from tests.service.api.test_forged_forks import (
    ARCHIVE,
    MERGE,
    archive_of,
    plugged,
    sealed_match,
)
from tests.service.conftest import bearer, serve

__all__ = ["plugged"]
DAY = 86_400_000


def longer(content: bytes, **event: Any) -> bytes:
    """Return an archive of one match with one event more, whose hashes fit."""
    lines = content.splitlines(keepends=True)
    given = {"line": "event", "version": 0, "id": "ab" * 16, "actor": "scorekeeper", "hash": ""}
    given |= {"at": 1, "type": event["data"]["type"], "revealed": None} | event
    if given["revealed"] is None:
        del given["revealed"]
    at = max(number for number, line in enumerate(lines) if b'"line":"note"' not in line[:20])
    return forged([*lines[:at], json.dumps(given).encode() + b"\n", lines[-1]])


def merge(api: Any, match: Any, content: bytes, path: str = MERGE) -> Any:
    """Merge an archive as a host, after a dry run with the same answer."""
    headers = {"Content-Type": ARCHIVE} | match.host
    dry = f"{path}{'&' if '?' in path else '?'}dry_run=true"
    before = [(each.id, each.head) for each in api.book.store.matches()]
    tried = api.post(dry, content=content, headers=headers)
    assert before == [(each.id, each.head) for each in api.book.store.matches()]
    answer = api.post(path, content=content, headers=headers)
    assert tried.is_success == answer.is_success, (tried.text, answer.text)
    if answer.is_success:
        told = [
            [(each["events"], each.get("note")) for each in one.json()["matches"]]
            for one in (tried, answer)
        ]
        assert told[0] == told[1]
    else:
        assert (tried.status_code, tried.json()) == (answer.status_code, answer.json())
    return answer


RESIGNED = {"type": "resigned", "seat": 2}


@pytest.mark.parametrize("actor", ["seat 2", "Jet himself", "scorekeeper"])
@pytest.mark.parametrize("days", [-120, 0, 1000])
def test_author_and_time_of_a_merged_event_are_kept_as_claims(fresh, actor, days):
    match = fresh.open()
    before = fresh.book.now()
    at = before + days * DAY
    more = longer(archive_of(fresh, match.id), data=RESIGNED, actor=actor, at=at)
    assert merge(fresh, match, more).status_code == 201
    (told,) = fresh.get(f"/matches/{match.id}/events").json()["events"]
    assert (told["actor"], told["at"]) == (actor, at)
    assert before <= told["brought_in"] <= fresh.book.now()
    page = fresh.get(f"/m/{match.id}/replay?all=true").text
    assert "brought in by the host" in page
    again = archive_of(fresh, match.id)
    assert b"log.brought_in" in again
    assert merge(fresh, match, again).status_code == 201
    assert fresh.get(f"/matches/{match.id}/events").json()["events"] == [told]
    assert verify_match(fresh.book, fresh.book.open(match.id).stream).ok


def test_entered_event_is_not_marked_nor_by_a_mark_of_another_event(fresh):
    match = fresh.open()
    more = longer(archive_of(fresh, match.id), data=RESIGNED, at=fresh.book.now())
    assert merge(fresh, match, more).status_code == 201
    fork = fresh.fork(match.id, match.host, ply=0)
    fresh.play(fork.id, fork.host, "M@c1")
    (told,) = fresh.get(f"/matches/{fork.id}/events").json()["events"]
    assert "brought_in" not in told


@pytest.mark.parametrize(("shift", "status"), [(-DAY, 409), (0, 201), (DAY, 409)])
def test_only_a_clock_refuses_a_false_order_of_times(fresh, shift, status):
    match = fresh.open(clock={"total": 600})
    fresh.play(match.id, match.host, "M@c1")
    at = fresh.book.open(match.id).at + shift
    answer = merge(fresh, match, longer(archive_of(fresh, match.id), data=RESIGNED, at=at))
    assert answer.status_code == status, answer.text
    if status == 409:
        assert "the clock counts" in answer.json()["detail"]


def test_roll_of_the_service_is_not_merged_and_no_verdict_tells_the_next(fresh):
    match = fresh.open("blockade", dice="service")
    content = archive_of(fresh, match.id)
    record = fresh.book.open(match.id)
    for token in ("roll=1,1", "roll=6,6", "roll=2,3"):
        event = move_text.read(record.game, record.state, token)
        data = json.loads(fresh.book.encode(record.game, event, "x").data)
        refused = merge(fresh, match, longer(content, data=data, at=fresh.book.now()))
        assert refused.status_code == 409, refused.text
        assert "the service rolls" in refused.json()["detail"]
    assert fresh.book.open(match.id).match.version == 0


def unverified(api: Any) -> Any:
    """Return a match with a roll that contradicts the seed, as older versions merged it."""
    match = api.open("blockade", dice="service")
    record = api.book.open(match.id)
    right = dice.roll(record.header, record.match, 1, lambda: api.book.seed(record))
    events = [
        move_text.read(record.game, record.state, token) for token in ("roll=1,1", "roll=2,2")
    ]
    wrong = next(event for event in events if event != right)
    new = [api.book.encode(record.game, wrong, "x")]
    api.book.store.append(record.stream.id, 0, new).result()
    return match


def test_verdict_names_no_expected_dice_before_the_seed_is_revealed(fresh):
    match = unverified(fresh)
    for told in (
        fresh.get(f"/matches/{match.id}/verify").json()["fault"],
        verify_match(fresh.book, fresh.book.open(match.id).stream).fault,
    ):
        assert "the dice do not follow from the seed" in told
        assert "should be" not in told


def test_match_that_does_not_verify_is_left_out_by_name(fresh):
    good, bad = fresh.open(), unverified(fresh)
    operator = bearer(operators.issue(fresh.book))
    answer = fresh.get("/archive", headers=operator)
    assert answer.status_code == 200
    assert answer.headers["left-out"] == bad.id
    with serve() as there:
        made = there.post(MERGE, content=answer.content, headers={"Content-Type": ARCHIVE})
        assert [each["match"] for each in made.json()["matches"]] == [good.id]


def test_card_is_not_merged_while_hands_are_hidden(fresh):
    match = sealed_match(fresh, "whist")
    record = fresh.book.open(match.id)
    event = move_text.read(record.game, record.state, "1:AH")
    data = json.loads(fresh.book.encode(record.game, event, "x").data)
    refused = merge(fresh, match, longer(archive_of(fresh, match.id), data=data, at=9))
    assert refused.status_code == 409, refused.text
    assert "sealed" in refused.json()["detail"]


def test_new_match_keeps_odd_authors_and_times_with_a_warning():
    with serve() as there:
        match = there.open()
        at = there.book.now() + DAY
        content = longer(archive_of(there, match.id), data=RESIGNED, actor="Jet himself", at=at)
    other = Book(temporary_store())
    (told,) = import_archive(other, io.BytesIO(content))
    assert "'Jet himself' is no seat" in told.note
    assert "still to come" in told.note
    assert other.open(match.id).log[0].actor == "Jet himself"
    with serve() as there:
        made = there.post(MERGE, content=content, headers={"Content-Type": ARCHIVE}).json()
        assert "still to come" in made["matches"][0]["note"]
        assert there.get(f"/matches/{match.id}/events").json()["events"][0]["brought_in"]


def test_stranger_is_refused_by_the_dry_run_too(fresh):
    match, other = fresh.open(), fresh.open()
    more = longer(archive_of(fresh, match.id), data=RESIGNED, at=fresh.book.now())
    refused = merge(fresh, other, more)
    assert (refused.status_code, refused.json()["code"]) == (409, "already-stored")


@pytest.mark.parametrize("path", ["/records", MERGE])
@pytest.mark.parametrize("game", ["pyramid-ball", "whist"])
def test_sealed_move_is_refused_by_the_dry_run_too(fresh, game, path):
    content = archive_of(fresh, sealed_match(fresh, game).id)
    with serve() as there:
        refused = merge(there, there.open(), content, path)
    assert "still sealed" in refused.json()["detail"]


def test_diverged_match_is_refused_by_the_dry_run_too(fresh):
    match = fresh.open()
    content = archive_of(fresh, match.id)
    fresh.play(match.id, match.host, "M@c1")
    refused = merge(fresh, match, longer(content, data=RESIGNED, at=fresh.book.now()))
    assert "diverged" in refused.json()["detail"]
