"""Unjudged matches in the terminal: taken down, judged, corrected."""

from __future__ import annotations

import re
from itertools import repeat

import pytest

COMMANDS = ("log", "show", "position", "export", "verify", "replay", "tree")


@pytest.fixture
def match(plybook) -> str:
    return plybook("new", "poptrix", "--seat", "1=Jet", "--seat", "2=Red", "--unjudged").out.strip()


def told(plybook, moves: tuple[str, ...]) -> list[tuple[int, str, str]]:
    match = plybook("new", "poptrix", "--unjudged").out.strip()
    ran = [plybook("play", match, *moves)]
    ran += [plybook(command, match) for command in COMMANDS]
    ran.append(plybook("record", match, stdin=f"{moves[-1]}\nlegal\nboard\n"))
    return [(one.code, one.out.replace(match, "M"), one.err.replace(match, "M")) for one in ran]


def test_output_is_equal_for_legal_and_illegal_moves(plybook):
    moves = ("M@d1", "S@b6", "d1>L@d3"), ("S@d4", "L@b3", "d6>L@d1")
    legal, illegal = (list(map(plain, told(plybook, each), repeat(each))) for each in moves)
    assert legal == illegal


def plain(ran: tuple[int, str, str], moves: tuple[str, ...]) -> tuple[int, str]:
    """Return the status and the text of a command without hashes, times and moves."""
    text = ran[1] + ran[2]
    for number, move in enumerate(moves):
        text = text.replace(move, f"T{number}")
    return ran[0], re.sub(r"[0-9a-f]{64}|[0-9-]{10} [0-9:]{8}", "X", text)


def test_check_names_first_broken_ply_until_corrected(plybook, match):
    plybook("play", match, "M@c1", "S@c6", "c1>L@c3", "c6>S@c5", "c3xc4")
    found = plybook("check", match)
    assert found.code == 1
    assert found.out.startswith(f"{match}: ply 4, c6>S@c5: the small on c6 cannot launch another")
    assert "POP-3.2" in found.out
    assert plybook("amend", f"{match}@4", "c6>S@c5", "--stood").code == 0
    [again] = plybook("check", match, "--json").lines
    assert (again["broken"]["ply"], again["broken"]["clause"]) == (5, "POP-4.0")
    plybook("amend", f"{match}@5", "c3>M@c4")
    right = plybook("check", match)
    assert (right.code, right.out) == (0, f"{match}: ok, 5 events\nRed is to attack\n")
    assert plybook("play", match, "nonsense").code == 1
    assert plybook("play", match, "c5xc4").code == 0
    assert plybook("verify", match).code == 0


def test_judged_match_passes_check_unchanged(plybook):
    match = plybook("new", "poptrix").out.strip()
    plybook("play", match, "M@c1")
    assert plybook("check", match).out.startswith(f"{match}: ok, 1 event\n")
    assert len(plybook("log", match, "--all", "--json").lines) == 1


def test_unjudged_match_survives_archive_text_and_fork(plybook, match, tmp_path):
    plybook("play", match, "M@c1", "S@c1")
    twig = plybook("fork", f"{match}@1").out.strip()
    assert plybook("play", twig, "c1xe6").code == 0
    archive = tmp_path / "unjudged.plybook"
    plybook("export", match, "-o", archive)
    other = tmp_path / "other.db"
    assert plybook("import", archive, "--db", other).code == 0
    assert "2. S@c1" in plybook("log", match, "--db", other).out
    assert plybook("play", match, "c1xe6", "--db", other).code == 0
    text = tmp_path / "unjudged.ply"
    plybook("export", match, "-o", text)
    assert "S@c1" in plybook("check", text).out


def test_game_with_secrets_is_never_unjudged(plybook):
    refused = plybook("new", "pyramid-ball", "--unjudged")
    assert (refused.code, "secret moves" in refused.err) == (2, True)


def test_former_name_of_an_option_is_told(plybook):
    refused = plybook("new", "poptrix", "--quiet")
    assert (refused.code, refused.out) == (2, "")
    assert "'--quiet' is now '--unjudged'" in refused.err
