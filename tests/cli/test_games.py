"""games, rules, legal, perft."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain.games import BUILT_IN

FIXTURES = Path("fixtures")


def test_games_lists_every_game_with_its_options(plybook):
    games = {game["slug"]: game for game in plybook("games", "--json").lines}
    assert set(games) >= set(BUILT_IN)
    assert games["blockade"]["options"] == {"cool": {"values": [1, 2], "default": 1}}
    assert "power-play" in plybook("games").out


def test_rules_prints_the_wording_of_a_clause(plybook):
    assert (
        "If any attack is available, it must attack" in plybook("rules", "poptrix", "pop-2.3").out
    )
    assert plybook("rules", "poptrix", "POP-2.3", "--json").json["section"] == "The turn"


def test_rules_print_tables_and_drawings_of_clauses(plybook):
    table = plybook("rules", "poptrix", "POP-5.6").out
    assert "attacker S\n  attacker wins: attacker stays; target square empties\n" in table
    assert table.endswith("  tie: all three squares empty\n")
    drawing = plybook("rules", "blockade", "BLK-1.2").out
    assert drawing.endswith("\n\n5  C B B B C\n4  R R R B Y\n3  R G C B Y\n2  R G Y Y Y\n"
                            "1  C G G G C\n   a b c d e\n")  # fmt: skip
    assert plybook("rules", "blockade", "BLK-1.2", "--json").json["figure"].startswith("5  C B")
    assert plybook("rules", "poptrix", "POP-6.4").out.count("\n") == 1


def test_rules_print_the_notation_card(plybook):
    assert "  c1>L@c3  launch: c1 launches" in plybook("rules", "Poptrix", "--card").out
    assert plybook("rules", "poptrix", "--card", "--json").json["letters"] == {}
    assert plybook("rules", "poptrix", "--card", "--html").out.startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["Poptrix", "POPTRIX", "poptrix/1"])
def test_game_can_be_given_by_name(plybook, name):
    assert plybook("rules", name, "POP-6.4").code == 0
    assert plybook("legal", "pyramid ball").out == plybook("legal", "Pyramid Ball").out
    assert plybook("new", "Power_Play", "--json").json["game"] == "power-play"
    assert plybook("stats", "Power Play").code == 0


def test_json_lists_have_one_element_per_line(plybook):
    assert [each["slug"] for each in plybook("games", "--json").lines][:2] == list(BUILT_IN)[:2]
    assert plybook("rules", "poptrix", "--json").lines[0]["id"] == "POP-1.1"
    assert plybook("legal", "poptrix", "--json").lines[0] == "L@a1"


def test_unknown_clause_or_game_is_usage_error(plybook):
    assert plybook("rules", "poptrix", "POP-9.9").code == 2
    wrong = plybook("rules", "chess")
    assert (wrong.code, wrong.out) == (2, "")
    assert "poptrix" in wrong.err


def test_legal_lists_sorted_moves_after_a_line(plybook):
    assert plybook("legal", "poptrix", "--after", "M@c1 S@c6 c1>L@c3 c6>M@c4").out == "c3xc4\n"
    opening = plybook("legal", "poptrix", "--json").lines
    assert opening == sorted(opening)
    assert len(opening) == 15


def test_legal_refuses_an_illegal_line_with_status_1(plybook):
    wrong = plybook("legal", "poptrix", "--after", "M@c1 S@c1")
    assert (wrong.code, wrong.out) == (1, "")
    assert "POP-2.1" in wrong.err


def test_batch_answers_each_line_despite_refusals(plybook):
    ran = plybook("legal", "poptrix", "--batch", stdin="M@c1\nM@c1 c1>S@c2\n\n")
    first, second, third = ran.lines
    assert ran.code == 1
    assert (len(first), len(third)) == (15, 15)
    assert (second["clause"], second["text"], second["event"]) == ("POP-2.1", "c1>S@c2", 1)


@pytest.mark.parametrize("slug", [slug for slug in BUILT_IN if slug != "pyramid-ball"])
def test_legal_agrees_with_the_cases(plybook, slug):
    for line in (FIXTURES / slug / "legal.jsonl").read_text().splitlines()[:12]:
        case = json.loads(line)
        options = [f"--option={name}={value}" for name, value in case["options"].items()]
        seats = f"--seats={case['seats']}"
        ran = plybook("legal", slug, seats, *options, "--after", case["after"], "--json")
        assert ran.lines == case["legal"]


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["poptrix", "0"], "1\n"),
        (["poptrix", "3"], "2160\n"),
        (["poptrix", "1", "--after", "M@c1 S@c6 c1>L@c3 c6>M@c4"], "1\n"),
        (["poptrix", "2", "--after", "M@c1", "--divide"], None),
    ],
)
def test_perft_command_counts_positions(plybook, arguments, answer):
    ran = plybook("perft", *arguments)
    assert ran.code == 0
    if answer is None:
        *counts, total = ran.out.splitlines()
        assert sum(int(line.split()[1]) for line in counts) == int(total.split()[1])
    else:
        assert ran.out == answer


def test_perft_with_secret_moves_is_usage_error(plybook):
    assert plybook("perft", "pyramid-ball", "1").code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["legal", "poptrix", "--seats", "3"],
        ["legal", "poptrix", "--option", "speed=9"],
        ["legal", "poptrix", "--option", "speed"],
        ["legal", "poptrix", "--batch", "--after", "M@c1"],
        ["legal", "blockade", "--option", "cool=3"],
        ["legal", "blockade", "--option", "cool=1", "--option", "cool=2"],
        ["legal", "power-play", "--option", "first=4"],
        ["perft", "poptrix", "-1"],
        ["perft", "poptrix", "many"],
        ["rules", "poptrix", "POP-2.1", "--card"],
        ["rules", "poptrix", "--html"],
        ["rules", "poptrix", "--card", "--html", "--json"],
        ["nonsense"],
    ],
)
def test_wrong_requests_are_usage_errors_without_traceback(plybook, arguments):
    ran = plybook(*arguments)
    assert ran.code == 2
    assert ran.err
    assert "Traceback" not in ran.err


def test_missing_game_file_may_be_either_kind(plybook):
    ran = plybook("--game", "missing.toml", "games")
    assert ran.code == 2
    assert "name a Python file with a GAME, or a score sheet in TOML" in ran.err


def test_sheet_is_kept_and_removed_in_json(plybook, tmp_path, monkeypatch):
    for folder in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(folder, str(tmp_path / "home"))
    sheet = tmp_path / "three-dice.toml"
    sheet.write_text('slug = "three-dice"\ntitle = "Three dice"\nrows = [{ name = "ones" }]\n')
    both = plybook("games", "--add", sheet, "--remove", "three-dice")
    assert (both.code, both.err) == (
        2,
        "plybook: --add, --remove and --install exclude each other\n",
    )
    assert plybook("games", "--add", sheet, "--json").json == {"added": "three-dice"}
    assert plybook("games", "--remove", "three-dice", "--json").json == {"removed": "three-dice"}


@pytest.mark.parametrize(
    ("arguments", "out", "name", "form"),
    [
        (["free-board"], "pass\n", "Free board", "put w@c3; move e2-e4;"),
        (["score-sheet", "--seats", "3"], "", "Score sheet", "number 1:12"),
        (["pyramid-ball", "--json"], "", "Pyramid Ball", "program S=FR.,M=..F,L=LLF,pass=2L"),
    ],
)
def test_legal_notes_moves_beyond_the_list(plybook, arguments, out, name, form):
    ran = plybook("legal", *arguments)
    assert (ran.code, ran.out) == (0, out)
    assert ran.err.startswith(f"the moves of {name} include some that cannot be listed: {form}")


def test_complete_list_of_legal_moves_has_no_note(plybook):
    assert plybook("legal", "poptrix").err == ""
    assert plybook("legal", "free-board", "--after", "end=draw").err == ""


def test_legal_lists_continuations_of_a_beginning(plybook):
    after = ("--after", "M@c1 S@c6")
    assert plybook("legal", "poptrix", *after, "--begin", "").out == "c1>\n"
    assert plybook("legal", "poptrix", *after, "--begin", "c1>").out == "c1>L@\nc1>S@\n"
    assert plybook("legal", "poptrix", *after, "--begin", "c1>S@c3").out == "c1>S@c3\n"
    assert plybook("legal", "poptrix", *after, "--begin", "c1", "--json").json == {
        "verdict": "incomplete",
        "continuations": ["c1>"],
    }


def test_dead_beginning_is_refused_with_its_clause(plybook):
    wrong = plybook("legal", "poptrix", "--after", "M@c1 S@c6", "--begin", "c1>M")
    assert (wrong.code, wrong.out) == (1, "")
    assert "POP-3.2" in wrong.err
    told = plybook("legal", "poptrix", "--begin", "M@c6", "--json")
    assert (told.code, told.json["clause"], told.json["text"]) == (1, "POP-2.1", "M@c6")


def test_begin_and_batch_exclude_each_other(plybook):
    assert plybook("legal", "poptrix", "--batch", "--begin", "M").code == 2


def test_legal_moves_of_a_match(plybook):
    match = plybook("new", "poptrix").out.strip()
    plybook("play", match, "M@c1", "S@c6")
    here = plybook("legal", match).out.split()
    assert "c1>L@c3" in here
    assert plybook("legal", "-", "--json").out == "".join(f'"{each}"\n' for each in here)
    assert plybook("legal", f"{match}@0").out == plybook("legal", "poptrix").out
    assert plybook("legal", "@1", "--seat", "2").out.split() == plybook("legal", "@1").out.split()
    assert plybook("legal", "@1", "--seat", "1").out == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "nor is it a game"),
        (["-", "--after", "M@c1"], "a match takes only --seat"),
        (["-", "--seat", "3"], "use 1 to 2"),
        (["@99"], "ply 99"),
        (["poptrix", "--seat", "1"], "--seat is for a match"),
    ],
)
def test_impossible_legal_is_refused(plybook, arguments, words):
    plybook("new", "poptrix")
    refused = plybook("legal", *arguments)
    assert refused.code == 2
    assert words in refused.err


def test_forgotten_match_is_named(plybook):
    plybook("new", "poptrix")
    assert "name the match first" in plybook("play", "M@c1").err


def test_plug_in_of_the_checkout_is_installed(plybook, tmp_path, monkeypatch):
    for name, value in {"NO_DEPS": "1", "NO_BUILD_ISOLATION": "0", "TARGET": tmp_path}.items():
        monkeypatch.setenv(f"PIP_{name}", str(value))  # of this option pip negates the value
    assert plybook("games", "--install", "hive", "--json").json == {"installed": "hive"}
    assert (tmp_path / "hive" / "__init__.py").exists()
    monkeypatch.setenv("PIP_RETRIES", "0")
    away = plybook("games", "--install", "hive", "--index", "http://127.0.0.1:9/simple")
    assert (away.code, "pip could not install hive" in away.err) == (2, True)


def test_impossible_installation_says_what_is_missing(plybook, monkeypatch):
    unknown = plybook("games", "--install", "shogi")
    assert (unknown.code, "use one of backgammon, bridge" in unknown.err) == (2, True)
    monkeypatch.setattr("cli.plug_ins.find_spec", lambda name: None)
    assert "has no pip; use `pipx inject" in plybook("games", "--install", "chess").err
    monkeypatch.setattr("cli.plug_ins.FOLDER", Path("nowhere"))
    assert "--index URL" in plybook("games", "--install", "chess").err
