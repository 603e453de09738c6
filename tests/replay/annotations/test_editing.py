"""Entering, editing and retracting annotations: refusals, history, and forks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from replay.annotations import (
    Commented,
    Glyphed,
    Remark,
    Wording,
    annotate,
    by_ply,
    edit,
    remarks,
    retract,
    standing,
)
from replay.annotations.notation import LONGEST_COMMENT
from replay.book import Book
from replay.corrections.amendments import amend, plan_replacement
from replay.corrections.takebacks import take_back
from replay.errors import Damaged, Usage
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.store.stream_verification import verify_chain

EVERYTHING = Wording(
    " opens  the\ncorner ", ("!?", "drawish", "$140", "$146"), ("a1-c3",), ("d4",), ("d4=A",)
)


def say(book: Book, recorded: MatchRecord, ply: int, text: str) -> Remark:
    return annotate(book, recorded, ply, Wording(text))[0]


def words(book: Book, recorded: MatchRecord) -> dict[int, list[str]]:
    return {
        ply: [each.said.words() for each in found]
        for ply, found in sorted(by_ply(book, recorded).items())
    }


def test_several_annotations_at_once_are_stored_with_author_and_time(book, recorded):
    said = annotate(book, recorded, 3, EVERYTHING, author="Teal")
    assert [each.said.words() for each in said] == [
        "opens the corner",
        "!?  interesting move",
        "=  drawish",
        "∆  with the idea",
        "N  novelty",
        "arrow a1-c3",
        "circle d4",
        "label d4=A",
    ]
    assert {(each.author, each.on) for each in said} == {("Teal", 3)}
    assert all(each.at > recorded.entry(3).at for each in said)
    assert standing(book, recorded) == said
    assert len({each.id for each in said}) == len(said)


@pytest.mark.parametrize(
    ("wording", "why"),
    [
        (Wording(), "nothing to say"),
        (Wording(" \n"), "says nothing"),
        (Wording("x" * (LONGEST_COMMENT + 1)), "at most 10000"),
        (Wording("\x1b[2J"), "control character U.001B"),
        (Wording("\udc80"), "control character U.DC80"),
        (Wording("good", ("nonsense",)), "no glyph"),
        (Wording("good", ("!", "?")), "but one glyph for the move, and it is !"),
        (Wording("good", ("=", "$135")), "but one glyph for the position, and it is ="),
        (Wording("good", ("$140", "$140")), "there already"),
        (Wording("good", arrows=("a1",)), "no arrow"),
        (Wording("good", arrows=("a1-a1",)), "leads nowhere"),
        (Wording("good", arrows=("a1-z9",)), "no place 'z9'"),
        (Wording("good", circles=("A1",)), "no place 'A1'"),
        (Wording("good", circles=("a1", "a1")), "there already"),
        (Wording("good", labels=("a1",)), "no label"),
        (Wording("good", labels=("a1=",)), "1 to 3 letters"),
        (Wording("good", labels=("a1=long",)), "1 to 3 letters"),
        (Wording("good", labels=("a1=]",)), "1 to 3 letters"),
        (Wording("good", labels=("a1=A", "a1=B")), "labelled A already"),
    ],
)
def test_an_invalid_annotation_is_refused_with_its_whole_batch(book, recorded, wording, why):
    with pytest.raises(Usage, match=why):
        annotate(book, recorded, 3, wording)
    assert remarks(book, recorded) == []


@pytest.mark.parametrize("author", ["", " ", "a\tb", "x" * 101])
def test_an_author_has_a_name(book, recorded, author):
    with pytest.raises(Usage, match="author"):
        annotate(book, recorded, 3, Wording("x"), author=author)


def test_the_start_can_be_commented_and_marked_but_has_no_glyph(book, recorded):
    annotate(book, recorded, 0, Wording("here we go", circles=("c1",)))
    assert words(book, recorded) == {0: ["here we go", "circle c1"]}
    with pytest.raises(Usage, match="none before the start"):
        annotate(book, recorded, 0, Wording(glyphs=("!",)))


def test_a_second_glyph_of_a_group_names_the_first_which_can_be_edited(book, recorded):
    (glyph,) = annotate(book, recorded, 3, Wording(glyphs=("!?",)))
    with pytest.raises(Usage, match=rf"it is !\? \(annotation {glyph.id[:8]}; edit that one\)"):
        annotate(book, recorded, 3, Wording(glyphs=("blunder",)))
    annotate(book, recorded, 3, Wording(glyphs=("=", "$136", "$138")))
    annotate(book, recorded, 2, Wording(glyphs=("??",)))
    edit(book, recorded, glyph.id[:6], Wording(glyphs=("blunder",)))
    assert words(book, recorded)[3][0] == "??  blunder"
    with pytest.raises(Usage, match="for the position"):
        edit(book, recorded, glyph.id, Wording(glyphs=("$12",)))
    retract(book, recorded, glyph.id)
    annotate(book, recorded, 3, Wording(glyphs=("!",)))


def test_an_edit_keeps_what_was_said_before_and_by_whom(book, recorded):
    first = annotate(book, recorded, 3, Wording("good"), author="Jet")[0]
    edited = edit(book, recorded, first.id.upper(), Wording("not so good"), author="Red")
    gone = retract(book, recorded, first.id, author="Teal")
    assert (edited.author, edited.at, edited.said) == ("Jet", first.at, Commented(3, "not so good"))
    said = [(change.author, change.said and change.said.words()) for change in gone.changes]
    assert said == [("Jet", "good"), ("Red", "not so good"), ("Teal", None)]
    assert standing(book, recorded) == []
    assert remarks(book, recorded) == [gone]
    assert verify_chain(book.store, book.store.notes(recorded.stream.id).id) is None


def test_an_edit_says_one_thing_of_the_same_kind(book, recorded):
    comment, circle = annotate(book, recorded, 3, Wording("good", circles=("a1",)))
    for wording, why in (
        (Wording(), "one thing"),
        (Wording("better", ("!",)), "one thing"),
        (Wording(glyphs=("!",)), "is a comment, and stays one"),
    ):
        with pytest.raises(Usage, match=why):
            edit(book, recorded, comment.id, wording)
    with pytest.raises(Usage, match="no place"):
        edit(book, recorded, circle.id, Wording(circles=("z9",)))
    edit(book, recorded, circle.id, Wording(circles=("a2",)))
    assert words(book, recorded) == {3: ["good", "circle a2"]}


def test_only_what_is_there_can_be_edited_or_retracted(book, recorded):
    comment = say(book, recorded, 3, "good")
    for key in ("", comment.id[:3], "zzzzzz", "0" * 32):
        with pytest.raises(Usage, match="no annotation"):
            retract(book, recorded, key)
    retract(book, recorded, comment.id)
    for change in (retract, lambda *given: edit(*given, Wording("again"))):
        with pytest.raises(Usage, match="was retracted"):
            change(book, recorded, comment.id)


def test_an_id_that_fits_two_is_refused(book, recorded):
    ids = iter([bytes.fromhex("aabbccdd") + bytes(11) + bytes([n]) for n in (1, 2)])
    book.new_id = lambda: next(ids)
    annotate(book, recorded, 3, Wording("one", circles=("a1",)))
    with pytest.raises(Usage, match="fits several"):
        retract(book, recorded, "aabbcc")


def test_an_annotation_stays_with_its_event(book, recorded):
    say(book, recorded, 2, "before")
    gone = say(book, recorded, 4, "taken back")
    recorded = take_back(book, recorded, 2)
    recorded = play(book, recorded, ["c1>L@b1", "c6>L@c4"])
    assert words(book, recorded) == {2: ["before"]}
    assert [each.said.words() for each in standing(book, recorded)] == ["before", "taken back"]
    assert words(book, recorded.at_version(4)) == {2: ["before"], 4: ["taken back"]}
    edit(book, recorded, gone.id, Wording("no longer there"))
    (circled,) = annotate(book, recorded.at_version(4), 4, Wording(circles=("a1",)))
    with pytest.raises(Usage, match="no place"):
        edit(book, recorded, circled.id, Wording(circles=("z9",)))


def test_an_annotation_stays_with_its_event_through_amendments(book, recorded):
    for ply in (1, 2, 3, 4):
        say(book, recorded, ply, f"said of ply {ply}")
    amended = amend(book, plan_replacement(recorded, 2, "L@c6"))
    assert words(book, amended) == {ply: [f"said of ply {ply}"] for ply in (1, 3, 4)}
    say(book, amended, 2, "said of the new one")
    assert words(book, amended)[2] == ["said of the new one"]
    assert words(book, amended.at_version(4))[2] == ["said of ply 2"]


def test_forks_see_what_is_said_about_the_part_they_share(book, recorded):
    say(book, recorded, 2, "shared")
    say(book, recorded, 4, "beyond")
    child = book.fork(recorded.at_version(3), 3, "variation")
    grandchild = book.fork(play(book, child, ["c6>L@c4"]).at_version(3), 3, "variation")
    late = say(book, recorded, 3, "later, and shared")
    for fork in (child, grandchild):
        assert words(book, book.open(fork.id)) == {2: ["shared"], 3: ["later, and shared"]}
    say(book, child, 3, "in the child")
    edit(book, child, late.id, Wording("as the child has it"))
    assert words(book, recorded)[3] == ["later, and shared"]
    assert words(book, book.open(child.id))[3] == ["as the child has it", "in the child"]
    assert words(book, book.open(grandchild.id))[3] == ["as the child has it", "in the child"]
    retract(book, grandchild, late.id)
    assert words(book, book.open(grandchild.id))[3] == ["in the child"]
    with pytest.raises(Usage, match="no annotation"):
        retract(book, child, standing(book, recorded)[1].id)


def test_a_fork_that_cuts_the_line_leaves_its_annotations_out_of_the_line(book, recorded):
    say(book, recorded, 4, "cut")
    fork = book.fork(recorded, 2, "variation")
    assert words(book, fork) == {}
    assert [each.said.words() for each in standing(book, fork)] == ["cut"]


def interrupted(book: Book, monkeypatch: pytest.MonkeyPatch, quicker: Callable[[], object]) -> None:
    """Let another writer append between the reading of the notes and the append."""
    notes = book.store.notes

    def look(subject: int) -> object:
        monkeypatch.setattr(book.store, "notes", notes)
        found = notes(subject)
        quicker()
        return found

    monkeypatch.setattr(book.store, "notes", look)


def test_the_slower_of_two_annotators_is_judged_after_the_quicker(book, recorded, monkeypatch):
    say(book, recorded, 3, "the stream begins")
    interrupted(book, monkeypatch, lambda: annotate(book, recorded, 3, Wording(glyphs=("!",))))
    with pytest.raises(Usage, match="but one glyph"):
        annotate(book, recorded, 3, Wording(glyphs=("?",)))
    interrupted(book, monkeypatch, lambda: say(book, recorded, 3, "quicker"))
    say(book, recorded, 3, "slower")
    said = ["the stream begins", "!  good move", "quicker", "slower"]
    assert words(book, recorded)[3] == said


def test_two_who_begin_at_once_both_get_in(book, recorded, monkeypatch):
    interrupted(book, monkeypatch, lambda: say(book, recorded, 1, "first"))
    say(book, recorded, 1, "second")
    assert words(book, recorded) == {1: ["first", "second"]}


def test_notes_that_cannot_be_read_are_damage(book, recorded):
    say(book, recorded, 1, "fine")
    notes = book.store.notes(recorded.stream.id)
    (stored,) = book.store.read(notes.id)
    bad = [replace(stored, id=bytes(16), data=b'{"type":"sung","on":1}')]
    book.store.append(notes.id, 1, bad).result()
    with pytest.raises(Damaged, match="annotation 2"):
        remarks(book, recorded)


def test_glyphs_of_an_imported_record_are_not_held_to_one_a_group(book, recorded):
    from replay.annotations import encode_notes

    say(book, recorded, 1, "begin")
    notes = book.store.notes(recorded.stream.id)
    events = encode_notes(book, [Glyphed(3, 1), Glyphed(3, 2)], "somebody")
    book.store.append(notes.id, notes.head, events).result()
    assert words(book, recorded)[3] == ["!  good move", "?  mistake"]


def test_a_comment_takes_the_place_of_a_bookmark(book, recorded):
    for ply in (2, 3):
        annotate(book, recorded, ply, Wording(bookmark=True))
    with pytest.raises(Usage, match="there already"):
        annotate(book, recorded, 2, Wording(bookmark=True))
    assert words(book, recorded) == {2: ["to comment"], 3: ["to comment"]}
    annotate(book, recorded, 2, Wording(glyphs=("!",)))
    assert words(book, recorded)[2] == ["to comment", "!  good move"]
    say(book, recorded, 2, "a deep plan")
    assert words(book, recorded) == {2: ["!  good move", "a deep plan"], 3: ["to comment"]}


def test_a_bookmark_of_the_parent_goes_where_the_fork_comments_it(book, recorded):
    annotate(book, recorded, 2, Wording(bookmark=True))
    forked = book.fork(recorded, 3, "variation")
    say(book, forked, 2, "only here")
    assert words(book, forked) == {2: ["only here"]}
    assert words(book, recorded) == {2: ["to comment"]}
