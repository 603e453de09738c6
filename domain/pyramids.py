"""Pyramids of three sizes, as most games here use them."""

from __future__ import annotations

from typing import Final, Literal

Size = Literal["S", "M", "L"]

PIPS: Final[dict[str, int]] = {"S": 1, "M": 2, "L": 3}
SIZES: Final[tuple[Size, ...]] = ("S", "M", "L")
"""By pips less one."""

SIZE_WORD: Final = ("", "small", "medium", "large")
"""By pips, for sentences."""
