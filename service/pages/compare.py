"""Compare two positions on a page: a match with a variation, or two versions of a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple

from litestar import get
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template
from msgspec import Struct
from msgspec.structs import replace

from domain.names import Names
from domain.scene import Mark, Scene
from replay.book import Book
from replay.branches import comparison
from replay.branches.comparison import Comparison
from replay.branches.forks import name_of
from replay.reading import timeline
from replay.reading.differences import Difference, difference
from replay.reading.timeline import LineEntry
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.tags.names import player_names
from service.http import access
from service.http.access import AnyRequest, TheBook, TheMatchAccess
from service.http.addresses import prefix
from service.http.book_reads import in_thread
from service.pages.layout import page
from service.pages.replay import title

A_MATCH: Final = QueryParameter(max_length=12, description="The id of the other match.")


class ComparedSide(NamedTuple):
    """A line, its name on the page, and the ply that is shown."""

    record: MatchRecord
    name: str
    ply: int


class ShownSide(Struct, frozen=True):
    """One side of the page: its scene, with and without the differences marked, and its texts.

    `next` is the token with which the line continues where they part, empty if it ends there.
    """

    name: str
    next: str
    happened: str
    marked: Scene
    scene: Scene
    names: Names
    standing: str
    address: str


@get("/m/{match:str}/beside")
@in_thread
def compare_page(
    request: AnyRequest,
    book: TheBook,
    visit: TheMatchAccess,
    other: Annotated[str | None, A_MATCH] = None,
    version: FromQuery[int | None] = None,
    ply: FromQuery[int | None] = None,
) -> Template:
    """Show a match at a version, or at its head, next to another match or another version.

    The default ply is the first where they differ.
    """
    first = visit.at(version)
    second = visit.record if other is None else _find_other(request, book, other)
    addresses = (Address(each.id, each.ply(), each.match.version) for each in (first, second))
    found = comparison.compare(book, *addresses)
    longest = max(len(first.match.line), len(second.match.line))
    here = min(found.common + 1 if ply is None else ply, longest)
    return _page(book, _sides(book, first, second, here), found, here)


def _find_other(request: AnyRequest, book: Book, match: str) -> MatchRecord:
    return access.visit_of(request, book, access.find_match(book, match)).record


def _sides(
    book: Book, first: MatchRecord, second: MatchRecord, ply: int
) -> tuple[ComparedSide, ComparedSide]:
    names = [_called(book, each) for each in (first, second)]
    if first.id == second.id:
        names = [f"The match after entry {first.match.version}", "The current match"]
    elif names[0] == names[1]:
        names = [f"{name} {each.id}" for name, each in zip(names, (first, second), strict=True)]
    one, other = (min(ply, len(each.match.line)) for each in (first, second))
    return ComparedSide(first, names[0], one), ComparedSide(second, names[1], other)


def _called(book: Book, record: MatchRecord) -> str:
    own = name_of(book, record.stream)
    usual = "Variation" if record.header.kind == "variation" else "The match"
    return own or usual


def _page(
    book: Book, sides: tuple[ComparedSide, ComparedSide], found: Comparison, ply: int
) -> Template:
    first, second = sides
    names = player_names(book, first.record)
    differs = difference((first.record, first.ply), (second.record, second.ply), names)
    data = {
        "match": second.record.id,
        "ply": second.ply,
        "name": title(book, first.record),
        "same": all(side.next is None for side in found.sides),
        "common": found.common,
        "steps": _steps(sides, found, ply),
        "sides": [
            _side(book, side, there.next, differs)
            for side, there in zip(sides, found.sides, strict=True)
        ],
        "changes": list(_rows(differs)),
    }
    return page("compare.html", f"{first.name} – {second.name}", data)


def _steps(
    sides: tuple[ComparedSide, ComparedSide], found: Comparison, ply: int
) -> dict[str, int | str]:
    """Return the addresses of the steps, empty for the ply shown, and the position among them."""
    longest = max(len(side.record.match.line) for side in sides)
    plies = {
        "first": 0,
        "previous": max(0, ply - 1),
        "next": min(ply + 1, longest),
        "last": longest,
    }
    return {
        **{go: "" if to == ply else _address(sides, to) for go, to in plies.items()},
        "parting": _address(sides, min(found.common + 1, longest)),
        "ply": ply,
        "longest": longest,
    }


def _address(sides: tuple[ComparedSide, ComparedSide], ply: int) -> str:
    first, second = sides
    other = "" if first.record.id == second.record.id else f"other={second.record.id}&"
    version = first.record.match.version
    return f"{prefix()}/m/{first.record.id}/beside?{other}version={version}&ply={ply}"


def _side(
    book: Book, side: ComparedSide, following: LineEntry | None, differs: Difference
) -> ShownSide:
    record, ply = side.record, side.ply
    names = player_names(book, record)
    scene = timeline.point(record, ply, names=names).scene
    marks = (Mark(change.at, "differs") for change in differs.cells)
    entry = next(timeline.entries(record, None, ply - 1, names), None) if ply else None
    return ShownSide(
        name=side.name,
        next=following.written if following else "",
        happened=f"{ply}. {entry.written}: {entry.words}" if entry else "The start",
        marked=replace(scene, marks=(*scene.marks, *marks)),
        scene=scene,
        names=names,
        standing=describe_standing(record.match.at(ply), names),
        address=f"{prefix()}/m/{record.id}/replay?version={record.match.version}#{ply}",
    )


def _rows(differs: Difference) -> Iterator[tuple[str, str, str]]:
    for change in (*differs.cells, *differs.trays):
        yield change.at, change.before, change.after
    if differs.turn[0] != differs.turn[1]:
        yield "Turn", str(differs.turn[0]), str(differs.turn[1])
    if differs.standing[0] != differs.standing[1]:
        yield "To act", *differs.standing
