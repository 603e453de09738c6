"""Who played: changes of names as events, their fold, and every change of what is stored."""

from __future__ import annotations

from itertools import count, permutations
from random import Random

import pytest
from msgspec.structs import asdict, replace

from replay.store.people_chain import (
    Change,
    chain,
    changes,
    fault_of,
    fold,
    head_of,
)
from replay.store.types import Author, KeptPeople

ORIGIN = b"o" * 32


def salts():
    return (bytes([number]) * 16 for number in count(1))


def recorded(*names):
    """Return the chain of names, one after another, as it is stored."""
    events, texts, before, fresh = [], [], {}, salts()
    for version, after in enumerate(names):
        author = Author("seat 1", 1000 + version, "a slip")
        last = events[-1] if events else None
        new = chain(ORIGIN, last, changes(before, after), author, version, fresh)
        events += new[0]
        texts += new[1]
        before = after
    erased = fold(events).erased
    return events, [text for text in texts if text.number not in erased], before


def fault(events, texts, names, origin=ORIGIN):
    return fault_of(origin, KeptPeople(events, texts, names, head_of(events)))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {1: "Anna"}, [Change("seated", 1, 0, "Anna")]),
        ({1: "Ana"}, {1: "Anna"}, [Change("renamed", 1, 0, "Anna")]),
        ({1: "Anna", 2: "Bob"}, {1: "Bob", 2: "Anna"}, [Change("swapped", 1, 2)]),
        ({1: "Anna", 2: "Bob"}, {2: "Bob"}, [Change("erased", 1)]),
        ({1: "Anna", 2: "Bob"}, {1: "Bob", 2: "Bob"}, [Change("renamed", 1, 0, "Bob")]),
        ({1: "Anna"}, {1: "Anna"}, []),
    ],
)
def test_changes_of_names_are_told_as_what_happened(before, after, expected):
    assert list(changes(before, after)) == expected


def test_every_permutation_of_four_players_is_a_chain_of_swaps():
    players = {1: "A", 2: "B", 3: "C", 4: "D"}
    for order in permutations(players.values()):
        after = dict(enumerate(order, 1))
        events, texts, _ = recorded(players, after)
        assert {event.event for event in events[4:]} <= {"swapped"}
        assert fault(events, texts, after) is None


def test_erasure_takes_the_texts_of_a_person_through_swaps():
    stand = {1: "Bob"}
    events, texts, names = recorded({1: "Ana"}, {1: "Anna", 2: "Bob"}, {1: "Bob", 2: "Anna"}, stand)
    assert names == stand
    assert "Ana" not in {text.text for text in texts}
    assert "Anna" not in {text.text for text in texts}
    assert fault(events, texts, names) is None


CHAIN = recorded({1: "Ana", 2: "Bob"}, {1: "Anna", 2: "Bob"}, {1: "Bob", 2: "Anna"}, {1: "Bob"})


def flipped(random, value):
    """Return a stored value with one bit or one sign changed."""
    if isinstance(value, int):
        return value ^ 1 << random.randrange(16)
    if isinstance(value, str) and not value:
        return "x"
    if isinstance(value, str):
        at = random.randrange(len(value))
        return value[:at] + chr(ord(value[at]) ^ 1 << random.randrange(7)) + value[at + 1 :]
    if not value:
        return b"x"
    at = random.randrange(len(value))
    return value[:at] + bytes([value[at] ^ 1 << random.randrange(8)]) + value[at + 1 :]


def damaged(random):
    """Return the chain, its texts and the names with one change in what is stored."""
    events, texts, names = (type(part)(part) for part in CHAIN)
    match random.randrange(5):
        case 0 | 1 as of_events:
            rows = texts if of_events else events
            at = random.randrange(len(rows))
            field = random.choice(list(asdict(rows[at])))
            rows[at] = replace(rows[at], **{field: flipped(random, getattr(rows[at], field))})
        case 2:
            one, other = random.sample(range(len(texts)), 2)
            salt, text = texts[one].salt, texts[one].text
            texts[one] = replace(texts[one], salt=texts[other].salt, text=texts[other].text)
            texts[other] = replace(texts[other], salt=salt, text=text)
        case 3:
            del random.choice((events, texts))[random.choice((-1, 0))]
        case 4:
            seat = random.choice((1, 2))
            names[seat] = flipped(random, names.get(seat, ""))
    return events, texts, names


def tries(number):
    random = Random(39)
    return sum(fault(*damaged(random)) is None for _ in range(number))


def test_no_change_of_what_is_stored_is_accepted():
    assert fault(*CHAIN) is None
    assert tries(500) == 0


def test_chain_of_another_match_is_refused():
    assert fault(*CHAIN, origin=b"p" * 32) == "person event 1 does not match its hash"


def test_last_event_cut_is_told_by_the_names():
    events, texts, names = CHAIN
    assert fault(events[:-1], texts, names) is not None
