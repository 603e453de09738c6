"""A challenge opens one match, with both accounts seated."""

from __future__ import annotations

import pytest

from replay.access import accounts, capability_tokens
from replay.book import Book
from replay.errors import Conflict, UnknownName, Usage
from replay.record.clock import Clock
from replay.referee import challenges
from replay.referee.account_seats import remove_account
from replay.referee.challenges import LIFETIME, MAX_LIFETIME, Offer
from replay.store import temporary_store
from replay.store.sql.accounts import MAX_OPEN
from replay.tags.names import names_of

NOW = 1_700_000_000_000
POPTRIX = Offer("poptrix", clock=Clock(total=600), seat=2)


@pytest.fixture
def clock():
    return [NOW]


@pytest.fixture
def book(clock):
    store = temporary_store()
    yield Book(store, now=lambda: clock[0])
    store.close()


@pytest.fixture
def people(book):
    for name in ("ann", "bob", "eve"):
        accounts.add(book, name)
    return [accounts.find(book, name) for name in ("ann", "bob", "eve")]


def open_to(book, account):
    return [each.id for each in book.store.challenges_for(account.name, book.now(), 9)]


def test_accepted_challenge_seats_both_accounts(book, people):
    ann, bob, eve = people
    made = challenges.challenge(book, ann, None, POPTRIX)
    assert [open_to(book, each) for each in people] == [[made.id]] * 3
    record, seat = challenges.accept(book, bob, made.id)
    assert (seat, record.header.clock) == (1, Clock(total=600))
    assert names_of(book, record).players == {1: "bob", 2: "ann"}
    keys = capability_tokens.list_issued(book, record)
    assert [(each.account, each.seat) for each in keys] == [("bob", 1), ("ann", 2)]
    assert [open_to(book, each) for each in people] == [[]] * 3
    with pytest.raises(UnknownName):
        challenges.accept(book, eve, made.id)


def test_challenge_accepted_twice_opens_one_match(book, people, monkeypatch):
    ann, bob, eve = people
    made = challenges.challenge(book, ann, None, POPTRIX)
    monkeypatch.setattr(challenges, "find", lambda *_: made)  # as both have read it
    challenges.accept(book, bob, made.id)
    with pytest.raises(Conflict, match="accepted"):
        challenges.accept(book, eve, made.id)
    assert len(list(book.store.matches())) == 1


def test_only_its_two_accounts_see_a_challenge(book, people):
    ann, bob, eve = people
    made = challenges.challenge(book, ann, "bob", POPTRIX)
    assert [open_to(book, each) for each in people] == [[made.id], [made.id], []]
    for refused in (challenges.accept, challenges.withdraw):
        with pytest.raises(UnknownName):
            refused(book, eve, made.id)
    with pytest.raises(Conflict, match="only another account"):
        challenges.accept(book, ann, made.id)
    challenges.withdraw(book, bob, made.id)
    assert open_to(book, ann) == []
    to_all = challenges.challenge(book, ann, None, POPTRIX)
    with pytest.raises(Conflict, match="only ann"):
        challenges.withdraw(book, bob, to_all.id)
    challenges.withdraw(book, ann, to_all.id)
    assert open_to(book, bob) == []


def test_challenges_expire_and_are_bounded(book, people, clock):
    ann, bob, _ = people
    made = [challenges.challenge(book, ann, None, POPTRIX) for _ in range(MAX_OPEN)]
    with pytest.raises(Conflict, match="withdraw one"):
        challenges.challenge(book, ann, None, POPTRIX)
    clock[0] += LIFETIME
    assert open_to(book, bob) == []
    with pytest.raises(UnknownName):
        challenges.accept(book, bob, made[0].id)
    challenges.challenge(book, ann, "bob", POPTRIX)
    assert len(book.store.challenges()) == 1
    remove_account(book, "bob")
    assert book.store.challenges() == []


@pytest.mark.parametrize("game", ["poptrix", "blockade", "power-play", "pyramid-ball"])
def test_game_is_offered_with_its_dice(book, people, game):
    ann, bob, _ = people
    made = challenges.challenge(book, ann, "bob", Offer(game))
    record, seat = challenges.accept(book, bob, made.id)
    assert (record.match.seats, seat in (1, 2)) == (2, True)


@pytest.mark.parametrize(
    ("offer", "expires", "wrong"),
    [
        (Offer("nothing"), None, "nothing"),
        (Offer("poptrix", seat=3), None, "seats 1 and 2"),
        (Offer("poptrix", {"no": "1"}), None, "no"),
        (Offer("poptrix"), NOW, "30 days"),
        (Offer("poptrix"), NOW + MAX_LIFETIME + 1, "30 days"),
    ],
)
def test_wrong_challenge_is_refused(book, people, offer, expires, wrong):
    with pytest.raises(Usage, match=wrong):
        challenges.challenge(book, people[0], None, offer, expires)
    with pytest.raises(Conflict, match="itself"):
        challenges.challenge(book, people[0], "ann", POPTRIX)
    assert book.store.challenges() == []
