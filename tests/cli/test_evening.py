"""`plybook evening` lists the matches of an evening, and makes a table for a spreadsheet."""

from __future__ import annotations

import pytest

from domain.games import built_in
from replay.book_file import open_book
from replay.record.match_creation import MatchCredentials, new_match_id
from replay.referee.entering import play
from replay.referee.evenings import open_evening
from replay.referee.opening import open_match


@pytest.fixture
def evening(plybook, tmp_path):
    """An evening with two tables; its first match is over."""
    with open_book(tmp_path / "book.db") as book:
        made, _ = open_evening(book, "Tuesday club", "2026-11-24")
        for players in ({1: "Anna", 2: "Bernd"}, {1: "=1+1", 2: "Dora"}):
            keys = MatchCredentials(new_match_id(), [(made.digest, "host", None)])
            opened = open_match(
                book, built_in("poptrix"), players=players, evening=made, credentials=keys
            )
            if players[1] == "Anna":
                play(book, opened, ["2:resign"])
    return made


def test_evening_is_listed_by_table(plybook, evening):
    first, *tables = plybook("evening", evening.id).out.splitlines()
    assert first == "Tuesday club, 2026-11-24"
    assert ["Anna 1 - Bernd 0" in tables[0], "=1+1 - Dora" in tables[1]] == [True, True]
    assert [each.split()[1:5] for each in tables] == [
        ["round", "1", "table", "1"],
        ["round", "1", "table", "2"],
    ]
    assert [each["table"] for each in plybook("evening", evening.id, "--json").lines] == [1, 2]


def test_table_for_a_spreadsheet_has_no_formula(plybook, evening):
    lines = plybook("evening", evening.id, "--csv").out.splitlines()
    assert lines[0] == "date,round,table,match,game,seat,player,result,points"
    assert [line.split(",")[6] for line in lines[1:]] == ["Anna", "Bernd", "'=1+1", "Dora"]


def test_unknown_evening_is_refused(plybook, evening):
    ran = plybook("evening", "zzzzzzzzzzzz")
    assert (ran.code, "there is no evening" in ran.err) == (2, True)


def test_evening_is_renamed_and_its_title_erased(plybook, evening):
    renamed = plybook("evening", evening.id, "--title", "Thursday club").out
    assert renamed.splitlines()[0] == "Thursday club, 2026-11-24"
    erased = plybook("evening", evening.id, "--title", "").out
    assert erased.splitlines()[0] == f"Evening {evening.id}, 2026-11-24"
    refused = plybook("evening", evening.id, "--title", "T" * 300)
    assert (refused.code, "at most 100 characters" in refused.err) == (2, True)
