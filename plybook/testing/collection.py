"""Run the tests of the suite on the games of a test module."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

from domain.editor import NOT_BY_HAND
from domain.game import Game
from plybook.testing.subjects import subjects

AnyGame = Game[Any]
Applies = Callable[[AnyGame], bool]
Test = TypeVar("Test", bound=Callable[..., None])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on the `GAME` of its module."""
    run_on(metafunc, [metafunc.module.GAME])


def run_on(metafunc: pytest.Metafunc, games: Iterable[AnyGame]) -> None:
    """Run a test on the games with the tested feature, or on random matches of them."""
    applies: Applies = getattr(metafunc.function, "applies", _always)
    chosen = [game for game in games if applies(game)]
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", chosen, ids=lambda game: game.slug)
    if "subject" in metafunc.fixturenames:
        every = [subject for game in chosen for subject in subjects(game)]
        metafunc.parametrize("subject", every, ids=str)


def _only(applies: Applies) -> Callable[[Test], Test]:
    def mark(test: Test) -> Test:
        test.applies = applies  # type: ignore[attr-defined]
        return test

    return mark


def _always(game: AnyGame) -> bool:
    return True


def _is_drawn(game: AnyGame) -> bool:
    return bool(game.scene(game.start().view(None)).panels)


with_secrets = _only(lambda game: not game.lists_all)
with_text = _only(lambda game: game.text is not None)
with_pictures = _only(_is_drawn)
by_hand = _only(lambda game: game.editor is not NOT_BY_HAND)
