"""One HTML file that plays a match: board, moves, comments, variations, and nothing from outside.

It can be read without JavaScript; with it, `service/static/js/replay/player.js` plays it. A content
security policy allows that one script, by its hash, and no request of any kind.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final

from replay.book import Book
from replay.branches.line_tree import line_tree
from replay.drawing import svg
from replay.drawing.svg_elements import escape
from replay.formats.html.frame_packing import pack
from replay.formats.html.heading import MatchHeading, heading
from replay.formats.html.move_list import Manner, chip, moves
from replay.match_record import MatchRecord
from replay.names import names_of

START: Final = """
const root = document.querySelector(".player");
const pictures = document.getElementById("pictures").textContent;
play(root, await unpack(pictures));
"""

ICONS: Final = {
    "first": ("To the start", '<path d="M5 5h2.5v14H5zM19 5v14L9 12z"/>'),
    "previousturn": ("Turn back", '<path d="M12 5v14l-9-7zM21 5v14l-9-7z"/>'),
    "previous": ("Step back", '<path d="M16.5 5v14L7 12z"/>'),
    "toggle": (
        "Play",
        '<path class="start" d="M7 4.5v15l12-7.5z"/>'
        '<path class="pause" d="M6 5h4v14H6zM14 5h4v14h-4z"/>',
    ),
    "next": ("Step on", '<path d="M7.5 5v14l9.5-7z"/>'),
    "nextturn": ("Turn on", '<path d="M3 5v14l9-7zM12 5v14l9-7z"/>'),
    "last": ("To the end", '<path d="M16.5 5H19v14h-2.5zM5 5v14l10-7z"/>'),
}

HIGHLIGHTS: Final = "a capture, a score, a comment"
BEFORE: Final = f"Highlight before: {HIGHLIGHTS} …"
NEXT: Final = f"Next highlight: {HIGHLIGHTS} …"

CONTROLS: Final = (
    '<div class="controls" data-player="controls" hidden>'
    '<p class="brief" data-player="brief" aria-hidden="true"></p><div class="along">'
    '<input type="range" min="0" step="1" aria-label="Move" data-player="slider">'
    '<output data-player="count"></output></div><div class="buttons">'
    + "".join(
        f'<button type="button" data-go="{go}" aria-label="{label}" title="{label}">'
        f'<svg viewBox="0 0 24 24" aria-hidden="true">{icon}</svg></button>'
        for go, (label, icon) in ICONS.items()
    )
    + '</div><div class="buttons more">'
    f'<button type="button" data-go="previousevent" aria-label="{BEFORE}" title="{BEFORE}">'
    '<span aria-hidden="true">‹ Highlight</span></button>'
    f'<button type="button" data-go="nextevent" aria-label="{NEXT}" title="{NEXT}">'
    '<span aria-hidden="true">Highlight ›</span></button>'
    '<select aria-label="Speed" title="Speed" data-player="speed">'
    + "".join(
        f'<option value="{rate:g}"{" selected" if rate == 1 else ""}>{sign} ×</option>'
        for rate, sign in ((0.5, "½"), (1, "1"), (2, "2"), (4, "4"), (8, "8"))
    )
    + "</select></div></div>"
)

PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Plybook">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main class="player" data-opened="{opened}">
<header><h1>{game}</h1><p>{players}</p><p class="result">{result}</p>{facts}</header>
<div class="board" data-player="board" style="{shape}">{board}</div>
{controls}
<section class="caption" data-player="caption" aria-live="polite" aria-label="What happened">\
<p class="standing">{standing}</p></section>
<section class="list" data-player="list" aria-label="Moves" tabindex="0"><ol>{moves}</ol></section>
<footer><p>{marks}</p>{keys}</footer>
</main>
<script type="text/plain" id="pictures">{pictures}</script>
<script type="module">{script}</script>
</body>
</html>
"""

KEYS: Final = (
    "<details><summary>Keys</summary><p><kbd>←</kbd> <kbd>→</kbd> step, <kbd>p</kbd> <kbd>n</kbd>"
    " turn, <kbd>,</kbd> <kbd>.</kbd> highlights: captures, scores, comments,"
    " <kbd>Home</kbd> <kbd>End</kbd>, <kbd>Space</kbd> play and pause, <kbd>+</kbd> <kbd>-</kbd>"
    " speed</p></details>"
)


def write_page(book: Book, recorded: MatchRecord, ply: int) -> str:
    """Return the file for a match with its variations, for a spectator; it opens at a ply."""
    names = names_of(book, recorded)
    main = line_tree(book, recorded, names)
    opened = main.stops[min(ply, len(main.stops) - 1)]
    told = heading(book, recorded)
    listed, scenes = moves(main, told.players, Manner(names))
    board = f"{recorded.game.name} board"
    drawings = [svg.draw_parts(scene, title=board, names=names) for scene in scenes]
    script = _resource("js", "replay", "player.js") + START
    return PAGE.format(
        policy=_policy(script),
        title=escape(told.title),
        style=_resource("css", "colours.css") + _resource("css", "player.css"),
        game=escape(recorded.game.name),
        players=_players(told.players),
        result=escape(main.stops[-1].standing),
        standing=escape(opened.standing),
        facts=_facts(told),
        shape=_shape(drawings),
        opened=opened.point.ply,
        board="".join(svg.draw_parts(opened.point.scene, title=board, names=names)),
        controls=CONTROLS,
        moves=listed,
        marks=escape(f"{told.match} · {told.rules} · head {told.head}"),
        keys=KEYS,
        pictures=pack(["".join(drawing) for drawing in drawings]),
        script=script,
    )


def _resource(*path: str) -> str:
    # Read as data, not imported: the file is the very one that the service's pages import.
    return files("service").joinpath("static", *path).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline';"
        " base-uri 'none'; form-action 'none'"
    )


def _shape(drawings: Sequence[svg.Apart]) -> str:
    """Tell the page how high, by width, the highest board is, so that nothing jumps."""
    return f"--board:{max(_height(drawing.board) for drawing in drawings):.4f}"


def _height(drawing: str) -> float:
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    assert found is not None
    return float(found[2]) / float(found[1])


def _players(players: Mapping[int, str]) -> str:
    named = (f"<span>{chip(seat)}{escape(who)}</span>" for seat, who in players.items())
    return '<span class="versus">–</span>'.join(named)


def _facts(told: MatchHeading) -> str:
    words = " · ".join(told.facts.values())
    return f'<p class="facts">{escape(words)}</p>' if words else ""
