"""Score sheets, clause by clause."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from domain.entry import move_text
from domain.events import Resigned, awaited_words, result_words
from domain.game import OptionError
from domain.games.score_sheet import GAME, sheet_game
from domain.games.score_sheet.definition import read
from domain.games.score_sheet.effects import BonusWon
from domain.games.score_sheet.position import MAX_ENTRIES
from domain.match import Match, open_match
from domain.position import Outcome
from domain.scene import Graph, Table
from tests.case_table import cases, ending, listed, said
from tests.token_play import add_token, last_effects, play_texts, refusal

DICE = sheet_game(
    read("""
slug = "dice"
title = "Dice"
seats = [1, 4]
rows = [
  { name = "ones", title = "Ones", most = 5 },
  { name = "twos", most = 10, step = 2 },
  { name = "loss", least = -5, most = 5 },
]
bonus = [{ title = "Upper part", rows = ["ones", "twos"], least = 12, points = 35 }]
""")
)
TILES = sheet_game(
    read("""
slug = "tiles"
title = "Tiles"
rounds = 2
target = 50
rows = [{ name = "farms", most = 30 }, { name = "towns" }]
sums = [{ title = "At the end", rows = ["farms", "towns"] }]
""")
)


def sheet(words: str) -> tuple[dict[str, str], int]:
    """Read options and a number of seats, like `rounds=2 seats=3`."""
    given = dict(word.split("=") for word in words.split() if word != "-")
    return given, int(given.pop("seats", "2"))


def played(options: str, moves: str) -> Match:
    """Play moves on a sheet with options."""
    texts, seats = sheet(options)
    match = open_match(GAME, GAME.read_options(texts), seats)
    for token in moves.strip("-").split():
        match = add_token(match, token)
    return match


@cases(
    "options moves awaited",
    """
-|               | 1,2
-| 1:12          | 2
-| 2:12          | 1
-| 1:12 2:3      | 1,2
seats=3   | 3:1 1:5       | 2
entry=freely | 1:12       | 1,2
rounds=1  | 1:12 2:3      |
target=10 | 1:12          | 2
target=10 entry=freely | 1:12 |
-| 1:4 2:4 1:end |
""",
)
def test_awaited_seats(options, moves, awaited):
    seats = dict.fromkeys(one.seat for one in played(options, moves).state.awaiting())
    assert listed(tuple(seats)) == awaited


def test_anybody_may_enter_on_free_sheet():
    assert awaited_words(played("entry=freely", "1:12").state) == "anybody may enter a number"


@cases(
    "options moves outcome scores",
    """
rounds=1        | 1:12 2:3               | 1:SHT-3.1 | 12,3
rounds=1 wins=low | 1:12 2:3             | 2:SHT-3.1 | 12,3
rounds=1        | 1:3 2:3                | None:SHT-3.1 | 3,3
rounds=1 seats=3 | 1:3 2:5 3:5           | 2,3:SHT-3.1 | 3,5,5
rounds=1 seats=1 | 1:-7                  | 1:SHT-3.1 | -7
target=20       | 1:12 2:3 1:9 2:30      | 2:SHT-3.2 | 21,33
target=20 entry=freely | 1:12 1:9        | 1:SHT-3.2 | 21,0
-| 1:12 2:30 2:end        | 2:SHT-3.3 | 12,30
""",
)
def test_ends(options, moves, outcome, scores):
    found = played(options, moves).state.outcome
    assert ending(found) == outcome
    assert listed(found.scores) == scores


@cases(
    "options moves ranks words",
    """
rounds=1         | 1:12 2:3        |         | seat 1 won 12:3
rounds=1 seats=3 | 1:3 2:5 3:5     |         | seat 2 and seat 3 won 5:3
rounds=1 seats=3 | 1:3 2:9 3:5     | 2;3;1   | seat 2 won with 9, then seat 3 with 5, seat 1 with 3
rounds=1 seats=3 wins=low | 1:3 2:9 3:5 | 1;3;2 | seat 1 won with 3, then seat 3 with 5, *
rounds=1 seats=4 | 1:3 2:9 3:9 4:1 | 2,3;1;4 | *seat 2 and seat 3 won with 9, then seat 1 with 3, *
rounds=1 seats=4 | 1:3 2:9 3:3 4:1 | 2;1,3;4 | *with 9, then seat 1 and seat 3 with 3, seat 4 with 1
rounds=1 seats=3 | 1:3 2:3 3:3     |         | a draw
""",
)
def test_totals_decide_the_ranks(options, moves, ranks, words):
    found = played(options, moves).state.outcome
    assert ";".join(",".join(map(str, seats)) for seats in found.ranks) == ranks
    assert fnmatchcase(result_words(found), words)


def test_single_player_may_give_up():
    match = played("seats=1", "1:5").evolve(Resigned(1))
    assert match.state.outcome == Outcome("resigned", abandoned=True)
    assert match.state.outcome.result == "*"


@cases(
    "options moves token clause",
    """
-|            | 12       | form
-|            | 1:x      | form
-|            | 1:012    | form
-|            | 1:123456 | form
-|            | 1:-0     | form
-|            | 3:12     | turn
-| 1:12       | 1:13     | turn
-|            | 1:end    | SHT-3.3
-| 1:12       | 2:end    | SHT-3.3
rounds=1 | 1:1 2:2  | 1:3      | over
""",
)
def test_refusals(options, moves, token, clause):
    assert refusal(played(options, moves), token).clause == clause


@cases(
    "moves token clause message",
    """
-| 1:threes=3 | SHT-2.3 | threes is not a row; use one of ones, twos, loss
1:ones=3 2:ones=4 | 1:ones=2 | SHT-2.3 | ones is filled already; use one of twos, loss
-| 1:ones=6   | SHT-4.1 | 6 is not a valid number there; Ones (`ones`): 0 to 5
-| 1:ones=-1  | SHT-4.1 | -1 is not a valid number there; Ones (`ones`): 0 to 5
-| 1:twos=3   | SHT-4.2 | 3 is not a valid number there; twos (`twos`): 0 to 10 by steps of 2
""",
)
def test_refusals_of_rows(moves, token, clause, message):
    refused = refusal(play_texts(DICE, moves.strip("-"), seats=2), token)
    assert (refused.clause, refused.message) == (clause, message)


@cases(
    "options moves effects",
    """
-| 1:12           | Entered:1:12:12
-| 1:12 2:30      | Entered:2:30:30 Leads:2:30
-| 1:12 2:12      | Entered:2:12:12
wins=low | 1:12 2:30      | Entered:2:30:30 Leads:1:12
entry=freely | 2:3        | Entered:2:3:3 Leads:2:3
entry=freely | 2:3 2:4    | Entered:2:4:7
""",
)
def test_effects(options, moves, effects):
    assert " ".join(said(*last_effects(played(options, moves)))) == effects


@cases(
    "options moves effects",
    """
first=2          | 1:1 2:1             | Entered:2:1:1 Starts:1:2
first=2          | 1:1 2:1 1:1 2:2     | Entered:2:2:3 Leads:2:3 Starts:2:3
first=1 rounds=1 | 1:1 2:1             | Entered:2:1:1
first=1 target=5 | 1:5 2:5             | Entered:2:5:5
""",
)
def test_next_seat_starts_each_round(options, moves, effects):
    assert " ".join(said(*last_effects(played(options, moves)))) == effects


def test_start_skips_a_seat_that_left():
    match = played("first=1 seats=3", "1:1 2:1").evolve(Resigned(2))
    match = add_token(match, "3:1")
    assert said(*last_effects(match))[-1] == "Starts:3:2"
    [table, *_] = GAME.scene(match.state.position).panels
    assert table.heads == ("Seat 1", "Seat 2", "▸ Seat 3")


@pytest.mark.parametrize("options", ["first=3", "first=1 entry=freely"])
def test_start_by_an_unknown_seat_is_refused(options):
    with pytest.raises(OptionError, match="first"):
        played(options, "")


@cases(
    "moves token clause",
    """
1:5                                   | 1:6        | turn
1:5                                   | 2:farms=3  | SHT-2.3
1:5 2:4 1:6 2:3                       | 1:7        | SHT-2.3
1:5 2:4 1:6 2:3                       | 1:farms=31 | SHT-4.1
1:5 2:4 1:6 2:3 1:farms=1 2:towns=2   | 1:farms=2  | SHT-2.3
1:50 2:4                              | 1:1        | over
""",
)
def test_rounds_come_before_rows(moves, token, clause):
    assert refusal(play_texts(TILES, moves, seats=2), token).clause == clause


def test_picture_has_rounds_rows_and_sums():
    match = play_texts(TILES, "1:5 2:4 1:6 2:3 1:farms=7 2:farms=1 2:towns=2", seats=2)
    table, _ = TILES.scene(match.state.position, last_effects(match)).panels
    lines = [(line.title, *line.texts) for line in (*table.lines, *table.foot)]
    assert lines == [
        ("1", "5", "4"), ("2", "6", "3"), ("farms", "7", "1"), ("towns", "", "2"),
        ("At the end", "7", "3"), ("Total", "18", "10"),
    ]  # fmt: skip
    assert table.latest == (3, 1)
    end = add_token(match, "1:towns=0").state.outcome
    assert (ending(end), end.scores) == ("1:SHT-3.1", (18, 10))


def test_bonus_counts_once_it_is_earned():
    match = play_texts(DICE, "1:ones=4 2:ones=1 1:twos=8", seats=2)
    assert said(*last_effects(match)) == ["Entered:1:8:47", "BonusWon:1:Upper part:35"]
    assert match.state.position.totals == (47, 1)
    assert BonusWon(1, "Upper part", 35).words() == "seat 1 earns 35 points: Upper part"
    assert BonusWon(1, "Luck", 1).words() == "seat 1 earns 1 point: Luck"


def test_sheet_of_rows_ends_when_filled():
    match = play_texts(DICE, "1:ones=4 1:twos=8 1:loss=-5", seats=1)
    assert ending(match.state.outcome) == "1:SHT-3.1"
    assert match.state.outcome.scores == (42,)


def test_player_who_leaves_cannot_win():
    match = played("rounds=2 seats=3", "1:90 2:5").evolve(Resigned(1))
    assert match.state.position.playing == (2, 3)
    for token in ("3:6", "2:1", "3:1"):
        match = add_token(match, token)
    assert ending(match.state.outcome) == "3:SHT-3.1"
    assert match.state.outcome.scores == (90, 6, 7)
    assert match.state.outcome.ranks == ((3,), (2,), (1,))


def test_sheet_is_full_after_many_numbers():
    match = played("seats=1 entry=freely", "1:1 " * MAX_ENTRIES)
    assert refusal(match, "1:1").clause == "SHT-2.4"


def test_picture_has_rounds_totals_and_curves():
    match = played("seats=2", "1:12 2:8 1:3")
    table, graph = GAME.scene(match.state.position, last_effects(match)).panels
    assert isinstance(table, Table)
    assert [(line.title, *line.texts) for line in table.lines] == [("1", "12", "8"), ("2", "3", "")]
    assert [line.texts for line in table.foot] == [("15", "8")]
    assert table.latest == (1, 0)
    assert graph == Graph(((12, 15), (8,)), "Totals")


def test_picture_of_rows_names_them():
    match = play_texts(DICE, "1:ones=4 2:loss=-1", seats=2)
    [table] = DICE.scene(match.state.position, last_effects(match)).panels
    lines = [(line.title, *line.texts) for line in (*table.lines, *table.foot)]
    assert lines == [
        ("Ones", "4", ""), ("twos", "", ""), ("loss", "", "-1"),
        ("Upper part", "", ""), ("Total", "4", "-1"),
    ]  # fmt: skip
    assert table.latest == (2, 1)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ("rows = 3", "Expected `array`, got `int` - at `$.rows`"),
        ('rows = [{ name = "Ones" }]', "Expected `str` matching regex"),
        ('rows = [{ name = "a" }, { name = "a" }]', "there are two rows 'a'; rename one"),
        ('rows = [{ name = "a", mots = 3 }]', "unknown field `mots`"),
        ('rows = [{ name = "stood" }]', "rename the row 'stood'"),
        ('rows = [{ name = "a", least = 9, most = 5 }]', "the row 'a' takes no number"),
        ('rows = [{ name = "a", least = 1, most = 5, step = 10 }]', "takes no number"),
        (
            'bonus = [{ title = "B", rows = ["x"], least = 1, points = 1 }]',
            "names 'x', which is not a row",
        ),
        ('sums = [{ title = "S", rows = ["x"] }]', "the sum names 'x', which is not a row"),
        ("seats = [3, 2]", "[FEWEST, MOST]"),
        ("seats = [1, 10]", "<= 9"),
    ],
)
def test_bad_definition_is_refused(changed, fault):
    with pytest.raises(ValueError, match="not a valid score sheet") as refused:
        read(f'slug = "dice"\ntitle = "Dice"\n{changed}')
    assert fault in str(refused.value)


def test_free_rows_have_number_pads():
    match = play_texts(DICE, "1:ones=4", seats=2)
    tiles = [play_texts(TILES, moves, seats=1).state for moves in ("1:5", "1:5 1:6")]
    assert [[pad.before for pad in TILES.controls(state, 1).numbers] for state in tiles] == [
        [""], ["farms=", "towns="],
    ]  # fmt: skip
    pads = {seat: DICE.controls(match.state, seat).numbers for seat in (1, 2)}
    assert [pad.before for pad in pads[1]] == ["twos=", "loss="]
    assert [pad.before for pad in pads[2]] == ["ones=", "twos=", "loss="]
    assert GAME.controls(played("", "1:12 2:8 1:12").state, 2).numbers[0].chips == (12, 8)


def test_end_is_legal_between_rounds():
    assert move_text.legal_texts(GAME, played("", "1:1 2:1").state) == ["1:end", "2:end"]


def test_totals_are_counted_in_words():
    trays = GAME.scene(played("", "1:1 2:2").state.position).trays
    assert [tray.score.words for tray in trays] == ["1 point", "2 points"]
