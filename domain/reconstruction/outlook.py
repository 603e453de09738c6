"""What the rest of scoresheets costs if the rules allow every entry.

With it the nodes of a layer compare well, although they are at different places of the scoresheets.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from domain.game import Game
from domain.reconstruction import costs
from domain.reconstruction.scoresheet import Entry, is_twice

BAND: Final = 16
"""By how many entries one scoresheet may be ahead of the other."""
Places = tuple[int, ...]


def foresee(game: Game[Any], sheets: Sequence[Sequence[Entry]]) -> Mapping[Places, float]:
    """Return the cost of the rest from each place that a line can reach.

    Entries that are no move texts of the game may mean the same move.
    """
    ends, found = tuple(map(len, sheets)), dict[Places, float]()
    for first in reversed(range(ends[0] + 1)):
        for others in itertools.product(*(_near(first, ends[0], end) for end in ends[1:])):
            at = (first, *others)
            found[at] = min(
                (cost + found[to] for cost, to in _steps(game, sheets, at) if to in found),
                default=0.0,
            )
    return found


def _near(place: int, end: int, other_end: int) -> Sequence[int]:
    """Return the places of the other scoresheet, from its end."""
    first = 0 if place == end else max(0, min(place, other_end) - BAND)
    last = other_end if place == end else min(other_end, place + BAND)
    return [*dict.fromkeys((other_end, *reversed(range(first, last + 1))))]


def _steps(
    game: Game[Any], sheets: Sequence[Sequence[Entry]], at: Places
) -> Iterator[tuple[float, Places]]:
    """Yield the costs at which entries are passed over, or fit a ply, with the places after it."""
    left = [place < len(entries) for place, entries in zip(at, sheets, strict=True)]
    for takes in itertools.product(*((False, True) if more else (False,) for more in left)):
        if not any(takes):
            continue
        to = tuple(place + takes[sheet] for sheet, place in enumerate(at))
        used = [sheets[sheet][at[sheet]] for sheet, take in enumerate(takes) if take]
        if len(used) == 1:
            sheet = takes.index(True)
            extra = costs.TWICE if is_twice(sheets[sheet], at[sheet]) else costs.STRAY
            yield (0.0 if used[0].implied else extra), to
        cost = costs.DASHED * sum(entry.is_dash for entry in used)
        for sheet, take in enumerate(takes):
            if not take:
                after_dash = at[sheet] > 0 and sheets[sheet][at[sheet] - 1].is_dash
                cost += (costs.CONTINUED if after_dash else costs.LEFT_OUT) if left[sheet] else 0.0
        yield cost + (_difference(game, *used) if len(used) > 1 else 0.0), to


def _difference(game: Game[Any], one: Entry, other: Entry) -> float:
    """Return the least cost of the errors by which two entries differ."""
    if one.text == other.text or one.is_dash or other.is_dash:
        return 0.0
    if any(game.parse(entry.split.body) is None for entry in (one, other)):
        return 0.0
    return costs.UNSURE_SLIP if one.unsure or other.unsure else costs.SLIP
