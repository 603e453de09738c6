"""Whole matches as people record them: in a terminal, and over HTTP against a real server."""

from __future__ import annotations

import re
import signal

import pytest

from domain.entry import move_text
from domain.games import BUILT_IN
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from tests.e2e.living import Living, plybook
from tests.paths import FIXTURES

pytestmark = pytest.mark.slow


def records(slug: str) -> list[Record]:
    found = list(read_records((FIXTURES / slug / "commented.ply").read_text(encoding="utf-8")))
    assert all(isinstance(record, Record) for record in found)
    return found  # type: ignore[return-value]


def written(record: Record) -> list[str]:
    """Return the texts of the record's events, each with its seat."""
    return [
        token if re.match(r"\d:|ruled", token) else f"{ply.event.seat}:{token}"  # type: ignore[union-attr]
        for ply in record.match.line
        for token in [move_text.write(record.game, ply.event)]
    ]


def opened(living: Living, record: Record) -> tuple[str, dict[str, str]]:
    options = record.game.set_options(record.match.options)
    return living.open(game=record.game.slug, seats=record.match.seats, options=options)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_terminal_match_is_recorded_and_verified(slug, tmp_path):
    record = records(slug)[1]
    db = tmp_path / "book.db"
    options = [
        f"--option={name}={value}"
        for name, value in record.game.set_options(record.match.options).items()
    ]
    new = plybook(db, "new", slug, f"--seats={record.match.seats}", *options)
    match = new.stdout.strip()
    ran = plybook(db, "record", match, stdin="\n".join(written(record)) + "\nquit\n")
    assert ran.returncode == 0, ran.stdout[-500:] + ran.stderr
    assert record.match.state.outcome.clause in ran.stdout
    assert plybook(db, "verify", match).returncode == 0
    replayed = plybook(db, "replay", match)
    assert f"{match}@{len(record.match.line)}" in replayed.stdout
    assert replayed.stderr == ""


def test_http_matches_survive_a_kill(living):
    played = {}
    for slug in BUILT_IN:
        record = records(slug)[0]
        match, host = opened(living, record)
        for version, token in enumerate(written(record)):
            answer = living.play(match, host, token, expected=version)
            assert answer.status_code == 200, answer.text
        assert answer.json()["outcome"] == record.match.state.outcome.to_dict()
        played[match] = record
    living.end(signal.SIGKILL)
    for match, record in played.items():
        verdict = plybook(living.db, "verify", match)
        assert verdict.returncode == 0, verdict.stdout
        exported = plybook(living.db, "export", match).stdout
        again = next(iter(read_records(exported)))
        assert isinstance(again, Record)
        assert again.match.state == record.match.state


def test_late_writer_is_refused(living):
    record = records("poptrix")[0]
    match, host = opened(living, record)
    first, second = written(record)[:2]
    assert living.play(match, host, first, expected=0).status_code == 200
    beside = plybook(living.db, "play", match, second)
    assert beside.returncode == 0, beside.stderr
    late = living.play(match, host, second, expected=1)
    assert late.status_code == 412
    assert late.json()["version"] == 2
    assert living.end() == 0
