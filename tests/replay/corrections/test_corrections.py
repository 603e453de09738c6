"""Corrections of stored matches: reports, refusals, and unchanged parts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain.game import Game
from domain.games.poptrix import GAME as POPTRIX
from domain.games.power_play import GAME as POWER_PLAY
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from replay.book import Book
from replay.corrections import adjustments
from replay.corrections.adjustments import adjust
from replay.corrections.amendments import amend, plan_deletion, plan_insertion, plan_replacement
from replay.corrections.takebacks import ask_takeback, decline_takeback, grant_takeback, take_back
from replay.errors import Refused, Stale, UnknownAddress, Usage
from replay.formats.ply.importer import import_record
from replay.formats.ply.writer import export_record
from replay.reading import timeline
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.verification import verify_match
from replay.store import temporary_store
from tests.conformance import door
from tests.conformance.subjects import GAMES, SITE
from tests.replay.formats.ply.texts import accepted, poptrix

OPENING = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4")
MIDGAME = "2s2/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"
PROGRAM = "S=...,M=...,L=..."


@pytest.fixture
def match(book: Book) -> MatchRecord:
    return play(book, book.create(NewMatch(POPTRIX)), OPENING)


def told(record: MatchRecord) -> list[str | None]:
    return [entry.text for entry in timeline.entries(record)]


def assert_verified(book: Book, record: MatchRecord) -> None:
    verdict = verify_match(book, record.stream)
    assert verdict.ok, verdict


def test_report_lists_legal_moves_at_the_first_fault(book, match):
    report = plan_replacement(match, 3, "c1>L@c2").report()
    assert (report.ply, report.how, report.was, report.texts) == (
        3, "replaced", "c1>L@c3", ("c1>L@c2",),
    )  # fmt: skip
    assert (report.stood, report.fell) == (1, 1)
    assert (report.first.ply, report.first.text, report.first.seat) == (5, "c3xc4", 1)
    assert report.first.clause == "POP-4.0"
    assert report.first.words.startswith("The attacker is")
    assert "c1>S@c3" in report.first.legal
    assert book.open(match.id).match.version == len(OPENING), "nothing is stored yet"


def test_reports_show_what_a_deletion_or_insertion_changes(match):
    gone = plan_deletion(match, 5).report()
    assert (gone.was, gone.texts, gone.stood, gone.fell, gone.first) == ("c3xc4", (), 0, 0, None)
    put = plan_insertion(match, 5, "2:offer-draw").report()
    assert (put.was, put.texts, put.stood, put.fell) == (None, ("2:offer-draw",), 1, 0)


def test_amended_match_verifies_and_keeps_its_old_version(book, match):
    amended = amend(book, plan_replacement(match, 3, "c1>L@c2"))
    assert told(amended) == ["M@c1", "S@c6", "c1>L@c2", "c6>M@c4"]
    assert told(book.open(match.id).at_version(5)) == list(OPENING)
    assert_verified(book, amended)


def test_times_and_actors_stay_with_their_events(book):
    match = book.create(NewMatch(POPTRIX))
    for seat, token in zip((1, 2, 1), OPENING, strict=False):
        match = play(book, match, [token], actor=f"seat {seat}")
    before = list(timeline.entries(match))
    after = list(timeline.entries(amend(book, plan_replacement(match, 2, "S@b6"))))
    assert [(one.actor, one.at, one.hash) for one in (after[0], after[2])] == [
        (one.actor, one.at, one.hash) for one in (before[0], before[2])
    ]
    assert (after[1].actor, after[1].amended) == ("scorekeeper", True)
    assert after[1].at > before[2].at


def test_comments_and_glyphs_stay_with_their_events(book):
    text = poptrix("1. M@c1 2. S@c6 $2 {of the old} 3. c1>L@c3 $1 {of the third} *")
    match = import_record(book, accepted(text))
    amended = amend(book, plan_insertion(match, 2, "1:offer-draw"))
    assert "c1>L@c3 $1 {of the third}" in export_record(book, amended)
    amended = amend(book, plan_replacement(amended, 3, "S@b6"))
    exported = export_record(book, amended)
    assert "2. S@b6 3. c1>L@c3 $1 {of the third}" in exported
    assert "of the old" not in exported
    assert "{of the old}" in export_record(book, book.open(match.id).at_version(3))


def test_log_and_line_describe_amendments_and_adjustments(book, match):
    match = amend(book, plan_replacement(match, 2, "S@b6"))
    match = amend(book, plan_insertion(match, 2, "2:offer-draw"))
    match = amend(book, plan_deletion(match, 2))
    match = adjust(book, match, MIDGAME, "somebody sneezed")
    what = [logged.what for logged in timeline.log(match, after=len(OPENING))]
    assert what == [
        "ply 2 amended to S@b6; later events kept: 1",
        "2:offer-draw inserted as ply 2; later events kept: 2",
        "ply 2 deleted; later events kept: 2",
        f"(adjusted): somebody sneezed; now {MIDGAME}",
    ]
    *_, amended, _, adjusted = timeline.entries(match)
    assert amended.words.endswith("; amended")
    assert (adjusted.type, adjusted.seat, adjusted.words) == (
        "adjusted", None, f"somebody sneezed; now {MIDGAME}",
    )  # fmt: skip


def test_amended_fork_leaves_its_parent_unchanged(book, match):
    fork = book.fork(match, 4, "variation")
    amended = amend(book, plan_replacement(fork, 2, "S@b6"))
    assert told(amended) == ["M@c1", "S@b6", "c1>L@c3"]
    assert told(book.open(match.id)) == list(OPENING)
    assert_verified(book, amended)


@pytest.mark.parametrize("ply", [0, 6, 99])
def test_missing_ply_is_refused(match, ply):
    with pytest.raises(UnknownAddress, match="plies 1 to 5"):
        plan_replacement(match, ply, "M@c1")
    with pytest.raises(UnknownAddress):
        plan_deletion(match, ply)


def test_empty_line_has_no_ply_to_amend(book):
    empty = book.create(NewMatch(POPTRIX))
    with pytest.raises(UnknownAddress, match="is empty, so ply 1 cannot be amended"):
        plan_deletion(empty, 1)


def test_event_may_be_inserted_after_the_last(book, match):
    assert told(amend(book, plan_insertion(match, 6, "1:offer-draw")))[-1] == "1:offer-draw"
    with pytest.raises(UnknownAddress):
        plan_insertion(match, 7, "1:offer-draw")


@pytest.mark.parametrize(
    ("token", "clause"),
    [("c1>M@c2", "POP-3.2"), ("nonsense", "form"), ("2:c1>L@c2", "turn"), ("resign", "form")],
)
def test_illegal_token_is_refused_at_its_ply(match, token, clause):
    with pytest.raises(Refused) as refused:
        plan_replacement(match, 3, token)
    assert refused.value.violation.clause == clause
    assert len(refused.value.match.line) == 2


def test_amendment_of_an_older_version_is_stale(book, match):
    correction = plan_replacement(match, 3, "c1>L@c2")
    play(book, match, ["1:offer-draw"])
    with pytest.raises(Stale):
        amend(book, correction)


def test_sealed_program_prevents_amending_and_adjusting(book):
    match = play(book, book.create(NewMatch(PYRAMID_BALL)), [f"1:{PROGRAM}", f"2:{PROGRAM}"])
    pending = play(book, match, [f"2:{PROGRAM}"])
    for correct in (
        lambda: plan_replacement(pending, 1, f"1:{PROGRAM}"),
        lambda: plan_replacement(pending, 3, "2:nonsense"),
        lambda: plan_insertion(pending, 1, "1:offer-draw"),
        lambda: plan_deletion(pending, 3),
        lambda: adjust(book, pending, match.game.write_position(match.match.start.position), "why"),
    ):
        with pytest.raises(Refused, match="sealed"):
            correct()
    with pytest.raises(Usage, match="sealed"):
        adjustments.write_position_at(pending, 3)
    written = match.game.write_position(match.state.position)
    assert adjustments.write_position_at(pending, 2) == written


@pytest.mark.parametrize(("ply", "seat"), [(1, 1), (2, 2)])
def test_revealed_program_can_be_amended(book, ply, seat):
    match = play(book, book.create(NewMatch(PYRAMID_BALL)), [f"1:{PROGRAM}", f"2:{PROGRAM}"])
    token = f"{seat}:S=F..,M=...,L=..."
    amended = amend(book, plan_replacement(match, ply, token))
    assert told(amended)[ply - 1] == token
    assert not amended.secrets
    assert_verified(book, amended)


@pytest.fixture
def hidden_bid() -> Iterator[Book]:
    with door.opened(SITE):
        yield Book(temporary_store())


def test_correction_reveals_no_move_of_a_resigned_seat(hidden_bid):
    match = hidden_bid.create(NewMatch(GAMES["hidden-bid"], seats=3))
    match = play(
        hidden_bid, match, ["roll=4", "1:bid=1", "3:bid=7", "3:resign", "2:bid=2", "roll=1"]
    )
    assert match.secrets == {3}
    for ply in (1, 2, 3):
        with pytest.raises(Refused, match="sealed"):
            plan_deletion(match, ply)
    assert plan_deletion(match, 6).report().fell == 0


def test_adjusted_match_is_refereed_from_its_position(book, match):
    adjusted = adjust(book, match, MIDGAME, "  the cat  ")
    event = adjusted.match.line[-1].event
    assert (event.position, event.reason) == (MIDGAME, "the cat")
    with pytest.raises(Refused, match="so must"):
        play(book, adjusted, ["c6>S@c4"])
    assert_verified(book, play(book, adjusted, ["c6xc5"]))


def test_adjustment_continues_an_ended_match(book, match):
    over = play(book, match, ["2:resign"])
    assert adjust(book, over, MIDGAME, "nobody had resigned").state.outcome is None


def test_adjustment_needs_a_reason_of_one_line(book, match):
    reasons = {"": "needs a reason", "  ": "needs a reason", "two\nlines": "U.000A, column 4",
               "a\u202e": "U.202E, column 2", "x" * 501: "at most 500 characters"}  # fmt: skip
    for reason, why in reasons.items():
        with pytest.raises(Usage, match=why):
            adjust(book, match, MIDGAME, reason)


def test_invalid_position_text_is_refused_with_its_column(book, match):
    with pytest.raises(Refused, match="column 8"):
        adjust(book, match, MIDGAME.replace("2L^2", "2L^3"), "why")


def test_game_without_position_texts_is_refused():
    silent = Game("silent", "Silent", moves=POPTRIX.moves, start=lambda options, seats: position)
    position = POPTRIX.start()
    with pytest.raises(Usage, match="no position texts"):
        adjustments.write_position(silent, position)


def test_record_begins_at_the_last_adjustment(book):
    text = poptrix("{before} 1. M@c1 2. S@c6 {gone} *", '[Round "7"]')
    match = import_record(book, accepted(text))
    match = adjust(book, match, match.game.write_position(match.state.position), "first")
    match = play(book, adjust(book, match, MIDGAME, "the {cat}"), ["1:offer-draw", "c6xc5"])
    exported = export_record(book, match)
    assert exported == (
        '[Game "poptrix"]\n[Rules "poptrix/1"]\n[Result "+1"]\n'
        f'[Position "{MIDGAME}"]\n[Round "7"]\n\n'
        "{Position set by the scorekeeper: the {cat) (3 events before it)} 1:offer-draw\n"
        "6. c6xc5 +1\n\n"
    )
    again = import_record(book, accepted(exported))
    assert again.header.position == MIDGAME
    assert export_record(book, again) == exported
    assert_verified(book, again)


def test_adjustment_replaces_the_position_tag(book):
    tags = ['[Round "7"]', f'[Position "{MIDGAME}"]', '[Event "E"]']
    match = import_record(book, accepted(poptrix("*", *tags)))
    other = MIDGAME.replace("4s4m5l", "3s4m5l")
    match = adjust(book, match, other, "lost one")
    exported = export_record(book, match)
    assert f'[Round "7"]\n[Position "{other}"]\n[Event "E"]\n' in exported
    assert "(0 events before it)" in exported


def test_scorekeeper_takes_back_at_once(book, match):
    back = take_back(book, match, 2)
    assert told(back) == ["M@c1", "S@c6"]
    with pytest.raises(Refused):
        take_back(book, back, 2)


def test_seat_asks_for_takeback_and_another_grants_it(book, match):
    asked = ask_takeback(book, match, 1, 4)
    assert told(asked) == list(OPENING)
    for seat in (1, 3):
        with pytest.raises(Refused):
            grant_takeback(book, asked, seat)
    granted = grant_takeback(book, asked, 2)
    assert told(granted) == list(OPENING[:4])
    assert [stored.actor for stored in granted.log[-2:]] == ["seat 1", "seat 2"]
    with pytest.raises(Refused):
        grant_takeback(book, granted, 2)
    assert_verified(book, granted)


def test_seat_asks_for_takeback_and_another_declines_it(book, match):
    declined = decline_takeback(book, ask_takeback(book, match, 1, 4), 2)
    assert (told(declined), declined.match.asked) == (list(OPENING), None)
    with pytest.raises(Refused):
        decline_takeback(book, declined, 2)


def test_request_lapses_at_the_next_move(book, match):
    moved = play(book, ask_takeback(book, match, 1, 4), ["1:offer-draw"])
    with pytest.raises(Refused):
        grant_takeback(book, moved, 2)


def test_one_of_three_seats_may_grant_a_takeback(book):
    match = play(
        book, book.create(NewMatch(POWER_PLAY, seats=3)), ["2:offer-draw", "3:decline-draw"]
    )
    assert told(grant_takeback(book, ask_takeback(book, match, 1, 1), 3)) == ["2:offer-draw"]


def test_forgotten_round_is_inserted(book, match):
    after = amend(book, plan_insertion(match, 3, "c1>S@b1", "c6>L@b6"))
    assert told(after) == [*OPENING[:2], "c1>S@b1", "c6>L@b6", *OPENING[2:]]
    assert [logged.what for logged in timeline.log(after, after=match.match.version)] == [
        "c1>S@b1 inserted as ply 3; judged together with the next correction",
        "c6>L@b6 inserted as ply 4; later events kept: 3",
    ]
    assert told(book.open(match.id).at_version(match.match.version)) == list(OPENING)
    assert_verified(book, after)


def test_refused_batch_names_the_refused_token(match):
    with pytest.raises(Refused) as refused:
        plan_insertion(match, 3, "c1>S@b1", "c6>S@b6")
    assert (refused.value.index, refused.value.violation.clause) == (1, "POP-3.2")
    assert len(refused.value.match.line) == 3


def test_amendment_without_tokens_is_refused(match):
    for change in (plan_replacement, plan_insertion):
        with pytest.raises(Usage, match="needs the events that really happened"):
            change(match, 3)


def test_forgotten_turn_of_secret_programs_is_inserted(book):
    programs = ["1:S=F..,M=...,L=...", "2:S=...,M=...,L=..."]
    match = book.create(NewMatch(PYRAMID_BALL))
    match = play(book, match, programs)
    forgotten = [f"{seat}:{PROGRAM}" for seat in (1, 2)]
    with pytest.raises(Refused, match="without its answer"):
        plan_insertion(match, 1, forgotten[0])
    after = amend(book, plan_insertion(match, 1, *forgotten))
    assert told(after) == [*forgotten, *programs]
    assert_verified(book, after)
    assert not after.secrets
