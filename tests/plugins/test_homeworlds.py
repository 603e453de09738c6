"""Homeworlds: cases of an independent implementation, and the worked examples of its rules."""

from __future__ import annotations

import json

import pytest

from domain.canonical import canonical
from domain.entry.move_text import legal_texts
from domain.entry.spellings import spell
from domain.perft import perft
from domain.position_text import PositionError
from replay.formats.ply.model import RecordFault
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import write_record
from replay.referee import dry_run
from tests.case_table import cases
from tests.paths import FIXTURES
from tests.replay.formats.ply.texts import rejected
from tests.token_play import play_texts

CASES = FIXTURES / "homeworlds"


def lines(name):
    return map(json.loads, (CASES / name).read_text(encoding="utf-8").splitlines())


def played(game, position, tokens, seats=2, **options):
    """Return the text after tokens, or the clause that refuses the last one."""
    tags = [f'[Seat{seat} "P{seat}"]' for seat in range(1, seats + 1)]
    tags += [f'[Option "{name}={value}"]' for name, value in options.items()]
    tags += [f'[Position "{position}"]'] if position != "-" else []
    head = "\n".join(['[Game "homeworlds"]', *tags])
    for end in ("*", "+1", "+2", "="):
        [record] = read_records(f"{head}\n\n{tokens} {end}\n")
        if not isinstance(record, RecordFault):
            return game.write_position(record.match.state.position)
        if record.clause != "result":
            return record.clause
    raise AssertionError(record)


def test_complete_games_are_accepted_and_rewritten(homeworlds):
    text = (CASES / "games.ply").read_text(encoding="utf-8")
    records = list(read_records(text))
    assert [record for record in records if isinstance(record, RecordFault)] == []
    assert "".join(map(write_record, records)) == text


def test_broken_games_are_refused_with_clause(homeworlds):
    for case in lines("bad.jsonl"):
        fault = rejected(case["record"])
        expected = case["move_index"], case["clause"], case["token"]
        assert (fault.event, fault.clause, fault.text) == expected


def test_legal_moves(homeworlds):
    for case in lines("legal.jsonl"):
        options = case["options"]
        match = play_texts(homeworlds, case["after"], seats=case["seats"], **options)
        assert legal_texts(homeworlds, match.state) == case["legal"]


@pytest.mark.parametrize(("ship", "counts"), [("large", [312, 95524]), ("any", [936])])
def test_first_homeworlds(homeworlds, ship, counts):
    start = homeworlds.start(homeworlds.read_options({"ship": ship}))
    depths = range(1, len(counts) + 1)
    assert [perft(homeworlds, start, depth) for depth in depths] == counts


FIRST = "home=y1b3/g3 home=r2b1/g3"
GROWN = f"{FIRST} +g1@1 +g1@2 g1=y1@1 g1=r1@2 y1@1-3:g2"
AWAY = "12 1 4 1:y1b3/1y1 2:r2b1/2g3 3:g2/1y2b1"
BARREN = "12 1 4 1:y1b3/1g1g3 2:r2b1/2g3 3:g2/1y2"
CROWDED = "12 1 4 1:y1b3/1g3y3 2:r2b1/2g3 3:b3/1g1g2g3y1,2g1"


@cases(
    "start tokens after",
    f"""
- | {FIRST} | 12 1 3 1:y1b3/1g3 2:r2b1/2g3
- | {GROWN} | 12 2 4 1:y1b3/1g3 2:r2b1/2r1g3 3:g2/1y1
{BARREN} | sac=y2@3 | 12 1y2 4 1:y1b3/1g1g3 2:r2b1/2g3
{BARREN} | sac=y2@3 g1@1-4:g2 g1@4-1 | 12 2 5 1:y1b3/1g1g3 2:r2b1/2g3
12 1 4 1:y1b3/1g3 2:r2b1/2r1r3 3:g3/1r1y1 | r1@3-2
  | 12 1. 4 1:y1b3/1g3 2:r2b1/1r1,2r1r3 3:g3/1y1
12 1 4 1:y1b3/1g3 2:r2b1/2r1r3 3:g3/1r1y1 | r1@3-2 cat=r@2 | 1 +1 4 1:y1b3/1g3 3:g3/1y1
{AWAY} | sac=y2@3 y1@1-3 | 12 1y1 4 1:y1b3/ 2:r2b1/2g3 3:g2/1y1b1
{AWAY} | sac=y2@3 y1@1-3 b1@3-1 | 12 2 4 1:y1b3/1b1 2:r2b1/2g3 3:g2/1y1
{AWAY} | y1@1-3 | 2 +2 4 2:r2b1/2g3 3:g2/1y1y2b1
12 1 3 1:g1b2/1g3,2g1 2:g2b3/1g1g2,2g3 | +g2@1 cat=g@1 cat=g@2 | - = 3
{CROWDED} | sac=y3@1 cat=g@3 | 12 1y3 4 1:y1b3/1g3 2:r2b1/2g3 3:b3/1y1
""",
)
def test_worked_examples(homeworlds, start, tokens, after):
    assert played(homeworlds, start, tokens) == after


@cases(
    "options tokens after",
    """
left | sac=r3@1 x2g1@2 . | 13 +1 5 1:y1b3/1g3 2:r2b1/1g1g1 3:r1b1/1r2,3r2y1 4:g2/2b1
left | sac=r3@1 x3r2@3 x3y1@3 . | 12 2 5 1:y1b3/1g3 2:r2b1/1g1,2g1 3:r1b1/1r2r2y1 4:g2/2b1
last | sac=r3@1 x2g1@2 . | 13 3 5 1:y1b3/1g3 2:r2b1/1g1g1 3:r1b1/1r2,3r2y1 4:g2/2b1
""",
)
def test_target_of_three_seats(homeworlds, options, tokens, after):
    start = "123 1 5 1:y1b3/1r3g3 2:r2b1/1g1,2g1 3:r1b1/1r2,3r2y1 4:g2/2b1"
    assert played(homeworlds, start, tokens, 3, target=options) == after


def test_catastrophe_gives_up_actions_by_option(homeworlds):
    after = "12 2 4 1:y1b3/1g3 2:r2b1/2g3 3:b3/1y1"
    assert played(homeworlds, CROWDED, "sac=y3@1 cat=g@3", midturn="no") == after


@cases(
    "tokens clause",
    f"""
{GROWN} +g2@2 | HOM-4.2
{GROWN} +b1@2 | HOM-4.1
{GROWN} r1=y1@3 | HOM-3.1
{GROWN} r1=y2@2 | HOM-4.3
{GROWN} r1@2-3 | HOM-3.2
{GROWN} +r1@4 | HOM-1.4
{GROWN} x1y1@3 | HOM-3.1
{GROWN} x1g3@2 | HOM-4.7
{GROWN} cat=r@2 | HOM-6.1
{GROWN} . | HOM-2.6
{GROWN} 1:pass | turn
{GROWN} +g1@02 | form
{GROWN} home=b3y1/g3 | form
home=y1b3/g2 | HOM-2.3
home=g3g3/g3 home=y1g3/b3 | HOM-2.4
home=g3g3/g3 home=y1b1/g3 | HOM-2.4
""",
)
def test_refusals(homeworlds, tokens, clause):
    assert played(homeworlds, "-", tokens) == clause


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("12 1 4 1:y1b3/1g3 2:r2b1/2g3 3:g2/", 30),
        ("12 1 4 1:b3y1/1g3 2:r2b1/2g3", 10),
        ("12 1 4 2:r2b1/2g3 1:y1b3/1g3", 8),
        ("12 1 4 1:y1b3/1g3 2:r2b1/2g3,1g1", 26),
        ("12 1. 3 1:y1b3/1g3 2:r2b1/2g3", 4),
        ("12 1 4 1:g3g3/1g3g3 2:r2b1/2g3", 4),
        ("12 1 3 1:y1b3/1g3 2:r2b1/2g3 3:g2/1y1", 30),
    ],
)
def test_impossible_positions_are_refused(homeworlds, text, column):
    with pytest.raises(PositionError) as refused:
        homeworlds.read_position(homeworlds.start(), text)
    assert refused.value.column == column


def test_explorer_disregards_numbers_of_systems(homeworlds):
    texts = [
        "12 1 5 1:y1b3/1g3 2:r2b1/2g3 3:g2/1y1 4:b3/2r1",
        "12 1 9 1:y1b3/1g3 2:r2b1/2g3 4:b3/2r1 7:g2/1y1",
    ]
    start = homeworlds.start()
    keys = {canonical(homeworlds, homeworlds.read_position(start, text)).text for text in texts}
    assert len(keys) == 1


def test_seat_that_resigns_leaves_its_ships(homeworlds):
    tokens = "home=y1b3/g3 home=r2b1/g3 home=r1b2/y3 2:resign +g1@1"
    after = "13 3 4 1:y1b3/1g1g3 2:r2b1/2g3 3:r1b2/3y3"
    assert played(homeworlds, "-", tokens, 3) == after


@cases(
    "text meant",
    """
home=b3y1/g3     | home=y1b3/g3
Home = B3Y1 / G3 | home=y1b3/g3
home=y1b3/g3     | home=y1b3/g3
home=b9y1/g3     | home=b9y1/g3
""",
)
def test_stars_are_read_in_any_order(homeworlds, text, meant):
    state = dry_run.start(homeworlds, {}, None).state
    assert spell(state, text) == meant
