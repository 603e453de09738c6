"""Completion of move texts, step by step and clause by clause, in all games."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.entry.completion import Completion, entry
from domain.entry.move_text import split
from domain.events import DrawOffered, Moved, Resigned, Ruled, State
from domain.games import BUILT_IN, built_in
from domain.games.poptrix.moves import Launch
from domain.games.pyramid_ball.moves import Program
from domain.games.pyramid_ball.position import Play
from domain.match import Match, open_match
from tests.case_table import cases_of_words
from tests.paths import FIXTURES
from tests.token_play import add_token, play_texts, refusal

POPTRIX = built_in("poptrix")
BLOCKADE = built_in("blockade")
POWER = built_in("power-play")
BALL = built_in("pyramid-ball")
CUBES = built_in("cube-pyramid")

OPENED = "M@c1 S@c6"
PICKS = {"opening": "selection"}
ADVANCED = {"length": "advanced"}
SEALED = "1:S=...,M=...,L=..."
BEATEN = "M@c1 S@c6 1:resign"


def broken(slug: str) -> Iterator[tuple[Match, str, str]]:
    """Yield a game's broken records: the match before the bad move, its text, its clause."""
    for case in map(json.loads, (FIXTURES / slug / "bad.jsonl").read_text().splitlines()):
        tags, movetext = case["record"].split("\n\n", 1)
        options = dict(re.findall(r'\[Option "(.*)=(.*)"\]', tags))
        game = built_in(slug)
        match = open_match(game, game.read_options(options), len(re.findall(r"\[Seat", tags)))
        written = [word for word in movetext.split() if not re.fullmatch(r"\d+\.", word)]
        for token in written[: case["move_index"]]:
            match = add_token(match, token)
        yield match, case["token"], case["clause"]


@pytest.mark.parametrize("slug", BUILT_IN)
def test_whole_token_gets_the_referees_refusal(slug):
    for match, token, clause in broken(slug):
        if clause == "form":
            continue
        found = entry(match.game, match.state, None, token)
        assert (found.verdict, found.continuations, found.event) == ("illegal", (), None)
        assert found.violation == refusal(match, token)
        assert found.violation.clause == clause


@pytest.mark.parametrize("slug", BUILT_IN)
def test_text_that_begins_no_token_is_malformed(slug):
    for match, token, clause in broken(slug):
        begun = (kind.notation.beginning(split(token).body) for kind in match.game.moves)
        if clause == "form" and not any(map(list, begun)):
            assert entry(match.game, match.state, None, token) == Completion(
                "illegal", refusal(match, token)
            )


@pytest.mark.parametrize(
    ("game", "options", "before", "prefix", "continuations"),
    [
        (POPTRIX, {}, "", "", "L@ M@ S@"),
        (POPTRIX, {}, "", "M", "M@"),
        (POPTRIX, {}, "", "M@", "M@a1 M@b1 M@c1 M@d1 M@e1"),
        (POPTRIX, {}, "", "M@d", "M@d1"),
        (POPTRIX, {}, OPENED, "", "c1>"),
        (POPTRIX, {}, OPENED, "c1", "c1>"),
        (POPTRIX, {}, OPENED, "c1>", "c1>L@ c1>S@"),
        (POPTRIX, {}, OPENED, "c1>S@c", "c1>S@c2 c1>S@c3"),
        (POPTRIX, {}, OPENED, "1", "1:c1>"),
        (POPTRIX, {}, OPENED, "1:c1>", "1:c1>L@ 1:c1>S@"),
        (POPTRIX, {}, OPENED + " c1>L@c3 c6>M@c4", "", "c3x"),
        (BLOCKADE, {}, "", "roll=6,", " ".join(f"roll=6,{pips}" for pips in range(1, 7))),
        (BLOCKADE, {}, "roll=1,6", "b5", "b5-"),
        (BLOCKADE, {}, "roll=1,6", "b5-", "b5-c5"),
        (POWER, {}, "", "a3", "a3-"),
        (POWER, {}, "", "a3-", "a3-a4 a3-b2 a3-b3 a3-b4"),
        (CUBES, {}, "l@A11", "", "d@ l@"),
        (CUBES, {}, "l@A11", "l@A4", "l@A41 l@A42"),
        (BALL, PICKS, "", "", "1:pick=L 1:pick=M 1:pick=S 2:pick=L 2:pick=M 2:pick=S"),
        (BALL, PICKS, "1:pick=S", "", "2:pick=L 2:pick=M 2:pick=S"),
        (BALL, PICKS, "1:pick=S 2:pick=M", "2:", "2:start=ball 2:start=defend"),
        (BALL, {}, SEALED, "1:", "1:foul"),
        (BALL, {}, SEALED, "2:S=.F", " ".join(f"2:S=.F{a},M=" for a in ".BFLRx")),
        (BALL, {}, SEALED, "2:S=FF.,", "2:S=FF.,M="),
        (BALL, {}, SEALED, "2:S=F..,M=F..,L=F.", " ".join(
            f"2:S=F..,M=F..,L=F.{a}" for a in ".BFLRx")),
        (BALL, {}, SEALED, SEALED.replace("1", "2") + ",p", " ".join(
            f"2:S=...,M=...,L=...,pass={row}{size}" for row in "23" for size in "LMS")),
    ],
)  # fmt: skip
def test_beginning_continues_part_by_part(game, options, before, prefix, continuations):
    found = entry(game, play_texts(game, before, **options).state, None, prefix)
    assert (found.verdict, found.violation, found.event) == ("incomplete", None, None)
    assert " ".join(found.continuations) == continuations


DEAD_ENDS = """
poptrix | | M@c2~POP-2.1 M@c6~POP-2.1 c1~POP-2.1 c1x~POP-2.1
poptrix | M@c1 S@c6 | M~POP-2.2 M@c~POP-2.2 c6~POP-3.1 d4~POP-3.1 c1>M~POP-3.2 c1>M@~POP-3.2
poptrix | M@c1 S@c6 | c1>S@c4~POP-3.3 c1>S@b~ c1x~POP-4.0 c1xd2~POP-1.4 2:c6~turn 1:acc~turn
poptrix | M@c1 S@c6 | c7~form c1>X~form res~form
poptrix | M@c1 S@c6 c1>L@c3 c6>M@c4 | c3>~POP-2.3 c1~POP-2.3
poptrix | M@c1 S@c6 1:resign | ~over c1~over 2:~over 1:res~over zz~form
blockade | | b5~turn
blockade | roll=6,6 | roll~turn a2~BLK-3.1 c3-~BLK-3.1 b5-b5~BLK-3.5 b5-a~BLK-4.4
blockade | roll=1,6 | b5-d~BLK-2.3
power-play | | h8~PWR-3.1 e2-~PWR-3.1 a3-e~PWR-3.3 a3^~PWR-4.1 ^~turn L@~turn
power-play | | 1:ko~PWR-6.1 3:ko~turn ko~form
cube-pyramid | | l@A55~CUB-1.2 l@B~CUB-2.3 l@E~CUB-2.3 2:l~turn x~form
pyramid-ball | | 1:pi~turn 1:fou~turn pi~form 1:take~BAL-11.1
pyramid-ball | 1:S=...,M=...,L=... | 1:S=F~turn
pyramid-ball | | 1:S=...,M=...,L=...,pass=1~BAL-3.2 1:S=...,M=...,L=...,dash~BAL-11.1
pyramid-ball | | 1:S=...,M=...,L=...,q~BAL-11.1 1:S=...,M=...,L=...,,~form
"""
"""A game, its play, and beginnings of move texts with the clause that refuses them, if one does."""


@cases_of_words("slug before case", DEAD_ENDS)
def test_dead_end_cites_its_clause(slug, before, case):
    prefix, clause = case.split("~")
    game, options = built_in(slug), ADVANCED if "take" in prefix else {}
    found = entry(game, play_texts(game, before, **options).state, None, prefix)
    assert (found.violation.clause if found.violation else "") == clause
    assert found.verdict == ("illegal" if clause else "incomplete")
    assert (found.event, bool(found.continuations)) == (None, not clause)


def test_half_token_refusal_names_its_text():
    state = play_texts(POPTRIX, OPENED).state
    assert entry(POPTRIX, state, None, "c6>").violation.message == (
        "c6 has a small of seat 2; the launcher must be a pyramid of seat 1 on the board"
    )
    assert entry(BALL, play_texts(BALL, "").state, 1, "pi").violation.message.startswith(
        "'pick=S' must"
    )


def test_exhausted_colour_is_refused_by_its_clause():
    state = State(CUBES, replace(CUBES.start(), supply=(0, 5, 5, 13)))
    assert entry(CUBES, state, None, "").continuations == ("d@",)
    assert entry(CUBES, state, None, "l").violation.clause == "CUB-2.2"


def test_token_without_seat_belongs_to_entering_seat():
    match = play_texts(POPTRIX, OPENED)
    assert entry(POPTRIX, match.state, 2, "").violation == refusal(match, "2:c6>M@c5")
    assert entry(POPTRIX, match.state, 2, "c6>M@c5").violation == refusal(match, "2:c6>M@c5")
    assert entry(POPTRIX, match.state, 1, "c1>S@c2").event == Moved(1, Launch("c1", "S", "c2"))
    assert entry(POPTRIX, match.state, 2, "1:c1>S@c2").event == Moved(1, Launch("c1", "S", "c2"))


def test_only_the_awaited_seat_gets_moves():
    state = play_texts(BALL, "1:pick=S", **PICKS).state
    assert entry(BALL, state, 1, "").verdict == "illegal"
    assert len(entry(BALL, state, 2, "").continuations) == 3


def test_complete_token_can_continue():
    state = play_texts(BALL, "").state
    found = entry(BALL, state, None, SEALED)
    assert found.verdict == "complete"
    assert found.event == Moved(1, Program("...", "...", "..."))
    assert [text.removeprefix(SEALED) for text in found.continuations] == [
        f",pass={row}{size}" for row in "23" for size in "LMS"
    ]


def test_pass_that_needs_quick_is_incomplete():
    quick = replace(BALL.start(BALL.options(**ADVANCED)).table, taken=("M", ""))
    state = State(built_in("pyramid-ball"), Play(quick))
    found = entry(BALL, state, None, SEALED + ",pass=1L")
    assert found == Completion("incomplete", continuations=(SEALED + ",pass=1L,quick",))


@pytest.mark.parametrize(
    ("prefix", "event", "continuations"),
    [
        ("1:r", None, ["1:resign"]),
        ("2:offer", None, ["2:offer-draw"]),
        ("2:f", None, ["2:flag", "2:forfeit"]),
        ("1:resign", Resigned(1), []),
        ("2:offer-draw", DrawOffered(2), []),
        ("ru", None, ["ruled=*", "ruled=+1", "ruled=+2", "ruled=="]),
        ("ruled=+", None, ["ruled=+1", "ruled=+2"]),
        ("ruled=+2", Ruled("won", 2), []),
    ],
)
def test_begun_match_events_are_completed(prefix, event, continuations):
    found = entry(POPTRIX, play_texts(POPTRIX, OPENED).state, None, prefix)
    assert (found.event, list(found.continuations)) == (event, continuations)
    assert found.verdict == ("complete" if event else "incomplete")


def test_only_the_opponent_is_offered_a_draw_answer():
    state = play_texts(POPTRIX, OPENED + " 1:offer-draw").state
    assert entry(POPTRIX, state, None, "2:acc").continuations == ("2:accept-draw",)
    assert entry(POPTRIX, state, None, "1:acc").violation.clause == "turn"


@pytest.mark.parametrize(
    "prefix", ["\x00", "c1>\n", "1:1:", "é", "c1>S@c2 ", "9" * 5000, "{}", "1::"]
)
def test_any_typed_text_gets_an_answer(prefix):
    for slug in BUILT_IN:
        game = built_in(slug)
        found = entry(game, play_texts(game, "").state, None, prefix)
        assert (found.verdict, found.violation.clause) == ("illegal", "form")
