"""Illegal moves that stood, in stored matches: every format and reader handles them."""

from __future__ import annotations

import io

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.entry.move_text import as_stood
from domain.games.blockade import GAME as BLOCKADE
from domain.games.poptrix import GAME as POPTRIX
from domain.match import Match
from replay.annotations.current import by_ply
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections.adjustments import adjust
from replay.corrections.amendments import amend, plan_deletion, plan_insertion, plan_replacement
from replay.corrections.missing_moves import SearchBounds, find_gap
from replay.corrections.takebacks import redo
from replay.drawing.text import draw
from replay.errors import Refused
from replay.formats.archive.importer import import_archive
from replay.formats.archive.writer import write_archive
from replay.formats.html.player_page import write_page
from replay.formats.html.score_sheet import write_sheet
from replay.formats.ply.importer import import_record
from replay.formats.ply.writer import export_record, left_out
from replay.library.explorer import explore
from replay.library.indexes import catch_up_positions
from replay.reading import timeline
from replay.reading.stops import is_notable, marked_scene, stops
from replay.record.addresses import Address
from replay.record.clock import Clock
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.referee.verification import verify_match
from replay.store import temporary_store
from tests.replay.formats.ply.texts import accepted

OPENING = ("M@c1", "S@c6", "c1>L@c3")
STOOD = "stood=c6>S@c5"
AFTER = "2s2/2s2/5/2L2/5/2M2 5S4M4L 3s5m5l 1 5"
WORDS = "seat 2 played c6>S@c5 against POP-3.2, and it stood"


@pytest.fixture
def match(book: Book) -> MatchRecord:
    return play(book, book.create(NewMatch(POPTRIX)), (*OPENING, STOOD, "c3>M@c4"))


def told(record: MatchRecord) -> list[str | None]:
    return [entry.text for entry in timeline.entries(record)]


def test_stood_move_is_stored_openly_and_verifies(book, match):
    data = match.entry(4).data.decode()
    assert data == (
        f'{{"type":"stood","seat":2,"token":"c6>S@c5","clause":"POP-3.2","position":"{AFTER}"}}'
    )
    assert book.read(match.stream).match == match.match
    assert verify_match(book, match.stream).ok


def test_clause_is_in_timeline_and_changes_on_board(book, match):
    entry = list(timeline.entries(match))[3]
    assert (entry.type, entry.seat, entry.words, entry.note) == ("stood", 2, WORDS, "")
    assert list(timeline.log(match))[3].what == (f"c6>S@c5 (stood): against POP-3.2; now {AFTER}")
    scene = marked_scene(match, timeline.point(match, 4))
    assert [(mark.at, mark.kind) for mark in scene.marks] == [("c5", "to")]
    assert draw(scene)
    assert is_notable(list(stops(book, match))[4])


def test_text_record_holds_stood_moves_and_later_ones(book, match):
    text = export_record(book, match)
    assert f"4.\n2:{STOOD}_{AFTER.replace(' ', '_')} 5. c3>M@c4 *" in text
    assert left_out(book, match) == ()
    record = accepted(text)
    again = import_record(book, record)
    assert again.match.line[3].event == match.match.line[3].event
    assert export_record(book, again) == text


def test_text_record_may_leave_the_position_out(book):
    text = '[Game "poptrix"]\n\nM@c1 S@c6 c1>L@c3 stood=c6>S@c5?! *\n'
    record = accepted(text)
    assert record.match.line[3].event.position == AFTER
    assert record.line.nodes[3].glyphs == (6,)


def test_every_format_shows_a_stood_move(book, match):
    copy = Book(temporary_store())
    import_archive(copy, io.BytesIO(write_archive(book, match)))
    assert told(copy.open(match.id)) == told(match)
    assert "POP-3.2" in write_page(book, match, 4)
    assert "c6&gt;S@c5 (stood)" in write_sheet(book, match)


def test_amendment_keeps_replaces_and_inserts_stood_moves(book, match):
    assert plan_replacement(match, 1, "M@d1").report().stood == 1  # c1 launched the later moves
    changed = amend(book, plan_replacement(match, 4, "stood=c6>S@c4"))
    assert told(changed)[3].startswith("2:stood=c6>S@c4_")
    assert amend(book, plan_replacement(changed, 4, "c6>M@c5")).match.line[3].event.seat == 2
    inserted = plan_insertion(match, 5, as_stood("1:c1>M@c2", AFTER.replace(" 1 5", " 1 6")))
    assert inserted.report().texts[0].startswith("1:stood=c1>M@c2_")
    assert plan_deletion(match, 4).report().was == told(match)[3]


def test_stood_move_that_became_legal_falls(book, match):
    report = plan_replacement(match, 2, "M@c6").report()
    assert (report.stood, report.first.ply) == (1, 4)
    assert report.first.message == "this move breaks no rule: enter it as an ordinary move"


def test_gap_after_a_stood_move_is_searched(match):
    found = find_gap(match, 4, match.game.write_position(match.state.position), SearchBounds())
    assert [way.texts for way in found.ways] == [("c3>M@c4",)]


def test_forks_and_annotations_keep_a_stood_move(book, match):
    annotate(book, match, 4, Wording("nobody saw it"), author="Jet")
    twig = fork(book, *book.at(Address(match.id, 4)), "variation")
    assert told(twig) == told(match)[:4]
    assert [remark.author for remark in by_ply(book, twig)[4]] == ["Jet"]


def test_explorer_counts_only_legal_moves(book, match):
    catch_up_positions(book)
    for ply, tokens in ((3, []), (4, ["c3>M@c4"])):
        there = Match(match.game, match.match.options, 2, match.match.at(ply))
        assert [move.text for move in explore(book, there).moves] == tokens


def test_clock_counts_a_stood_move(book):
    ticks = iter(range(0, 100_000, 10_000))
    book = Book(temporary_store(), now=lambda: next(ticks))
    opened = open_match(book, POPTRIX, clock=Clock(total=60, increment=5))
    match = play(book, opened, ["M@c1"])
    for token in ("S@c6", "c1>L@c3", STOOD):
        match = play(book, match, [token])
    one, two = timeline.clocks(match).seats
    assert (one.running, two.running) == (True, False)
    assert two.left == 60_000 + 2 * 5_000 - two.used


def test_service_roll_cannot_be_entered_as_stood(book):
    match = open_match(book, BLOCKADE, dice="service")
    with pytest.raises(Refused) as refused:
        play(book, match, [as_stood("2:roll=6,6", match.game.write_position(match.state.position))])
    assert refused.value.violation.clause == "dice"


def board(record: MatchRecord, ply: int | None = None) -> str:
    state = record.state if ply is None else record.match.at(ply)
    return POPTRIX.write_position(state.position)


CORRECTED = "2s2/2s2/5/5/2L2/2M2 5S4M4L 3s5m5l 1 5"
PLANS = {
    "replaced": lambda match: plan_replacement(match, 3, "c1>L@c2"),
    "two for one": lambda match: plan_replacement(match, 3, "1:offer-draw", "c1>L@c2"),
}


@pytest.mark.parametrize("how", PLANS)
def test_correction_leads_a_stood_move_from_the_corrected_board(book, how):
    match = play(book, book.create(NewMatch(POPTRIX)), (*OPENING, STOOD))
    plan = PLANS[how](match)
    assert (plan.result.stood, plan.sets) == (1, None)
    after = amend(book, plan)
    assert board(after) == CORRECTED
    assert book.read(after.stream).match == after.match
    assert verify_match(book, after.stream).ok
    assert CORRECTED.replace(" ", "_") in export_record(book, after).replace("\n", "")
    assert accepted(export_record(book, after)).warnings == ()
    kept = write_archive(book, after)
    with_archive = Book(temporary_store())
    import_archive(with_archive, io.BytesIO(kept))
    assert board(with_archive.open(after.id)) == CORRECTED
    branch = fork(book, *book.at(Address(after.id)), "match")
    again = amend(book, plan_replacement(branch, 3 + (how == "two for one"), "c1>L@c3"))
    assert board(again) == AFTER


def test_second_stood_move_and_insertions_follow(book):
    entered = (*OPENING, STOOD, "stood=c3>L@c4")
    match = play(book, book.create(NewMatch(POPTRIX)), entered)
    after = amend(book, plan_replacement(match, 3, "c1>L@c2"))
    assert [token for token in told(after) if token][2] == "c1>L@c2"
    put = amend(book, plan_insertion(after, 3, "1:offer-draw"))
    assert board(put, 5) == CORRECTED
    gone = amend(book, plan_deletion(put, 3))
    assert board(gone, 4) == CORRECTED


def test_position_that_people_gave_stays_and_is_named(book):
    given = as_stood("c6>S@c5", AFTER.replace("5S4M4L", "5S3M4L"))
    match = play(book, book.create(NewMatch(POPTRIX)), (*OPENING, given, "c3>M@c4"))
    plan = plan_replacement(match, 3, "c1>L@c2")
    assert (plan.sets, plan.report().sets) == (4, 4)
    after = amend(book, plan)
    assert board(after) == board(match)
    longer = plan_insertion(match, 3, "1:offer-draw")
    assert (longer.result.stood, longer.sets) == (3, 5)
    adjusted = adjust(book, after, board(match), "the cat")
    assert plan_replacement(adjusted, 5, "c3>S@c4").sets == 6
    assert plan_replacement(match, 5, "c3>S@c4").sets is None


def test_stood_move_that_fell_is_redone_from_the_corrected_board(book):
    match = play(book, book.create(NewMatch(POPTRIX)), (*OPENING, "c6>M@a6", "c3>S@b3", STOOD))
    after = amend(book, plan_replacement(match, 3, "c1>L@c2"))
    assert told(after)[3:] == ["c6>M@a6"]
    after = play(book, after, ["c2>S@b2"])
    before = board(after)
    after = redo(book, after)
    assert told(after)[-1].startswith("2:stood=c6>S@c5")
    rows, were = (text.split()[0].split("/") for text in (board(after), before))
    assert rows[2:] == were[2:], "only seat 2's rows have changed"
    assert rows[1] == "2s2"


def test_amendments_of_older_books_keep_their_meaning(book):
    match = play(book, book.create(NewMatch(POPTRIX)), (*OPENING, STOOD))
    older = replace(plan_replacement(match, 3, "c1>L@c2").edits[0], positions=UNSET)
    after = play(book, match, [older])
    assert b"positions" not in after.log[-1].data
    assert board(after) == AFTER
    assert board(book.open(match.id)) == AFTER


def test_record_that_contradicts_itself_is_found():
    moves = f"M@c1 S@c6 c1>L@c2 2:{as_stood('c6>S@c5', AFTER)} *"
    [warning] = accepted(f'[Game "poptrix"]\n\n{moves}\n').warnings
    assert (warning.line, warning.column) == (3, 19)
    assert "leads to another position" in warning.message
