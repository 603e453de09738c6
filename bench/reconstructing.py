"""Scoresheets with errors: how much of the match a reconstruction finds, and how fast.

`python -m bench.reconstructing 20 0.07 2 poptrix blockade` reconstructs 20 random games of each
from two scoresheets on which 7 % of the entries are wrong.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from random import Random
from typing import Final

from domain.entry import move_text
from domain.events import DASH, LineEvent
from domain.match import open_match
from domain.reconstruction.answer import Reconstruction, reconstruct
from domain.reconstruction.scoresheet import Entry, Scoresheet
from replay import registry
from replay.sampling.moves import random_turn

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


def games(slug: str, number: int) -> Iterator[list[LineEvent]]:
    """Yield random games of up to `MAX_PLIES` plies."""
    game = registry.find(slug)
    for seed in range(number):
        rng, state, events = Random(f"{slug} {seed}"), open_match(game).state, list[LineEvent]()
        while state.outcome is None and len(events) < MAX_PLIES:
            events.append(random_turn(game, state.position, rng))
            state, _ = events[-1].evolve(state)
        yield events


def measure(slug: str, number: int, rate: float, sheets: int) -> str:
    """Reconstruct games from scoresheets with errors, and tell how much was found."""
    found, times, start = Counter[str](), list[float](), open_match(registry.find(slug)).state
    for seed, events in enumerate(games(slug, number)):
        rng, truth = Random(seed), [move_text.write(start.game, event) for event in events]
        written = [tuple(map(Entry, err(rng, truth, rate))) for _ in range(sheets)]
        begun = time.process_time()
        answer = reconstruct(start, [Scoresheet(entries) for entries in written])
        times.append((time.process_time() - begun) * 100 / len(truth))
        found += _compared(answer, truth)
    plies = found["plies"]
    shares = ", ".join(
        f"{name} {100 * found[name] / plies:.3f} %"
        for name in ("certain and right", "certain and wrong", "asked", "asked with the right one")
    )
    late = sorted(times)[int(len(times) * 0.95)]
    return f"{slug}, {sheets} at {rate}: {plies} plies, {shares}; 100 plies p95 {late:.2f} s"


def _compared(answer: Reconstruction, truth: Sequence[str]) -> Counter[str]:
    texts, found = [ply.text for ply in answer.plies], Counter(plies=len(truth))
    for kind, first, last, start, end in SequenceMatcher(
        a=truth, b=texts, autojunk=False
    ).get_opcodes():
        for number, ply in enumerate(answer.plies[start:end]):
            place = first + number
            right = truth[place] if place < last else None
            said = "right" if kind == "equal" else "wrong"
            found[f"certain and {said}" if ply.certain else "asked"] += 1
            among = right in [choice.text for choice in ply.choices]
            found["asked with the right one"] += among and not ply.certain
    return found


if __name__ == "__main__":
    for name in sys.argv[4:]:
        print(measure(name, int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])), flush=True)
