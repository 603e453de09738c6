"""An account is invited to a seat once, and removed with its name."""

from __future__ import annotations

import pytest

from domain.games import built_in
from replay.access import accounts, capability_tokens
from replay.book import Book
from replay.errors import Usage
from replay.referee.account_seats import invite_account, remove_account
from replay.referee.opening import open_match
from replay.store import temporary_store
from replay.tags.names import names_of


@pytest.fixture
def book():
    store = temporary_store()
    yield Book(store)
    store.close()


@pytest.fixture
def record(book):
    accounts.add(book, "ann")
    accounts.add(book, "bob")
    return open_match(book, built_in("poptrix"), players={2: "Red"})


def players(book, record):
    return names_of(book, record).players


def test_account_names_an_unnamed_seat(book, record):
    for _ in range(2):
        assert invite_account(book, record, "ann", "seat", 1).seat == 1
    invite_account(book, record, "bob", "seat", 2)
    assert players(book, record) == {1: "ann", 2: "Red"}
    listed = capability_tokens.list_issued(book, record)
    assert [(each.seat, each.account) for each in listed] == [(1, "ann"), (2, "bob")]


def test_account_has_one_role_in_a_match(book, record):
    invite_account(book, record, "ann", "seat", 1)
    for role, seat in (("seat", 2), ("host", None)):
        with pytest.raises(Usage, match="ann is at seat 1"):
            invite_account(book, record, "ann", role, seat)
    with pytest.raises(Usage, match="not the name of an account"):
        invite_account(book, record, "eve", "seat", 2)
    with pytest.raises(Usage, match="seats 1 to 2"):
        invite_account(book, record, "bob", "seat", 3)


def test_revoked_account_no_longer_opens_the_match(book, record):
    invited = invite_account(book, record, "ann", "seat", 1)
    assert capability_tokens.revoke(book, record, invited.id).account == "ann"
    assert capability_tokens.list_issued(book, record) == []


def test_removed_account_leaves_no_name(book, record):
    invite_account(book, record, "ann", "seat", 1)
    invite_account(book, record, "bob", "seat", 2)
    trashed = open_match(book, built_in("poptrix"))
    invite_account(book, trashed, "ann", "seat", 2)
    book.store.trash(trashed.stream.id).result()
    for name in ("ann", "bob"):
        remove_account(book, name)
    assert players(book, record) == {2: "Red"}
    assert players(book, trashed) == {}
    assert capability_tokens.list_issued(book, record) == []
    with pytest.raises(Usage, match="ann"):
        accounts.find(book, "ann")
