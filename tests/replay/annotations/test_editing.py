"""Entering, editing and retracting annotations: refusals, history, and forks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replay.annotations.current import Remark, by_ply, remarks, standing
from replay.annotations.editing import annotate, edit, retract
from replay.annotations.events import Commented, Glyphed
from replay.annotations.notation import Wording
from replay.book import Book
from replay.corrections.amendments import amend, plan_replacement
from replay.corrections.takebacks import take_back
from replay.errors import Damaged, Usage
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.store.stream_verification import verify_chain
from replay.store.types import NewEvent
from replay.texts import MAX_COMMENT

EVERYTHING = Wording(
    " opens  the\ncorner ", ("!?", "drawish", "$140", "$146"), ("a1-c3",), ("d4",), ("d4=A",)
)


def say(book: Book, record: MatchRecord, ply: int, text: str) -> Remark:
    return annotate(book, record, ply, Wording(text))[0]


def words(book: Book, record: MatchRecord) -> dict[int, list[str]]:
    return {
        ply: [each.said.words() for each in found]
        for ply, found in sorted(by_ply(book, record).items())
    }


def test_annotations_are_stored_with_author_and_time(book, record):
    said = annotate(book, record, 3, EVERYTHING, author="Teal")
    assert [each.said.words() for each in said] == [
        "opens the corner", "!?  interesting move", "=  drawish", "∆  with the idea", "N  novelty",
        "arrow a1-c3", "circle d4", "label d4=A",
    ]  # fmt: skip
    assert {(each.author, each.on) for each in said} == {("Teal", 3)}
    assert all(each.at > record.entry(3).at for each in said)
    assert standing(book, record) == said
    assert len({each.id for each in said}) == len(said)


@pytest.mark.parametrize(
    ("wording", "why"),
    [
        (Wording(), "an annotation is empty"),
        (Wording(" \n"), "the comment is empty"),
        (Wording("x" * (MAX_COMMENT + 1)), "at most 10000"),
        (Wording("\x1b[2J"), "control character U.001B"),
        (Wording("\udc80"), "control character U.DC80"),
        (Wording("[%csl Gz9]"), "not a comment but marks"),
        (Wording("good", ("nonsense",)), "is not a valid glyph"),
        (Wording("good", ("!", "?")), "the move has a glyph already, !"),
        (Wording("good", ("=", "$135")), "the position has a glyph already, ="),
        (Wording("good", ("$140", "$140")), "there already"),
        (Wording("good", arrows=("a1",)), "not a valid arrow"),
        (Wording("good", arrows=("a1-a1",)), "use two different places"),
        (Wording("good", arrows=("a1-z9",)), "'z9' is not a place"),
        (Wording("good", circles=("A1",)), "'A1' is not a place"),
        (Wording("good", circles=("a1", "a1")), "there already"),
        (Wording("good", labels=("a1",)), "not a valid label"),
        (Wording("good", labels=("a1=",)), "1 to 3 letters"),
        (Wording("good", labels=("a1=long",)), "1 to 3 letters"),
        (Wording("good", labels=("a1=]",)), "1 to 3 letters"),
        (Wording("good", labels=("a1=A", "a1=B")), "labelled A already"),
    ],
)
def test_invalid_annotation_refuses_the_whole_batch(book, record, wording, why):
    with pytest.raises(Usage, match=why):
        annotate(book, record, 3, wording)
    assert remarks(book, record) == []


@pytest.mark.parametrize("author", ["", " ", "a\tb", "x" * 101])
def test_author_without_a_name_is_refused(book, record, author):
    with pytest.raises(Usage, match="author"):
        annotate(book, record, 3, Wording("x"), author=author)


def test_start_accepts_comments_and_marks_but_no_glyphs(book, record):
    annotate(book, record, 0, Wording("here we go", circles=("c1",)))
    assert words(book, record) == {0: ["here we go", "circle c1"]}
    with pytest.raises(Usage, match="ply 0 cannot have one"):
        annotate(book, record, 0, Wording(glyphs=("!",)))


def test_second_glyph_of_a_group_names_the_first(book, record):
    (glyph,) = annotate(book, record, 3, Wording(glyphs=("!?",)))
    with pytest.raises(Usage, match=rf"already, !\? \(annotation {glyph.id[:8]}; edit that one\)"):
        annotate(book, record, 3, Wording(glyphs=("blunder",)))
    annotate(book, record, 3, Wording(glyphs=("=", "$136", "$138")))
    annotate(book, record, 2, Wording(glyphs=("??",)))
    edit(book, record, glyph.id[:6], Wording(glyphs=("blunder",)))
    assert words(book, record)[3][0] == "??  blunder"
    with pytest.raises(Usage, match="the position has"):
        edit(book, record, glyph.id, Wording(glyphs=("$12",)))
    retract(book, record, glyph.id)
    annotate(book, record, 3, Wording(glyphs=("!",)))


def test_edit_keeps_earlier_wordings_and_authors(book, record):
    first = annotate(book, record, 3, Wording("good"), author="Jet")[0]
    edited = edit(book, record, first.id.upper(), Wording("not so good"), author="Red")
    gone = retract(book, record, first.id, author="Teal")
    assert (edited.author, edited.at, edited.said) == ("Jet", first.at, Commented(3, "not so good"))
    said = [(change.author, change.said and change.said.words()) for change in gone.changes]
    assert said == [("Jet", "good"), ("Red", "not so good"), ("Teal", None)]
    assert standing(book, record) == []
    assert remarks(book, record) == [gone]
    assert verify_chain(book.store, book.store.notes(record.stream.id).id) is None


def test_edit_keeps_the_kind_of_annotation(book, record):
    comment, circle = annotate(book, record, 3, Wording("good", circles=("a1",)))
    for wording, why in (
        (Wording(), "exactly one"),
        (Wording("better", ("!",)), "exactly one"),
        (Wording(glyphs=("!",)), "is a comment and cannot become a glyph"),
    ):
        with pytest.raises(Usage, match=why):
            edit(book, record, comment.id, wording)
    with pytest.raises(Usage, match="is not a place"):
        edit(book, record, circle.id, Wording(circles=("z9",)))
    edit(book, record, circle.id, Wording(circles=("a2",)))
    assert words(book, record) == {3: ["good", "circle a2"]}


def test_missing_annotation_cannot_be_edited_or_retracted(book, record):
    comment = say(book, record, 3, "good")
    for key in ("", comment.id[:3], "zzzzzz", "0" * 32):
        with pytest.raises(Usage, match="is not an annotation"):
            retract(book, record, key)
    retract(book, record, comment.id)
    for change in (retract, lambda *given: edit(*given, Wording("again"))):
        with pytest.raises(Usage, match="was retracted"):
            change(book, record, comment.id)


def test_ambiguous_id_is_refused(book, record):
    ids = iter([bytes.fromhex("aabbccdd") + bytes(11) + bytes([n]) for n in (1, 2)])
    book.new_id = lambda: next(ids)
    annotate(book, record, 3, Wording("one", circles=("a1",)))
    with pytest.raises(Usage, match="fits several"):
        retract(book, record, "aabbcc")


def test_annotation_stays_with_its_event(book, record):
    say(book, record, 2, "before")
    gone = say(book, record, 4, "taken back")
    record = take_back(book, record, 2)
    record = play(book, record, ["c1>L@b1", "c6>L@c4"])
    assert words(book, record) == {2: ["before"]}
    assert [each.said.words() for each in standing(book, record)] == ["before", "taken back"]
    assert words(book, record.at_version(4)) == {2: ["before"], 4: ["taken back"]}
    edit(book, record, gone.id, Wording("no longer there"))
    (circled,) = annotate(book, record.at_version(4), 4, Wording(circles=("a1",)))
    with pytest.raises(Usage, match="is not a place"):
        edit(book, record, circled.id, Wording(circles=("z9",)))


def test_annotation_stays_with_its_event_through_amendments(book, record):
    for ply in (1, 2, 3, 4):
        say(book, record, ply, f"said of ply {ply}")
    amended = amend(book, plan_replacement(record, 2, "L@c6"))
    assert words(book, amended) == {ply: [f"said of ply {ply}"] for ply in (1, 3, 4)}
    say(book, amended, 2, "said of the new one")
    assert words(book, amended)[2] == ["said of the new one"]
    assert words(book, amended.at_version(4))[2] == ["said of ply 2"]


def test_forks_read_annotations_of_the_shared_part(book, record):
    say(book, record, 2, "shared")
    say(book, record, 4, "beyond")
    child = book.fork(record.at_version(3), 3, "variation")
    grandchild = book.fork(play(book, child, ["c6>L@c4"]).at_version(3), 3, "variation")
    late = say(book, record, 3, "later, and shared")
    for fork in (child, grandchild):
        assert words(book, book.open(fork.id)) == {2: ["shared"], 3: ["later, and shared"]}
    say(book, child, 3, "in the child")
    edit(book, child, late.id, Wording("as the child has it"))
    assert words(book, record)[3] == ["later, and shared"]
    assert words(book, book.open(child.id))[3] == ["as the child has it", "in the child"]
    assert words(book, book.open(grandchild.id))[3] == ["as the child has it", "in the child"]
    retract(book, grandchild, late.id)
    assert words(book, book.open(grandchild.id))[3] == ["in the child"]
    with pytest.raises(Usage, match="is not an annotation"):
        retract(book, child, standing(book, record)[1].id)


def test_annotation_after_fork_point_has_no_ply(book, record):
    say(book, record, 4, "cut")
    fork = book.fork(record, 2, "variation")
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


def test_slower_annotation_is_judged_after_the_quicker_one(book, record, monkeypatch):
    say(book, record, 3, "the stream begins")
    interrupted(book, monkeypatch, lambda: annotate(book, record, 3, Wording(glyphs=("!",))))
    with pytest.raises(Usage, match="a glyph already"):
        annotate(book, record, 3, Wording(glyphs=("?",)))
    interrupted(book, monkeypatch, lambda: say(book, record, 3, "quicker"))
    say(book, record, 3, "slower")
    said = ["the stream begins", "!  good move", "quicker", "slower"]
    assert words(book, record)[3] == said


def test_two_simultaneous_first_annotations_are_stored(book, record, monkeypatch):
    interrupted(book, monkeypatch, lambda: say(book, record, 1, "first"))
    say(book, record, 1, "second")
    assert words(book, record) == {1: ["first", "second"]}


def test_unreadable_notes_are_damage(book, record):
    say(book, record, 1, "fine")
    notes = book.store.notes(record.stream.id)
    bad = NewEvent(bytes(16), "sung", "somebody", 0, b'{"type":"sung","on":1}')
    book.store.append(notes.id, 1, [bad]).result()
    with pytest.raises(Damaged, match="annotation 2"):
        remarks(book, record)


def test_imported_glyphs_may_share_a_group(book, record):
    from replay.annotations.events import encode_notes

    say(book, record, 1, "begin")
    notes = book.store.notes(record.stream.id)
    events = encode_notes(book, [Glyphed(3, 1), Glyphed(3, 2)], "somebody")
    book.store.append(notes.id, notes.head, events).result()
    assert words(book, record)[3] == ["!  good move", "?  mistake"]


def test_comment_replaces_a_bookmark(book, record):
    for ply in (2, 3):
        annotate(book, record, ply, Wording(bookmark=True))
    with pytest.raises(Usage, match="there already"):
        annotate(book, record, 2, Wording(bookmark=True))
    assert words(book, record) == {2: ["to comment"], 3: ["to comment"]}
    annotate(book, record, 2, Wording(glyphs=("!",)))
    assert words(book, record)[2] == ["to comment", "!  good move"]
    say(book, record, 2, "a deep plan")
    assert words(book, record) == {2: ["!  good move", "a deep plan"], 3: ["to comment"]}


def test_comment_in_a_fork_hides_the_parent_bookmark(book, record):
    annotate(book, record, 2, Wording(bookmark=True))
    forked = book.fork(record, 3, "variation")
    say(book, forked, 2, "only here")
    assert words(book, forked) == {2: ["only here"]}
    assert words(book, record) == {2: ["to comment"]}
