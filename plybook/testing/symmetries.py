"""Symmetries: the image of a match is a match, and images count as equal."""

from __future__ import annotations

from domain.canonical import canonical
from domain.events import Moved
from domain.position import Position
from plybook.testing.subjects import Subject, with_text


def moved(subject: Subject) -> list[tuple[Position, Moved, Position]]:
    """List the moves of a match, with the positions before and after."""
    return [
        (before.position, event, after.position)
        for before, event, after in subject.steps
        if isinstance(event, Moved)
    ]


def test_symmetry_commutes_with_moves(subject: Subject) -> None:
    for before, event, after in moved(subject):
        for way in subject.game.symmetries(before):
            image = way.move(event.move)
            assert image.check(way.position(before), event.seat) is None
            assert image.evolve(way.position(before), event.seat)[0] == way.position(after)


def test_symmetry_of_a_move_can_be_undone(subject: Subject) -> None:
    for before, event, _ in moved(subject):
        for way in subject.game.symmetries(before):
            assert way.undo(way.move(event.move)) == event.move


def test_symmetry_maps_legal_moves_to_legal_moves(subject: Subject) -> None:
    for position in (state.position for state in subject.some(6)):
        for way in subject.game.symmetries(position):
            for one in position.awaiting():
                images = {way.move(move) for move in subject.game.legal(position, one.seat)}
                assert images == set(subject.game.legal(way.position(position), one.seat))


@with_text
def test_symmetric_position_text_round_trip(subject: Subject) -> None:
    for position in (state.position for state in subject.some(6)):
        if position.sealed:
            continue
        for way in subject.game.symmetries(position):
            image = way.position(position)
            assert subject.game.read_position(position, subject.game.write_position(image)) == image


@with_text
def test_symmetric_positions_have_one_key(subject: Subject) -> None:
    for before, event, _ in moved(subject)[:40]:
        one = canonical(subject.game, before)
        for way in subject.game.symmetries(before):
            other = canonical(subject.game, way.position(before))
            assert other.text == one.text
            text = other.write(subject.game, way.move(event.move))
            assert text == one.write(subject.game, event.move)
