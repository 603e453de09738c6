"""Scoresheets with errors: how much of the match a reconstruction finds, and how fast."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from domain.reconstruction import DASH

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
