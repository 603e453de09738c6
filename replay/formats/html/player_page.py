"""A self-contained HTML file that plays a match: board, moves, comments and variations.

It is readable without JavaScript; with it, `player.js` plays the match. A
content security policy allows that one script, by its hash, and no request of any kind.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Final

from replay.book import Book
from replay.branches.analysis import line_tree
from replay.drawing import svg
from replay.formats.html.frame_packing import pack
from replay.formats.html.jinja import export, heading, trust
from replay.formats.html.move_list import MoveListOptions, move_list
from replay.record.match_record import MatchRecord
from replay.tags.names import player_names

STATIC: Final = Path(__file__).parent / "static"
"""The player and its styles; the service serves them among its own files."""

START: Final = """
const root = document.querySelector(".player");
const pictures = document.getElementById("pictures").textContent;
new Player(root, await unpack(pictures));
"""


def write_page(book: Book, record: MatchRecord, ply: int) -> str:
    """Return the file for a match with its variations, for a spectator; it opens at a ply."""
    names = player_names(book, record)
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
