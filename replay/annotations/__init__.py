"""Annotations of a match: comments, glyphs, marks and bookmarks, each attached to an event.

A stream of their own stores them, outside the hash chain of the match. Each has an author and a
time. It can be edited and retracted; the stream keeps its history.
"""

from replay.annotations.current import (
    AnnotationChange,
    CurrentNotes,
    Remark,
    annotated,
    by_ply,
    current_notes,
    heads,
    plies_by_version,
    remarks,
    standing,
)
from replay.annotations.editing import annotate, edit, erase, find_repeated, retract
from replay.annotations.events import (
    MARKS,
    Annotation,
    Arrowed,
    Bookmarked,
    Circled,
    Commented,
    Edited,
    Glyphed,
    Labelled,
    Retracted,
    encode_notes,
)
from replay.annotations.notation import Wording, as_note

__all__ = [
    "MARKS",
    "Annotation",
    "AnnotationChange",
    "Arrowed",
    "Bookmarked",
    "Circled",
    "Commented",
    "CurrentNotes",
    "Edited",
    "Glyphed",
    "Labelled",
    "Remark",
    "Retracted",
    "Wording",
    "annotate",
    "annotated",
    "as_note",
    "by_ply",
    "current_notes",
    "edit",
    "encode_notes",
    "erase",
    "find_repeated",
    "heads",
    "plies_by_version",
    "remarks",
    "retract",
    "standing",
]
