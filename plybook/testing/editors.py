"""Positions edited by hand: pieces move from place to place, and their number does not change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.editor import Location, Misplaced, Thing
from domain.game import Game
from domain.position import Position
from domain.position_text import PositionError
from domain.scene import Grid
from plybook.testing.positions import check_sound, samples
from plybook.testing.subjects import by_hand, few

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
by_chance = st.integers(0, 2**32).map(Random)


class HandMove(NamedTuple):
    """A piece moved by hand, with the positions before and after."""

    game: Game[Any]
    before: Position
    what: str
    start: str
    end: str
    after: Position


def locations(game: Game[Any], position: Position) -> tuple[Location, ...]:
    return game.editor.locations(position)


def move(game: Game[Any], position: Position, what: str, start: str, end: str) -> Position:
    after: Position = game.editor.move(position, what, start, end)
    return after


@cache
def shown(game: Game[Any]) -> list[Position]:
    return [position for position in samples(game) if locations(game, position)]


def lifted(game: Game[Any], position: Position, rng: Random) -> tuple[Thing, str]:
    """Choose a piece and the place it lies on."""
    return rng.choice(
        [(thing, spot.at) for spot in locations(game, position) for thing in spot.things]
    )


def moved(game: Game[Any], position: Position, what: str, start: str, end: str) -> Position | None:
    try:
        return move(game, position, what, start, end)
    except Misplaced:
        return None


def shift(game: Game[Any], position: Position, rng: Random) -> HandMove:
    """Move a random piece to a random place where it may lie."""
    ends = [spot.at for spot in locations(game, position)]
    while True:
        thing, start = lifted(game, position, rng)
        end = rng.choice([spot for spot in ends if spot != start])
        after = moved(game, position, thing.what, start, end)
        if after is not None:
            return HandMove(game, position, thing.what, start, end, after)


def laid_out(game: Game[Any], position: Position) -> bool:
    """Return whether any piece is drawn, on the board or in its margins."""
    scene = game.scene(position.view(None))
    board = scene.panels[0]
    if isinstance(board, Grid):
        placed = any(cell.pieces for cell in board.cells)
    else:
        placed = any(block.colour for block in board.blocks)
    return placed or any(tray.supplies for tray in scene.trays)


@by_hand
def test_editor_shows_positions_with_pieces(game: Game[Any]) -> None:
    laid = [position for position in samples(game) if laid_out(game, position)]
    assert shown(game) == laid != []


@by_hand
def test_editor_places_are_those_of_the_picture(game: Game[Any]) -> None:
    for position in shown(game):
        panel = game.scene(position.view(None)).panels[0]
        drawn = {place.at for place in (panel.cells if hasattr(panel, "cells") else panel.blocks)}
        spots = locations(game, position)
        assert drawn <= {spot.at for spot in spots if not spot.beside}
        assert len({spot.at for spot in spots}) == len(spots)
        assert all(thing.count > 0 for spot in spots for thing in spot.things)


def undone(made: HandMove) -> bool:
    """Return whether moves between the changed places restore the position.

    Pieces on top of the moved one may have to be lifted off and put back, and bound pieces bound
    again.
    """
    wanted, reached = locations(made.game, made.before), [made.after]
    seen = set[tuple[Location, ...]]()
    was = set(wanted)
    changed = [spot.at for spot in locations(made.game, made.after) if spot not in was]
    for _ in range(6 + 2 * above(made)):
        fresh = {locations(made.game, position): position for position in reached}
        if wanted in fresh:
            return True
        fresh = {spots: position for spots, position in fresh.items() if spots not in seen}
        seen |= fresh.keys()
        reached = [
            back for position in fresh.values() for back in between(made.game, position, changed)
        ]
    return False


def above(made: HandMove) -> int:
    """Count the pieces above the moved one."""
    things = next(
        spot.things for spot in locations(made.game, made.before) if spot.at == made.start
    )
    taken = next(place for place, thing in enumerate(things) if thing.what == made.what)
    return sum(thing.count for thing in things[:taken])


def between(game: Game[Any], position: Position, places: list[str]) -> Iterator[Position]:
    """Yield the position after each possible move between these places."""
    there = {spot.at: spot.things for spot in locations(game, position) if spot.at in places}
    for start, end in product(places, repeat=2):
        for thing in there[start]:
            back = moved(game, position, thing.what, start, end)
            if back is not None:
                yield back


@by_hand
@quick
@given(rng=by_chance)
def test_edited_pieces_can_be_put_back(game: Game[Any], rng: Random) -> None:
    made = shift(game, rng.choice(shown(game)), rng)
    assert undone(made), made


@by_hand
@quick
@given(rng=by_chance)
def test_editing_gives_valid_positions_or_reasons(game: Game[Any], rng: Random) -> None:
    position = rng.choice(shown(game))
    for _ in range(rng.randrange(1, 8)):
        position = shift(game, position, rng).after
    position = game.editor.give_turn(position, rng.choice(position.playing))
    try:
        read = game.read_position(position, game.write_position(position))
    except PositionError:
        return
    check_sound(game, read)
    assert locations(game, read) == locations(game, position)


@by_hand
@quick
@given(rng=by_chance, what=st.text(max_size=4), start=st.text(max_size=4), end=st.text(max_size=4))
def test_impossible_edit_names_the_piece(
    game: Game[Any], rng: Random, what: str, start: str, end: str
) -> None:
    position = rng.choice(shown(game))
    thing, lies = lifted(game, position, rng)
    places = {spot.at for spot in locations(game, position)}
    there = {(thing.what, spot.at) for spot in locations(game, position) for thing in spot.things}
    for asked in ((what, lies, lies), (thing.what, start, lies), (thing.what, lies, end)):
        if asked[:2] in there and asked[2] in places:
            continue
        with pytest.raises(Misplaced, match=r"\w"):
            game.editor.move(position, *asked)


@by_hand
@quick
@given(rng=by_chance)
def test_editor_gives_the_turn_to_any_seat(game: Game[Any], rng: Random) -> None:
    position = rng.choice(shown(game))
    for seat in position.playing:
        try:
            given = game.editor.give_turn(position, seat)
            read = game.read_position(given, game.write_position(given))
        except PositionError:
            continue
        awaited = [one.seat for one in read.awaiting() if one.must]
        assert seat in awaited or read.outcome() or _skipped(game, read, seat)
    for seat in (0, -1, 9):
        with pytest.raises(Misplaced):
            game.editor.give_turn(position, seat)


def _skipped(game: Game[Any], position: Position, seat: int) -> bool:
    """Return whether a seat has no possible action, so that another seat is awaited."""
    return not any(game.legal(position, seat))


def test_editor_refuses_positions_it_cannot_show(game: Game[Any]) -> None:
    for position in (state.position for one in few(game) for state in one.states):
        if position.sealed:
            assert not locations(game, position)
        if not locations(game, position):
            with pytest.raises(Misplaced, match="by hand"):
                game.editor.move(position, "M", "a1", "a2")
            with pytest.raises(Misplaced, match="by hand"):
                game.editor.give_turn(position, 1)
