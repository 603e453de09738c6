"""Random games of Go, compared with the boards of sgfmill (https://pypi.org/project/sgfmill/).

`python -m tests.plugins.random_go 10000` compares so many positions, prints a line of figures, and
writes a sample of them to `fixtures/go-positions.jsonl`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from domain.events import Moved
from domain.match import Match, open_match
from replay import registry
from tests.conformance import door
from tests.paths import ROOT

POSITIONS = ROOT / "fixtures/go-positions.jsonl"
SIZES = (5, 5, 5, 7, 7, 9, 9, 13, 19)
KEPT = 40


def refused(match: Match) -> dict[str, str]:
    """Return the empty points where a stone is refused, with the clause."""
    return {at: clause for at, clause in match.state.position.faults.items() if clause}


def points(match: Match) -> list[int]:
    """Return the points of both seats, without komi and with all stones alive."""
    black, white = match.state.position.points
    return [int(black), int(white - float(match.options.komi))]


class Judge:
    """A board of sgfmill with the boards that were there."""

    def __init__(self, size: int, superko: bool) -> None:
        from sgfmill.boards import Board

        self.board, self.superko = Board(size), superko
        self.ko: tuple[int, int] | None = None
        self.seen = {str(self.board.list_occupied_points())}

    def play(self, colour: str, at: str) -> None:
        """Place a stone, or pass."""
        from sgfmill.common import move_from_vertex

        place = move_from_vertex(at, self.board.side)
        self.ko = self.board.play(*place, colour) if place else None
        self.seen.add(str(self.board.list_occupied_points()))

    def refused(self, colour: str) -> dict[str, str]:
        """Return the empty points where a stone is refused, with the clause."""
        from sgfmill.common import format_vertex

        found = {}
        for row in range(self.board.side):
            for column in range(self.board.side):
                if self.board.get(row, column) is not None:
                    continue
                after = self.board.copy()
                after.play(row, column, colour)
                if after.get(row, column) is None:
                    found[format_vertex((row, column))] = "GO-3.3"
                elif (
                    str(after.list_occupied_points()) in self.seen
                    if self.superko
                    else (row, column) == self.ko
                ):
                    found[format_vertex((row, column))] = "GO-4.1"
        return found


def play(game: Any, rng: Random, every: int) -> Any:
    """Play a random game, and yield its match and the judge at some plies."""
    size, superko = rng.choice(SIZES), rng.random() < 0.5
    repetition = "superko" if superko else "ko"
    match = open_match(game, game.options(size=size, repetition=repetition))
    judge = Judge(size, superko)
    for ply in range(size * size * 2):
        position = match.state.position
        legal = [move for move in game.legal(position, position.seat) if hasattr(move, "at")]
        if not legal:
            return
        move = rng.choice(legal)
        match = match.evolve(Moved(position.seat, move))
        judge.play("bw"[position.seat - 1], move.at)
        if ply % every == 0:
            yield match, judge


def main(count: int) -> None:
    """Compare positions, and keep a sample."""
    rng, compared, told, kept = Random(1), 0, Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        door.install(ROOT / "plugins/go", Path(folder))
        with door.opened(Path(folder)):
            game = registry.find("go")
            while compared < count:
                for match, judge in play(game, rng, rng.choice((3, 7, 11))):
                    ours = refused(match)
                    assert ours == judge.refused("bw"[match.state.position.seat - 1]), match
                    black, white = points(match)
                    assert black - white == judge.board.area_score()
                    compared += 1
                    told.update(ours.values())
                    if rng.random() < (0.3 if "GO-4.1" in ours.values() else KEPT / count):
                        kept.append(_line(match))
    rng.shuffle(kept)
    POSITIONS.write_text("".join(kept[:KEPT]))
    print(f"{compared} positions, {dict(told)}, 0 differences, {len(kept[:KEPT])} kept")


def _line(match: Match) -> str:
    moves = " ".join(match.game.write(ply.event.move) for ply in match.line)
    options = match.game.set_options(match.options)
    found = {"options": options, "moves": moves, "refused": refused(match), "points": points(match)}
    return f"{json.dumps(found)}\n"


if __name__ == "__main__":
    main(int(sys.argv[1]))
