"""The stream of an account names each seat and each version of a match once."""

from __future__ import annotations

import pytest

from domain.games import built_in
from replay.access import accounts
from replay.book import Book
from replay.library.changes import SeenChange
from replay.referee.account_seats import invite_account
from replay.referee.entering import play
from replay.referee.opening import open_match
from service.live.account_messages import AccountFollower
from tests.service.stores import empty_store


@pytest.fixture
def book():
    store = empty_store()
    yield Book(store)
    store.close()


def test_each_seat_and_version_is_sent_only_once(book):
    bearer = accounts.bearer_of(book, accounts.add(book, "ann"))
    follower = AccountFollower(book, bearer, None)
    assert [follower.read() for _ in range(2)] == [([], True), ([], False)]
    record = open_match(book, built_in("poptrix"))
    invite_account(book, record, "ann", "seat", 1)

    def told(*what):
        """Return the kinds of messages about a change that was read before a later one."""
        change = SeenChange(1, "", record.stream.id, record.id, False, 0, what)
        return [kind for kind, _, _ in follower._messages(change)]

    assert told("opened") == []
    assert [kind for kind, _, _ in follower.read()[0]] == ["invited", "turn"]
    assert told("seats") == []
    play(book, record, ["M@c1", "S@c6"])
    assert told("events") == ["turn"]
    assert follower.read() == ([], False)


def test_withheld_moves_are_not_in_a_turn(book):
    bearer = accounts.bearer_of(book, accounts.add(book, "ann"))
    follower = AccountFollower(book, bearer, None)
    follower.read()
    record = open_match(book, built_in("poptrix"), legal="withheld")
    invite_account(book, record, "ann", "seat", 1)
    turns = [news for kind, news, _ in follower.read()[0] if kind == "turn"]
    assert [(news.legal, news.secret) for news in turns] == [((), ())]
