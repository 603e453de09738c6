"""The search finds the lines that trying all legal lines finds."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from bench.reconstructing import err, games
from domain.entry import move_text
from domain.events import DASH, LineEvent, State
from domain.match import open_match
from domain.perft import TooMany, perft
from domain.reconstruction import costs
from domain.reconstruction.answer import Reconstruction, reconstruct
from domain.reconstruction.lattice import THOROUGH
from domain.reconstruction.scoresheet import Entry, Scoresheet
from domain.reconstruction.steps import moves_at
from replay.registry import find
from replay.sampling.moves import random_turn
from tests.domain.reconstruction.brute_force import cost, lines

MOST_LINES = 200
GAMES = ("poptrix", "blockade", "power-play", "cube-pyramid")
POSITIONS = 2
"""The positions of a game; `python -m tests.domain.reconstruction.test_brute_force` tries 50."""


def small_state(slug: str, rng: Random) -> tuple[State, int]:
    """Return a state of a random game, and a length up to which it has few lines."""
    while True:
        state, states = open_match(find(slug)).state, list[State]()
        while state.outcome is None and len(states) < 200:
            states.append(state)
            state, _ = random_turn(state.game, state.position, rng).evolve(state)
        for state in rng.sample(states[len(states) // 2 :], min(10, len(states) // 2)):
            if length := max(filter(lambda each: _is_small(state, each), (1, 2)), default=0):
                return state, length


def _is_small(state: State, length: int) -> bool:
    try:
        return perft(state.game, state.position, length + 1, MOST_LINES) > length
    except TooMany:
        return False


def played(state: State, length: int, rng: Random) -> list[LineEvent]:
    events = list[LineEvent]()
    while len(events) < length and (moves := list(moves_at(state))):
        events.append(rng.choice(moves))
        state, _ = events[-1].evolve(state)
    return events


def damaged(state: State, events: Sequence[LineEvent], rng: Random) -> Scoresheet:
    """Return a scoresheet with an error or two of any kind."""
    entries = [Entry(move_text.write(state.game, event)) for event in events]
    for _ in range(rng.choice((0, 1, 1, 2))):
        place = rng.randrange(len(entries))
        text = entries[place].text
        match rng.choice(("dash", "slip", "unsure", "left out", "twice")):
            case "dash":
                entries[place] = Entry(DASH)
            case "slip" if text != DASH:
                entries[place] = Entry(_slip(text, rng))
            case "unsure" if text != DASH:
                entries[place] = Entry(_slip(text, rng), unsure=True)
            case "left out" if len(entries) > 1:
                del entries[place]
            case "twice":
                entries.insert(place, entries[place])
    return Scoresheet(tuple(entries))


def _slip(text: str, rng: Random) -> str:
    places = [at for at, sign in enumerate(text) if sign in "bcd2345"]
    if not places:
        return text
    place = rng.choice(places)
    return text[:place] + chr(ord(text[place]) + rng.choice((-1, 1))) + text[place + 1 :]


def cases(
    slug: str, sheets: int, positions: int = POSITIONS
) -> Iterator[tuple[int, State, list[Scoresheet]]]:
    for seed in range(positions):
        rng = Random(f"{slug} {sheets} {seed}")
        state, length = small_state(slug, rng)
        events = played(state, length, rng)
        yield seed, state, [damaged(state, events, rng) for _ in range(sheets)]


@pytest.mark.parametrize("sheets", [pytest.param(1, marks=pytest.mark.slow), 2])
@pytest.mark.parametrize("slug", GAMES)
def test_search_finds_cheapest_lines(slug: str, sheets: int) -> None:
    compare(slug, sheets, POSITIONS)


@pytest.mark.parametrize("slug", ["poptrix", "power-play"])
def test_dashes_alone_leave_every_ply_open(slug: str) -> None:
    sheet = Scoresheet((Entry(DASH),) * (THOROUGH + 1))
    found = reconstruct(open_match(find(slug)).state, [sheet])
    assert [ply.certain for ply in found.plies] == [False] * (THOROUGH + 1)


@pytest.mark.parametrize(
    ("slug", "seed", "rate"), [("blockade", 1, 0.07), ("blockade", 9, 0.15), ("blockade", 24, 0.07)]
)
def test_entry_that_one_scoresheet_left_out_is_no_stray_one(
    slug: str, seed: int, rate: float
) -> None:
    """One scoresheet lacks a move, and the other has a slip or a dash next to it."""
    *_, events = games(slug, seed + 1)
    start, rng = open_match(find(slug)).state, Random(seed)
    truth = [move_text.write(start.game, event) for event in events]
    written = [Scoresheet(tuple(map(Entry, err(rng, truth, rate)))) for _ in range(2)]
    found = reconstruct(start, written)
    assert len(found.plies) == len(truth)
    pairs = zip(found.plies, truth, strict=True)
    assert [text for ply, text in pairs if ply.certain and ply.text != text] == []


def compare(slug: str, sheets: int, positions: int) -> None:
    """Compare the search with all lines, at positions of a game."""
    for seed, state, written in cases(slug, sheets, positions):
        most = max(len(sheet.entries) for sheet in written) + 1
        priced = {line: cost(line, written) for line in lines(state, most)}
        best = min(priced.values())
        found = reconstruct(state, written)
        texts = [ply.text for ply in found.plies]
        where = f"{slug}, seed {seed}: {written}"
        assert found.fault is None, where
        near = [_texts(state, line) for line, each in priced.items() if each <= best + costs.UNIT]
        cheapest = [_texts(state, line) for line, each in priced.items() if each == best]
        if found_all(written):
            assert texts in cheapest, where
        check_certain(found, near, written, where)


def found_all(written: Sequence[Scoresheet]) -> bool:
    """Return whether nobody was unsure; a lone scoresheet is first read as if sure."""
    return len(written) > 1 or not any(entry.unsure for entry in written[0].entries)


def check_certain(
    found: Reconstruction, near: list[list[str]], written: Sequence[Scoresheet], where: str
) -> None:
    """Check that all near lines have a certain ply, unless two scoresheets decide it."""
    for ply in found.plies:
        legal = {entry for entry in ply.entries if entry not in (None, DASH)}
        decided = None not in ply.entries and legal == {ply.text}
        agree = all(ply.text in line for line in near)
        if ply.certain and not decided:
            assert agree, f"{where}: {ply}"
        if len(written) == 2 and decided:
            assert ply.certain, f"{where}: {ply}"
        if len(near) == 1 and len(written) == 2:
            assert ply.certain, f"{where}: {ply}"
        if len(written) == 1 and ply.certain:
            assert ply.entries[0] in (ply.text, DASH, None), where


def _texts(state: State, line: Sequence[tuple[State, LineEvent]]) -> list[str]:
    return [move_text.write(state.game, event) for _, event in line]


if __name__ == "__main__":
    MOST_LINES = 3000
    for name in sys.argv[1:] or GAMES:
        for number in (1, 2):
            compare(name, number, 50)
            print(f"{name}: 50 positions, scoresheets: {number}")
