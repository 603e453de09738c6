"""The explorer counts the moves of a position over all matches and move orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.canonical import canonical
from domain.entry.move_text import UnsureText, split
from domain.events import Moved, State
from domain.games import BUILT_IN
from domain.match import Match, open_match, unrevealed_plies
from plybook.testing.subjects import random_match
from replay import registry
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections import amendments
from replay.corrections.takebacks import take_back
from replay.errors import Usage
from replay.library import explorer, indexes, match_list
from replay.library.explorer import ExploredPosition, SeenMove, stats
from replay.library.match_list import ListFilter
from replay.record.addresses import Address
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.record.match_summary import key_of
from replay.referee import entering, opening
from replay.store.sql import position_index, tallies
from replay.store.types import MoveCount

POPTRIX = registry.find("poptrix")
BALL = registry.find("pyramid-ball")
PROGRAMS = ("1:S=FRB,M=L.F,L=LFF,pass=2L", "2:S=LFF,M=RFF,L=RFB")


def record(book: Book, *tokens: str, game: Any = POPTRIX) -> MatchRecord:
    return entering.play(book, opening.open_match(book, game), tokens)


def explore(book: Book, match: Match) -> ExploredPosition:
    """Explore a position with every match indexed."""
    indexes.catch_up_summaries(book)
    indexes.catch_up_positions(book)
    return explorer.explore(book, match)


def explored(book: Book, *tokens: str, game: Any = POPTRIX) -> dict[str, SeenMove]:
    """Return the counted moves after these tokens."""
    moves = explore(book, entering.judge_texts(open_match(game), tokens)).moves
    assert len({move.text for move in moves}) == len(moves)
    return {move.text: move for move in moves}


def seen(book: Book, *tokens: str, game: Any = POPTRIX) -> dict[str, int]:
    return {token: move.seen for token, move in explored(book, *tokens, game=game).items()}


def test_moves_are_counted_with_the_results(book):
    record(book, "M@c1", "S@c6", "1:resign")
    record(book, "M@c1", "S@c6", "ruled==")
    record(book, "M@c1", "S@c6", "ruled=*")
    record(book, "M@c1", "L@c6")
    record(book, "S@c1")
    assert seen(book) == {"M@c1": 4, "S@c1": 1}
    assert list(explored(book)) == ["M@c1", "S@c1"], "the most frequent first"
    assert explored(book, "M@c1") == {
        "S@c6": SeenMove("S@c6", 2, 3, {1: 0, 2: 1}, drawn=1, unfinished=1, variations=0),
        "L@c6": SeenMove("L@c6", 2, 1, {1: 0, 2: 0}, drawn=0, unfinished=1, variations=0),
    }
    assert seen(book, "L@c1") == {}


def test_moves_of_a_player_are_counted_with_their_results(book):
    for first, second, *moves in (
        ("Ben", "Ann", "M@c1", "S@c6", "2:resign"),
        ("ben", "Ann", "M@c1", "1:resign"),
        ("Ben", "Ann", "S@c1"),
        ("Ann", "Ben", "L@c1", "S@c6"),
    ):
        made = opening.open_match(book, POPTRIX, players={1: first, 2: second})
        fork(book, entering.play(book, made, moves), 1, kind="variation")
    explore(book, open_match(POPTRIX))

    def played(player: str, *before: str) -> list[tuple[str, int, dict[int, int]]]:
        there = entering.judge_texts(open_match(POPTRIX), before)
        moves = explorer.explore(book, there, player=player).moves
        return [(each.text, each.seen, each.won) for each in moves]

    assert played("Ben") == [("M@c1", 2, {1: 1, 2: 1}), ("S@c1", 1, {1: 0, 2: 0})]
    assert played("BEN", "L@c1") == [("S@c6", 1, {1: 0, 2: 0})]
    assert played("Be") == []
    for unfit in ("", " ", "B\0n", "B" * 101):
        with pytest.raises(Usage, match="the name of a player must be printable, not blank"):
            played(unfit)


def test_joint_win_counts_for_each_winner():
    counts = [MoveCount(1, "x", "match", "+1,3", 5), MoveCount(1, "x", "match", "+3", 2)]
    assert explorer._seen_move("x", 1, 3, counts).won == {1: 5, 2: 0, 3: 7}


def test_transposed_positions_count_as_one(book):
    record(book, "M@c1", "S@c6", "c1>L@b1", "c6>M@b6", "c1>S@d1", "c6>L@d6")
    record(book, "M@c1", "S@c6", "c1>S@d1", "c6>M@b6", "c1>L@b1", "c6>L@c5")
    assert seen(book, "M@c1", "S@c6", "c1>L@b1", "c6>M@b6", "c1>S@d1") == {
        "c6>L@d6": 1,
        "c6>L@c5": 1,
    }


def test_counts_of_often_played_position_are_stored(book, monkeypatch):
    monkeypatch.setattr(explorer, "MANY", 2)
    record(book, "M@c1", "S@c6")
    assert seen(book) == {"M@c1": 1}
    record(book, "M@c1", "L@c6", "1:resign")
    before = explored(book)
    book.store.probe().result()
    for move in ("M@c1", "S@c1"):
        record(book, move, "S@c6")
        assert book.store._query(position_index.are_counts_right)
    assert seen(book) == {"M@c1": 3, "S@c1": 1}
    assert before["M@c1"].won == explored(book)["M@c1"].won == {1: 0, 2: 1}


def test_starts_of_much_played_games_are_counted_before_anyone_explores(book, monkeypatch):
    monkeypatch.setattr(explorer, "MANY", 2)
    record(book, "M@c1", "S@c6")
    indexes.catch_up_positions(book)
    assert list(explorer.count_starts(book)) == []
    record(book, "M@c1", "L@c6")
    indexes.catch_up_positions(book)
    assert [write.result() for write in explorer.count_starts(book)] == [None]
    found = canonical(POPTRIX, open_match(POPTRIX).start.position)
    key = key_of(POPTRIX, POPTRIX.options(), 2, found)
    asked = (key,)
    assert book.store._query(lambda on: on.execute(position_index.IS_COUNTED, asked).fetchone())


@pytest.mark.parametrize("many", [1, 1000])
def test_doubtful_matches_can_be_left_out(book, monkeypatch, many):
    monkeypatch.setattr(explorer, "MANY", many)
    sure = record(book, "M@c1", "S@c6", "2:resign")
    dashed = record(book, "M@c1", "--", "c1>L@c3")
    unsure = opening.open_match(book, POPTRIX)
    unsure = entering.play(book, unsure, [UnsureText(None, "S@c1"), "2:resign"])
    start = open_match(POPTRIX)
    for _ in range(2):  # counts are kept from the first time on
        assert seen(book) == {"M@c1": 2, "S@c1": 1}
        moves = explorer.explore(book, start, sure=True).moves
        assert [(move.text, move.seen, move.won) for move in moves] == [("M@c1", 1, {1: 1, 2: 0})]
    [every] = stats(book)
    [without] = stats(book, sure=True)
    assert (every.matches, every.results) == (3, {"+1": 2, "*": 1})
    assert (without.matches, without.results) == (1, {"+1": 1})
    wanted = ListFilter(sure=True)
    found = match_list.page(book, wanted, explorer.EVERY, 9).matches
    assert [each.stream.id for each in found] == [sure.stream.id]
    amendments.amend(book, amendments.plan_replacement(unsure, 1, "S@c1"))
    assert stats(book, sure=True)[0].matches == 2, "a correction leaves no doubt"
    filled = amendments.amend(book, amendments.plan_replacement(dashed, 2, "S@c6"))
    assert filled.state.doubtful, "a move keeps for ever how it was found"
    assert book.store._query(position_index.are_counts_right)
    assert book.store._query(tallies.are_right)


def test_game_with_doubtful_matches_alone_has_no_sure_statistics(book):
    record(book, "--")
    assert (len(stats(book)), stats(book, sure=True)) == (1, [])


def test_turn_number_is_ignored(book):
    text = "5/5/5/5/5/5 5S5M5L 5s5m5l 1 "
    record(book, "M@c1")
    later = open_match(POPTRIX, position=text + "9")
    assert later.start.position.turn == 9
    assert [move.text for move in explore(book, later).moves] == ["M@c1"]


def test_symmetric_images_count_as_one(book):
    record(book, "M@a1", "S@b6")
    record(book, "M@e1", "S@d6")
    assert seen(book) == {"M@a1": 2}
    assert seen(book, "M@a1") == {"S@b6": 2}
    assert seen(book, "M@e1") == {"S@d6": 2}, "as one sits at the board"


def test_seats_and_options_distinguish_positions(book):
    blockade = registry.find("blockade")
    opened = opening.open_match(book, blockade, options={"cool": "2"})
    entering.play(book, opened, ["roll=4,4"])
    assert explore(book, open_match(blockade)).moves == ()
    warm = open_match(blockade, blockade.read_options({"cool": "2"}))
    assert [move.text for move in explore(book, warm).moves] == ["roll=4,4"]


def test_only_current_lines_count(book):
    match = record(book, "M@c1", "S@c6")
    assert seen(book, "M@c1") == {"S@c6": 1}
    match = entering.play(book, take_back(book, match, 1), ["L@c6", "c1>L@c2"])
    assert seen(book, "M@c1") == {"L@c6": 1}
    amendments.amend(book, amendments.plan_replacement(match, 1, "S@c1"))
    assert seen(book) == {"S@c1": 1}
    assert seen(book, "M@c1") == {}
    assert seen(book, "S@c1") == {"L@c6": 1}


def test_moves_of_variations_are_counted_separately(book):
    match = record(book, "M@c1", "S@c6", "c1>L@c3")
    entering.play(
        book, fork(book, *book.at(Address(match.id, 2)), "match"), ["c1>L@b1", "1:resign"]
    )
    entering.play(book, fork(book, *book.at(Address(match.id, 2)), "variation"), ["c1>L@b1"])
    assert seen(book) == {"M@c1": 1}
    assert explored(book, "M@c1", "S@c6") == {
        "c1>L@b1": SeenMove("c1>L@b1", 1, 2, {1: 0, 2: 1}, 0, 0, variations=1),
        "c1>L@c3": SeenMove("c1>L@c3", 1, 1, {1: 0, 2: 0}, 0, 1, variations=0),
    }


def test_move_taken_back_counts_for_its_forks(book):
    match = record(book, "M@c1", "S@c6", "c1>L@c3")
    fork(book, *book.at(Address(match.id, 3)), "match")
    fork(book, *book.at(Address(match.id, 3)), "match")
    take_back(book, match, 1)
    assert seen(book) == {"M@c1": 1}
    assert seen(book, "M@c1", "S@c6") == {"c1>L@c3": 1}


def test_revealed_moves_of_both_seats_count(book):
    match = record(book, PROGRAMS[0], game=BALL)
    assert seen(book, game=BALL) == {}
    match = entering.play(book, match, PROGRAMS[1:])
    assert seen(book, game=BALL) == dict.fromkeys(PROGRAMS, 1)
    assert seen(book, PROGRAMS[0], game=BALL) == dict.fromkeys(PROGRAMS, 1), "the same position"
    take_back(book, match, 1)
    assert seen(book, game=BALL) == {PROGRAMS[0]: 1}, "what was revealed once is known"


def test_unrevealed_moves_never_count(book):
    entering.play(book, take_back(book, record(book, PROGRAMS[0], game=BALL), 0), ["1:resign"])
    record(book, PROGRAMS[0], "2:resign", game=BALL)
    assert seen(book, game=BALL) == {}
    book.store.forget_index().result()
    assert seen(book, game=BALL) == {}


def test_entering_events_does_not_update_the_index(book):
    match = record(book, "M@c1")
    explored(book)
    match = entering.play(book, match, ["S@c6"])
    assert [each.id for each in book.store.positions_due()] == [match.stream.id]
    assert seen(book, "M@c1") == {"S@c6": 1}
    assert book.store.positions_due() == []


def test_unreadable_match_does_not_stop_others(book):
    match = record(book, "M@c1")
    broken = record(book, "M@c1")
    rotten = book.encode(POPTRIX, broken.match.line[0].event, "x")
    rotten = type(rotten)(rotten.id, "moved", "x", 0, b"{}")
    book.store.append(broken.stream.id, 1, [rotten]).result()
    assert seen(book) == {"M@c1": 1}
    assert [each.id for each in book.store.positions_due()] == [broken.stream.id]
    assert match.stream.id not in {each.id for each in book.store.positions_due()}


def test_game_without_position_texts_can_be_counted(book, monkeypatch):
    monkeypatch.setattr("replay.record.match_summary.canonical", _no_text)
    monkeypatch.setattr("replay.library.explorer.canonical", _no_text)
    record(book, "M@c1", "1:resign")
    with pytest.raises(Usage, match="no position texts"):
        explore(book, open_match(POPTRIX))
    assert stats(book)[0].matches == 1


def _no_text(game: object, position: object) -> None:
    from domain.position_text import PositionError

    raise PositionError("this game has no position texts", 1)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_every_move_of_random_matches_is_counted(book, slug):
    game = registry.find(slug)
    matches = [random_match(game, seed, limit=30) for seed in range(4)]
    for match in matches:
        events = [(ply.event, "x") for ply in match.line]
        book.create(NewMatch(game, seats=match.seats, events=events))
    steps = [(number, *step) for number, match in enumerate(matches) for step in open_moves(match)]
    found = [moves_by_image(book, match, at) for match in matches for at, _ in open_moves(match)]
    expected: dict[str, dict[tuple[int, str], set[int]]] = {}
    for number, at, event in steps:
        here = canonical(game, at.position)
        moves = expected.setdefault(here.text, {})
        moves.setdefault((event.seat, here.write(game, event.move)), set()).add(number)
    assert found == [
        {move: len(who) for move, who in expected[canonical(game, at.position).text].items()}
        for _, at, _ in steps
    ]
    moves = [book.store.indexed_match(each.id) for each in book.store.matches()]
    indexes.rebuild(book)
    assert [book.store.indexed_match(each.id) for each in book.store.matches()] == moves


def open_moves(match: Match) -> Iterator[tuple[State, Moved]]:
    """Yield the revealed moves, each with the last state without a sealed move."""
    silent, at, state = unrevealed_plies(match.line), match.start, match.start
    for number, ply in enumerate(match.line, 1):
        at = at if state.position.sealed else state
        if isinstance(ply.event, Moved) and number not in silent:
            yield at, ply.event
        state = ply.state


def moves_by_image(book: Book, match: Match, at: State) -> dict[tuple[int, str], int]:
    """Return the counts of moves, by seat and by the token that all images share."""
    here = canonical(match.game, at.position)
    moves = explore(book, Match(match.game, match.options, match.seats, at)).moves
    parse = match.game.parse
    return {
        (move.seat, here.write(match.game, parse(split(move.text).body))): move.seen
        for move in moves
    }
