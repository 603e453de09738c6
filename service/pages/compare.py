"""Two positions beside each other: of a match and a variation, or of a line as it once stood."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from html import escape
from typing import Annotated, Final, NamedTuple

from litestar import Response, Router, get
from litestar.params import FromQuery, QueryParameter
from msgspec.structs import replace

from domain.scene import Mark
from replay.addresses import Address
from replay.book import Book
from replay.branches import comparison
from replay.branches.comparison import Comparison
from replay.branches.forks import name_of
from replay.branches.line_tree import describe_standing
from replay.drawing import board_buttons, tray_buttons
from replay.formats.html.player_page import ICONS
from replay.match_record import MatchRecord
from replay.reading import timeline
from replay.reading.differences import Difference, difference
from service.http import access
from service.http.access import AnyRequest, TheBook, TheVisit
from service.pages.frame import player_names, sentence
from service.pages.layout import page
from service.pages.replay import title

BODY: Final = """<main class="besides wide">
<header><p class="up"><a href="/m/{match}/replay#{ply}">Back to the match</a></p><h1>{name}</h1>
<div class="apart">{apart}</div></header>
<nav class="steps" aria-label="Both boards">{steps}</nav>
<div class="pair"><input type="radio" name="side" id="one" class="unseen" checked>\
<input type="radio" name="side" id="two" class="unseen">
<p class="switch"><label for="one">{first_name}</label><label for="two">{second_name}</label></p>
{sides}</div>
<section class="changes" aria-labelledby="changes"><h2 id="changes">What differs here</h2>
{changes}</section>
</main>
"""

SIDE: Final = """<section class="side" aria-label="{name}"><h2>{name}</h2>
<p class="told">{told}</p>{board}<p class="standing">{standing}</p>{trays}
<p><a href="{address}">Read this line from here</a></p></section>
"""

A_MATCH: Final = QueryParameter(max_length=12, description="The id of the other match.")


class ComparedSide(NamedTuple):
    """A line, what it is called on the page, and the ply of it that is shown."""

    recorded: MatchRecord
    name: str
    ply: int


@get("/m/{match:str}/beside")
async def beside(
    request: AnyRequest,
    book: TheBook,
    visit: TheVisit,
    other: Annotated[str | None, A_MATCH] = None,
    version: FromQuery[int | None] = None,
    ply: FromQuery[int | None] = None,
) -> Response[str]:
    """Show a match as it stood at a version, or as it stands, beside another or itself.

    Without a ply it is the first where they differ.
    """
    first = visit.at(version)
    second = visit.recorded if other is None else access.visit(request, other).recorded
    addresses = (Address(each.id, each.ply(), each.match.version) for each in (first, second))
    found = await asyncio.to_thread(lambda: comparison.compare(book, *addresses))
    longest = max(len(first.match.line), len(second.match.line))
    here = min(found.common + 1 if ply is None else ply, longest)
    return _page(book, _sides(book, first, second, here), found, here)


def _sides(
    book: Book, first: MatchRecord, second: MatchRecord, ply: int
) -> tuple[ComparedSide, ComparedSide]:
    names = [_called(book, each, second) for each in (first, second)]
    if first.id == second.id:
        names = [f"As it stood after entry {first.match.version}", "As it stands"]
    one, other = (min(ply, len(each.match.line)) for each in (first, second))
    return ComparedSide(first, names[0], one), ComparedSide(second, names[1], other)


def _called(book: Book, recorded: MatchRecord, other: MatchRecord) -> str:
    own = name_of(book, recorded.stream)
    usual = "Variation" if recorded.header.kind == "variation" else "The match"
    return own or usual


def _page(
    book: Book, sides: tuple[ComparedSide, ComparedSide], found: Comparison, ply: int
) -> Response[str]:
    first, second = sides
    names = player_names(book, first.recorded)
    differs = difference((first.recorded, first.ply), (second.recorded, second.ply), names)
    body = BODY.format(
        match=second.recorded.id,
        ply=second.ply,
        name=escape(title(book, first.recorded)),
        apart=_apart(found, sides),
        steps=_steps(sides, found, ply),
        first_name=escape(first.name),
        second_name=escape(second.name),
        sides="".join(_side(book, side, differs) for side in sides),
        changes=_changes(differs, sides),
    )
    heading = f"{first.name} – {second.name}"
    return page(
        heading, body, kind="reading", styles=("board.css", "replay.css"), scripts=("compare.js",)
    )


def _apart(found: Comparison, sides: tuple[ComparedSide, ComparedSide]) -> str:
    """Tell in words where two lines part, and how each goes on."""
    if all(side.next is None for side in found.sides):
        return "<p>Both lines are the same.</p>"
    alike = f"Alike up to move {found.common}" if found.common else "Different from the start"
    goes_on = (
        f"{its.name}: {there.next.token or '(sealed)'}" if there.next else f"{its.name} ends there"
        for its, there in zip(sides, found.sides, strict=True)
    )
    listed = "".join(f"<li>{escape(words)}</li>" for words in goes_on)
    return f"<p>{alike}. Then</p><ul>{listed}</ul>"


def _steps(sides: tuple[ComparedSide, ComparedSide], found: Comparison, ply: int) -> str:
    longest = max(len(side.recorded.match.line) for side in sides)
    parting = f"Move {found.common + 1}"
    links = (
        _step(sides, ply, 0, "first"),
        _step(sides, ply, max(0, ply - 1), "previous"),
        f'<a class="button quiet parting" href="{_address(sides, min(found.common + 1, longest))}"'
        f' title="Where they part">{parting} <span aria-hidden="true">≠</span></a>',
        _step(sides, ply, min(ply + 1, longest), "next"),
        _step(sides, ply, longest, "last"),
    )
    return f'{"".join(links)}<span class="place">{ply} / {longest}</span>'


def _step(sides: tuple[ComparedSide, ComparedSide], ply: int, to: int, go: str) -> str:
    label, icon = ICONS[go]
    drawn = f'<svg viewBox="0 0 24 24" aria-hidden="true">{icon}</svg>'
    where = 'role="link" aria-disabled="true"' if to == ply else f'href="{_address(sides, to)}"'
    return (
        f'<a class="button quiet" {where} data-go="{go}" aria-label="{label}" title="{label}">'
        f"{drawn}</a>"
    )


def _address(sides: tuple[ComparedSide, ComparedSide], ply: int) -> str:
    first, second = sides
    other = "" if first.recorded.id == second.recorded.id else f"other={second.recorded.id}&amp;"
    version = first.recorded.match.version
    return f"/m/{first.recorded.id}/beside?{other}version={version}&amp;ply={ply}"


def _side(book: Book, side: ComparedSide, differs: Difference) -> str:
    recorded, ply = side.recorded, side.ply
    names = player_names(book, recorded)
    scene = timeline.point(recorded, ply, names=names).scene
    marks = (Mark(change.at, "differs") for change in differs.cells)
    marked = replace(scene, marks=(*scene.marks, *marks))
    entry = next(timeline.entries(recorded, after=ply - 1), None) if ply else None
    told = f"{ply}. {entry.token or '(sealed)'}: {entry.words(names)}" if entry else "The start"
    return SIDE.format(
        name=escape(side.name),
        told=escape(told),
        board=board_buttons.board(marked, title=side.name, names=names),
        standing=escape(sentence(describe_standing(recorded.match.at(ply), names))),
        trays=tray_buttons.trays(scene, names),
        address=f"/m/{recorded.id}/replay?version={recorded.match.version}#{ply}",
    )


def _changes(differs: Difference, sides: tuple[ComparedSide, ComparedSide]) -> str:
    rows = list(_rows(differs))
    if not rows:
        return "<p>Nothing: the positions are the same.</p>"
    body = "".join(
        f"<tr><th scope=row>{escape(at)}</th><td>{escape(one)}</td><td>{escape(other)}</td></tr>"
        for at, one, other in rows
    )
    heads = "".join(f"<th scope=col>{escape(side.name)}</th>" for side in sides)
    head = f"<thead><tr><th scope=col>Where</th>{heads}</tr></thead>"
    table = f"<table>{head}<tbody>{body}</tbody></table>"
    return f'<div class="scroll" tabindex="0" role="group" aria-labelledby="changes">{table}</div>'


def _rows(differs: Difference) -> Iterator[tuple[str, str, str]]:
    for change in (*differs.cells, *differs.trays):
        yield change.at, change.before, change.after
    if differs.turn[0] != differs.turn[1]:
        yield "Turn", str(differs.turn[0]), str(differs.turn[1])
    if differs.standing[0] != differs.standing[1]:
        yield "To act", *differs.standing


ROUTER: Final = Router("/", route_handlers=[beside], include_in_schema=False)
