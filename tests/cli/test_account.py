"""Accounts are added, listed and removed; their tokens are shown once."""

from __future__ import annotations

import pytest

from replay.access import accounts, capability_tokens
from replay.book_file import open_book


@pytest.fixture
def bob(plybook) -> str:
    plybook("new", "poptrix")
    return plybook("account", "add", "bob", "--expires", "90d").out.strip()


def test_account_has_tokens_until_it_is_removed(plybook, bob, tmp_path):
    read = plybook("account", "token", "bob", "--scope", "read", "--json").json
    assert read["account"] == "bob"
    names = [capability_tokens.token_name(each) for each in (bob, read["token"])]
    (listed,) = plybook("account", "list", "--json").lines
    found = {each["id"]: each for each in listed["tokens"]}
    assert [found[each]["scopes"] for each in names] == [["play", "read"], ["read"]]
    assert found[names[1]]["expires"] is None
    assert found[names[0]]["expires"] - found[names[0]]["created"] > 89 * 24 * 3_600_000
    told = plybook("account", "list").out
    assert told.startswith("bob\n")
    assert f"  {names[1]}  read  never expires\n" in told
    with open_book(tmp_path / "book.db") as book:
        assert accounts.bearer_of(book, read["token"])
        assert plybook("account", "revoke", "bob", names[1]).out == f"{names[1]} revoked\n"
        assert accounts.bearer_of(book, read["token"]) is None
        assert plybook("account", "remove", "bob", "--json").json == {"removed": "bob"}
        assert accounts.bearer_of(book, bob) is None
    assert plybook("account", "list").out == ""


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ("add bob", "choose another name"),
        ("add Bob", "not a valid name"),
        ("add eve --scope admin", "not a valid scope"),
        ("add eve --expires 0d", "use days or hours"),
        ("add eve --expires 9x", "use days or hours"),
        ("token eve", "not the name of an account"),
        ("revoke bob nothing", "has no token"),
        ("accept bob none", "use all or ask"),
        ("accept eve ask", "not the name of an account"),
        ("remove eve", "not the name of an account"),
    ],
)
def test_wrong_account_command_changes_nothing(plybook, bob, arguments, wrong):
    before = plybook("account", "list", "--json").json
    ran = plybook("account", *arguments.split())
    assert (ran.code, ran.out) == (2, "")
    assert wrong in ran.err
    assert plybook("account", "list", "--json").json == before


def test_db_option_before_account_selects_the_book(plybook, bob, tmp_path):
    db = str(tmp_path / "other.db")
    plybook("--db", db, "new", "poptrix")
    assert plybook("--db", db, "account", "list").out == ""
    assert plybook("account", "list").out != ""


def test_account_is_asked_from_now_on(plybook, bob, tmp_path):
    assert plybook("account", "accept", "bob", "ask").out == "bob accepts what it says yes to\n"
    with open_book(tmp_path / "book.db") as book:
        assert accounts.find(book, "bob").asks
    told = plybook("account", "accept", "bob", "all", "--json").json
    assert told == {"account": "bob", "accept": "all"}
