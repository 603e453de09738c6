"""Lines typed in `record`, on a screen and without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cli.recording_session import COMMANDS, Session, wording_of
from replay.annotations.current import by_ply
from replay.annotations.notation import Wording
from replay.book import Book
from replay.referee import entering
from replay.referee.opening import open_match
from replay.registry import find
from replay.store import temporary_store

Desk = Callable[..., Session]


@pytest.fixture
def desk() -> Desk:
    def at(slug: str, text: str = "", **options: Any) -> Session:
        book = Book(temporary_store(), now=lambda: 0)
        players = {1: "Jet", 2: "Red"}
        record = open_match(book, find(slug), players=players, options={}, **options)
        return Session(book, entering.play(book, record, text.split()) if text else record)

    return at


def said(session: Session, ply: int) -> list[str]:
    remarks = by_ply(session.book, session.record).get(ply, [])
    return [remark.said.words() for remark in remarks if remark.said]


def test_tab_completes_token_parts_before_commands(desk):
    session = desk("poptrix", "M@c1 S@c6")
    assert session.completions("") == ["c1>", *COMMANDS]
    assert session.completions("c1>") == ["c1>L@", "c1>S@"]
    assert session.completions("c1>S@c") == ["c1>S@c2", "c1>S@c3"]
    assert session.completions("c1>S@c3") == []
    assert session.completions("c6") == []
    assert session.completions("takeb") == ["takeback"]
    assert session.completions("2:re") == ["2:resign"]


def test_secret_programs_are_completed(desk):
    session = desk("pyramid-ball")
    assert len(session.completions("1:S=F")) == 36
    assert session.completions("1:S=FF.,") == ["1:S=FF.,M="]


def test_service_roll_and_legs_are_completed(desk):
    session = desk("blockade", dice="service")
    assert session.completions("") == ["roll", *COMMANDS]
    assert session.completions("roll=") == []
    assert session.completions("1:res") == ["1:resign"]
    session = desk("blockade", "roll", dice="service")
    leg = next(token for token in session.run("legal").told[0].split() if "-" in token)
    assert leg[:3] in session.completions(leg[0])
    assert leg in session.completions(leg[:3])


def test_takeback_and_redo_report_their_changes(desk):
    session = desk("poptrix", "M@c1")
    assert session.run("takeback").told == ("taken back: 1. Jet: M@c1  Jet places a medium on c1",)
    assert session.run("redo").told == ("1. Jet: M@c1  Jet places a medium on c1",)
    assert session.run("redo").refusal[0].startswith("refused: the match has nothing to redo")


def test_takeback_goes_back_to_a_ply(desk):
    session = desk("poptrix", "M@c1 S@c6 c1>L@c3")
    assert [each[:14] for each in session.run("takeback @1").told] == [
        "taken back: 2.",
        "taken back: 3.",
    ]
    assert session.record.ply() == 1
    assert "the line is empty" in desk("poptrix").run("takeback @1").refusal[0]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("takeback @2", "'@2' is not a ply here; use @0 to @1"),
        ("takeback x", "'x' is not a ply here; use @0 to @1"),
        ("takeback " + "9" * 5000, "is not a ply here; use @0 to @1"),
        ("redo 2", "'2' is not a valid part of redo; use redo alone"),
        ("legal 2", "'2' is not a valid part of legal; use legal alone"),
        ("undo", "'undo' is not a command; use takeback, or takeback @2"),
        ("Comment x", "'Comment' is not a command; use annotate TEXT"),
        ("missing x", "use gap --to POSITION"),
        ("delete 1", "use amend @3 --delete"),
        ("insert 1 M@c1", "use amend @3 MOVE --insert"),
        ("stood c1>M@c3", "use MOVE --stood"),
        ("gap x", "a position is missing; use gap --to POSITION"),
        ("amend @1 --delet", "'--delet' is not valid here; see help"),
        ("amend @1 S@c1 --delete", "give a move or several"),
        ("amend @1", "give a move or several"),
        ("c1>M@c3 --insert --stood", "'--insert' is not valid here"),
        ("c1>M@c3 --position x", "--position needs --stood"),
        ("board x", "'x' is not a valid part of board; use board alone"),
    ],
)
def test_wrong_arguments_of_commands_are_refused(desk, line, words):
    session = desk("poptrix", "M@c1 S@c6")
    assert words in session.run(line).refusal[0]
    assert session.record.ply() == 2


@pytest.mark.parametrize("line", ["s@c6 !?", "S@c6!?"])
def test_glyph_after_a_move_annotates_it(desk, line):
    session = desk("poptrix", "M@c1")
    assert session.run(line).changed
    assert said(session, 2) == ["!?  interesting move"]


def test_comments_go_to_last_or_named_ply(desk):
    session = desk("poptrix", "M@c1 S@c6")
    assert session.run("annotate ! Far from home").told == (
        "ply 2: Far from home",
        "ply 2: !  good move",
    )
    session.run("annotate @1 The middle")
    session.run("??")
    assert said(session, 1) == ["The middle"]
    assert session.run("annotate @9 Nowhere").refusal[0].startswith("ply 9 is not in the line")


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("Far from home", Wording("Far from home")),
        ("!? ?! Hasty", Wording("Hasty", ("!?", "?!"))),
        ("!?", Wording(None, ("!?",))),
        ("Is it ! or ?", Wording("Is it ! or ?")),
    ],
)
def test_signs_before_a_comment_are_glyphs(text, wording):
    assert wording_of(text) == wording


def test_correction_replaces_inserts_and_deletes(desk):
    session = desk("poptrix", "M@c1 S@c6 c1>L@c3")
    assert session.run("amend @3 c1>L@c2").told[0] == "ply 3: c1>L@c2 instead of c1>L@c3"
    assert session.run("amend 3 --delete").told == ("ply 3: c1>L@c2 deleted",)
    assert session.run("amend @3 c1>s@c2 --insert").told == ("ply 3: c1>S@c2 inserted",)
    assert session.run("amend 3 --delete").changed
    assert session.run("amend x S@c6").refusal == ("'x' is not a ply here; use @1 to @2",)
    assert desk("poptrix").run("amend -1").refusal == ("the line is empty; enter a move first",)
    assert session.run("amend").refusal == ("'' is not a ply here; use @1 to @2",)


def test_missing_moves_are_searched(desk):
    session = desk("poptrix", "M@c1 S@c6")
    there = desk("poptrix", "M@c1 S@c6 c1>L@c3")
    from replay.corrections.adjustments import write_position_at

    position = write_position_at(there.record, 3)
    assert session.run(f"gap --to {position}").told[0] == "c1>L@c3"


def test_refusal_of_a_line_names_the_move(desk):
    session = desk("poptrix", "M@c1 S@c6")
    told = session.run("c1>L@c3 S@c6").refusal
    assert told[-1] == "  The refused move is S@c6; no move of the line was entered."
    assert session.record.ply() == 2
    first = session.run("c1>M@c3 S@c6").refusal
    assert first[-1] == "  If it was played and stood: c1>M@c3 --stood"
    assert session.refusals == 2


def test_session_goes_on_after_a_counted_try(desk):
    session = desk("poptrix", tries=3)
    assert "2 tries left" in session.run("M@c3").refusal[0]
    assert session.enter_unseen(1, "M@c3").refusal
    assert session.run("M@c1").told == ("1. Jet: M@c1  Jet places a medium on c1",)


def test_stood_command_needs_a_move(desk):
    session = desk("poptrix", "M@c1 S@c6 c1>L@c3")
    assert "--stood takes one move" in session.run("--stood").refusal[0]
    assert "and it stood" in session.run("c6>s@c5 --stood").told[0]


def test_notation_describes_the_awaited_moves(desk):
    assert desk("poptrix").notation == ["first placement M@c1"]
    program, letters = desk("pyramid-ball").notation
    assert program.startswith("program S=FR.")
    assert letters == "letters: F forward, B back, L left, R right, . stand still"


def test_unjudged_session_does_not_show_legality(desk):
    legal, illegal = (desk("poptrix", moves, unjudged=True) for moves in ("M@c1 S@c6", "M@c1 S@c1"))
    assert legal.prompt == illegal.prompt == "move 3"
    assert legal.notation == illegal.notation
    assert legal.run("legal") == illegal.run("legal")
    assert "not judged" in legal.run("legal").told[0]


def test_help_has_every_command(desk):
    told = "\n".join(desk("pyramid-ball").run("help").told)
    assert [name for name in COMMANDS if f"  {name}" not in told] == []
    assert "type 1: for Jet or 2: for Red" in told
