"""Names use the words of CONTRIBUTING, not the words that these replaced."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.paths import ROOT

REPLACED = {
    "charter": "credentials",
    "founding": "tokens",
    "mislaid": "impossible",
    "sight": "scope",
    "whoever": "the noun of a person",
    "wish": "filter",
}
"""The words that names must not have, each with the word to use."""

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


@pytest.mark.parametrize("room", ["domain", "replay", "service", "cli", "plybook"])
def test_names_use_the_lexicon(room):
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name} is not in the lexicon; use {REPLACED[word]}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, name in names(ast.parse(path.read_text(encoding="utf-8")))
        for word in map(str.lower, WORD.findall(name))
        if word in REPLACED
    ]
    assert found == []
