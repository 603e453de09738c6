"""Accounts have tokens and seats, and leave nothing behind."""

from __future__ import annotations

import pytest

from replay.errors import Usage
from replay.store.feed_types import ChangeCursor
from replay.store.types import Account, AccountToken
from tests.replay.store.streams import match

ANN, BOB = Account("ann", b"a" * 32, 1), Account("bob", b"b" * 32, 2)
FIRST = AccountToken(b"1" * 32, ANN.digest, "play,read", 5)
SECOND = AccountToken(b"2" * 32, BOB.digest, "read", 6, 9)


@pytest.fixture
def book(store):
    store.add_account(BOB, [SECOND]).result()
    store.add_account(ANN, [FIRST]).result()
    return store


def test_accounts_are_found_by_name_and_token(book):
    assert book.accounts() == [ANN, BOB]
    assert book.accounts("", 1) == [ANN]
    assert book.accounts("ann", 9) == [BOB]
    assert (book.account("bob"), book.account("bo")) == (BOB, None)
    assert book.bearer(FIRST.digest) == (ANN, FIRST)
    assert book.bearer(SECOND.digest) == (BOB, SECOND)
    assert book.bearer(ANN.digest) is None


def test_name_belongs_to_one_account(book):
    with pytest.raises(Usage, match="ann"):
        book.add_account(Account("ann", b"c" * 32, 3), [FIRST]).result()
    assert book.accounts() == [ANN, BOB]


def test_account_keeps_its_other_tokens(book):
    epoch = book.epoch()
    third = AccountToken(b"3" * 32, ANN.digest, "read", 7)
    book.add_account_token(third).result()
    assert book.account_tokens(ANN.digest) == [FIRST, third]
    assert book.epoch() == epoch
    book.drop_account_token(FIRST.digest).result()
    assert book.account_tokens(ANN.digest) == [third]
    assert book.bearer(FIRST.digest) is None
    assert book.epoch() != epoch


def test_seating_an_account_is_a_change(book):
    played, other = match(book), match(book)
    before = book.changes(None).cursor
    book.add_key(other.id, b"token" * 6, "seat", 2).result()
    assert book.changes(before).found == ()
    book.add_key(played.id, ANN.digest, "seat", 1).result()
    (change,) = book.changes(before).found
    assert (change.stream, change.what) == (played.id, ("seats",))
    assert book.accounts_of(played.id) == {ANN.digest: "ann"}
    assert book.account_tokens_of(played.id) == {FIRST.digest}
    assert book.account_tokens_of(other.id) == frozenset()


def test_dropped_account_leaves_no_token_or_seat(book):
    played = match(book)
    for account in (ANN, BOB):
        book.add_key(played.id, account.digest, "viewer", None).result()
    book.drop_account(ANN.digest).result()
    assert book.accounts() == [BOB]
    assert book.keys(played.id) == [(BOB.digest, "viewer", None)]
    assert (book.bearer(FIRST.digest), book.account_tokens(ANN.digest)) == (None, [])
    assert book.changes(ChangeCursor()).found
