"""Accounts: names and tokens with scopes and an end."""

from __future__ import annotations

import pytest

from domain.games import built_in
from replay.access import accounts
from replay.book import Book
from replay.errors import Usage
from replay.referee.account_seats import invite_account
from replay.referee.opening import open_match
from replay.store import temporary_store

NOW = 1_700_000_000_000


@pytest.fixture
def clock():
    return [NOW]


@pytest.fixture
def book(clock):
    store = temporary_store()
    yield Book(store, now=lambda: clock[0])
    store.close()


def test_token_of_an_account_expires(book, clock):
    token = accounts.add(book, "bob", ["play"], NOW + 10)
    assert accounts.bearer_of(book, token).account.name == "bob"
    clock[0] += 10
    assert accounts.bearer_of(book, token) is None
    assert accounts.list_accounts(book)[0].tokens == ()


def test_revoked_token_has_no_bearer(book):
    kept, lost = accounts.add(book, "bob"), accounts.issue(book, "bob", ["read"])
    issued = accounts.list_issued(book, accounts.find(book, "bob"))
    names = {each.scopes: each.id for each in issued}
    assert names.keys() == {("play", "read"), ("read",)}
    accounts.revoke(book, "bob", names["read",])
    assert accounts.bearer_of(book, kept).may_play
    assert accounts.bearer_of(book, lost) is None
    with pytest.raises(Usage, match="bob has no token"):
        accounts.revoke(book, "bob", names["read",])


def test_expired_tokens_make_room_for_new_ones(book, clock):
    accounts.add(book, "bob", expires=NOW + 10)
    for _ in range(accounts.MAX_TOKENS - 1):
        accounts.issue(book, "bob")
    with pytest.raises(Usage, match="revoke one first"):
        accounts.issue(book, "bob")
    clock[0] += 10
    accounts.issue(book, "bob")


@pytest.mark.parametrize("name", ["", "Bob", "-bob", "b" * 31, "bob\n", "bób", "b b"])
def test_invalid_account_name_is_refused(book, name):
    with pytest.raises(Usage, match="not a valid name"):
        accounts.add(book, name)


@pytest.mark.parametrize(
    ("scopes", "expires", "wrong"),
    [((), None, "scope"), (("admin", "play"), None, "'admin,play'"), (("play",), NOW, "past")],
)
def test_wrong_token_adds_no_account(book, scopes, expires, wrong):
    with pytest.raises(Usage, match=wrong):
        accounts.add(book, "bob", scopes, expires)
    assert accounts.list_accounts(book) == []


def test_reading_token_makes_a_viewer(book):
    playing = accounts.add(book, "bob")
    reading = accounts.issue(book, "bob", ["read"])
    record = open_match(book, built_in("poptrix"))
    roles = [accounts.bearer_of(book, each) for each in (playing, reading)]
    assert [accounts.role_of(book, record, each) for each in roles] == [None, None]
    invite_account(book, record, "bob", "seat", 2)
    assert [accounts.role_of(book, record, each) for each in roles] == [
        ("seat", 2),
        ("viewer", None),
    ]
