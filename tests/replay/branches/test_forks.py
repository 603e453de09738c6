"""Forks: each line is independent of later changes to the others."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from domain.entry.move_text import write
from domain.log_edits import Judged
from replay.annotations.current import by_ply
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording, as_note
from replay.book import Book
from replay.branches.analysis import variations
from replay.branches.comparison import compare
from replay.branches.fork_tree import family
from replay.branches.forks import NAME, fork, hide, promote, unhide
from replay.corrections.adjustments import adjust, write_position_at
from replay.corrections.amendments import amend, plan_deletion
from replay.corrections.takebacks import take_back
from replay.errors import Refused, UnknownAddress, Usage
from replay.formats.ply.importer import import_record, imported
from replay.formats.ply.writer import export_record, left_out
from replay.record.addresses import parse
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.registry import find
from replay.store import open_store
from replay.store.sql.store import Store
from replay.tags import match_tags
from tests.replay.formats.ply.texts import OPENING, accepted, poptrix
from tests.replay.random_records import random_text
from tests.verification import verify_all

PROGRAM = "S=FR.,M=..F,L=LLF,pass=2L"


@pytest.fixture
def book(store: Store) -> Iterator[Book]:
    book = Book(store)
    yield book
    assert all(verdict.ok for verdict in verify_all(book))


@pytest.fixture
def match(book: Book) -> MatchRecord:
    """Four plies of Poptrix."""
    opened = open_match(book, find("poptrix"), players={1: "Jet", 2: "Red"})
    return play(book, opened, OPENING.split())


def moves(book: Book, record: MatchRecord) -> list[str]:
    """Return the current line, read from the store."""
    fresh = Book(book.store).open(record.id)
    assert Book(book.store).open(record.id).match.state == book.open(record.id).match.state
    return [write(fresh.game, ply.event) for ply in fresh.match.line]


def at(book: Book, record: MatchRecord, ply: int, **what: object) -> MatchRecord:
    forked = fork(book, *book.at(parse(f"{record.id}@{ply}")), **what)
    assert forked == Book(book.store).open(forked.id)
    return forked


def movetext(book: Book, record: MatchRecord) -> str:
    return " ".join(export_record(book, book.open(record.id)).split("\n\n")[1].split())


def test_fork_keeps_its_line_when_the_parent_changes(book, match):
    forked = play(book, at(book, match, 2), ["c1>S@b1"])
    assert moves(book, forked) == ["M@c1", "S@c6", "c1>S@b1"]
    play(book, book.open(match.id), ["1:resign"])
    take_back(book, book.open(match.id), 1)
    play(book, book.open(match.id), ["L@a6"])
    assert moves(book, match) == ["M@c1", "L@a6"]
    assert moves(book, forked) == ["M@c1", "S@c6", "c1>S@b1"]


def test_nested_forks_keep_their_lines(book):
    line = [open_match(book, find("cube-pyramid"))]
    told: list[list[str]] = [[]]
    for depth in range(6):
        parent = line[-1]
        legal = parent.match.game.legal(parent.state.position, parent.state.in_turn)
        token = parent.game.write(sorted(legal, key=parent.game.write)[depth])
        parent = play(book, parent, [token])
        line[-1] = parent
        told[-1] = moves(book, parent)
        line.append(at(book, parent, len(parent.match.line)))
        told.append(list(told[-1]))
    for each in line[:-1]:
        take_back(book, book.open(each.id), 0)
    for each, tokens in zip(line, told, strict=True):
        assert moves(book, each) == (tokens if each is line[-1] else [])


def test_fork_of_a_fork_may_begin_before_it(book, match):
    forked = play(book, at(book, match, 3), ["c6>L@c4"])
    early = play(book, at(book, forked, 1), ["L@a6"])
    assert moves(book, early) == ["M@c1", "L@a6"]
    assert moves(book, at(book, early, 0)) == []


def test_nested_forks_keep_cuts_of_amended_lines(book):
    opened = open_match(book, find("poptrix"))
    match = play(book, opened, ["M@c1", "1:offer-draw", *OPENING.split()[1:]])
    amend(book, plan_deletion(match, 2))
    first = play(book, at(book, match, 2), ["1:offer-draw", "c1>S@b1", "c6>M@a6"])
    amended = amend(book, plan_deletion(first, 3))
    second = play(book, at(book, amended, 3), ["2:resign"])
    third = at(book, second, 3)
    assert [len(each.header.cuts) for each in (first, second, third)] == [1, 2, 2]
    take_back(book, book.open(first.id), 0)
    play(book, third, ["c6>L@c4"])
    assert moves(book, match) == OPENING.split()
    assert moves(book, second) == ["M@c1", "S@c6", "c1>S@b1", "2:resign"]
    assert moves(book, third) == ["M@c1", "S@c6", "c1>S@b1", "c6>L@c4"]


def test_earlier_line_can_be_forked(book, match):
    take_back(book, match, 1)
    forked = fork(book, *book.at(parse(f"{match.id}@3v4")))
    assert moves(book, forked) == OPENING.split()[:3]


def test_fork_shares_the_shortest_log(book, match):
    take_back(book, match, 3)
    play(book, book.open(match.id), ["1:offer-draw"])
    assert at(book, match, 2).match.version == 2
    assert at(book, match, 0).match.version == 0
    assert at(book, match, 4).match.version == 6


@pytest.mark.parametrize("place", ["@5", "@3v2", "@1v9"])
def test_missing_position_cannot_be_forked(book, match, place):
    with pytest.raises(UnknownAddress):
        fork(book, *book.at(parse(match.id + place)))


def test_fork_inherits_players_but_tags_only_as_variation(book, match):
    book.store.set_metadata(match.stream.id, {"Site": "Rome"}).result()
    variation = at(book, match, 2, name="wide")
    assert book.facts(variation)["Site"] == "Rome"
    assert book.store.metadata(variation.stream.id) == {NAME: "wide"}
    played_on = at(book, variation, 2, kind="match", players={2: "Teal"})
    facts = book.store.metadata(played_on.stream.id)
    assert (facts["Seat1"], facts["Seat2"], facts.get("Site")) == ("Jet", "Teal", None)
    assert "wide" not in export_record(book, variation)


def test_variation_adds_tags_to_its_match(book, match):
    match_tags.tag(book, match, {"Event": "Cup", "Round": "3"})
    variation = at(book, match, 2, tags={"Annotator": "Z", "Round": "4"})
    told = dict(match_tags.tags(book, variation))
    assert (told["Event"], told["Round"], told["Annotator"]) == ("Cup", "4", "Z")


@pytest.mark.parametrize("ply", [0, 1, 2])
def test_fork_of_a_judged_match_is_judged(book, ply):
    taken_down = play(book, open_match(book, find("poptrix"), unjudged=True), ["M@c1", "S@c6"])
    forked = at(book, play(book, taken_down, [Judged()]), ply)
    assert not forked.match.state.unjudged


@pytest.mark.parametrize(
    "what",
    [
        {"name": ""},
        {"name": "a\nb"},
        {"name": "x" * 101},
        {"players": {3: "Teal"}, "kind": "match"},
        {"players": {2: "Teal"}},
        {"tags": {"Seat2": "Teal"}},
    ],
)
def test_invalid_name_is_refused_and_nothing_is_stored(book, match, what):
    with pytest.raises(Usage):
        at(book, match, 1, **what)
    assert book.store.forks(match.stream.id) == []


# Secrets


def test_pending_sealed_move_prevents_forking(book):
    match = play(book, open_match(book, find("pyramid-ball")), [f"1:{PROGRAM}"])
    with pytest.raises(Refused, match="sealed"):
        at(book, match, 1)
    before = at(book, match, 0)
    assert before.log == ()
    after = play(book, match, ["2:S=...,M=...,L=..."])
    assert moves(book, at(book, after, 2))[0] == f"1:{PROGRAM}"


def test_comparing_lines_reveals_no_sealed_move(book):
    def entered(program: str) -> MatchRecord:
        return play(book, open_match(book, find("pyramid-ball")), [f"1:{program}"])

    one, same, other = entered(PROGRAM), entered(PROGRAM), entered("S=...,M=...,L=...")
    for guess in (same, other):
        found = compare(book, parse(one.id), parse(guess.id))
        assert found.common == 0
        assert [side.next and side.next.text for side in found.sides] == [None, None]
    assert compare(book, parse(one.id), parse(one.id)).common == 1


def test_variation_reveals_no_sealed_move_of_its_line(book):
    text = f'[Game "pyramid-ball"]\n\n1:{PROGRAM} 1:offer-draw (2:S=...,M=...,L=...) *'
    record, kept, kept_out = imported(book, accepted(text))
    assert (kept, kept_out) == (0, 1)
    assert record.secrets == {1}
    assert "FR." not in export_record(book, record)


# Analysis


def test_promoted_variation_is_written_first(book, match):
    variation = play(book, at(book, match, 2), ["c1>S@b1"])
    at_first = export_record(book, match)
    assert movetext(book, match) == "1. M@c1 2. S@c6 3. c1>S@c3 (3. c1>S@b1) 4. c6>M@a6 *"
    assert promote(book, variation).id == match.id
    assert movetext(book, match) == "1. M@c1 2. S@c6 3. c1>S@b1 (3. c1>S@c3 4. c6>M@a6) *"
    assert moves(book, match) == OPENING.split()
    assert export_record(book, import_record(book, accepted(export_record(book, match)))) == (
        export_record(book, match)
    )
    promote(book, match)
    assert export_record(book, match) == at_first


def test_promotion_keeps_the_order_of_earlier_variations(book, match):
    promote(book, play(book, at(book, match, 2), ["c1>S@b1"]))
    play(book, at(book, match, 1), ["L@a6"])
    play(book, at(book, match, 3), ["c6>L@c4"])
    annotate(book, match, 1, Wording("once"))
    annotate(book, match, 2, Wording("only"))
    assert movetext(book, match) == (
        "1. M@c1 {once} 2. S@c6 {only} (2. L@a6) 3. c1>S@b1 (3. c1>S@c3 4. c6>M@a6 (4. c6>L@c4)) *"
    )


def test_early_fork_of_variation_is_written_in_parent(book, match):
    variation = play(book, at(book, match, 3), ["c6>L@c4"])
    play(book, at(book, variation, 1), ["L@a6"])
    assert movetext(book, match) == (
        "1. M@c1 2. S@c6 (2. L@a6) 3. c1>S@c3 4. c6>M@a6 (4. c6>L@c4) *"
    )


def test_deep_variation_is_promoted_over_its_parents(book, match):
    first = play(book, at(book, match, 2), ["c1>S@b1", "c6>M@a6"])
    beside = play(book, at(book, match, 3), ["c6>L@c4"])
    second = play(book, at(book, first, 3), ["c6>L@c4"])
    promote(book, second)
    assert movetext(book, match) == (
        "1. M@c1 2. S@c6 3. c1>S@b1 (3. c1>S@c3 4. c6>M@a6 (4. c6>L@c4)) 4. c6>L@c4 (4. c6>M@a6) *"
    )
    hide(book, second)
    assert movetext(book, match).startswith("1. M@c1 2. S@c6 3. c1>S@c3")
    assert len(variations(book, match)) == 2
    assert beside.id in {each.id for each in variations(book, match)}


def test_empty_and_hidden_variations_cannot_be_promoted(book, match):
    empty = at(book, match, 2)
    with pytest.raises(Usage, match="the same moves"):
        promote(book, empty)
    hide(book, play(book, empty, ["c1>S@b1"]))
    with pytest.raises(Usage, match="hidden"):
        promote(book, book.open(empty.id))


def test_hidden_and_deleted_variations_are_not_exported(book, match):
    variation = play(book, at(book, match, 2), ["c1>S@b1", "c6>M@a6"])
    play(book, at(book, variation, 3), ["c6>L@c4"])
    whole = movetext(book, match)
    hide(book, variation)
    assert movetext(book, match) == "1. M@c1 2. S@c6 3. c1>S@c3 4. c6>M@a6 *"
    unhide(book, variation)
    assert movetext(book, match) == whole
    book.store.trash(variation.stream.id).result()
    assert "(" not in movetext(book, match)
    with pytest.raises(Usage):
        hide(book, match)


def test_fork_for_play_is_a_separate_record(book, match):
    played_on = play(book, at(book, match, 2, kind="match"), ["c1>S@b1"])
    play(book, at(book, played_on, 1), ["L@a6"])
    assert "(" not in movetext(book, match)
    assert movetext(book, played_on) == "1. M@c1 2. S@c6 (2. L@a6) 3. c1>S@b1 *"


def test_variation_at_the_end_repeats_the_last_move(book, match):
    play(book, at(book, match, 4), ["1:resign"])
    text = "1. M@c1 2. S@c6 3. c1>S@c3 4. c6>M@a6 (4. c6>M@a6 1:resign) *"
    assert movetext(book, match) == text
    again = import_record(book, accepted(export_record(book, match)))
    assert movetext(book, again) == text


def test_variation_outlives_the_line_it_left(book, match):
    variation = play(book, at(book, match, 3), ["c6>L@c4"])
    annotate(book, match, 3, Wording("bold"))
    take_back(book, match, 1)
    assert movetext(book, match) == "1. M@c1 (1. M@c1 2. S@c6 3. c1>S@c3 {bold} 4. c6>L@c4) *"
    play(book, book.open(match.id), ["L@a6"])
    assert movetext(book, match) == "1. M@c1 2. L@a6 (2. S@c6 3. c1>S@c3 {bold} 4. c6>L@c4) *"
    assert moves(book, variation) == [*OPENING.split()[:3], "c6>L@c4"]


def test_forks_left_out_of_record_are_named(book, match):
    empty = at(book, match, 2)
    nowhere = play(book, at(book, match, 0), ["L@c1"])
    assert [each.record.id for each in left_out(book, match)] == [empty.id]
    take_back(book, match, 0)
    assert {each.record.id for each in left_out(book, book.open(match.id))} == {
        empty.id,
        nowhere.id,
    }


def test_record_names_the_lines_an_adjustment_loses(book, match):
    variation = play(book, at(book, match, 2), ["c1>S@b1"])
    position = write_position_at(book.open(match.id), 2)
    played = play(book, adjust(book, book.open(match.id), position, "the cat"), ["c1>L@d1"])
    assert [each.record.id for each in left_out(book, played)] == [variation.id]
    promote(book, variation)
    (lost,) = left_out(book, book.open(match.id))
    assert lost.words().startswith(f"match {match.id} left out from ply 5 on: a text record")
    assert movetext(book, match) == "1. M@c1 2. S@c6 3. c1>S@b1 (3. c1>S@c3 4. c6>M@a6) *"
    inside = play(book, at(book, played, 6), ["1:resign"])
    later = {each.record.id: each.start for each in left_out(book, book.open(match.id))}
    assert later == {match.id: 5, inside.id: 5}


def test_line_lost_by_a_promoted_adjustment_is_named(book, match):
    variation = at(book, match, 2)
    adjust(book, variation, write_position_at(variation, 2), "the cat")
    promote(book, book.open(variation.id))
    assert [each.words() for each in left_out(book, book.open(match.id))] == [
        f"match {match.id} left out: the line ends before the ply where it leaves"
    ]


def test_record_writes_remarks_at_the_shared_part(book, match):
    annotate(book, match, 1, Wording("mine"))
    variation = play(book, at(book, match, 2), ["c1>S@b1"])
    annotate(book, variation, 1, Wording("yours", ("$1",)))
    annotate(book, variation, 2, Wording("or", ("$2",)))
    annotate(book, variation, 3, Wording("so", ("$3",)))
    assert movetext(book, match).startswith(
        "1. M@c1 $1 {mine} {yours} 2. S@c6 $2 3. c1>S@c3 ({or} 3. c1>S@b1 $3 {so}) 4."
    )
    assert by_ply(book, match).keys() == {1}


def test_comments_of_a_record_belong_to_their_line(book):
    text = "{a} M@c1 $1 {b} ({c} L@c1 $2 {d} (S@c1 {e})) S@c6 *"
    record = import_record(book, accepted(poptrix(text)))
    outer, inner = variations(book, record)
    said = {ply: as_note(found).comments for ply, found in by_ply(book, outer).items()}
    assert said == {0: ("a", "c"), 1: ("d",)}
    assert as_note(by_ply(book, outer)[1]).glyphs == (2,)
    assert as_note(by_ply(book, inner)[1]).comments == ("e",)
    assert inner.header.fork.match == outer.id
    assert by_ply(book, record).keys() == {0, 1}


# Families and comparisons


def test_family_begins_with_its_first_match(book, match):
    variation = play(book, at(book, match, 2, name="wide"), ["c1>S@b1"])
    deeper = play(book, at(book, variation, 3), ["1:resign"])
    earlier = at(book, match, 1, kind="match")
    annotate(book, variation, 3, Wording(glyphs=("?!",)))
    promote(book, variation)
    told = list(family(book, deeper))
    assert [each.record.id for each in told] == [match.id, earlier.id, variation.id, deeper.id]
    assert [each.depth for each in told] == [0, 1, 1, 2]
    assert (told[2].name, told[2].main, told[2].leaves) == ("wide", True, 2)
    assert told[2].first.words() == "c1>S@b1?!"
    assert told[2].instead.words() == "c1>S@c3"
    assert told[3].outcome.winners == (2,)
    assert told[3].instead is None


def test_trashed_fork_stays_while_it_has_forks(book, match):
    variation = play(book, at(book, match, 2), ["c1>S@b1"])
    deeper = at(book, variation, 3)
    book.store.trash(variation.stream.id).result()
    assert len(list(family(book, match))) == 3
    book.store.trash(deeper.stream.id).result()
    assert len(list(family(book, match))) == 1


def test_two_lines_are_compared_where_they_part(book, match):
    variation = play(book, at(book, match, 2), ["c1>S@b1", "1:resign"])
    found = compare(book, parse(match.id), parse(variation.id))
    assert (found.common, found.last.text) == (2, "S@c6")
    assert [side.next.text for side in found.sides] == ["c1>S@c3", "c1>S@b1"]
    assert [side.outcome and side.outcome.winner for side in found.sides] == [None, 2]
    once = compare(book, parse(match.id), parse(f"{match.id}@3v3"))
    assert (once.common, once.sides[1].next) == (3, None)


def test_equal_moves_of_two_matches_are_common(book, match):
    other = play(book, open_match(book, find("poptrix")), [*OPENING.split()[:3], "c6>L@c4"])
    assert compare(book, parse(match.id), parse(other.id)).common == 3


def test_matches_with_different_beginnings_are_not_compared(book, match):
    power_play = open_match(book, find("power-play"))
    with pytest.raises(Usage, match="rules"):
        compare(book, parse(match.id), parse(power_play.id))
    seated = open_match(book, find("power-play"), seats=3)
    with pytest.raises(Usage, match="seats"):
        compare(book, parse(seated.id), parse(power_play.id))


# A process that is killed

IMPORTING = """
import sys
from pathlib import Path
from replay.book import Book
from replay.formats.ply.importer import import_record
from replay.formats.ply.reader import read_records
from replay.store import open_store

book = Book(open_store(Path(sys.argv[1])))
record = next(iter(read_records(Path(sys.argv[2]).read_text())))
while True:
    print(import_record(book, record).id, flush=True)
"""


@pytest.mark.parametrize("lines", [1, 7])
def test_killed_import_stores_matches_with_their_variations(tmp_path, lines):
    text = random_text(find("poptrix"), 8)
    assert text.count("(") > 3
    stored, record = tmp_path / "book.db", tmp_path / "record.ply"
    record.write_text(text)
    command = [sys.executable, "-c", IMPORTING, str(stored), str(record)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        process.kill()
        process.stdout.read()
    book = Book(open_store(stored))
    roots = [each for each in book.matches() if each.header.kind == "match"]
    assert len(roots) >= lines
    assert all(export_record(book, each) == text for each in roots)
    book.store.close()
