"""Recorded matches: past versions, and the steps between them."""

from io import BytesIO

import pytest

from replay.corrections.amendments import amend, plan_replacement
from replay.corrections.takebacks import take_back
from replay.formats.ply.importer import import_record
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from replay.record.clock import read_clock
from replay.record.match_record import begin_record, fold_events, steps
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.registry import find
from tests.paths import FIXTURES

POPTRIX = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")


def corrected(book):
    """A match with take-backs and amendments between its moves."""
    match = play(book, open_match(book, find("poptrix")), POPTRIX)
    match = take_back(book, match, 3)
    match = play(book, match, ["c6>M@b6"])
    match = amend(book, plan_replacement(match, 3, "c1>L@c2"))
    return play(book, take_back(book, match, 2), ["c1>L@d1", "c6>M@c5"])


def timed(book):
    match = open_match(book, find("poptrix"), clock=read_clock("total=600"))
    return play(book, play(book, match, POPTRIX[:2]), POPTRIX[2:])


def secret(book):
    """A match with sealed moves, revealed and pending."""
    text = (FIXTURES / "pyramid-ball" / "games.ply").read_bytes()
    record = next(record for record in read_records(BytesIO(text)) if isinstance(record, Record))
    return import_record(book, record)


def plain(book):
    return play(book, open_match(book, find("poptrix")), POPTRIX)


@pytest.mark.parametrize("story", [plain, corrected, timed, secret])
def test_earlier_version_equals_its_folded_log(book, story):
    head = story(book)
    for version in range(head.match.version + 1):
        again = fold_events(begin_record(head.stream), head.log[:version])
        assert head.at_version(version) == again


@pytest.mark.parametrize("story", [plain, corrected, timed, secret])
def test_steps_lead_through_every_version(book, story):
    head = story(book)
    start = head.at_version(0)
    assert list(steps(start, head)) == [
        head.at_version(v) for v in range(1, head.match.version + 1)
    ]
    assert list(steps(head, head)) == []
