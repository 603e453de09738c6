"""Tokens of matches and of operators are made, listed and revoked; each is shown once."""

from __future__ import annotations

import pytest

from replay.access import capability_tokens, operators
from replay.book_file import open_book
from replay.referee.evenings import open_evening


@pytest.fixture
def match(plybook) -> str:
    return plybook("new", "poptrix").out.strip()


def test_operators_token_is_issued_listed_and_revoked(plybook, match, tmp_path):
    token = plybook("token", "--operator").out.strip()
    other = plybook("token", "--operator", "--json").json
    assert other["role"] == "operator"
    with open_book(tmp_path / "book.db") as book:
        assert operators.is_operator(book, token)
        assert operators.is_operator(book, other["token"])
        listed = plybook("token", "--operator", "--list", "--json").lines
        names = {each["id"] for each in listed}
        assert names == {capability_tokens.token_name(each) for each in (token, other["token"])}
        gone = capability_tokens.token_name(token)
        assert plybook("token", "--operator", "--revoke", gone).out == f"{gone} revoked\n"
        assert not operators.is_operator(book, token)
        assert operators.is_operator(book, other["token"])
    shown = plybook("token", "--operator", "--list").out.split()
    assert shown[0] == capability_tokens.token_name(other["token"])
    again = plybook("token", "--operator", "--revoke", gone)
    assert (again.code, again.out) == (2, "")
    assert f"{gone!r} is not the name of an operator's token" in again.err


def test_tokens_of_match_are_listed_and_revoked(plybook, match):
    made = [plybook("token", match).out.strip() for _ in range(2)]
    names = {capability_tokens.token_name(each) for each in made}
    listed = plybook("token", match, "--list", "--json").lines
    assert names <= {each["id"] for each in listed}
    assert {each["role"] for each in listed} == {"host"}
    gone = names.pop()
    assert plybook("token", match, "--revoke", gone, "--json").json == {"revoked": gone}
    assert gone not in plybook("token", match, "--list").out
    last = plybook("token", match, "--list").out.split()[0]
    assert "the last token of the host" in plybook("token", match, "--revoke", last).err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name a match, or say --operator"),
        (("k7m2", "--operator"), "MATCH and --operator exclude each other"),
        (("--operator", "--list", "--revoke", "x"), "--list and --revoke exclude each other"),
    ],
)
def test_token_needs_match_or_operator(plybook, match, tmp_path, arguments, words):
    refused = plybook("token", *arguments)
    assert (refused.code, refused.out, refused.err) == (2, "", f"plybook: {words}\n")


def test_link_is_the_whole_address(plybook, match, monkeypatch, tmp_path):
    monkeypatch.setenv("PLYBOOK_PORT", "8123")
    printed = plybook("token", match, "--link").out.strip()
    address, _, token = printed.rpartition("/")
    assert address == f"http://127.0.0.1:8123/join/{match}"
    with open_book(tmp_path / "book.db") as book:
        assert capability_tokens.role_of(book, book.open(match), token) == ("host", None)
    assert plybook("token", match, "--link", "--list").code == 2
    assert plybook("token", "--operator", "--link").code == 2


def test_evening_gets_a_new_link(plybook, tmp_path):
    with open_book(tmp_path / "book.db") as book:
        evening, former = open_evening(book, "Tuesday club", "2026-11-24")
    printed = plybook("token", evening.id, "--link").out.strip()
    assert f"/join/{evening.id}/" in printed
    with open_book(tmp_path / "book.db") as book:
        digests = [capability_tokens.digest(each) for each in (printed.rpartition("/")[2], former)]
        assert [len(book.store.evenings(each)) for each in digests] == [1, 0]
