"""Nobody can type the word for a role as a player's name; files keep such names."""

from __future__ import annotations

import pytest

from domain.names import Names
from replay import registry
from replay.access import accounts
from replay.annotations.editing import annotate
from replay.annotations.events import Commented, clean_note, encode_notes
from replay.annotations.notation import Wording
from replay.branches.forks import fork, rename
from replay.errors import Usage
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.referee.rematch import open_rematch
from replay.tags.match_tags import Tag, clean_tag
from replay.tags.names import actor_words, names_of
from replay.tags.people import tag

ROLES = ["scorekeeper", "Host", "seat 2", "SEAT 10", "ｈｏｓｔ", "Seat2", " host"]
PLAYERS = ["Hostess", "seat", "seat two", "Scorekeeper Ann", "2", "host 2"]


def opened(book, **more):
    return open_match(book, registry.find("poptrix"), **more)


@pytest.mark.parametrize("name", ROLES)
def test_role_is_refused_where_it_is_typed(book, name):
    there = opened(book)
    for enter in (
        lambda: opened(book, players={1: name}),
        lambda: opened(book, tags={"Seat1": name}),
        lambda: tag(book, there, {"Seat2": name}),
        lambda: fork(book, there, 0, kind="match", players={1: name}),
        lambda: fork(book, there, 0, name=name),
        lambda: rename(book, fork(book, there, 0), name),
    ):
        with pytest.raises(Usage, match="the word for a role; use another name"):
            enter()


@pytest.mark.parametrize("name", ["scorekeeper", "host", "seat-2", "seat_2"])
def test_account_cannot_have_the_name_of_a_role(book, name):
    with pytest.raises(Usage, match="the word for a role; use another name"):
        accounts.add(book, name)


@pytest.mark.parametrize("name", PLAYERS)
def test_other_names_stay(book, name):
    assert names_of(book, opened(book, players={1: name})).players == {1: name}


def test_name_in_a_file_is_kept_and_shown_in_quotes(book):
    record = opened(book, more={"Seat1": "scorekeeper", "Seat2": "Ann"})
    names = names_of(book, record)
    assert names == Names({1: "scorekeeper", 2: "Ann"})
    assert [actor_words(each, names) for each in ("scorekeeper", "seat 1", "seat 2", "seat 3")] == [
        "scorekeeper",
        '"scorekeeper"',
        "Ann",
        "seat 3",
    ]


def test_rematch_keeps_the_name_of_a_file(book):
    record = play(book, opened(book, more={"Seat1": "scorekeeper", "Seat2": "Ann"}), ["1:resign"])
    again = book.open(open_rematch(book, record).match)
    assert names_of(book, again).players == {1: "scorekeeper", 2: "Ann"}


def test_reader_keeps_the_name_of_a_role_with_a_warning():
    kept, told = clean_tag(Tag("Seat2", "host"))
    assert kept.value == "host"
    assert told == "the tag Seat2: kept; 'host' is the word for a role and stands in quotes"
    assert clean_tag(Tag("Event", "host")) == (Tag("Event", "host"), "")


@pytest.mark.parametrize("name", sorted({*ROLES} - {"scorekeeper", "seat 2"}))
def test_author_cannot_look_like_a_role(book, name):
    with pytest.raises(Usage, match="the word for a role; use another name"):
        annotate(book, opened(book), 0, Wording("x"), author=name)


def test_author_in_a_file_is_kept_and_shown_in_quotes(book):
    for author, quoted in (("Host", '"Host"'), ("seat 2", "seat 2"), ("Ann", "Ann")):
        (note,) = encode_notes(book, [Commented(0, "x")], author)
        kept, told = clean_note(note)
        assert kept.actor == author
        assert ("stands in quotes" in told) == (quoted != author)
        assert actor_words(author, Names({})) == quoted
