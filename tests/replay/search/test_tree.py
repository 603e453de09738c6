"""The search: legal, repeatable, better than chance, and honest about secrets."""

from __future__ import annotations

from random import Random

import pytest

from domain.entry import move_text
from domain.events import Moved, State
from domain.games import BUILT_IN, built_in
from domain.match import open_match
from domain.position import Secret
from plybook.testing.subjects import Subject, few, random_match
from replay.search.playouts import Choices, for_playouts, hoped
from replay.search.seat_view import SealedMove, SeenLine
from replay.search.tree import Findings, search


def searched(state: State, playouts: int = 20, seed: int = 1, seat: int | None = None) -> Findings:
    found = search(
        SeenLine(state).draw, seats_of(state), Random(seed), for_playouts(playouts), seat
    )
    assert found is not None
    return found


def seats_of(state: State) -> int:
    return max(state.position.playing)


@pytest.mark.parametrize(
    "subject", [each for slug in BUILT_IN for each in few(built_in(slug))[::4]], ids=str
)
def test_every_line_begins_with_legal_move(subject: Subject):
    for state in subject.some(3)[:-1]:
        found = searched(state, 8)
        assert found.candidates
        for line in found.candidates:
            event = move_text.read(subject.game, state, line.texts[0])
            assert event.check(state) is None
            assert event.seat == found.seat


@pytest.mark.parametrize("slug", BUILT_IN)
def test_same_seed_finds_the_same_moves(slug):
    state = open_match(built_in(slug)).state
    assert searched(state, seed=3) == searched(state, seed=3)


def test_search_overrates_its_own_seat_at_open_ends():
    assert hoped((0.5, 0.5), None) == (0.5, 0.5)
    assert hoped((0.5, 0.5), 2) == pytest.approx((0.3, 0.7))
    state = open_match(built_in("pyramid-ball")).state
    fair, first, second = (searched(state, 60, seat=seat).values for seat in (None, 1, 2))
    assert first[0] > fair[0]
    assert second[1] > fair[1]


def before_the_end(slug: str) -> tuple[State, int]:
    """Return a state in which its mover wins at once, and the mover."""
    choices, rng = Choices(built_in(slug)), Random(2)
    while True:
        before = state = open_match(choices.game).state
        while state.outcome is None:
            before, seat = state, choices.mover(state.position)
            move = choices.at_random(state.position, seat, rng)
            state, _ = Moved(seat, move).evolve(state)
        if state.outcome.winners == (seat,):
            return before, seat


@pytest.mark.parametrize("slug", ["poptrix", "blockade", "cube-pyramid"])
def test_a_forced_win_is_proven(slug):
    state, seat = before_the_end(slug)
    found = searched(state, 2000)
    assert found.winners == found.candidates[0].winners == (seat,)
    assert (found.values[seat - 1], found.candidates[0].value) == (1.0, 1.0)
    after, _ = move_text.read(state.game, state, found.candidates[0].texts[0]).evolve(state)
    assert after.outcome is None or seat in after.outcome.winners


def test_search_proves_no_win_with_hidden_moves():
    match = random_match(built_in("pyramid-ball"), 3)
    assert all(
        searched(match.at(ply), 5).winners is None for ply in range(0, len(match.line) - 1, 5)
    )


def test_search_finds_nothing_in_an_ended_match():
    match = random_match(built_in("cube-pyramid"), 1)
    assert search(SeenLine(match.state).draw, 2, Random(1), for_playouts(5)) is None


def wins(slug: str, games: int, playouts: int) -> int:
    """Count the matches that the search wins against random moves."""
    return sum(is_won(slug, number, playouts) for number in range(games))


def is_won(slug: str, number: int, playouts: int) -> bool:
    game, own, rng = built_in(slug), 1 + number % 2, Random(number)
    choices, state = Choices(game), open_match(game).state
    seen = SeenLine(state)
    while state.outcome is None:
        seat = choices.mover(state.position, own)
        kind = choices.unlisted(state.position, seat)
        if seat == own and not (kind and kind.chance):
            found = search(seen.draw, 2, rng, for_playouts(playouts), own)
            event = move_text.read(game, state, found.candidates[0].texts[0])
        else:
            event = Moved(seat, choices.at_random(state.position, seat, rng))
        state, _ = event.evolve(state)
        hidden = isinstance(event.move, Secret) and seat != own and state.position.sealed
        seen = seen.then(SealedMove(seat) if hidden else event)
        if not state.position.sealed:
            seen = SeenLine(state)
    return own in state.outcome.winners


def test_search_beats_random_moves():
    assert wins("cube-pyramid", 6, 25) >= 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "games", "playouts"),
    [("poptrix", 5, 60), ("blockade", 2, 40), ("pyramid-ball", 2, 600), ("cube-pyramid", 10, 60),
     ("power-play", 1, 200)],
)  # fmt: skip
def test_search_beats_random_moves_of_every_game(slug, games, playouts):
    assert wins(slug, games, playouts) >= 0.9 * games
