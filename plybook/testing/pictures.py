"""Pictures: every position can be drawn, for every viewer."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import msgspec
from msgspec.structs import replace

from domain.position import Position, View
from domain.scene import Grid, Panel, Piece, Pile, Scene
from plybook.testing.subjects import Subject, with_pictures
from replay.drawing import svg, text
from replay.drawing.descriptions import piece_code
from replay.drawing.rows import layers
from replay.drawing.symbols import symbol
from replay.games import game_info

SIGNAL = re.compile("\x1b\\[[0-9;]*m")
"""ANSI colour sequences."""


def pictures(subject: Subject) -> Iterator[Scene]:
    """Draw every point of a match as a spectator and as each seat sees it."""
    effects = [(), *(ply.effects for ply in subject.match.line)]
    for state, facts in zip(subject.states, effects, strict=True):
        for view in views(subject, state.position):
            yield subject.game.scene(view, facts)


def drawings(subject: Subject) -> Iterator[Scene]:
    """Return every eighth picture with its event's frames, because drawing is slow."""
    for scene in list(pictures(subject))[subject.seed :: 8]:
        yield from (scene, *scene.frames)


@functools.cache
def things(subject: Subject) -> frozenset[Piece]:
    """Return the different pieces of a match, without their names."""
    found = {thing for scene in pictures(subject) for thing in _drawn(scene)}
    return frozenset(replace(thing, at="") for thing in found)


def _drawn(scene: Scene) -> Iterator[Piece]:
    for panel in scene.panels:
        if not isinstance(panel, Pile):
            yield from (thing for cell in panel.cells for thing in cell.pieces)
    yield from (supply.piece for tray in scene.trays for supply in tray.supplies)


def views(subject: Subject, position: Position) -> list[View]:
    """Return the distinct views, the spectator's first."""
    every = [position.view(seat) for seat in (None, *range(1, subject.seats + 1))]
    return [view for place, view in enumerate(every) if view not in every[:place]]


@with_pictures
def test_every_position_has_a_scene(subject: Subject) -> None:
    for scene in pictures(subject):
        assert scene.panels
        assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene


@with_pictures
def test_how_to_play_examples_are_reachable(subject: Subject) -> None:
    for number, example in enumerate(game_info.guide(subject.game).examples):
        assert game_info.example_picture(subject.game, number).panels, example.title
        assert game_info.clauses(subject.game, example) or not example.clauses


@with_pictures
def test_picture_names_each_place_once(subject: Subject) -> None:
    for scene in pictures(subject):
        again = layers(scene)
        once = [at for panel in scene.panels if panel not in again for at in _places(panel)]
        for places in (once, [at for panel in again for at in _places(panel)]):
            assert len(set(places)) == len(places)


@with_pictures
def test_marks_and_arrows_point_at_places(subject: Subject) -> None:
    for scene in pictures(subject):
        places = {place for panel in scene.panels for place in _places(panel)}
        for picture in (scene, *scene.frames):
            assert {mark.at for mark in picture.marks} <= places
            assert {end for arrow in picture.arrows for end in (arrow.start, arrow.end)} <= places


@with_pictures
def test_symbols_are_safe_and_have_texts(subject: Subject) -> None:
    for thing in things(subject):
        if thing.shape == "symbol":
            assert symbol(thing.symbol)
            assert thing.text


@with_pictures
def test_different_pieces_have_different_codes(subject: Subject) -> None:
    codes = set(map(piece_code, things(subject)))
    assert len(codes) == len(things(subject))


@with_pictures
def test_cells_lie_within_their_grid(subject: Subject) -> None:
    for scene in pictures(subject):
        for panel in scene.panels:
            if isinstance(panel, Grid):
                assert all(0 <= cell.column < len(panel.columns) for cell in panel.cells)
                assert all(0 <= cell.row < len(panel.rows) for cell in panel.cells)


@with_pictures
def test_effects_mark_changes_and_move_no_piece(subject: Subject) -> None:
    for ply in subject.match.line[-6:]:
        view = ply.state.position.view(None)
        assert [_pieces(panel) for panel in subject.game.scene(view).panels] == [
            _pieces(panel) for panel in subject.game.scene(view, ply.effects).panels
        ]


@with_pictures
def test_positions_can_be_drawn_as_svg(subject: Subject) -> None:
    for scene in drawings(subject):
        image = ElementTree.fromstring(svg.draw(scene))
        assert image.tag == "{http://www.w3.org/2000/svg}svg"
        assert image.get("viewBox")


@with_pictures
def test_positions_can_be_drawn_as_text(subject: Subject) -> None:
    for scene in drawings(subject):
        drawn = text.draw(scene)
        assert drawn.strip()
        assert all(sign.isprintable() or sign == "\n" for sign in drawn)
        assert SIGNAL.sub("", text.draw(scene, colour=True)) == drawn


def _places(panel: Panel) -> list[str]:
    places = panel.blocks if isinstance(panel, Pile) else panel.cells
    return [place.at for place in places if place.at]


def _pieces(panel: Panel) -> list[object]:
    if isinstance(panel, Pile):
        return [(block.at, block.colour) for block in panel.blocks]
    return [(cell.at, cell.pieces) for cell in panel.cells]
