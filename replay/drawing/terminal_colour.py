"""Decide whether to write colours to a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO


def wants_colour(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Return whether to write colours: if forced, or to a capable terminal without an opt-out.

    Follows the conventions of `NO_COLOR` and `FORCE_COLOR`: any text that is not empty counts.
    """
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"
