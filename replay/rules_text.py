"""The text of the rules, from the numbered clauses in `seeds/<game>/rules-<version>.md`."""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import Any, Final

from msgspec import Struct

from domain.game import Game
from replay.errors import Usage

CLAUSE: Final = re.compile(r"- ([A-Z]{3}-\d+\.\d+) (?:\[[^\]]*\] )?")
SECTION: Final = re.compile(r"## ([A-Z]{3}-\d+) (.*)")


class RuleClause(Struct, frozen=True):
    """A clause of the rules: its id, its heading, and its text."""

    id: str
    section: str
    words: str


def text(game: Game[Any]) -> str:
    """Return the whole rules text of a game's ruleset, in Markdown.

    Raises `Usage` if the game brings none.
    """
    return seed(game.seeds, game.slug, f"rules-{game.version}.md")


def demo(game: Game[Any]) -> str:
    """Return a game's commented demonstration match as a text record. Raises `Usage`."""
    return seed(game.seeds, game.slug, "demo.ply")


def clauses(game: Game[Any]) -> dict[str, RuleClause]:
    """Return the numbered clauses of a game by id, in their order."""
    return _clauses(text(game))


def clause(game: Game[Any], name: str) -> RuleClause:
    """Return one clause. Raises `Usage` if the rules have no clause with that id."""
    found = clauses(game)
    if name not in found:
        raise Usage(f"the rules of {game.name} have no clause {name!r}; the first is {min(found)}")
    return found[name]


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
    current: tuple[str, list[str]] | None = None
    for line in [*markdown.splitlines(), "## end"]:
        opening = CLAUSE.match(line)
        if current and (opening or not line or line.startswith(("#", "|", "```"))):
            found[current[0]] = RuleClause(current[0], section, _plain(" ".join(current[1])))
            current = None
        if opening:
            current = (opening[1], [line[opening.end() :]])
        elif current:
            current[1].append(line.strip())
        if heading := SECTION.match(line):
            section = heading[2]
    return found


def _plain(markdown: str) -> str:
    """Remove emphasis and code marks; rulings inside a clause stay part of its text."""
    return re.sub(r"\*\*|`", "", re.sub(r" ?\[[TIR](?:/[TIR])?\]", "", markdown)).strip()
