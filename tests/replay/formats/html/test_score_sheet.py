"""The score sheet: every move in its round, the result, the head hash, places to sign."""

from __future__ import annotations

import re

import pytest

from domain.entry import move_text
from domain.events import outcome_words
from domain.games.blockade import GAME as BLOCKADE
from domain.games.score_sheet import GAME as SCORE_SHEET
from domain.names import Names
from replay.book import Book
from replay.corrections.takebacks import ask_takeback, grant_takeback
from replay.formats.html.player_page import write_page
from replay.formats.html.score_sheet import write_sheet
from replay.record.clock import Clock
from replay.record.match_creation import NewMatch
from replay.referee.entering import play
from tests.replay.formats.html.matches import GAMES, long_match, record


def rows(sheet: str) -> list[list[str]]:
    """The rounds, each cell as text."""
    body = sheet.partition("<tbody>")[2].partition("</tbody>")[0]
    found = []
    for row in re.findall(r"<tr>(.*?)</tr>", body):
        cells = re.findall(r"<td[^>]*>(.*?)</td>", row)
        found.append([re.sub("<[^>]*>", "", cell).replace("&gt;", ">") for cell in cells])
    return found


@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug != "score-sheet"])
def test_sheet_has_every_move_in_order(slug, book):
    match = long_match(slug)
    sheet = write_sheet(book, record(book, match, Seat1="Jet", Seat2="Red"))
    written = [word for row in rows(sheet) for cell in row for word in cell.split()]
    moves = [word for word in written if not re.fullmatch(r"\d+\.", word)]
    expected = [move_text.write(match.game, ply.event) for ply in match.line]
    assert sorted(moves) == sorted(expected)
    for seat in range(1, match.seats + 1):
        own = [
            token
            for token, ply in zip(expected, match.line, strict=True)
            if getattr(ply.event, "seat", None) == seat
        ]
        column = [row[seat - 1].split() for row in rows(sheet) if len(row) == match.seats]
        assert [word for cell in column for word in cell if word in own] == own


def test_round_is_a_turn_of_each_seat(book):
    sheet = write_sheet(book, record(book, long_match("poptrix"), 5))
    assert [[bool(cell) for cell in row] for row in rows(sheet)] == [
        [True, True],
        [True, True],
        [True, False],
    ]


def test_ruling_has_its_own_row(book):
    recorded = play(book, record(book, long_match("poptrix"), 3), ["ruled=+2"])
    assert len(rows(write_sheet(book, recorded))[-1]) == 1


def test_sheet_names_players_result_and_record(book):
    match = long_match("poptrix")
    recorded = record(book, match, Seat1="Jet", Seat2="Red", Site="Kitchen")
    sheet = write_sheet(book, recorded)
    assert match.state.outcome is not None
    assert outcome_words(match.state.outcome, Names({1: "Jet", 2: "Red"})) in sheet
    assert "Kitchen" in sheet
    digest = recorded.stream.head_hash.hex()
    assert digest in sheet.replace(" ", "")
    signatures = sheet.partition('class="signatures"')[2]
    assert re.findall("<p>(.*?)</p>", signatures) == ["Jet", "Red", "scorekeeper"]
    assert "size: A4" in sheet
    assert re.search("<body><main>.*</main></body>", sheet, re.DOTALL)


@pytest.mark.parametrize(
    ("limits", "stages"),
    [
        (Clock(total=600), ("", "")),
        (Clock(control="600:5x30"), (" (+5×0:30)", " (+5×0:30)")),
        (Clock(control="40/600"), (" (38 to go)", " (40 to go)")),
    ],
)
def test_sheet_has_scores_and_clocks(store, limits, stages):
    clock = [0]
    book = Book(store, now=lambda: clock[0])
    recorded = book.create(NewMatch(BLOCKADE, clock=limits, metadata={"Seat1": "Jet"}))
    for clock[0], token in ((1000, "roll=4,5"), (250_000, "b2-c3")):
        recorded = play(book, recorded, [token])
    players = write_sheet(book, recorded).partition('class="players"')[2].partition("</table>")[0]
    cells = re.findall(r"<t[hd]( class=\"unnamed\")?>(.*?)</t[hd]>", players)
    assert [words for line, words in cells if line] == ["Player 2"]
    assert [words for _, words in cells] == [
        *("1", "Jet", "0 of 5 towers", f"0:04:09 used, 0:05:51 left{stages[0]}"),
        *("2", "Player 2", "0 of 5 towers", f"0:00:00 used, 0:10:00 left{stages[1]}"),
    ]


def test_players_without_names_are_named_alike_in_files(book):
    recorded = record(book, long_match("poptrix"), 5)
    for file in (write_sheet(book, recorded), write_page(book, recorded, 5)):
        assert "Player 1" in file
        assert not re.search(r">[^<>]*\bseat \d[^<>]*<", file, re.IGNORECASE)


def test_sheet_says_who_corrected_what_and_when(book):
    recorded = record(book, long_match("poptrix"), 2, Seat1="Jet", Seat2="Red")
    assert "Corrections" not in write_sheet(book, recorded)
    recorded = ask_takeback(book, recorded, 2, 1)
    recorded = grant_takeback(book, recorded, 1)
    recorded = play(book, recorded, ["ruled=+2"])
    rows = write_sheet(book, recorded).partition("Corrections")[2].partition("</table>")[0]
    found = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", rows)]
    assert [row[1:] for row in found] == [
        ["Jet", "taken back to ply 1"],
        ["scorekeeper", "Red wins by a ruling"],
    ]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", row[0]) for row in found)


def test_sheet_of_numbers_is_the_table_that_people_filled(book):
    rounds = 15
    people = {"Seat1": "Kai", "Seat2": "Lena"}
    sheet = book.create(NewMatch(SCORE_SHEET, seats=2, metadata=people))
    for number in range(1, rounds + 1):
        sheet = play(book, sheet, [f"1:{number}", f"2:{10 * number}"])
    written = write_sheet(book, sheet)
    table = written[written.index("<thead>") : written.index("</tfoot>")]
    found = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall("<tr>.*?</tr>", table)]
    lines = [[str(n), str(n), str(10 * n)] for n in range(1, rounds + 1)]
    lines.append(["16", "", ""])  # the round that has begun
    assert found == [["", "Kai", "Lena"], *lines, ["Total", "120", "1200"]]
    assert "2:10" not in written
