"""A self-contained HTML file that plays a match: board, moves, comments and variations.

It is readable without JavaScript; with it, `player.js` plays the match. A content security policy
allows that one script, by its hash, and no request of any kind.

Neighbouring pictures of a match differ in a few cells, so each part is stored once, and each
drawing as an edit of the previous one. A drawing is cut into its groups; `{"parts": […],
"pictures": […]}` holds each different part once and each picture as steps from the picture before:
a number copies so many parts, a list `[n, a, b …]` skips n and inserts parts a, b … The JSON is
deflated and base64-encoded. `player.js` reads it back.
"""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from replay.book import Book
from replay.branches.analysis import line_tree
from replay.drawing import svg
from replay.formats.html.jinja import export, heading, trust
from replay.formats.html.move_list import MoveListOptions, move_list
from replay.record.match_record import MatchRecord
from replay.tags.names import names_of

STATIC: Final = Path(__file__).parent / "static"
"""The player and its styles; the service serves them among its own files."""

START: Final = """
const root = document.querySelector(".player");
const pictures = document.getElementById("pictures").textContent;
play(root, await unpack(pictures));
"""
Edit = list[int | list[int]]
SEAMS: Final = ("<g ", "</desc>", "<div", "<button", '{"token"')
"""The beginnings of parts that recur: a piece is the same group at every place."""
CUT: Final = "\0"
"""A character that no markup has."""


def write_page(book: Book, record: MatchRecord, ply: int) -> str:
    """Return the file for a match with its variations, for a spectator; it opens at a ply."""
    names = names_of(book, record)
    main = line_tree(book, record, names)
    opened = main.stops[min(ply, len(main.stops) - 1)]
    told = heading(book, record)
    listed = move_list(main, told.players, MoveListOptions(names))
    board = f"{record.game.name} board"
    drawings = [svg.draw_parts(scene, title=board, names=names) for scene in listed.scenes]
    script = _resource("js", "replay", "player.js") + START
    return export(
        "player_page.html",
        heading=told,
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=trust(_resource("css", "colours.css") + _resource("css", "player.css")),
        game=record.game.name,
        result=main.stops[-1].standing,
        standing=opened.standing,
        last=main.stops[-1].point.scene,
        height=f"{max(_height(drawing.board) for drawing in drawings):.4f}",
        opened=opened.point.ply,
        board=trust("".join(svg.draw_parts(opened.point.scene, title=board, names=names))),
        list=listed,
        pictures=pack(["".join(drawing) for drawing in drawings]),
        script=trust(script),
    )


def _resource(*path: str) -> str:
    return STATIC.joinpath(*path).read_text(encoding="utf-8")


def _height(drawing: str) -> float:
    """Return the height-to-width ratio of a drawing; the page reserves room for the tallest."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    assert found is not None
    return float(found[2]) / float(found[1])


class Pack(Struct, frozen=True):
    """The parts of some drawings, and the drawings as edits."""

    parts: list[str]
    pictures: list[Edit]


def pack(drawings: Sequence[str]) -> str:
    """Return drawings as base64 text from which `unpack`, and the player, restore each exactly."""
    numbers: dict[str, int] = {}
    pictures, before = [], list[int]()
    for drawing in drawings:
        now = [numbers.setdefault(part, len(numbers)) for part in cut(drawing)]
        pictures.append(list(_edit(before, now)))
        before = now
    data = msgspec.json.encode(Pack(list(numbers), pictures))
    return base64.b64encode(zlib.compress(data, 9)).decode()


def unpack(packed: str) -> list[str]:
    """Restore the drawings."""
    data = msgspec.json.decode(zlib.decompress(base64.b64decode(packed)), type=Pack)
    drawings, now = [], list[int]()
    for edit in data.pictures:
        now = list(_apply(edit, now))
        drawings.append("".join(data.parts[part] for part in now))
    return drawings


def cut(markup: str) -> list[str]:
    """Return the parts of a drawing, or of a page with one; many recur in others like it."""
    for seam in SEAMS:
        markup = markup.replace(seam, CUT + seam)
    return markup.replace("<desc>", "<desc>" + CUT).split(CUT)


def _edit(before: list[int], now: list[int]) -> Iterator[int | list[int]]:
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        yield end - start if kind == "equal" else [end - start, *now[first:last]]


def _apply(edit: Edit, before: list[int]) -> Iterator[int]:
    place = 0
    for step in edit:
        if isinstance(step, int):
            yield from before[place : place + step]
            place += step
        else:
            yield from step[1:]
            place += step[0]
