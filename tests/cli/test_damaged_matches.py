"""Every command that reads a match names the damaged one, and what to ask next."""

from __future__ import annotations

import pytest

from tests.damage import UNREADABLE, damaged_book

COMMANDS = (
    "show",
    "log",
    "export",
    "export --format archive",
    "replay --plain",
    "record --plain",
    "legal",
    "annotations",
    "tree",
    "position",
    "takeback",
    "fork",
    "analyse",
)


@pytest.fixture
def made(tmp_path):
    return damaged_book(tmp_path / "book.db")


@pytest.mark.parametrize("command", COMMANDS)
def test_command_names_the_damaged_match(plybook, made, command):
    name, *options = command.split()
    for kind in UNREADABLE:
        match, _ = made[kind]
        told = plybook(name, match, *options)
        assert (told.code, told.out) == (1, ""), (kind, told)
        assert f"plybook: {match} is damaged: " in told.err
        assert f"plybook verify {match}" in told.err


def test_verify_says_where_each_match_is_damaged(plybook, made):
    for kind, (match, _) in made.items():
        if kind == "secret is missing":  # others may have it
            assert (
                "version 1 is still sealed, and its content is not here"
                in plybook("verify", match).out
            )
            continue
        told = plybook("verify", match)
        assert told.code == 1
        assert "DAMAGED at " in told.out + told.err, kind
        assert "plybook verify" not in told.out + told.err


def test_list_leaves_out_what_it_cannot_read(plybook, made):
    told, match = plybook("list"), made["header is no JSON"][0]
    assert (told.code, match in told.out) == (0, False)
    assert f"plybook: {match} is damaged" in told.err
    assert len(told.out.splitlines()) == len(made)  # with a parent, without the unreadable one
    assert match not in {each["match"] for each in plybook("list", "--json").lines}
