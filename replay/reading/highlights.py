"""The highlights of a match: the events that a reader in a hurry wants to see."""

from __future__ import annotations

from typing import Final

from domain.events import Moved
from replay.annotations import Bookmarked, Commented, Glyphed
from replay.reading.stops import Stop


def is_notable(stop: Stop) -> bool:
    """Return whether a stop is a highlight.

    Highlights are captures, constructions, scores, annotations, rulings, adjustments, and the end
    of the match.
    """
    entry = stop.entry
    if entry is None:
        return False
    if entry.amended or entry.type != MOVED or stop.point.outcome is not None:
        return True
    if any(isinstance(remark.said, Bookmarked | Commented | Glyphed) for remark in stop.remarks):
        return True
    return any(effect.notable for effect in entry.effects)


MOVED: Final = Moved.__struct_config__.tag
