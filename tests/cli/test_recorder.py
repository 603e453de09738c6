"""The recorder of the terminal: completion by the tab key."""

from __future__ import annotations

from typing import Any

import pytest

from cli.recorder import Recorder
from replay.book import Book
from replay.referee import entering
from replay.referee.opening import open_match
from replay.registry import find
from replay.store import temporary_store


@pytest.fixture
def desk():
    def at(slug: str, text: str = "", **options: Any) -> Recorder:
        book = Book(temporary_store(), now=lambda: 0)
        recorded = open_match(book, find(slug), players={}, seats=None, options={}, **options)
        return Recorder(book, entering.play(book, recorded, text.split()) if text else recorded)

    return at


def completed(recorder: Recorder, text: str) -> list[str]:
    """Ask for one completion after the other until there is none, as a terminal does."""
    found: list[str] = []
    while (one := recorder._complete(text, len(found))) is not None:
        found.append(one)
    return found


def test_the_tab_key_completes_moves_part_by_part_and_then_the_words_of_the_desk(desk):
    recorder = desk("poptrix", "M@c1 S@c6")
    assert completed(recorder, "") == ["c1>", "legal", "undo", "board", "help", "quit"]
    assert completed(recorder, "c1>") == ["c1>L@", "c1>S@"]
    assert completed(recorder, "c1>S@c") == ["c1>S@c2", "c1>S@c3"]
    assert completed(recorder, "c1>S@c3") == []
    assert completed(recorder, "c6") == []
    assert completed(recorder, "un") == ["undo"]
    assert completed(recorder, "2:re") == ["2:resign"]


def test_the_tab_key_completes_programs_too(desk):
    recorder = desk("pyramid-ball")
    assert len(completed(recorder, "1:S=F")) == 36
    assert completed(recorder, "1:S=FF.,") == ["1:S=FF.,M="]


def test_the_tab_key_asks_the_service_for_a_roll_and_completes_the_legs_by_parts(desk):
    recorder = desk("blockade", dice="service")
    assert completed(recorder, "") == ["roll", "legal", "undo", "board", "help", "quit"]
    assert completed(recorder, "roll=") == []
    assert completed(recorder, "1:re") == ["1:resign"]
    recorder = desk("blockade", "roll", dice="service")
    leg = next(token for token in recorder._legal() if "-" in token)
    assert leg[:3] in completed(recorder, leg[0])
    assert leg in completed(recorder, leg[:3])
