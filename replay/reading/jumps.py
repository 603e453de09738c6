"""Jumps along a line: to the next or previous turn, effect of a kind, or annotation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from replay.annotations import by_ply
from replay.book import Book
from replay.errors import UnknownAddress, Usage
from replay.record.match_record import MatchRecord

FORWARD: Final = "next"
BACK: Final = "previous"

AIMS: Final = tuple(f"{way}-{aim}" for aim in ("turn", "effect", "note") for way in (FORWARD, BACK))
"""The targets of a jump."""


def jump(book: Book, record: MatchRecord, ply: int | None, aim: str, kind: str = "") -> int:
    """Return the ply that a jump from a ply leads to; `kind` is the kind of an effect.

    Without a ply, the search for the next starts at the start, and for the previous at the end.
    Raises `Usage` for an unknown aim, and `UnknownAddress` if nothing is found.
    """
    if aim not in AIMS:
        raise Usage(f"one can go to {', '.join(AIMS)}, not to {aim!r}")
    way, _, target = aim.partition("-")
    if bool(kind) != (target == "effect"):
        raise Usage("name the kind of effect to go to, like capture, and only then")
    plies = _plies(book, record, target, kind)
    last = len(record.match.line)
    start = ply if ply is not None else 0 if way == FORWARD else last
    found = following(plies, start) if way == FORWARD else preceding(plies, start)
    if found is None:
        subject = (
            f"{kind!r} happens" if kind else "is no turn" if target == "turn" else "is no note"
        )
        side = "after" if way == FORWARD else "before"
        raise UnknownAddress(f"there {subject} {side} {record.id}@{start}")
    return found


def turns(record: MatchRecord) -> list[int]:
    """Return the plies at which turns begin, starting with 0."""
    numbers = [record.match.at(ply).position.turn for ply in range(len(record.match.line) + 1)]
    return [0, *(ply for ply in range(1, len(numbers)) if numbers[ply] > numbers[ply - 1])]


def effects(record: MatchRecord, kind: str) -> list[int]:
    """Return the plies with an effect whose name begins with `kind`.

    Raises `Usage`, which lists the kinds in this match, if there is none.
    """
    names = [[_name(effect) for effect in ply.effects] for ply in record.match.line]
    found = [ply for ply, kinds in enumerate(names, 1) if any(map(_begins(kind), kinds))]
    if not found:
        known = ", ".join(sorted({name for kinds in names for name in kinds})) or "none at all"
        raise Usage(f"{record.id} has no effect {kind!r}; it has {known}")
    return found


def following(plies: Iterable[int], ply: int) -> int | None:
    """Return the first of the plies after a ply."""
    return next((each for each in plies if each > ply), None)


def preceding(plies: Sequence[int], ply: int) -> int | None:
    """Return the last of the plies before a ply."""
    return next((each for each in reversed(plies) if each < ply), None)


def _plies(book: Book, record: MatchRecord, target: str, kind: str) -> list[int]:
    if target == "turn":
        return turns(record)
    if target == "effect":
        return effects(record, kind)
    return sorted(by_ply(book, record))


def _name(effect: object) -> str:
    return str(effect.__struct_config__.tag)  # type: ignore[attr-defined]


def _begins(kind: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(kind.strip().lower())
