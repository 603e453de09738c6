"""Custom score sheets: TOML files, given by path or kept in a folder of the user."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from domain.game import Game
from domain.games.score_sheet import GAME, sheet_game
from domain.games.score_sheet.definition import Definition, read
from replay import rules_text
from replay.errors import Usage
from replay.texts import MAX_TAG, check_text

MAX_BYTES: Final = 20_000


def folder() -> Path:
    """Return the folder of the user's own sheets; it need not exist."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA", home)
    return Path(home) / "plybook" / "games"


def kept() -> dict[Path, int]:
    """Return the sheets in the folder by name, each with the time of its last change."""
    found = {}
    with suppress(OSError), os.scandir(folder()) as entries:  # a sheet may be removed just now
        for each in sorted(entries, key=lambda entry: entry.name):
            if each.name.endswith(".toml"):
                found[Path(each.path)] = each.stat().st_mtime_ns
    return found


def load(path: Path) -> Game[Any]:
    """Return the game that the file of a score sheet defines. Raises `ValueError` and `OSError`."""
    definition = definition_of(path)
    return sheet_game(definition, rules_of(definition))


def definition_of(path: Path) -> Definition:
    """Read the definition of a score sheet. Raises `ValueError` and `OSError`."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"a score sheet has at most {MAX_BYTES} bytes")
    definition = read(data.decode())
    titles = [row.title for row in definition.rows]
    titles += [each.title for each in definition.sums] + [each.title for each in definition.bonus]
    try:
        for text in (definition.title, definition.sentence, *titles):
            check_text(f"the text {text[:20]!a}", text, MAX_TAG)
    except Usage as error:
        raise ValueError(f"not a valid score sheet: {error}") from None
    return definition


def rules_of(definition: Definition) -> str:
    """Return the rules of a sheet: the general rules, and a clause for each of its rows."""
    every = rules_text.text(GAME).replace(GAME.ruleset, f"{definition.slug}/1")
    title, _, rest = every.partition("\n")
    body, heading, moves = rest.partition("## Moves\n")
    if definition.rows:
        row, points = definition.example
        fill = FILL.format(row=row, points=points)
        moves = moves.replace(ENTER, f"{ENTER}\n{fill}" if definition.rounds else fill)
    if not definition.has_options:
        wins = f"- SHT-1.2 [R] The {WINS[definition.wins]} total wins.\n"
        body = OPTIONS.sub(lambda found: wins if found[1] == "2" else "", body)
    named = title.replace(GAME.name, definition.title)
    return f"{named}\n{body}{definition.own_clauses}\n{heading}{moves}"


ENTER: Final = """| number | `1:12` | `{"type":"enter","points":12}` |"""
FILL: Final = """| number in a row | `1:{row}={points}` \
| `{{"type":"fill","row":"{row}","points":{points}}}` |"""
OPTIONS: Final = re.compile(r"- SHT-1\.([23]) .*\n")
"""The clauses of options that only the built-in sheet has."""
WINS: Final = {"high": "highest", "low": "lowest"}


def add(path: Path, taken: Container[str] = ()) -> Game[Any]:
    """Store a sheet in the folder, in place of an older sheet with the same slug.

    Raises `Usage` for an invalid sheet, or for a slug that is `taken` by another game.
    """
    try:
        game = load(path)
    except (OSError, ValueError) as error:
        raise Usage(f"{path}: {error}") from None
    place = folder() / f"{game.slug}.toml"
    if game.slug in taken and place not in kept():
        raise Usage(f"{path}: {game.slug!r} is the slug of another game; use a different `slug`")
    folder().mkdir(parents=True, exist_ok=True)
    place.write_bytes(path.read_bytes())
    return game


def remove(slug: str) -> None:
    """Remove a sheet from the folder; its matches are kept. Raises `Usage`."""
    path = folder() / f"{slug}.toml"
    if path not in kept():
        known = ", ".join(path.stem for path in kept()) or "none"
        raise Usage(f"{slug!r} is not a score sheet of yours; these are: {known}")
    path.unlink()
