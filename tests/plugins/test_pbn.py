# ruff: noqa: E501
"""PBN: boards are read, play to their scores, and are written as they were."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.entry import move_text
from domain.match import open_match
from replay import registry
from replay.formats.ply.model import Record, plain_record
from replay.formats.ply.reader import read_with_faults
from replay.formats.text_formats import Hint
from tests.case_table import cases
from tests.paths import FIXTURES
from tests.service.conftest import serve

FILE = FIXTURES / "bridge" / "boards.pbn"
BOARDS = FILE.read_text()
BOARD = BOARDS.split("\n\n")[3] + "\n"
"""All 52 cards of a board are in it."""
DEAL = "N:AJ4.T7.AT652.KJ2 K73.A985432.Q9.7 985..KJ84.AQT654 QT62.KQJ6.73.983"


@pytest.fixture(autouse=True)
def game(site):
    return registry.find("bridge")


def read(text):
    (record,) = read_with_faults(text, hint=Hint(file="boards.pbn"))
    assert isinstance(record, Record), record
    return record


def written(record):
    return record.game.formats[0].write(record)


def test_boards_play_to_their_scores_and_are_written_as_they_were():
    records = list(read_with_faults(BOARDS))
    scores = [record.match.state.position.table.scores for record in records]
    assert scores == [(940, 0), (940, 0), (650, 0), (0, 1400), (0, 170), (0, 150)]
    assert "\n".join(map(written, records)) == BOARDS


def test_boards_are_imported_and_exported():
    with serve() as api:
        kind = {"Content-Type": "application/x-pbn"}
        answer = api.post("/records", content=BOARD, headers=kind)
        assert answer.status_code == 201, answer.text
        (match,) = answer.json()["matches"]
        assert api.get(f"/matches/{match['match']}/record?format=pbn").text == BOARD


@cases(
    "was became fault",
    """
[Result "5"]        | [Result "6"]        | Result is '6', but the moves give '5'
NS -1400            | NS -1100            | Score is 'NS -1100', but the moves give 'NS -1400'
[Declarer "N"]      | [Declarer "S"]      | Declarer is 'S', but the moves give 'N'
[Contract "5HX"]    | [Contract "5H"]     | Contract is '5H', but the moves give '5HX'
[Vulnerable "None"] | [Vulnerable "All"]  | Score is 'NS -1400', but the moves give 'NS -1700'
AJ4.T7              | AJ.T7               | this hand has 12 cards; name 13 cards (BRI-2.1)
AJ4.T7              | AJ44.T7             | this hand has 14 cards; name 13 cards (BRI-2.1)
D9 D4 D3 DT         | D9 D4 D3 DT SA      | 7♦ is not in this hand (BRI-5.1)
DQ DK               | C7 DK               | diamonds were led and are in this hand; play one of them (BRI-5.2)
1D 2H               | 1D 1C               | 1♣ is not above 1♦; bid higher, or pass (BRI-3.2)
5H X                | 5H XX               | 5♥ is a bid of the other side; redouble one of the own side (BRI-3.4)
1D 2H               | 1D ^I 2H            | ^I is an irregularity, and those are not read
1D 2H               | 1D 2X               | '2X' is not a call; write 1NT, Pass, X, XX or AP
D9 D4               | D9 D1               | 'D1' is not a card; write SA, H9 or DT
""",
)
def test_faults_of_a_board(was, became, fault):
    assert BOARD.count(was) == 1
    (faults,) = read_with_faults(BOARD.replace(was, became))
    assert fault in faults[0].words()


@cases(
    "was became",
    """
5H X Pass Pass | 5H X AP
1D 2H 3C 3H | 1d  2H 3c 3H
[Vulnerable "None"] | [Vulnerable "Love"]
NS -1400 | EW 1400
""",
)
def test_other_ways_to_write_a_board_mean_the_same(was, became):
    text = BOARD.replace(was, became)
    text = text.replace("AP\nPass", "AP")
    assert text != BOARD
    record = read(text)
    assert [ply.event for ply in record.match.line] == [ply.event for ply in read(BOARD).match.line]


def test_comments_notes_glyphs_and_tables_are_kept():
    text = BOARD.replace("1D 2H", "1D {forced} 2H! =2=").replace(
        '[Play "E"]', '[Note "2:weak, six cards"]\n[Play "E"]'
    )
    text = text.replace("D9 D4", "D9 {the first lead} D4")
    text = text.replace(
        "[Auction", '[OptimumResultTable "Declarer;Result"]\nN NT 3\nN S 4\n[Auction'
    )
    record = read(text)
    comments = [comment for node in record.line.nodes for comment in node.comments]
    assert comments == ["forced", "=2= weak, six cards", "the first lead"]
    assert written(record) == text.replace("2H! =2=", "2H ! =2=")


def test_passed_out_board_and_a_deal_alone():
    head = f'[Board "2"]\n[Dealer "E"]\n[Deal "{DEAL}"]\n'
    text = (
        head + '[Declarer ""]\n[Contract "Pass"]\n[Result ""]\n[Auction "E"]\nPass Pass Pass Pass\n'
    )
    record = read(text)
    assert record.match.state.outcome.clause == "BRI-8.2"
    assert written(record) == text
    assert written(read(head)) == head


def test_board_without_a_deal_has_unseen_hands():
    text = BOARD.replace(f'[Deal "{DEAL}"]\n', "")
    record = read(text)
    assert record.match.state.position.table.options.hands == "unseen"
    assert written(record) == text


def test_number_of_the_board_gives_way_to_its_dealer():
    record = read(BOARD.replace('[Board "1"]', '[Board "99"]'))
    assert record.match.state.position.table.options.board == 1
    assert '[Board "99"]' in written(record)


def test_match_of_two_boards_is_written(game):
    match = open_match(game, game.read_options({"hands": "unseen", "deals": "2", "board": "4"}))
    for text in [*["pass"] * 4, "bid=1NT", *["pass"] * 3, "2D", "2H", "claim=13", "1:agree"]:
        match = match.evolve(move_text.read(game, match.state, text))
    text = written(plain_record(match, {"Seat1": "Jet"}))
    assert text.count("[Board ") == text.count('[North "Jet"]') == 2
    assert '[Dealer "N"]\n[Vulnerable "NS"]\n[Declarer "N"]\n[Contract "1NT"]\n[Result "0"]' in text
    assert '[Play "E"]\nD2 H2 - -\n*\n' in text
    first, second = read_with_faults(text)
    assert (first.match.state.outcome.scores, second.match.state.outcome.scores) == (
        (0, 0, 0, 0),
        match.state.outcome.scores,
    )


PARTS = (
    '[Board "1"]\n', f'[Deal "{DEAL}"]\n', '[Auction "N"]\n', '[Play "E"]\n', '[Deal "', "1D ", "Pass ",
    "AP ", "X ", "C7 C4 C9 CJ\n", "- ", "* ", "+ ", "{", "}", ";a\n", "%b\n", "=1= ", '[Note "1:a"]\n',
    "^R ", "$1 ", "! ", '"', "]", "\\", '[Result "9"]\n', '[Vulnerable "', "\x00", "é", '[Event "#"]\n',
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
def test_any_text_is_read_or_refused(text):
    for result in read_with_faults(text, hint=Hint(file="a.pbn")):
        assert isinstance(result, Record) or result[0].words()
