"""Pyramids of three sizes, as most of these games use them."""

from __future__ import annotations

from typing import Final, Literal

Size = Literal["S", "M", "L"]

PIPS: Final[dict[str, int]] = {"S": 1, "M": 2, "L": 3}
SIZES: Final[tuple[Size, ...]] = ("S", "M", "L")
"""The sizes, indexed by pips less one."""

SIZE_WORD: Final = ("", "small", "medium", "large")
"""The words for the sizes in sentences, indexed by pips."""
