"""Scoresheets with errors: how much of the match a reconstruction finds, and how fast.

`python -m bench.reconstructing 20 0.07 2 poptrix blockade` reconstructs 20 random games of each
from two scoresheets on which 7 % of the entries are wrong.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

from bench.row import Figure, Row, Sample
from domain.entry import move_text
from domain.events import DASH, LineEvent
from domain.game import Game
from domain.match import open_match
from domain.reconstruction.answer import Reconstruction, reconstruct
from domain.reconstruction.scoresheet import Entry, Scoresheet
from replay import registry
from replay.errors import Usage
from replay.processes import processors
from replay.sampling.moves import random_turn

ROOT: Final = Path(__file__).parents[1]
SLUGS: Final = ("poptrix", "blockade", "power-play", "cube-pyramid", "chess", "hive")
MAX_PLIES: Final = 100
NEXT: Final = {"S": "ML", "M": "SL", "L": "SM"}
"""The other sizes."""
DIRECTIONS: Final = ("FBLR", "-/\\")


def err(rng: Random, texts: Sequence[str], rate: float) -> list[str]:
    """Return the entries of a scoresheet on which some texts are wrong."""
    entries = list[str]()
    for text in texts:
        if rng.random() >= rate:
            entries.append(text)
            continue
        kind = rng.random()
        if kind < 0.5:
            entries.append(DASH)
        elif kind < 0.85:
            entries.append(slip(rng, text))
        elif kind >= 0.93:
            entries += [text, text]
    return entries


def slip(rng: Random, text: str) -> str:
    """Return a text with one coordinate, size or direction replaced by a neighbour."""
    if text.startswith("roll=") or "ko=" in text:
        return text
    places = [place for place, sign in enumerate(text) if _near(text, place)]
    if not places:
        return text
    place = rng.choice(places)
    return text[:place] + rng.choice(_near(text, place)) + text[place + 1 :]


def _near(text: str, place: int) -> Sequence[str]:
    sign = text[place]
    if sign in NEXT:
        return NEXT[sign]
    for signs in DIRECTIONS:
        if sign in signs:
            return signs.replace(sign, "")
    if sign.isdigit() and sign != "0":
        return [chr(ord(sign) + step) for step in (-1, 1) if "1" <= chr(ord(sign) + step) <= "9"]
    if sign in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJK":
        return [each for each in (chr(ord(sign) - 1), chr(ord(sign) + 1)) if each.isalpha()]
    return ""


def find(slug: str) -> Game[Any]:
    """Return a game, built in or of a plug-in of this repository."""
    try:
        return registry.find(slug)
    except Usage:
        folder = ROOT / "plugins" / slug
        (name,) = tomllib.loads((folder / "pyproject.toml").read_text())["project"]["entry-points"][
            "plybook.games"
        ].values()
        sys.path.insert(0, str(folder))
        registry.add(import_module(name.partition(":")[0]).GAME, f"plybook-{slug}")
        return registry.find(slug)


def games(slug: str, number: int) -> Iterator[list[LineEvent]]:
    """Yield random games of up to `MAX_PLIES` plies."""
    game = find(slug)
    for seed in range(number):
        rng, state, events = Random(f"{slug} {seed}"), open_match(game).state, list[LineEvent]()
        while state.outcome is None and len(events) < MAX_PLIES:
            events.append(random_turn(game, state.position, rng))
            state, _ = events[-1].evolve(state)
        yield events


class Trial(NamedTuple):
    """The scoresheets of a game with errors at a rate, and how many matches are tried."""

    slug: str
    matches: int
    rate: float
    sheets: int


class Told(NamedTuple):
    """The shares of plies in percent, and the seconds that 100 plies take at most in 95 %.

    `offered` is the share of the questions that have the right move among their choices.
    """

    plies: int
    right: float
    wrong: float
    asked: float
    offered: float
    seconds: float


def measure(trial: Trial) -> Told:
    """Reconstruct games from scoresheets with errors, and tell how much was found."""
    slug, number, rate, sheets = trial
    found, times, start = Counter[str](), list[float](), open_match(find(slug)).state
    for seed, events in enumerate(games(slug, number)):
        rng, truth = Random(seed), [move_text.write(start.game, event) for event in events]
        written = [tuple(map(Entry, err(rng, truth, rate))) for _ in range(sheets)]
        begun = time.process_time()
        answer = reconstruct(start, [Scoresheet(entries) for entries in written])
        times.append((time.process_time() - begun) * 100 / len(truth))
        found += _compared(answer, truth)
    shares = [100 * found[name] / found["plies"] for name in ("right", "wrong", "asked")]
    offered = 100 * found["offered"] / found["asked"] if found["asked"] else 100.0
    return Told(found["plies"], *shares, offered, sorted(times)[int(len(times) * 0.95)])


def _compared(answer: Reconstruction, truth: Sequence[str]) -> Counter[str]:
    texts, found = [ply.text for ply in answer.plies], Counter(plies=len(truth))
    for kind, first, last, start, end in SequenceMatcher(
        a=truth, b=texts, autojunk=False
    ).get_opcodes():
        for number, ply in enumerate(answer.plies[start:end]):
            place = first + number
            right = truth[place] if place < last else None
            found[("right" if kind == "equal" else "wrong") if ply.certain else "asked"] += 1
            among = right in [choice.text for choice in ply.choices]
            found["offered"] += among and not ply.certain
    return found


@dataclass(frozen=True)
class Reconstructing(Row):
    """Random games of up to 100 plies, from scoresheets on which 7 % or 15 % of the entries err.

    Plies are right, or certain and wrong; a question offers the right move. Two scoresheets decide,
    a lone one asks. Each processor takes a game, so run nothing else meanwhile.
    """

    matches: int = 5
    rounds: ClassVar[int] = 1

    @property
    def figures(self) -> Sequence[Figure]:
        return [figure for slug in SLUGS for figure in _figures(slug)]

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        trials = [
            Trial(slug, self.matches, rate, sheets)
            for slug in SLUGS
            for rate, sheets in ((0.07, 2), (0.15, 2), (0.07, 1))
        ]
        with ProcessPoolExecutor(processors()) as pool:
            yield lambda: list(_values([*pool.map(measure, trials)]))


def _figures(slug: str) -> Iterator[Figure]:
    yield Figure(f"{slug}, two at 7 %: certain and right", "%", at_least=99.5)
    yield Figure(f"{slug}, two at 7 %: certain and wrong", "%", at_most=0.1)
    yield Figure(f"{slug}, two at 15 %: certain and right", "%", at_least=98)
    yield Figure(f"{slug}, alone at 7 %: questions that offer the right move", "%", at_least=95)
    yield Figure(f"{slug}, two at 7 %: 100 plies, 95 % of matches", "s", at_most=1)


def _values(told: Sequence[Told]) -> Iterator[float]:
    for usual, worse, alone in zip(told[::3], told[1::3], told[2::3], strict=True):
        yield from (usual.right, usual.wrong, worse.right, alone.offered, usual.seconds)


if __name__ == "__main__":
    for name in sys.argv[4:]:
        trial = Trial(name, int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
        print(trial, measure(trial), flush=True)
