"""Pictures: the board in the text of OpenSpiel, if it has squares; otherwise the text as it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from textwrap import wrap

from plybook.drawing import FixedText, Grid, Piece, Scene
from plybook.game import Effect, Names, Pick
from plybook_openspiel.position import Line, Played, Seen, choices, state

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NUMBERED = re.compile(r" *([0-9]*)(.*?[^0-9 ])(?: *[0-9]+)? *")
"""A row with its number at one end or at both."""
FILES = "abcdefghijklmnopqrstuvwxyz"
LETTERS = f"{FILES} {FILES.replace('i', '')} {FILES[::-1]}"
"""The letters of columns; Go leaves one out."""
LONGEST, WIDTH = 24, 42
"""The lines of a text that are shown, and the letters in each."""


def board(text: str) -> tuple[dict[str, str], list[str]]:
    """Return the signs of the board in a text by place, the top row first, and the other lines.

    A board is three or more rows with as many signs. An empty place has no sign.
    """
    files, rows, others = FILES, [], []
    for line in COLOUR.sub("", _spread(text)).split("\n"):
        number, signs = _row(line)
        if number == "letters":
            files = "".join(signs).lower()
        elif len(signs) > 2:
            rows.append((number, signs))
        elif line.strip():
            others.append(line.strip())
    widths = {len(signs) for _, signs in rows}
    if len(rows) < 3 or len(widths) > 1 or max(widths) > len(FILES):
        return {}, [line.rstrip() for line in COLOUR.sub("", text).split("\n") if line.strip()]
    places = {
        f"{file}{number or at}": sign
        for at, (number, signs) in enumerate(rows, 1)
        for file, sign in zip(files, signs, strict=False)
    }
    empty = {"."} if "." in places.values() else {*"-+_"}
    return {at: "" if sign in empty else sign for at, sign in places.items()}, others


def _spread(text: str) -> str:
    """Write the notation of chess as rows; its digits are empty squares."""
    rows, _, rest = text.partition(" ")
    if rows.count("/") < 7:
        return text
    ranks = re.sub("[0-9]+", lambda found: "." * int(found[0]), rows.split("[")[0]).split("/")
    spaced = (" ".join(re.findall(r"\+?.", rank)) for rank in ranks)
    return "\n".join([*(f"{len(ranks) - at} {row}" for at, row in enumerate(spaced)), rest])


@lru_cache(maxsize=4096)
def _row(line: str) -> tuple[str, list[str]]:
    """Return the number and the signs of a row; `letters` are those of the columns."""
    found = NUMBERED.fullmatch(line)
    number, bare = found.groups() if found else ("", line)
    signs = bare.split() if " " in bare.strip() else [*bare.strip()]
    words = any(len(sign) > (4 if sign.isdigit() else 2) for sign in signs)
    if words or "|" in line or not line.strip("+- "):
        return "", []
    letters = len(signs) > 2 and "".join(signs).lower() in LETTERS
    return "letters" if letters else number, signs


@lru_cache(maxsize=256)
def taps(line: Line) -> dict[str, tuple[Pick, ...]]:
    """Return the taps for each action: the places that it changes, a button if these are alike."""
    at = state(line)
    before = {} if at.is_chance_node() else board(str(at))[0]
    places = {
        words: tuple(_changed(before, board(str(at.child(action)))[0])) if before else ()
        for words, action in choices(line).items()
    }
    same = Counter(places.values()) + Counter({(): 2})
    return {
        words: (
            *(Pick("place", each) for each in places[words]),
            *([Pick("move", str(action), words)] if same[places[words]] > 1 else []),
        )
        for words, action in choices(line).items()
    }


def _changed(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """Yield the place where a piece is put, or the places that it leaves and enters."""
    other = [at for at, sign in after.items() if sign != before.get(at)]
    put = [at for at in other if not before.get(at)]
    entered = put or [at for at in other if after[at]]
    moved = [at for at in other if not after[at] and before[at] in {after[to] for to in entered}]
    if before.keys() == after.keys() and len(entered) == 1 and len(moved) < 2 and (put or moved):
        yield from (*moved, *entered)


def draw(view: Played | Seen, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the board, and write the other lines of the text."""
    signs, others = board(str(state(view.line)) if isinstance(view, Played) else view.text)
    if not signs:
        lines = [part for line in others for part in _broken(line)] or ["no open moves so far"]
        return Scene((FixedText(tuple(lines[-LONGEST:])),))
    files, ranks = (dict.fromkeys(at[part] for at in signs) for part in (slice(1), slice(1, None)))
    pieces = {at: (_piece(sign),) for at, sign in signs.items() if sign}
    return Scene((Grid.of(files, [*ranks][::-1], pieces),), caption=" · ".join(others[:LONGEST]))


def _broken(line: str) -> list[str]:
    return wrap(line.replace("][", "] ["), WIDTH) if len(line) > WIDTH else [line]


def _piece(sign: str) -> Piece:
    """Draw a sign as a tile: signs of one side are light, those of the other dark."""
    return Piece("letter", "light" if sign.isupper() or sign in "xw" else "dark", text=sign)
