"""Fixtures that run the suite on every registered game, with the sixth one installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from domain.game import Game
from plybook.testing.subjects import Subject, few, run_on, subjects
from tests.conformance import door
from tests.conformance.subjects import GAMES, SITE


@cache
def tried(game: Game[Any]) -> list[Subject]:
    """Return one match of each combination of seats and options, and all of a few of them."""
    return [subject for subject in subjects(game) if not subject.seed or subject in few(game)]


@cache
def tried_first(game: Game[Any]) -> list[Subject]:
    """Return one match of each of a few combinations: collecting the others takes seconds."""
    return [subject for subject in few(game) if not subject.seed]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.function.__module__.startswith("plybook.testing"):
        quick = metafunc.config.getoption("markexpr").startswith("not slow")
        run_on(metafunc, GAMES.values(), tried_first if quick else tried)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all matches as slow but one for each of a few combinations of seats and options."""
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            subject = item.callspec.params.get("subject")
            if isinstance(subject, Subject) and (subject.seed or subject not in few(subject.game)):
                item.add_marker("slow")


@pytest.fixture(autouse=True)
def sixth_game(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the suite's tests find the sixth game."""
    if not request.function.__module__.startswith("plybook.testing"):
        yield
        return
    with door.opened(SITE):
        yield
