"""Names use the words of CONTRIBUTING, not the words that these replaced."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.paths import ROOT

REPLACED = {
    "charter": "credentials",
    "founding": "tokens",
    "mislaid": "impossible",
    "quiet": "unjudged",
    "sight": "scope",
    "whoever": "the noun of a person",
    "wish": "filter",
}
"""The words that names must not have, each with the word to use."""
OF_MOVES = REPLACED | {"token": "text", "tokens": "texts"}
"""The same where there are no credentials."""
CREDENTIALS = {
    *("cli", "service", "access", "store", "upkeep"),
    *("evenings.py", "phones.py", "rematch.py", "rulebook.py"),
}
"""The folders and files with tokens; those of `rulebook.py` are parts of Markdown."""

SHARED = {
    *("Board", "Candidate", "Change", "DryRun", "Frame", "Hint", "Key", "Kind"),
    *("Line", "Log", "MoveList", "News", "Node", "Noted", "Picked", "Problem", "Reading", "Record"),
    *("Sender", "Stale", "Standing", "Tally", "Tokens", "Tree"),
}
"""The names that two classes or more still have, besides those of games; none is added."""
ROOMS = ("domain", "replay", "service", "cli", "plybook")

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the names that a module defines, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr


@pytest.mark.parametrize("room", ROOMS)
def test_names_use_the_lexicon(room):
    files = [path.relative_to(ROOT) for path in sorted((ROOT / room).rglob("*.py"))]
    found = [
        f"{path}:{line}: {name} is not in the lexicon; use {replaced[word]}"
        for path in files
        for replaced in (OF_MOVES if CREDENTIALS.isdisjoint(path.parts) else REPLACED,)
        for line, name in names(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        for word in map(str.lower, WORD.findall(name))
        if word in replaced
    ]
    assert found == []


@pytest.mark.parametrize("room", [*ROOMS, "tests"])
def test_files_use_the_lexicon(room):
    files = [path.relative_to(ROOT) for path in (ROOT / room).rglob("*.*")]
    kept = [path for path in files if not {"node_modules", "__pycache__"} & set(path.parts)]
    assert [path for path in kept if REPLACED.keys() & set(WORD.findall(path.name))] == []


def test_classes_have_names_of_their_own():
    named = Counter(
        node.name
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if not path.is_relative_to(ROOT / "domain" / "games")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, times in named.items() if times > 1} <= SHARED
