"""Hive: perft, refusals by clause, names of spaces and game strings."""

from __future__ import annotations

from contextlib import closing

import msgspec
import pytest

from domain.entry import move_text as entry
from domain.entry.spellings import spell
from domain.events import Moved
from domain.match import open_match
from domain.perft import perft
from domain.position import Violation
from domain.position_text import PositionError
from replay.book import Book
from replay.record.match_creation import NewMatch
from replay.referee import entering
from replay.store import open_store
from tests.case_table import cases

SETS = {"M": "mosquito", "L": "ladybug", "P": "pillbug"}
LATE = (
    r"Base+MLP;InProgress;White[11];wB1;bS1 wB1-;wQ /wB1;bQ bS1/;wG1 -wB1;bG1 bS1-;wM -wQ;bM bQ-;"
    r"wP /wQ;bP bQ/;wL -wG1;bL bG1-;wA1 wQ\;bB1 \bQ;wS1 wA1-;bA1 -bB1;wA2 -wP;bA2 bP-;wA2 wS1/;"
    r"bA2 /bA1"
)
"""Other programs count 1,356,195 lines of three moves here, and so does this one."""


def options(game, sets, **others):
    return game.read_options({SETS[letter]: "yes" for letter in sets} | others)


def played(game, sets, tokens, **others):
    """Return the state after tokens, or the clause that refuses the last one."""
    match = open_match(game, options(game, sets, **others))
    for number, token in enumerate(tokens.split(), 1):
        event = entry.read(game, match.state, token)
        refused = event if isinstance(event, Violation) else event.check(match.state)
        if refused is not None:
            assert number == len(tokens.split()), (token, refused)
            return refused.clause
        match = match.evolve(event)
    return match.state


@pytest.mark.parametrize(
    ("sets", "counts"),
    [
        ("", [4, 96, 1440, 21600]),
        ("M", [5, 150, 2610]),
        ("L", [5, 150, 2610]),
        ("P", [5, 150, 2610]),
        ("ML", [6, 216, 4320]),
        ("MP", [6, 216, 4320]),
        ("LP", [6, 216, 4320]),
        ("MLP", [7, 294, 6678]),
    ],
)
def test_perft(hive, sets, counts):
    start = hive.start(options(hive, sets))
    assert [perft(hive, start, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.slow
@pytest.mark.parametrize(("sets", "count"), [("", 516240), ("P", 1255932)])
def test_perft_to_depth_five(hive, sets, count):
    assert perft(hive, hive.start(options(hive, sets)), 5) == count


def test_perft_of_a_late_position(hive):
    position = hive.read_position(hive.start(options(hive, "MLP")), LATE)
    assert [perft(hive, position, depth) for depth in (1, 2)] == [115, 12814]


FOUR = r"wS1 bS1>wS1- wQ>-wS1 bQ>bS1-"
LIFT = r"wP bA1>wP- wQ>-wP bQ>bA1- wA1>-wQ bQ>bA1/ wA2>-wA1 bQ>\bA1"
CLIMB = r"wB1 bB1>wB1- wQ>-wB1 bQ>bB1- wB2>-wQ bB2>bQ-"


@cases(
    "sets tokens clause",
    rf"""
 | wM | HIV-1.2
 | wS1 bS1>wM- | HIV-1.2
 | wS1>wS2 | HIV-1.3
 | bS1 | HIV-2.1
 | {FOUR} bQ>wQ | HIV-2.1
 | wS2 | HIV-2.2
 | wQ | HIV-2.3
 | wS1 bQ>wS1- | HIV-2.3
 | wS1 bS1>wS1- wA1>-wS1 bA1>bS1- wA2>-wA1 bA2>bA1- wA3>-wA2 | HIV-2.4
 | wS1 bS1>wS1- wS1>bS1- | HIV-2.5
 | pass | HIV-2.6
 | wS1 bS1 | HIV-2.7
 | wS1 bS1>wS1- wA1>bS1- | HIV-2.7
 | wS1 bS1>wS1 | HIV-3.1
 | {FOUR} wQ>wS1 | HIV-3.1
 | {FOUR} wS1>bQ- | HIV-3.2
 | {CLIMB} wB1>wQ | HIV-3.2
 | {CLIMB} wB2>wQ bB2>bQ wQ>\wB1 | HIV-3.4
 | {FOUR} wQ>-wS1 | HIV-3.5
 | {FOUR} wQ>bQ- | HIV-5.1
 | {FOUR} wA1>-wQ bA1>bQ- wA1>wA1- | HIV-1.3
 | {FOUR} wA1>-wQ bA1>bQ- wA1>bA1 | HIV-3.1
 | {FOUR} wG1>-wQ bG1>bQ- wG1>wS1/ | HIV-5.5
 | {FOUR} wS2>-wQ bS2>bQ- wS2>bS1/ | HIV-5.2
 | {CLIMB} wB2>bQ | HIV-5.4
P | {LIFT} bQ>wP\ | HIV-5.8
P | {LIFT} bA1>wP\ bA1>bQ- | HIV-5.9
P | {LIFT} bQ>bA1- | HIV-2.1
M | wM bA1>wM- wQ>-wM bQ>bA1- wM>wA1 | HIV-1.3
""",
)
def test_refusals(hive, sets, tokens, clause):
    assert played(hive, sets, tokens) == clause


@pytest.mark.parametrize("name", [r"\wS1", "wQ/"])
def test_spaces_may_be_named_in_any_way(hive, name):
    state = played(hive, "", rf"{FOUR} wA1>-wQ bA1>bQ- wA1>{name}")
    assert state.position.moves[-1] == "wA1 wQ/"


@pytest.mark.parametrize("name", [r"\wS1", "wQ/"])
def test_moves_are_stored_in_their_normal_form(hive, tmp_path, name):
    with closing(open_store(tmp_path / "book.db")) as store:
        book = Book(store)
        record = book.create(NewMatch(hive))
        record = entering.play(book, record, rf"{FOUR} wA1>-wQ bA1>bQ-".split())
        move = hive.decode(msgspec.json.encode({"type": "move", "piece": "wA1", "to": name}))
        record = entering.play(book, record, [Moved(1, move)])
    assert entry.write(hive, record.match.line[-1].event) == "wA1>wQ/"


def test_game_strings_are_read_and_written(hive):
    start = hive.start(options(hive, "MLP"))
    position = hive.read_position(start, LATE)
    text = hive.write_position(position)
    assert text.startswith(r"Base+MLP;InProgress;White[11];wB1;bS1 wB1-;wQ /wB1;bQ bS1/;wG1 \wQ;")
    assert hive.read_position(start, text) == position


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("Base;NotStarted;White[1]", 1),
        ("Base+P", 7),
        ("Base+P;InProgress;White[1]", 8),
        ("Base+P;InProgress;White[2];wS1;bS1 wS1", 32),
        ("Base+P;InProgress;White[3];wS1;bS1 wS1-", 19),
    ],
)
def test_wrong_game_strings_are_refused(hive, text, column):
    with pytest.raises(PositionError) as refused:
        hive.read_position(hive.start(options(hive, "P")), text)
    assert refused.value.column == column


def test_third_repetition_draws_by_option(hive):
    steps = r"wQ>\wS1 bQ>bS1\ wQ>-wS1 bQ>bS1-"
    assert played(hive, "", f"{FOUR} {steps} {steps}").outcome is None
    state = played(hive, "", f"{FOUR} {steps} {steps}", repetition="draws")
    assert state.outcome.clause == "HIV-4.2"


@pytest.mark.parametrize(
    ("text", "meant"),
    [("bS1 wS1-", "bS1>wS1-"), (r"bS1  /wS1", "bS1>/wS1"), ("bS1 -> wS1-", "bS1>wS1-"),
     ("bS1wS1", "bS1wS1"), ("bS1 zS1-", "bS1 zS1-")],
)  # fmt: skip
def test_move_is_read_as_other_programs_write_it(hive, text, meant):
    state = played(hive, "", "wS1")
    assert spell(state, text) == meant


def test_effects_name_pieces_and_spaces_in_words(hive):
    match = open_match(hive)
    for token in (r"wS1", r"bG1>wS1-", r"wQ>\wS1"):
        match = match.evolve(entry.read(hive, match.state, token))
    assert [each.words() for ply in match.line for each in ply.effects] == [
        "seat 1 places white spider 1 first",
        "seat 2 places black grasshopper 1 right of white spider 1",
        "seat 1 places white queen upper left of white spider 1",
    ]
