"""From `new` to `verify`: matches recorded, read, exported and imported through the CLI."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from domain.games import BUILT_IN
from tests.waiting import PATIENCE

FIXTURES = Path("fixtures")
LONG = "9" * 5000
OPENING = ("M@c1", "S@c6", "c1>L@c3")


def test_match_is_played_shown_and_listed(plybook, match):
    played = plybook("play", match, *OPENING)
    assert played.code == 0
    assert "c1 launches a large to c3" in played.out
    shown = plybook("show", match)
    assert "Jet" in shown.out
    assert "Red is to launch" in shown.out
    listed = plybook("list", "--json").lines
    assert [(each["match"], each["plies"]) for each in listed] == [(match, 3)]


def test_nouns_after_one_are_singular(plybook, match, tmp_path):
    plybook("play", match, "M@c1")
    assert "  1 ply, Red is to place" in plybook("list").out
    assert f"{match}: 1 event verified, " in plybook("verify", match).out
    assert "  1 ply, " in plybook("tree", match).out
    record = tmp_path / "one.ply"
    record.write_text(plybook("export", match).out)
    assert plybook("check", record).out == f"{record}: record 1: ok, 1 event\n"
    assert (
        "the line has 1 ply; ply 5 cannot be its new end" in plybook("takeback", f"{match}@5").err
    )
    assert plybook("takeback", match).code == 0
    begun = plybook("takeback", match)
    assert (begun.code, begun.err) == (
        1, "refused: the line is empty: enter an event before a take-back\n",
    )  # fmt: skip


def test_ids_may_be_abbreviated(plybook, match):
    assert plybook("show", match[:6]).code == 0
    assert plybook("show", match[:2]).code == 2
    assert plybook("show", "zzzzzz").code == 2


def test_refusal_cites_clause_and_stores_nothing(plybook, match):
    plybook("play", match, *OPENING[:2])
    refused = plybook("play", match, "c1>L@c3", "c6>S@c5")
    assert refused.code == 1
    assert "POP-3.2 The new pyramid comes from one's stash" in refused.err
    assert plybook("list", "--json").json["plies"] == 2
    asjson = plybook("play", match, "c1>M@c3", "--json")
    assert asjson.json["clause"] == "POP-3.2"
    assert asjson.json["ok"] is False


def test_every_ply_has_an_address_after_takebacks(plybook, match):
    plybook("play", match, *OPENING)
    assert plybook("takeback", f"{match}@1").code == 0
    plybook("play", match, "L@a6")
    assert plybook("show", f"{match}@2", "--json").json["last"]["text"] == "L@a6"
    assert plybook("show", f"{match}@3v3", "--json").json["last"]["text"] == "c1>L@c3"
    assert plybook("show", f"{match}@3").code == 2
    assert plybook("show", f"{match}@1v99").code == 2
    assert plybook("show", f"{match}@x").code == 2
    assert [entry["text"] for entry in plybook("log", match, "--json").lines] == ["M@c1", "L@a6"]
    whole = plybook("log", match, "--all", "--json").lines
    assert [each["stands"] for each in whole] == [True, False, False, True, True]


def test_log_groups_the_line_by_turns(plybook):
    match = plybook("new", "blockade").out.strip()
    plybook("play", match, "roll=1,1", "b2-c3", ".", "roll=2,6")
    assert (
        plybook("log", match, "--turns").out == "   1. roll=1,1 b2-c3 .  @3\n   2. roll=2,6  @4\n"
    )
    first, second = plybook("log", match, "--turns", "--json").lines
    assert [event["text"] for event in first["events"]] == ["roll=1,1", "b2-c3", "."]
    assert (second["turn"], second["first"]) == (2, 4)
    assert plybook("log", match, "--turns", "--all").code == 2


def test_record_works_when_piped(plybook, match):
    ran = plybook(
        "record", match, stdin="M@c1 S@c6\nc1>M@c3\ntakeback\nL@c6\nlegal\nhelp\n\nquit\nL@a1\n"
    )
    assert ran.code == 1, "one entry was refused"
    assert "POP-3.2" in ran.out
    tokens = [entry["text"] for entry in plybook("log", match, "--json").lines]
    assert tokens == ["M@c1", "L@c6"]


def test_record_undo_at_the_start_explains_itself(plybook, match):
    ran = plybook("record", match, stdin="takeback\n")
    assert "Traceback" not in ran.err + ran.out
    assert ran.code == 1


@pytest.mark.parametrize("slug", BUILT_IN)
def test_record_round_trips_byte_for_byte(plybook, slug, tmp_path):
    source = FIXTURES / slug / "commented.ply"
    imported = plybook("import", source)
    assert imported.code == 0, imported.err
    ids = [line.split()[0] for line in imported.out.splitlines()]
    exported = "".join(plybook("export", match).out for match in ids)
    assert exported == source.read_text()
    again = tmp_path / "again.ply"
    again.write_text(exported)
    twice = [line.split()[0] for line in plybook("import", again).out.splitlines()]
    assert "".join(plybook("export", match).out for match in twice) == exported
    assert plybook("verify").code == 0


@pytest.mark.parametrize("slug", BUILT_IN)
def test_match_replays_frame_by_frame_when_piped(plybook, slug):
    line = plybook("import", FIXTURES / slug / "commented.ply").out.splitlines()[0]
    match = line.split()[0]
    plies = len(plybook("log", match).out.splitlines())
    ran = plybook("replay", match, "--from", plies - 2)
    assert ran.code == 0
    assert f"{match}@{plies}" in ran.out
    assert plybook("replay", match, "--from", plies + 1).code == 2


def test_bad_record_is_reported_and_others_imported(plybook, tmp_path):
    good = (FIXTURES / "poptrix" / "commented.ply").read_text().split("\n\n[Game")[0] + "\n\n"
    file = tmp_path / "mixed.ply"
    file.write_text('[Game "poptrix"]\n\n1. M@c3 *\n\n' + good)
    ran = plybook("import", file)
    assert ran.code == 1
    assert "line 3, column 4" in ran.err
    assert len(plybook("list", "--json").lines) == 1


def test_check_prints_a_json_line_per_record(plybook, tmp_path):
    file = tmp_path / "two.ply"
    file.write_text(
        '[Game "poptrix"]\n\n1. M@c1 2. S@c6 3. c1>M@c3 *\n\n'
        '[Game "poptrix"]\n\n1. M@c1 1:resign +2\n'
    )
    ran = plybook("check", "--json", file)
    assert ran.code == 1
    first, second = ran.lines
    assert first | {"message": ""} == {
        "file": str(file), "record": 1, "ok": False, "event": 2, "line": 3, "column": 20,
        "text": "c1>M@c3", "seat": 1, "clause": "POP-3.2", "message": "",
    }  # fmt: skip
    assert list(first)[:4] == ["file", "record", "ok", "event"]
    assert second == {
        "file": str(file), "record": 2, "ok": True, "events": 2,
        "outcome": {"winner": 2, "clause": "resigned"},
    }  # fmt: skip


def test_format_prints_or_rewrites_the_canonical_form(plybook, tmp_path):
    file = tmp_path / "loose.ply"
    file.write_text('[Game "poptrix"]\r\n\r\nM@c1 { hi   there }\r\n S@c6! *')
    canonical = (
        '[Game "poptrix"]\n[Rules "poptrix/1"]\n[Result "*"]\n\n1. M@c1 {hi there} 2. S@c6 $1 *\n\n'
    )
    assert plybook("format", file).out == canonical
    assert plybook("format", "--write", file).code == 0
    assert file.read_text() == canonical
    file.write_text("nonsense")
    assert plybook("format", "--write", file).code == 1
    assert file.read_text() == "nonsense"


def tampered(database: Path, *statements: str) -> None:
    """Change a database without its guards, as only a forger does."""
    with sqlite3.connect(database) as raw:
        names = raw.execute("select name from sqlite_master where type='trigger'").fetchall()
        for (name,) in names:
            raw.execute(f'drop trigger "{name}"')
        for statement in statements:
            raw.execute(statement)
    raw.close()


def test_swapped_match_ids_are_found(plybook, tmp_path):
    first, second = (plybook("new", "poptrix").out.strip() for _ in range(2))
    plybook("play", first, *OPENING)
    plybook("annotate", f"{first}@1", "well")
    assert plybook("verify").code == 0
    tampered(
        tmp_path / "book.db",
        f"update streams set public_id = 'aside' where public_id = '{first}'",
        f"update streams set public_id = '{first}' where public_id = '{second}'",
        f"update streams set public_id = '{second}' where public_id = 'aside'",
    )
    swapped = plybook("verify")
    assert swapped.code == 1
    assert f"header of another match, {first}" in swapped.out
    assert f"header of another match, {second}" in swapped.out


def test_annotations_of_another_match_are_found(plybook, tmp_path):
    first, second = (plybook("new", "poptrix").out.strip() for _ in range(2))
    plybook("annotate", f"{first}@0", "well")
    tampered(
        tmp_path / "book.db",
        "update streams set subject ="
        f" (select id from streams where public_id = '{second}') where kind = 'notes'",
    )
    ran = plybook("verify", second)
    assert ran.code == 1
    assert "the annotations belong to another match" in ran.out


def test_flipped_byte_is_found_and_named(plybook, match, tmp_path):
    plybook("play", match, *OPENING)
    tampered(
        tmp_path / "book.db", "update events set data = replace(data, 'c6', 'd6') where version = 2"
    )
    verdict = plybook("verify", match, "--json")
    assert verdict.code == 1
    assert (verdict.json["ok"], verdict.json["version"]) == (False, 2)
    assert "version 2" in plybook("verify", match).out


def test_delete_trashes_restores_and_purges(plybook, match):
    assert plybook("delete", match).code == 0
    assert plybook("list").out == ""
    assert match in plybook("list", "--trash").out
    plybook("delete", "--restore", match)
    assert match in plybook("list").out
    plybook("delete", "--purge", "--yes", match)
    assert plybook("show", match).code == 2


def test_purge_asks_for_confirmation_or_needs_yes(plybook, plybook_terminal, match):
    ran = plybook("delete", "--purge", match)
    assert (ran.code, "use --purge with --yes" in ran.err) == (2, True)
    for answer, code in (("n", 2), ("", 2), ("y", 0)):
        assert plybook("show", match).code == 0
        asked = plybook_terminal("delete", "--purge", match)
        asked.wait_for(f"Delete {match} for good\\? \\[y/N\\]: ")
        asked.press(f"{answer}\n")
        assert asked.process.wait(PATIENCE) == code
    assert plybook("show", match).code == 2


def test_picture_can_be_written(plybook, match, tmp_path):
    plybook("play", match, *OPENING)
    assert plybook("show", match, "--svg", tmp_path / "board.svg").code == 0
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert plybook("show", match, "--svg", tmp_path / "no" / "board.svg").code == 2


@pytest.mark.parametrize(
    ("content", "word"), [(b"not a database at all" * 100, "database"), (b"", None)]
)
def test_foreign_file_is_refused_and_left_alone(plybook, tmp_path, content, word):
    foreign = tmp_path / "foreign.db"
    foreign.write_bytes(content)
    ran = plybook("--db", foreign, "list")
    assert "Traceback" not in ran.err
    if word:
        assert ran.code == 2
        assert word in ran.err
        assert foreign.read_bytes() == content


def test_database_is_named_before_or_after_command(plybook, tmp_path):
    elsewhere = tmp_path / "else.db"
    match = plybook("--db", elsewhere, "new", "poptrix").out.strip()
    assert match in plybook("list", "--db", elsewhere).out
    assert match not in plybook("list").out


def test_owner_of_the_file_issues_tokens(plybook, match):
    first, second = plybook("token", match).out, plybook("token", match).out
    assert first != second
    assert len(first.strip()) >= 32


@pytest.mark.parametrize(
    "arguments",
    [
        ("new", "chess"),
        ("new", "poptrix", "--seat", "3=Teal"),
        ("new", "poptrix", "--seats", "0"),
        ("new", "poptrix", "--seat", "Jet"),
        ("new", "poptrix", "--seat", "one=Jet"),
        ("new", "poptrix", "--seat", "1=Jet\x07"),
        ("delete", "--purge", "--yes", "--restore", "abcd"),
        ("takeback", "abcd@1v2"),
        ("new", "poptrix", "--seat", f"{LONG}=Jet"),
        ("new", "poptrix", "--seat", f"{LONG[:400]}=Jet"),
        ("new", "poptrix", "--clock", f"total={LONG}"),
        ("new", "blockade", "--option", f"cool={LONG}"),
        ("show", f"k7m2@{LONG}"),
        ("show", f"k7m2@1v{LONG}"),
        ("annotate", "k7m2@1", "--glyph", f"${LONG}"),
        ("perft", "poptrix", LONG),
    ],
    ids=lambda arguments: " ".join(arguments)[:24],
)
def test_invalid_arguments_are_a_usage_error(plybook, arguments):
    ran = plybook(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err


def test_each_player_keeps_a_scoresheet(plybook):
    ran = plybook("new", "poptrix", "--scoresheets", "each", "--seat", "1=Jet", "--seat", "2=Red")
    ids = ran.out.split()
    assert (ran.code, len(ids)) == (0, 2), ran.err
    for number, match in enumerate(ids, 1):
        assert f'[ScoresheetOf "{number}"]' in plybook("export", match).out
        assert plybook("token", match, "--list").out == ""
        assert "taken down" in plybook("play", match, "M@c1").out
    for arguments, words in (
        (("score-sheet", "--seats", "3"), "two players"),
        (("pyramid-ball",), "secret moves"),
        (("poptrix", "--dice", "service"), "rolls its dice"),
    ):
        ran = plybook("new", *arguments, "--scoresheets", "each")
        assert (ran.code, ran.out, words in ran.err) == (2, "", True), ran.err


def test_number_of_seats_is_checked_before_names(plybook):
    ran = plybook("new", "poptrix", "--seats", "3", "--seat", "4=Jet")
    assert (ran.code, ran.err) == (2, "plybook: Poptrix is for 2 seats, not 3\n")


@pytest.mark.parametrize(
    "arguments", [("import", "/none.ply"), ("check", "none.ply"), ("check", ".")]
)
def test_unreadable_file_is_reported(plybook, arguments):
    ran = plybook(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "cannot read" in ran.err


def test_sealed_program_is_hidden_until_both_are_in(plybook):
    match = plybook("new", "pyramid-ball").out.strip()
    secret = "S=FRB,M=..F,L=LLF,pass=2L"
    played = plybook("play", match, f"1:{secret}")
    seen = [
        played,
        plybook("show", match),
        plybook("show", match, "--json"),
        plybook("log", match, "--all", "--json"),
        plybook("replay", match),
        plybook("export", match),
        plybook("legal", "pyramid-ball"),
        plybook("play", match, "1:S=...,M=...,L=..."),
        plybook("play", match, "2:S=...,M=...,L=...", "nonsense"),
        plybook("play", match, "2:S=...,M=...,L=...", "1:S=...,M=...,L=..."),
    ]
    assert not any("FRB" in ran.out + ran.err for ran in seen)
    plybook("play", match, "2:S=...,M=...,L=...")
    assert secret in plybook("log", match, "--all", "--json").out
    assert secret in plybook("export", match).out
    assert plybook("verify", match).code == 0


@pytest.fixture
def dice(plybook) -> str:
    opened = plybook("new", "blockade", "--dice", "service", "--clock", "total=600,increment=5")
    return opened.out.strip()


def test_service_rolls_and_reveals_seed_at_end(plybook, dice):
    rolled = plybook("play", dice, "roll")
    assert rolled.code == 0
    assert "1. seat 1: roll=" in rolled.out
    (listed,) = plybook("list", "--json").lines
    assert (listed["dice"]["by"], listed["dice"]["seed"]) == ("service", None)
    assert len(listed["dice"]["commitment"]) == 64
    plybook("play", dice, "1:resign")
    assert "the seed of the dice is revealed: " in plybook("log", "--all", dice).out
    assert len(plybook("list", "--json").lines[0]["dice"]["seed"]) == 64
    assert plybook("verify", dice).code == 0


@pytest.mark.parametrize("token", ["roll=4,5", "2:roll", "2:flag"])
def test_tokens_against_dice_or_clock_are_refused(plybook, dice, token):
    refused = plybook("play", dice, token)
    assert refused.code == 1
    assert refused.err.startswith("refused: ")
    assert plybook("list", "--json").lines[0]["version"] == 0


def test_show_and_log_have_the_clock(plybook, dice, match):
    assert "seat 1 used 0:00, has 10:00;" in plybook("show", dice).out
    plybook("play", dice, "roll")
    assert "has 10:05 and runs; seat 2 used 0:00, has 10:00" in plybook("show", dice).out
    logged = plybook("log", dice).out
    assert "[0:00]\nclock: seat 1 used " in logged
    assert "clock: " not in plybook("show", f"{dice}@0").out
    for command in ("show", "log"):
        assert "clock: " not in plybook(command, match).out


def test_show_has_the_stage_of_the_clock(plybook):
    match = plybook("new", "poptrix", "--clock", "600:5x30").out.strip()
    plybook("play", match, "M@c1")
    told = "seat 1 used 0:00, has 10:00 (+5×0:30); seat 2 used 0:00, has 10:00 (+5×0:30) and runs"
    assert told in plybook("show", match).out
    (shown,) = plybook("show", match, "--json").lines
    assert shown["clock"]["control"] == "600:5x30"
    assert [len(seat["ahead"]) for seat in shown["clock"]["seats"]] == [1, 6]


@pytest.mark.parametrize("clock", ["600:5x30", "total=600,increment=5"])
def test_time_control_tag_replaces_the_clocks(plybook, clock):
    match = plybook("new", "poptrix", "--clock", clock).out.strip()
    exported = plybook("export", match).out
    assert ('[TimeControl "600:5x30"]' in exported) == (clock == "600:5x30")
    plybook("tag", match, "TimeControl=600")
    tags = [line for line in plybook("export", match).out.splitlines() if "TimeControl" in line]
    assert tags == ['[TimeControl "600"]']


@pytest.mark.parametrize(
    "options",
    [
        ("poptrix", "--dice", "service"),
        ("blockade", "--dice", "magic"),
        ("poptrix", "--clock", "total"),
        ("poptrix", "--clock", ""),
        ("poptrix", "--clock", "total=1e3"),
        ("poptrix", "--clock", "increment=5"),
        ("poptrix", "--clock", "300:300"),
        ("poptrix", "--clock", "300,total=60"),
    ],
)
def test_invalid_dice_and_clocks_are_refused(plybook, options):
    wrong = plybook("new", *options)
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err.startswith("plybook: ")
    assert plybook("list").out == ""


def test_record_command_enters_rolls_of_the_service(plybook, dice):
    record = plybook("record", dice, stdin="legal\nroll\nroll=4,5\nquit\n")
    assert record.code == 1
    assert "\nroll\n" in record.out
    assert "1. seat 1: roll=" in record.out
    assert "clock: seat 1 used 0:00, has 10:05 and runs" in record.out
    assert "the service rolls the dice of this match; enter roll" in record.out
    assert plybook("list", "--json").lines[0]["plies"] == 1


def test_legend_explains_every_sign_of_the_board(plybook, match):
    plybook("play", match, "M@c1")
    told = plybook("show", match, "--legend").out
    board, legend = told.split("\nS, M, L are")
    assert "M1" in board
    for sign in ("(LMS)1", "_1", "#1", "> to", "< from", "^ cap", "! halted"):
        assert sign in legend
    assert plybook("show", match, "--legend", "--json").code == 2


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("M@cl", "is it M@c1, with a digit?"),
        ("1:M@cI", "is it 1:M@c1, with a digit?"),
        ("M@с1", "'с' in it is U+0441, CYRILLIC SMALL LETTER ES"),
    ],
)
def test_characters_that_look_alike_are_named(plybook, match, typed, words):
    assert words in plybook("play", match, typed).err
    assert words in plybook("record", match, stdin=f"{typed}\n").out
    plybook("play", match, "M@c1")
    assert words in plybook("amend", f"{match}@1", typed).err


def test_suggested_command_names_the_file_of_the_game(plybook, tmp_path, monkeypatch):
    monkeypatch.setenv("PLYBOOK_GAMES", "")
    game = tmp_path / "my game.py"
    game.write_text("GAME = None\n")
    made = plybook("new", "poptrix").out.strip()
    ran = plybook("--game", game, "play", made, "M@c1", "S@c6", "c1>L@c3")
    refused = plybook("--game", game, "play", made, "c6>S@c5").err
    assert f"plybook --game '{game}' play {made}" in refused, (ran, refused)
