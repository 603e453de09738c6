"""Searching across matches through the CLI: explore and stats."""

from __future__ import annotations

from pathlib import Path

import pytest

GAMES = Path("fixtures/poptrix/games.ply")


@pytest.fixture
def matches(plybook) -> list[str]:
    """Three matches between Jet and Red, and one of another game."""
    made = []
    for moves in (("M@c1", "S@c6", "1:resign"), ("M@c1", "L@c6", "c1>L@c2", "ruled=="), ("S@a1",)):
        made.append(plybook("new", "poptrix", "--seat", "1=Jet", "--seat", "2=Red").out.strip())
        assert plybook("play", made[-1], *moves).code == 0
    made.append(plybook("new", "cube-pyramid", "--seat", "1=Jet", "--seat", "2=Cyan").out.strip())
    return made


def test_explore_shows_moves_seen_and_results(plybook, matches):
    first = plybook("explore", "poptrix")
    assert first.out.splitlines() == [
        "M@c1     2  seat 2 won 1, drawn 1",
        "S@a1     1  unfinished 1",
    ]
    asjson = plybook("explore", "poptrix", "--after", "M@c1", "--json").json
    assert asjson["moves"] == [
        {
            "text": token,
            "seat": 2,
            "seen": 1,
            "won": {"1": 0, "2": won},
            "drawn": drawn,
            "unfinished": 0,
            "variations": 0,
        }
        for token, won, drawn in (("L@c6", 0, 1), ("S@c6", 1, 0))
    ]
    assert asjson["text"].endswith(" 2 2")


def test_explore_shows_the_moves_of_a_player(plybook, matches):
    ran = plybook("explore", "poptrix", "--player", "JET")
    assert ran.out == plybook("explore", "poptrix").out
    assert plybook("explore", "poptrix", "--player", "Red").out == "nothing was played here\n"
    refused = plybook("explore", "poptrix", "--player", " ")
    assert (refused.code, "must be printable, not blank" in refused.err) == (2, True)


def test_explore_follows_take_backs_deletions_and_rebuilding(plybook, matches):
    assert plybook("explore", "poptrix").code == 0
    plybook("takeback", f"{matches[2]}@0")
    plybook("delete", matches[0])
    for arguments in ((), ("--rebuild",)):
        found = plybook("explore", "poptrix", "--json", *arguments).json["moves"]
        assert [(move["text"], move["seen"]) for move in found] == [("M@c1", 1)]


def test_explore_of_unplayed_line_is_empty(plybook, matches):
    assert plybook("explore", "poptrix", "--after", "L@e1").out == "nothing was played here\n"
    assert plybook("explore", "blockade", "--option", "cool=2", "--json").json["moves"] == []
    assert plybook("explore", "power-play", "--seats", "3").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("quoits",), 2, "not a game"),
        (("poptrix", "--after", "M@c9"), 1, "c9"),
        (("poptrix", "--seats", "5"), 2, "seats"),
        (("poptrix", "--option", "x=1"), 2, "option"),
    ],
)
def test_invalid_explore_is_refused(plybook, arguments, code, told):
    ran = plybook("explore", *arguments)
    assert ran.code == code
    assert told in ran.err
    assert "Traceback" not in ran.err


def test_stats_count_by_game_player_and_clause(plybook, matches):
    cube, poptrix = plybook("stats", "--json").lines
    assert (cube["game"], cube["matches"], cube["finished"], cube["plies"]) == (
        "cube-pyramid", 1, 0, None,
    )  # fmt: skip
    assert (poptrix["matches"], poptrix["finished"]) == (3, 2)
    assert poptrix["plies"] == {"least": 3, "median": 3.5, "most": 4}
    assert poptrix["turns"] == {"least": 3, "median": 3.5, "most": 4}
    assert poptrix["results"] == {"+2": 1, "=": 1, "*": 1}
    assert poptrix["clauses"] == {"resigned": 1, "ruled": 1}
    standing = {one.pop("player"): one for one in poptrix["players"]}
    assert standing == {
        "Jet": {"matches": 3, "won": 0, "drawn": 1, "lost": 1, "unfinished": 1},
        "Red": {"matches": 3, "won": 1, "drawn": 1, "lost": 0, "unfinished": 1},
    }


def test_stats_can_cover_one_game_or_player(plybook, matches):
    assert [each["game"] for each in plybook("stats", "poptrix", "--json").lines] == ["poptrix"]
    (only,) = plybook("stats", "--player", "Cyan", "--json").lines
    assert (only["game"], only["matches"]) == ("cube-pyramid", 1)
    assert plybook("stats", "--player", "cYAN", "--json").lines == [only]
    assert plybook("stats", "--player", "Plum").out == "no matches\n"
    assert plybook("stats", "quoits").code == 2


def test_stats_are_written_in_words(plybook, matches):
    assert plybook("stats", "poptrix").out.splitlines() == [
        "poptrix: 3 matches, 2 ended",
        "  length      3 to 4 (median 3.5) plies, 3 to 4 (median 3.5) turns",
        "  results     seat 2 won 1, drawn 1, unfinished 1",
        "  ended by    resigned 1, ruled 1",
        "  Red         3 matches: won 1, drawn 1, unfinished 1",
        "  Jet         3 matches: drawn 1, lost 1, unfinished 1",
    ]


def test_variations_do_not_count_as_matches(plybook, matches):
    assert plybook("fork", f"{matches[0]}@1").code == 0
    assert plybook("stats", "poptrix", "--json").lines[0]["matches"] == 3


def test_statistics_and_explorer_count_imported_matches(plybook):
    assert plybook("import", GAMES).code == 0
    (counted,) = plybook("stats", "--json").lines
    assert counted["matches"] == counted["finished"] == 60
    moves = plybook("explore", "poptrix", "--json").json["moves"]
    assert sum(move["seen"] for move in moves) == 60
    assert all(move["seen"] == sum(move["won"].values()) + move["drawn"] for move in moves)
