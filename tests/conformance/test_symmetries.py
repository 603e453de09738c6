"""Symmetries: an image of a match is a match, and images count as one."""

from __future__ import annotations

import pytest

from domain.canonical import canonical
from domain.events import Moved
from domain.games import BUILT_IN
from replay.formats.ply.reader import read_records
from tests.conformance.subjects import GAMES, every_subject
from tests.test_seeds import FIXTURES


def moved(subject):
    """The moves of a match, with the positions before and after."""
    return [
        (before.position, event, after.position)
        for before, event, after in subject.steps
        if isinstance(event, Moved)
    ]


@every_subject
def test_a_move_and_its_image_lead_to_a_position_and_its_image(subject):
    for before, event, after in moved(subject):
        for way in subject.game.symmetries(before):
            image = way.move(event.move)
            assert image.check(way.position(before), event.seat) is None
            assert image.evolve(way.position(before), event.seat)[0] == way.position(after)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_recorded_matches_have_images_to_their_end(slug):
    for record in read_records((FIXTURES / slug / "games.ply").read_text()):
        states = [record.match.start, *(ply.state for ply in record.match.line)]
        for before, ply in zip(states, record.match.line, strict=False):
            if not isinstance(ply.event, Moved):
                continue
            for way in GAMES[slug].symmetries(before.position):
                image = way.move(ply.event.move)
                after, _ = image.evolve(way.position(before.position), ply.event.seat)
                assert after == way.position(ply.state.position)


@every_subject
def test_the_image_of_a_move_can_be_undone(subject):
    for before, event, _ in moved(subject):
        for way in subject.game.symmetries(before):
            assert way.undo(way.move(event.move)) == event.move


@every_subject
def test_the_moves_of_an_image_are_the_images_of_the_moves(subject):
    for position in (state.position for state in subject.some(6)):
        for way in subject.game.symmetries(position):
            for one in position.awaiting():
                images = {way.move(move) for move in position.legal(one.seat)}
                assert images == set(way.position(position).legal(one.seat))


@every_subject
def test_an_image_is_a_position_of_its_own_text(subject):
    for position in (state.position for state in subject.some(6)):
        if position.sealed:
            continue
        for way in subject.game.symmetries(position):
            image = way.position(position)
            assert subject.game.read_position(position, subject.game.write_position(image)) == image


@every_subject
def test_positions_count_as_one_with_their_images(subject):
    for before, event, _ in moved(subject)[:40]:
        one = canonical(subject.game, before)
        for way in subject.game.symmetries(before):
            other = canonical(subject.game, way.position(before))
            assert other.text == one.text
            token = other.token(subject.game, way.move(event.move))
            assert token == one.token(subject.game, event.move)
