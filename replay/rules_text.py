"""The text of the rules, from the numbered clauses in `seeds/<game>/rules-<version>.md`."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from importlib import resources
from typing import Any, Final

from msgspec import Struct

from domain.game import Game
from replay.errors import Usage

SECTION: Final = r"[A-Z]{2,5}-\d+"
CLAUSE: Final = rf"{SECTION}(?:\.\d+){{1,3}}"
"""The ids of a section, `POP-2`, and of a clause, `POP-2.1`: two to five capitals, and numbers."""

PART: Final = re.compile(
    rf"^## {SECTION} (.*)"
    rf"|^- ({CLAUSE}) (?:\[[^\]]*\] )?(.*(?:\n(?!- {SECTION}|[#|]|```).+)*)"
    r"(?:\n+((?:\|.*\n?)+|```\n(?:.*\n)*?```))?",
    re.MULTILINE,
)
"""The heading of a section, or a clause with the table or drawing that follows it."""


class RuleClause(Struct, frozen=True):
    """A clause of the rules: its id, its heading, its text, and the table or drawing below it."""

    id: str
    """The clause's number, as a refusal cites it."""
    section: str
    """The heading above the clause."""
    words: str
    """The text of the clause."""
    figure: str = ""
    """The table or drawing below the clause; may be empty."""


def text(game: Game[Any]) -> str:
    """Return the whole rules text of a game's ruleset, in Markdown.

    Raises `Usage` if the game has no rules text.
    """
    return game.rules or seed(game.seeds, game.slug, f"rules-{game.version}.md")


def is_there(game: Game[Any]) -> bool:
    """Return whether a game brings its rules."""
    try:
        return bool(text(game))
    except Usage:
        return False


def demo(game: Game[Any]) -> str:
    """Return a game's commented demonstration match as a text record. Raises `Usage`."""
    return game.demo or seed(game.seeds, game.slug, "demo.ply")


def clauses(game: Game[Any]) -> dict[str, RuleClause]:
    """Return the numbered clauses of a game by id, in their order."""
    return _clauses(text(game))


def clause(game: Game[Any], name: str) -> RuleClause:
    """Return one clause by its id, or by its number alone: `POP-3.2`, `pop-3.2`, `3.2`.

    Raises `Usage` if the rules have no such clause.
    """
    found = clauses(game)
    wanted = name.upper()
    for each in found.values():
        if wanted in (each.id, each.id.rpartition("-")[2]):
            return each
    raise Usage(f"the rules of {game.name} have no clause {name!r}; the first is {min(found)}")


def words(game: Game[Any], name: str) -> str | None:
    """Return the text of a clause, or `None` for a pseudo clause (`form`, `over`, `turn`)."""
    try:
        found = clauses(game).get(name)
    except Usage:  # a plug-in may lack a rules text
        return None
    return found.words if found else None


@functools.cache
def seed(package: str, slug: str, name: str) -> str:
    """Read a text file from a game's seed folder. Raises `Usage` if the file is missing."""
    try:
        return (resources.files(package) / slug / name).read_text(encoding="utf-8")
    except (FileNotFoundError, ModuleNotFoundError, NotADirectoryError):
        raise Usage(f"{slug} comes without a {name}") from None


@functools.cache
def _clauses(markdown: str) -> dict[str, RuleClause]:
    found: dict[str, RuleClause] = {}
    section = ""
    for part in PART.finditer(markdown):
        heading, name, words, figure = part.groups()
        section = heading or section
        if name:
            found[name] = RuleClause(name, section, _plain(words), _figure(figure or ""))
    return found


def _figure(markdown: str) -> str:
    """Return a drawing without its fence, or a table as a list of its rows."""
    lines = markdown.splitlines()
    if not markdown.startswith("|"):
        return "\n".join(lines[1:-1])
    heads, _, *rows = ([_plain(cell) for cell in line.strip("|").split("|")] for line in lines)
    return "\n".join(itertools.chain.from_iterable(_row(heads, row) for row in rows))


def _row(heads: list[str], row: list[str]) -> Iterator[str]:
    yield f"{heads[0]} {row[0]}"
    yield from (f"  {head}: {cell}" for head, cell in zip(heads[1:], row[1:], strict=True))


def _plain(markdown: str) -> str:
    """Remove emphasis, code marks and line breaks; rulings in a clause stay part of its text."""
    unmarked = re.sub(r"\*\*|`", "", re.sub(r" ?\[[TIR](?:/[TIR])?\]", "", markdown))
    return " ".join(unmarked.split())
