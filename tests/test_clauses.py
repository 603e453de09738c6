"""The clauses of the rules agree with the code that enforces them and the tests that show them."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from domain.games import BUILT_IN, built_in
from replay import rules_text
from tests.paths import ROOT

CLAUSE = re.compile(r"\b[A-Z]{3}-\d+\.\d+\b")

every_game = pytest.mark.parametrize("slug", BUILT_IN)


def suite_of(slug: str) -> ModuleType:
    """Return the test module of a game."""
    return importlib.import_module(f"tests.domain.games.test_{BUILT_IN[slug].rpartition('.')[2]}")


def words_of(slug: str) -> set[str]:
    """Return the clause ids of a game's rules."""
    return set(rules_text.clauses(built_in(slug)))


def literals(slug: str) -> Iterator[str]:
    """Yield every string in the code of a game, docstrings included."""
    place = ROOT.joinpath(*BUILT_IN[slug].split("."))
    sources = [place.with_suffix(".py")] if place.with_suffix(".py").exists() else []
    for source in [*sources, *place.glob("**/*.py")]:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@every_game
def test_clause_ids_of_a_game_share_one_prefix(slug):
    words = words_of(slug)
    assert len(words) > 10
    assert len({clause.partition("-")[0] for clause in words}) == 1


@every_game
def test_rule_bullets_are_read_as_clauses(slug):
    bullets = re.findall(r"^- ([A-Z]{3}-\S+)", rules_text.text(built_in(slug)), re.MULTILINE)
    assert len(bullets) == len(set(bullets))
    assert set(bullets) == words_of(slug)


@every_game
def test_clause_table_names_exactly_the_clauses(slug):
    assert set(suite_of(slug).CLAUSES) == words_of(slug)


@every_game
def test_the_tests_named_for_a_clause_exist(slug):
    module = suite_of(slug)
    for clause, shown in module.CLAUSES.items():
        assert shown.tests, clause
        assert len(set(shown.tests)) == len(shown.tests), clause
        for name in shown.tests:
            assert name.startswith("test_"), (clause, name)
            assert callable(getattr(module, name, None)), (clause, name)


@every_game
def test_clause_table_names_tests_of_each_case(slug):
    """A table of cases names the clause of each in its first column."""
    table = suite_of(slug).CLAUSES
    code = next(iter(table)).partition("-")[0]
    unnamed = {
        (clause, test.__name__)
        for test in vars(suite_of(slug)).values()
        for mark in getattr(test, "pytestmark", ())
        if mark.args[0][0] == "clause"
        for case in mark.args[1]
        if (clause := f"{code}-{case[0].rpartition('-')[2]}") in table
        if test.__name__ not in table[clause].tests
    }
    assert unnamed == set()


@every_game
def test_unbreakable_clause_has_a_reason(slug):
    for clause, shown in suite_of(slug).CLAUSES.items():
        assert shown.note or shown.how != "unbreakable", clause


@every_game
def test_every_clause_named_in_the_code_exists(slug):
    named = {clause for text in literals(slug) for clause in CLAUSE.findall(text)}
    assert named
    assert named <= words_of(slug)


@every_game
def test_code_cites_its_refusing_clauses(slug):
    cited = {text for text in literals(slug) if CLAUSE.fullmatch(text)}
    table = suite_of(slug).CLAUSES
    for clause, shown in table.items():
        if shown.how == "refusal":
            assert clause in cited, clause
    for clause in cited:
        assert table[clause].how in ("refusal", "outcome", "effect"), clause
