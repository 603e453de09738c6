"""Offer changes that would mend records whose moves do not fit, each read as a lone scoresheet."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Final

from msgspec.structs import replace

from domain.events import DASH, State
from domain.names import cut, one_of
from domain.position import Violation
from domain.reconstruction.answer import reconstruct
from domain.reconstruction.steps import read_entry
from replay.formats.ply.model import RecordFault
from replay.formats.scoresheets import WrittenScoresheet, read_scoresheet
from replay.formats.text_formats import Chunk

MAX_MENDED: Final = 3
"""The most records of an import that are looked at."""
MAX_STEPS: Final = 20_000
"""The steps of the first search; each further search gets half."""
MAX_SECONDS: Final = 2.0
"""The processor time of all searches of an import."""

MAX_SHOWN: Final = 60
"""The most characters of an entry that are shown."""


class Mender:
    """Adds to the faults of records a change that would mend them, for a few records only."""

    def __init__(self, now: Callable[[], float] = time.process_time) -> None:
        self._looked = 0
        self._now = now
        self._left = MAX_SECONDS

    def __call__(
        self, chunk: Chunk, place: int, faults: Sequence[RecordFault]
    ) -> Sequence[RecordFault]:
        """Return the faults of the record at a place of a chunk, counted from 0."""
        first = faults[0]
        if first.event is None or self._looked == MAX_MENDED:
            return faults
        written, begun = read_scoresheet(chunk, place), self._now()
        enough = lambda: self._now() - begun >= self._left  # noqa: E731
        offered = offer(written, MAX_STEPS >> self._looked, enough) if written else None
        self._left -= self._now() - begun
        self._looked += 1
        if offered is None:
            return faults
        return [replace(first, message=f"{first.message}; {offered}"), *faults[1:]]


def offer(
    written: WrittenScoresheet, steps: int, enough: Callable[[], bool] = lambda: False
) -> str | None:
    """Name the only change that makes all moves of a scoresheet legal; `None` if there is none."""
    start = written.match.start
    found = reconstruct(start, [written.sheet], most=steps, enough=enough)
    doubts = [ply for ply in found.plies if not ply.certain or ply.entries == (DASH,)]
    if found.fault or len(doubts) + len(found.extra) != 1:
        return None
    if found.extra:
        (extra,) = found.extra
        what = f"without {cut(extra.text, MAX_SHOWN)} after ply {extra.after} all other moves fit"
        return what if extra.after < len(found.plies) else None
    (doubt,) = doubts
    known, (wrote,) = found.events[: doubt.ply - 1], doubt.entries
    before = reduce(lambda state, event: event.evolve(state)[0], known, start)
    later = [ply.entries[0] for ply in found.plies[doubt.ply :]]
    legal = [each.text for each in doubt.choices if each.clause is None] or [doubt.text]
    fitting = [text for text in legal if _fit(before, [text, *later])]
    if not fitting or not later:
        return None
    change = f"instead of {cut(wrote, MAX_SHOWN)}" if wrote else "added"
    return f"ply {doubt.ply}: with {one_of(fitting)} {change} all later moves fit"


def _fit(state: State, entries: Iterable[str | None]) -> bool:
    """Return whether all entries are legal in their order."""
    for entry in entries:
        event = read_entry(state, entry or "")
        if isinstance(event, Violation):
            return False
        state, _ = event.evolve(state)
    return True
