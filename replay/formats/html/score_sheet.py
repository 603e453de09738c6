"""A score sheet for paper: who played, every move by rounds, the result, the head hash, signatures.

Rounds have a column for each seat. The hash tells later whether a record is the one signed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Final

from replay.annotations import Glyphed
from replay.annotations.glyphs import glyph
from replay.book import Book
from replay.branches.line_tree import Stop, stops
from replay.drawing.svg_elements import escape
from replay.formats.html.heading import MatchHeading, heading
from replay.formats.html.move_list import token_of
from replay.match_record import MatchRecord
from replay.names import names_of

PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{game}</h1>
<p class="facts">{facts}</p>
<table class="players">{players}</table>
<p class="result">{result}</p>
<div{columns}><table class="moves"><thead><tr>{heads}</tr></thead><tbody>
{rounds}</tbody></table></div>
<div class="last"><p class="head">{match} · {rules}<br>head {head}</p>
<div class="signatures">{signatures}</div></div>
</body>
</html>
"""

SHORT: Final = 14
"""Characters of an average cell with which two columns of rounds fit beside each other."""

Cell = list[str]


def write_sheet(book: Book, recorded: MatchRecord) -> str:
    """Return the sheet of a match as an HTML file."""
    told = heading(book, recorded)
    line = list(stops(book, recorded, names_of(book, recorded)))
    rounds = list(_rounds(line[1:]))
    return PAGE.format(
        title=escape(f"{told.title} – score sheet"),
        style=files("replay.formats.html").joinpath("score_sheet.css").read_text(encoding="utf-8"),
        game=escape(recorded.game.name),
        facts=escape(" · ".join((*told.facts.values(), *_options(told)))),
        players="".join(_player(seat, who) for seat, who in told.players.items()),
        result=escape(line[-1].standing),
        columns=' class="twofold"' if _are_short(rounds) else "",
        heads="".join(f"<th>{seat} {escape(who)}</th>" for seat, who in told.players.items()),
        rounds="".join(_row(cells, recorded.match.seats) for cells in rounds),
        match=escape(told.match),
        rules=escape(told.rules),
        head=_grouped(told.head),
        signatures="".join(f"<p>{escape(who)}</p>" for who in _signers(told.players)),
    )


def _options(told: MatchHeading) -> Iterator[str]:
    return (f"{name}={value}" for name, value in told.options.items())


def _player(seat: int, who: str) -> str:
    return f"<tr><th>seat {seat}</th><td>{escape(who)}</td></tr>"


def _rounds(line: Iterable[Stop]) -> Iterator[dict[int, Cell]]:
    """Give the moves by rounds: the turns of the seats from the first on, 0 for rulings."""
    cells: dict[int, Cell] = {}
    turns: dict[int, int] = {}
    for stop in line:
        assert stop.entry is not None
        seat, turn = stop.entry.seat or 0, stop.entry.turn
        if turns.get(seat, turn) != turn or (cells and _is_over(seat, turn, turns)):
            yield cells
            cells, turns = {}, {}
        turns[seat] = turn
        numbered = cells.setdefault(seat, [f"<small>{turn}.</small>"])
        numbered.append(f"<span>{escape(_written(stop))}</span>")
    if cells:
        yield cells


def _is_over(seat: int, turn: int, turns: Mapping[int, int]) -> bool:
    """Tell whether a round is over: a later seat has had an earlier turn, or there was a ruling."""
    later = any(other > seat and at != turn for other, at in turns.items())
    return later or (seat == 0) != (0 in turns)


def _written(stop: Stop) -> str:
    assert stop.entry is not None
    signs = (
        glyph(remark.said.glyph).sign for remark in stop.remarks if isinstance(remark.said, Glyphed)
    )
    return token_of(stop.entry) + "".join(signs)


def _row(cells: Mapping[int, Cell], seats: int) -> str:
    if 0 in cells:
        return f'<tr><td colspan="{seats}">{" ".join(cells[0])}</td></tr>\n'
    columns = (f"<td>{' '.join(cells.get(seat, ()))}</td>" for seat in range(1, seats + 1))
    return f"<tr>{''.join(columns)}</tr>\n"


def _are_short(rounds: Iterable[Mapping[int, Cell]]) -> bool:
    """Tell whether cells are short enough for two columns of rounds."""
    plain = [
        len(re.sub("<[^>]*>", "", " ".join(cell))) for cells in rounds for cell in cells.values()
    ]
    widest = max((len(cells) for cells in rounds), default=1)
    return bool(plain) and widest == 2 and sum(plain) / len(plain) <= SHORT


def _grouped(digest: str) -> str:
    """Set a hash in groups of four, so that it can be compared by eye."""
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4))


def _signers(players: Mapping[int, str]) -> Iterator[str]:
    yield from players.values()
    yield "scorekeeper"
