"""The search for missing moves."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from domain.events import Moved
from domain.games import BUILT_IN
from domain.games.blockade import GAME as BLOCKADE
from domain.games.poptrix import GAME as POPTRIX
from domain.games.power_play import GAME as POWER_PLAY
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from domain.match import open_match
from plybook.testing.subjects import random_event
from replay.book import Book
from replay.corrections.missing_moves import Gap, GapWay, SearchBounds, find_gap
from replay.errors import Usage
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.store import temporary_store
from tests.conformance.subjects import GAMES
from tests.token_play import add_token, play_texts

LISTED = [game for game in GAMES.values() if game.lists_all and game.slug in BUILT_IN]
OPENING = "M@c1 S@c6 c1>L@c3 c6>M@c4"


def record(game, text: str = "", *, seats: int | None = None) -> MatchRecord:
    """A stored match after these tokens."""
    match = play_texts(game, text, seats=seats)
    events = [(ply.event, "scorekeeper") for ply in match.line]
    return Book(temporary_store()).create(NewMatch(game, seats=seats, events=events))


def search(here: MatchRecord, target: str, bounds: SearchBounds = SearchBounds(), **more) -> Gap:  # noqa: B008
    return find_gap(here, len(here.match.line), target, bounds, **more)


def position(text: str, *, last: int = 0) -> str:
    """The text of a position of Poptrix, without its last fields."""
    fields = POPTRIX.write_position(play_texts(POPTRIX, text).state.position).split(" ")
    return " ".join(fields[: len(fields) - last])


def test_one_forgotten_move_is_found():
    gap = search(record(POPTRIX, OPENING), position(f"{OPENING} c3xc4"))
    assert gap == Gap((GapWay(("c3xc4",), position(f"{OPENING} c3xc4"), 0),), 1, 1)


@pytest.mark.parametrize("last", [0, 1, 2])
def test_two_forgotten_moves_are_found_by_partial_positions(last):
    gap = search(record(POPTRIX, "M@c1 S@c6"), position(OPENING, last=last))
    assert [way.texts for way in gap.ways] == [("c1>L@c3", "c6>M@c4")]


def test_turn_number_is_ignored():
    target = position(OPENING, last=1)
    gap = search(record(POPTRIX, "M@c1 S@c6"), f"{target} 17")
    assert [way.texts for way in gap.ways] == [("c1>L@c3", "c6>M@c4")]


def test_turn_written_in_the_target_must_match():
    after = position(f"{OPENING} c3xc4", last=2)
    assert search(record(POPTRIX, OPENING), f"{after} 2").ways
    assert not search(record(POPTRIX, OPENING), f"{after} 1", SearchBounds(length=1)).ways


def test_field_may_be_unknown():
    board, *_ = position(OPENING).split(" ")
    gap = search(record(POPTRIX, "M@c1 S@c6"), f"{board} ? ?")
    assert [way.texts for way in gap.ways] == [("c1>L@c3", "c6>M@c4")]


def test_shortest_ways_are_sorted_by_their_tokens():
    written = [way.texts for way in search(record(POPTRIX), "? 5S4M5L 4s5m5l").ways]
    assert len(written) == 25, "a medium on any of five squares, a small on any of five"
    assert written == sorted(written)


def test_search_finds_that_no_move_is_missing():
    gap = search(record(POPTRIX, OPENING), position(OPENING))
    assert [way.texts for way in gap.ways] == [()]
    assert gap.searched == 0


def test_unreachable_position_is_searched_in_full():
    gap = search(record(POPTRIX), position(OPENING), SearchBounds(length=2))
    assert gap == Gap((), 2, 15 + 15 * 15)


def test_search_ends_at_its_node_limit():
    gap = search(record(POPTRIX), position(OPENING), SearchBounds(nodes=100))
    assert (gap.ways, gap.searched, gap.nodes, gap.stopped) == ((), 1, 100, "nodes")


def test_ways_found_before_the_limit_are_offered():
    gap = search(record(POPTRIX), position("S@a1 L@a6"), SearchBounds(nodes=60))
    assert ([way.texts for way in gap.ways], gap.stopped) == ([("S@a1", "L@a6")], "nodes")


def test_search_ends_at_its_time_limit():
    told: list[tuple[int, int]] = []
    gap = search(
        record(POPTRIX),
        "? 0S0M0L 5s5m5l",
        SearchBounds(seconds=2.5),
        clock=count().__next__,
        progress=lambda length, nodes: told.append((length, nodes)),
    )
    assert (gap.stopped, gap.searched, gap.nodes) == ("seconds", 2, 768)
    assert told == [(3, 256), (3, 512), (3, 768)]


def test_ways_differing_only_in_dice_count_as_one():
    here = record(BLOCKADE)
    after = BLOCKADE.write_position(play_texts(BLOCKADE, "roll=4,4 b5-c5").state.position).split(
        " "
    )
    gap = search(here, f"{after[0]} {after[1]} ? ?")
    [way] = gap.ways
    assert way.texts[1] == "b5-c5"
    assert way.texts[0].startswith("roll=")
    assert way.alike > 20


def test_known_dice_leave_one_way():
    after = BLOCKADE.write_position(play_texts(BLOCKADE, "roll=4,4 b5-c5").state.position)
    [way] = search(record(BLOCKADE), after).ways
    assert (way.texts, way.alike) == (("roll=4,4", "b5-c5"), 0)


def test_forgotten_resignation_is_found():
    here = record(POWER_PLAY, seats=3)
    after = POWER_PLAY.write_position(play_texts(POWER_PLAY, "2:resign", seats=3).state.position)
    assert [way.texts for way in search(here, after).ways] == [("2:resign",)]


def test_gap_in_the_middle_is_searched_from_there():
    here = record(POPTRIX, OPENING)
    [way] = find_gap(here, 2, position("M@c1 S@c6 c1>L@c3"), SearchBounds()).ways
    assert way.texts == ("c1>L@c3",)


@pytest.mark.parametrize("game", LISTED, ids=str)
def test_moves_of_random_matches_are_found_again(game):
    rng, match = Random(str(game)), open_match(game)
    while match.state.outcome is None and len(match.line) < 16:
        event = random_event(game, match.state, rng)
        match = match.evolve(event) if isinstance(event, Moved) else match
    book = Book(temporary_store())
    for missing in (1, 2):
        line = [ply.event for ply in match.line]
        here = book.create(NewMatch(game, events=[(event, "s") for event in line[:-missing]]))
        gap = search(here, match.game.write_position(match.state.position))
        assert 1 <= len(gap.ways[0].texts) <= missing
        for way in gap.ways:
            found = here.match
            for token in way.texts:
                found = add_token(found, token)
            assert match.game.write_position(found.state.position) == way.position
            assert (
                way.position.rsplit(" ", 1)[0]
                == match.game.write_position(match.state.position).rsplit(" ", 1)[0]
            )


def test_same_search_gives_the_same_answer():
    here, target = record(BLOCKADE), "? ? 1,3 ?"
    assert search(here, target) == search(here, target)


def test_games_with_secret_moves_are_not_searched():
    with pytest.raises(Usage, match="cannot be listed"):
        search(record(PYRAMID_BALL), "?")


def test_ended_match_is_not_searched():
    with pytest.raises(Usage, match="over at ply 2"):
        search(record(POPTRIX, "M@c1 2:resign"), position(OPENING))


@pytest.mark.parametrize("target", ["", "5/5", f"{position(OPENING)} 1"])
def test_wrong_number_of_fields_is_refused(target):
    with pytest.raises(Usage, match="has 5 fields"):
        search(record(POPTRIX), target)


@pytest.mark.parametrize("last", [0, 1, 2])
def test_invalid_target_is_refused_with_its_column(last):
    with pytest.raises(Usage, match="this is not a position of Poptrix, column 2"):
        search(record(POPTRIX), "2x" + position(OPENING, last=last)[2:])
