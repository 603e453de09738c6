"""Dashes in a line: what they hide, how they are filled, and how they open again."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.entry import move_text
from domain.events import FoundLater, Moved, NamedPerson, Noted, Unrecorded
from domain.games import built_in
from domain.log_edits import Amended, Filled, Reopened, TakenBack
from domain.match import Match, fold, open_match
from domain.reconstruction import dashes

GAMES = ("poptrix", "power-play", "blockade", "cube-pyramid")
SHEET = FoundLater("scoresheet", ("--", "M@c3"))


def played(slug: str, seed: int, plies: int = 16) -> Match:
    """Return a random match."""
    match, rng = open_match(built_in(slug)), random.Random(seed)
    while len(match.line) < plies and match.state.outcome is None:
        move = rng.choice([*match.game.legal_moves(match.state.position)])
        match = match.evolve(Moved(*move))
    return match


def texts(match: Match) -> list[str]:
    """Return the move texts of a line, with their seats."""
    return [
        str(move_text.SplitText(ply.event.seat, move_text.split(_text(match, ply.event)).body))
        for ply in match.line
        if isinstance(ply.event, Moved | Noted | Unrecorded)
    ]


def _text(match: Match, event: Moved | Noted | Unrecorded) -> str:
    return move_text.write(match.game, event)


def enter(match: Match, *written: str) -> Match:
    """Enter move texts that must be accepted."""
    for text in written:
        event = move_text.read(match.game, match.state, text)
        assert match.check(event) is None, (text, match.check(event))  # type: ignore[arg-type]
        match = match.evolve(event)  # type: ignore[arg-type]
    return match


def with_dashes() -> Iterator[tuple[Match, Match, int, int]]:
    """Yield matches, each with a copy that has a dash for the moves of a seat in a turn."""
    for slug in GAMES:
        for seed in range(6):
            match = played(slug, seed)
            turn = match.at(4).position.turn
            last = next(
                (n for n in range(5, len(match.line)) if match.at(n).position.turn != turn),
                len(match.line),
            )
            before = fold(open_match(match.game), [ply.event for ply in match.line[:4]])
            copy = enter(before, "--", *texts(match)[last:])
            yield match, copy, 5, last


def test_after_a_dash_moves_need_only_their_form() -> None:
    match = enter(open_match(built_in("poptrix")), "M@c1", "--", "S@c1", "S@c1")
    assert [type(ply.event) for ply in match.line[1:]] == [Unrecorded, Noted, Noted]
    assert match.state.unjudged
    assert match.at(1).unjudged is False
    wrong = move_text.read(match.game, match.state, "K@z9")
    assert getattr(wrong, "clause", None) == "form"


def test_a_filled_line_equals_the_line_of_its_moves() -> None:
    for match, copy, ply, last in with_dashes():
        moves = [each.event for each in match.line[ply - 1 : last]]
        seat = moves[0].seat  # type: ignore[union-attr]
        bodies = tuple(move_text.split(_text(match, each)).body for each in moves)  # type: ignore[arg-type]
        edit = Filled(ply, seat, bodies, SHEET)
        assert copy.check(edit) is None
        filled = copy.evolve(edit)
        doubtful = [each.state.doubtful for each in filled.line]
        assert doubtful == [number >= ply for number in range(1, len(doubtful) + 1)]
        states = [replace(each.state, doubtful=False) for each in filled.line]
        assert states == [each.state for each in match.line]
        found = [getattr(each.event, "reconstructed", None) for each in filled.line]
        assert [bool(each) for each in found] == [
            ply <= number <= last for number in range(1, len(found) + 1)
        ]


def test_a_filled_dash_opens_again() -> None:
    for match, copy, ply, last in with_dashes():
        moves = [each.event for each in match.line[ply - 1 : last]]
        bodies = tuple(move_text.split(_text(match, each)).body for each in moves)  # type: ignore[arg-type]
        filled = copy.evolve(Filled(ply, moves[0].seat, bodies, SHEET))  # type: ignore[union-attr]
        edit = Reopened(last)
        assert filled.check(edit) is None
        again = filled.evolve(edit)
        assert texts(again) == texts(copy)
        assert [each.state for each in again.line] == [each.state for each in copy.line]
        assert again.check(Reopened(ply)) is not None
        assert dashes.filling(again) is None, "a person said no"


def test_a_dash_is_filled_only_by_legal_moves_of_its_seat_within_a_turn() -> None:
    match = enter(open_match(built_in("poptrix")), "M@c1", "--", "S@c3")
    refused = [
        Filled(1, 1, ("M@c1",), SHEET),
        Filled(9, 1, ("M@c1",), SHEET),
        Filled(2, 2, (), SHEET),
        Filled(2, 2, ("M@c1",), SHEET),
        Filled(2, 1, ("M@c6",), SHEET),
        Filled(2, 2, ("M@c6", "S@d6"), SHEET),
    ]
    assert all(match.check(each) is not None for each in refused)
    assert match.check(Filled(2, 2, ("M@c6",), SHEET)) is None


def test_the_rules_fill_a_dash_with_the_only_line_that_fits() -> None:
    filled = 0
    for match, copy, _, _ in with_dashes():
        edit = dashes.filling(copy)
        if edit is None:
            continue
        filled += 1
        after = copy.evolve(edit)
        states = [replace(each.state, doubtful=False) for each in after.line]
        assert states == [each.state for each in match.line]
        assert edit.reconstructed == FoundLater("rules", ("--",))
    assert filled >= 6


def test_a_slip_right_after_a_dash_settles_nothing() -> None:
    for _, copy, ply, _ in with_dashes():
        one = copy.evolve(TakenBack(ply + 1)) if len(copy.line) > ply + 1 else copy
        if [*copy.game.legal_moves(copy.at(ply - 1).position)][1:]:
            assert dashes.filling(one) is None


def test_an_undo_of_the_move_that_decided_makes_a_dash_again() -> None:
    for _, copy, ply, _ in with_dashes():
        edit = dashes.filling(copy)
        if edit is None:
            continue
        after = copy.evolve(edit)
        undone = after.evolve(TakenBack(len(after.line) - 1))
        assert isinstance(undone.line[ply - 1].event, Unrecorded)
        assert undone.state.unjudged
        assert texts(undone) == texts(copy)[:-1]
        redone = undone.evolve(move_text.read(copy.game, undone.state, texts(copy)[-1]))  # type: ignore[arg-type]
        assert dashes.filling(redone) is not None
        return
    pytest.fail("no dash was filled")


def test_choices_are_moves_after_which_the_later_events_fit() -> None:
    for match, copy, ply, last in with_dashes():
        found = dashes.choices(copy)
        assert 1 <= len(found) <= 5
        for bodies in found:
            names = tuple(move_text.split(text).body for text in bodies)
            seat = match.line[ply - 1].event.seat  # type: ignore[union-attr]
            filled = copy.evolve(Filled(ply, seat, names, SHEET))
            assert not filled.state.unjudged, (bodies, texts(match)[ply - 1 : last])


def test_a_forgotten_dash_is_inserted_and_no_later_move_falls() -> None:
    match = played("poptrix", 3)
    amended = Amended(3, "inserted", Unrecorded(None), len(match.line) - 2)
    assert match.check(amended) is None
    after = match.evolve(amended)
    assert len(after.line) == len(match.line) + 1
    assert after.state.unjudged


def test_a_game_with_secret_moves_has_no_dashes() -> None:
    match = open_match(built_in("pyramid-ball"))
    assert match.check(Unrecorded(1)) is not None


def test_a_person_is_named() -> None:
    match = enter(open_match(built_in("poptrix")), "M@c1", "--")
    found = FoundLater(NamedPerson("scorekeeper"), ("--",))
    filled = match.evolve(Filled(2, 2, ("M@c6",), found))
    assert getattr(filled.line[1].event, "reconstructed", None) == found
