"""The costs of errors on a scoresheet.

| error | cost |
|---|---|
| a dash | 0.5, and 0.75 for each further move of its seat in the turn |
| a slip of one sign for the next one, like `c3` for `c4` | 1.5 |
| a slip of one sign for any other one | 1.75 |
| any other slip within one part of a move | 2.75 |
| another move | 3 |
| any slip of an entry that is not sure | 1 |
| a move that is left out; an entry that is written twice | 2 |
| an entry that fits nowhere | 3.5 |
| a move after the end of a scoresheet, if the other scoresheet goes on | 0.25 |
| a result that differs from that of the line | 1.5 |

Only a dash, and a slip of an entry that is not sure, cost at most one unit. Lines whose costs
differ by at most one unit count as equally likely.
"""

from __future__ import annotations

import functools
from itertools import takewhile
from typing import Final

UNIT: Final = 1.0
DASHED: Final = 0.5
CONTINUED: Final = 0.75
SLIP: Final = 1.5
ONE_SIGN: Final = 1.75
FAR_SLIP: Final = 2.75
OTHER_MOVE: Final = 3.0
UNSURE_SLIP: Final = 1.0
LEFT_OUT: Final = 2.0
TWICE: Final = 2.0
STRAY: Final = 3.5
ENDED: Final = 0.25
OTHER_RESULT: Final = 1.5
MAX_PART: Final = 2
"""The most characters of a part of a move."""


@functools.lru_cache(maxsize=65536)
def slip(written: str, text: str) -> float:
    """Return the cost of writing one text instead of another.

    >>> slip("c1>M@c3", "c1>M@c4"), slip("c1>S@c3", "c1>L@c3"), slip("c1xc3", "L@a6")
    (1.5, 1.75, 3.0)
    """
    wrong, right = _difference(written, text)
    if len(wrong) == len(right) == 1:
        return SLIP if abs(ord(wrong) - ord(right)) == 1 else ONE_SIGN
    near = max(len(wrong), len(right)) <= MAX_PART and len(wrong) + len(right) < len(written + text)
    return FAR_SLIP if near else OTHER_MOVE


def _difference(one: str, other: str) -> tuple[str, str]:
    """Return the parts of two texts between their common beginning and their common end."""
    start = _common(one, other)
    end = _common(one[:start:-1], other[:start:-1])
    return one[start : len(one) - end], other[start : len(other) - end]


def _common(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
