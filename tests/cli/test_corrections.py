"""Corrections on the command line: amend, adjust, position, takeback, gap."""

from __future__ import annotations

import pytest

OPENING = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4")
MIDGAME = "2s2/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"


@pytest.fixture
def match(plybook, match) -> str:
    plybook("play", match, *OPENING)
    return match


def line(plybook, match: str) -> list[str]:
    return [entry["text"] for entry in plybook("log", match, "--json").lines]


def test_amend_reports_kept_events_and_legal_moves(plybook, match):
    ran = plybook("amend", f"{match}@3", "c1>L@c2")
    assert ran.code == 0
    assert ran.out.splitlines()[:4] == [
        "ply 3: c1>L@c2 instead of c1>L@c3",
        "1 of 2 later events can stay",
        "ply 5, c3xc4, cannot stay: c3 is empty; the attacker must be a pyramid of Jet",
        "  POP-4.0 The attacker is one's own pyramid on the board; the target is an enemy"
        " pyramid orthogonally adjacent to it.",
    ]
    assert "legal there: c1>L@a1" in ran.out
    assert ran.out.endswith("Jet is to launch\n")
    assert line(plybook, match) == ["M@c1", "S@c6", "c1>L@c2", "c6>M@c4"]
    assert plybook("verify", match).code == 0


def test_dry_run_gives_same_report_and_changes_nothing(plybook, match):
    dry = plybook("amend", f"{match}@3", "c1>L@c2", "--dry-run")
    assert "nothing was changed" in dry.out
    assert line(plybook, match) == list(OPENING)
    told = plybook("amend", f"{match}@3", "c1>L@c2", "--dry-run", "--json").json
    done = plybook("amend", f"{match}@3", "c1>L@c2", "--json").json
    assert (told["version"], told["dry_run"], done["version"], done["dry_run"]) == (
        5, True, 6, False,
    )  # fmt: skip
    assert (done["stood"], done["fell"], done["first"]["clause"]) == (1, 1, "POP-4.0")
    assert "c1>S@c3" in done["first"]["legal"]
    assert {**told, "version": 6, "dry_run": False} == done


def test_amended_line_stays_readable_by_version(plybook, match):
    plybook("amend", f"{match}@3", "c1>L@c2")
    assert "c3 attacks c4" in plybook("show", f"{match}@5v5").out
    assert plybook("show", f"{match}@3v5", "--json").json["last"]["text"] == "c1>L@c3"
    assert plybook("show", f"{match}@3", "--json").json["last"]["text"] == "c1>L@c2"
    assert plybook("show", f"{match}@5").code == 2


def test_forgotten_event_is_inserted_and_surplus_deleted(plybook, match):
    inserted = plybook("amend", f"{match}@2", "1:offer-draw", "--insert")
    assert "ply 2: 1:offer-draw inserted\n4 of 4 later events can stay\n" in inserted.out
    assert line(plybook, match) == ["M@c1", "1:offer-draw", *OPENING[1:]]
    deleted = plybook("amend", f"{match}@2", "--delete")
    assert "ply 2: 1:offer-draw deleted\n4 of 4 later events can stay\n" in deleted.out
    assert line(plybook, match) == list(OPENING)


def test_logs_show_amendments_and_adjustments(plybook, match):
    plybook("amend", f"{match}@3", "c1>L@c2")
    plybook("adjust", match, MIDGAME, "--reason", "the cat walked over it")
    whole = plybook("log", match, "--all").out
    assert "c1>L@c3  (no longer in the line)" in whole
    assert "ply 3 amended to c1>L@c2; later events kept: 1" in whole
    assert f"scorekeeper: (adjusted): the cat walked over it; now {MIDGAME}" in whole
    stands = plybook("log", match).out
    assert "c1 launches a large to c2; amended" in stands
    assert f"scorekeeper: (adjusted)  the cat walked over it; now {MIDGAME}" in stands


def test_illegal_token_is_refused_with_its_clause(plybook, match):
    ran = plybook("amend", f"{match}@3", "c1>M@c3")
    assert ran.code == 1
    assert "POP-3.2 The new pyramid" in ran.err
    refusal = plybook("amend", f"{match}@3", "c1>M@c3", "--json")
    assert (refusal.code, refusal.json["ok"], refusal.json["clause"]) == (1, False, "POP-3.2")
    assert refusal.json["text"] == "c1>M@c3"
    assert line(plybook, match) == list(OPENING)


@pytest.mark.parametrize(
    "arguments",
    [
        ["amend", "{}", "M@c1"],
        ["amend", "{}@1v1", "M@c1"],
        ["amend", "{}@9", "M@c1"],
        ["amend", "{}@0", "--delete"],
        ["amend", "{}@1"],
        ["amend", "{}@1", "M@a1", "--delete"],
        ["amend", "{}@1", "--insert"],
        ["amend", "{}@1", "--insert", "--delete"],
        ["adjust", "{}", MIDGAME],
        ["adjust", "{}", MIDGAME, "--reason", " "],
        ["adjust", "{}@2", MIDGAME, "--reason", "why"],
        ["position", "{}@9"],
        ["takeback", "{}@1v1"],
        ["takeback", "{}", "--accept"],
        ["takeback", "{}", "--accept", "--decline", "--seat", "2"],
        ["gap", "{}"],
        ["gap", "{}", "--to", "nonsense"],
        ["gap", "{}", "--to", MIDGAME, "--length", "0"],
    ],
)
def test_invalid_correction_is_usage_error_without_change(plybook, match, arguments):
    ran = plybook(*(argument.format(match) for argument in arguments))
    assert ran.code == 2, ran
    assert "Traceback" not in ran.err
    assert line(plybook, match) == list(OPENING)


def test_sealed_program_prevents_amending(plybook):
    match = plybook("new", "pyramid-ball").out.strip()
    plybook("play", match, "1:S=FR.,M=..F,L=LLF,pass=2L")
    for arguments in (["1:S=...,M=...,L=..."], ["--delete"], ["1:offer-draw", "--insert"]):
        ran = plybook("amend", f"{match}@1", *arguments)
        assert ran.code == 1
        assert "sealed" in ran.err
        assert "FR." not in ran.out + ran.err
    assert plybook("position", match).code == 2


def test_adjusted_match_is_exported_and_imported(plybook, match, tmp_path):
    plybook("play", match, "2:resign")
    adjusted = plybook("adjust", match, MIDGAME, "--reason", "nobody resigned")
    assert (adjusted.code, adjusted.out.splitlines()[-1]) == (0, "Red is to attack")
    plybook("play", match, "c6xc5")
    exported = plybook("export", match).out
    assert exported.endswith(
        f'[Result "+1"]\n[Position "{MIDGAME}"]\n\n'
        "{Position set by the scorekeeper: nobody resigned (6 events before it)} 6. c6xc5\n"
        "+1\n\n"
    )
    file = tmp_path / "adjusted.ply"
    file.write_text(exported)
    again = plybook("import", file).out.split()[0]
    assert plybook("export", again).out == exported
    assert plybook("format", file).out == exported
    assert plybook("verify").code == 0


def test_wrong_position_is_refused_with_its_column(plybook, match, tmp_path):
    wrong = MIDGAME.replace("2L^2", "2L^3")
    ran = plybook("adjust", match, wrong, "--reason", "why")
    assert ran.code == 1
    assert "column 8" in ran.err
    file = tmp_path / "wrong.ply"
    file.write_text(f'[Game "poptrix"]\n[Position "{wrong}"]\n\n*\n')
    [failed] = plybook("check", "--json", file).lines
    assert (failed["clause"], failed["line"], failed["column"]) == ("tag", 2, 1)
    assert "column 8" in failed["message"]


def test_position_command_prints_input_for_adjust(plybook, match):
    assert plybook("position", match).out == f"{MIDGAME}\n"
    before = plybook("position", f"{match}@2", "--json").json
    assert (before["ply"], before["match"]) == (2, match)
    plybook("adjust", match, before["position"], "--reason", "back to the start, more or less")
    assert plybook("position", match).out.strip() == before["position"]


def test_seat_asks_for_takeback_and_opponent_answers(plybook, match):
    asked = plybook("takeback", f"{match}@4", "--seat", "1")
    assert asked.out == (
        "Jet asks to take back to ply 4\nRed is to attack; Jet asks to take back to ply 4\n"
    )
    assert plybook("takeback", match, "--accept", "--seat", "1").code == 1
    assert plybook("takeback", f"{match}@3", "--accept", "--seat", "2").code == 2
    declined = plybook("takeback", match, "--decline", "--seat", "2")
    assert declined.out.splitlines()[0] == "Red declines to take back"
    assert line(plybook, match) == list(OPENING)
    asked = plybook("takeback", match, "--seat", "1", "--json").json
    assert asked["asked"]["ply"] == 4
    granted = plybook("takeback", f"{match}@4", "--accept", "--seat", "2", "--json").json
    assert (granted["ply"], granted["asked"]) == (4, None)
    assert line(plybook, match) == list(OPENING[:4])


def test_takeback_without_request_is_not_granted(plybook, match):
    for answer in ("--accept", "--decline"):
        ran = plybook("takeback", match, answer, "--seat", "2")
        assert ran.code == 1
        assert "no other seat has asked" in ran.err


def test_gap_command_finds_the_missing_moves(plybook, match):
    plybook("takeback", f"{match}@3")
    found = plybook("gap", match, "--to", MIDGAME)
    assert found.code == 0
    assert found.out == f"c6>M@c4 c3xc4\nenter it: plybook play {match} 'c6>M@c4' c3xc4\n"
    [way] = plybook("gap", match, "--to", MIDGAME, "--json").json["ways"]
    assert plybook("play", match, *way["texts"]).code == 0
    assert plybook("position", match).out.strip() == way["position"] == MIDGAME
    assert plybook("gap", match, "--to", MIDGAME).out == "the record is there already\n"


def test_gap_in_the_middle_suggests_amendment(plybook, match):
    after = plybook("position", f"{match}@3").out.strip()
    found = plybook("gap", f"{match}@2", "--to", after)
    assert f"put it in: plybook amend {match}@3 'c1>L@c3' --insert" in found.out


def test_failed_gap_search_reports_how_far_it_went(plybook):
    match = plybook("new", "poptrix").out.strip()
    ran = plybook("gap", match, "--to", MIDGAME, "--length", "2")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("up to 2 events cannot lead there (240 positions)\n")
    ran = plybook("gap", match, "--to", MIDGAME, "--nodes", "20", "--json")
    assert (ran.code, ran.json["ok"], ran.json["searched"]) == (1, False, 1)
    assert ran.json["stopped"] == "nodes"


def test_gap_with_secret_moves_is_not_searched(plybook):
    match = plybook("new", "pyramid-ball").out.strip()
    ran = plybook("gap", match, "--to", "?")
    assert ran.code == 2
    assert "cannot be listed" in ran.err


@pytest.mark.parametrize("typed", ["amend 3 c1>L@c2", "takeback 3", "show 3"])
def test_bare_ply_is_told_how_a_ply_is_written(plybook, match, typed):
    plybook("play", match, "M@c1", "S@c6", "c1>L@c3")
    ran = plybook(*typed.split())
    assert (ran.code, "@3" in ran.err or "like @17" in ran.err) == (2, True)
