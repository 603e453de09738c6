"""Commands for annotations and tags: annotate, annotations, tag, find."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import completion
from cli.books import LATEST, existing_book, read_book
from cli.match_text import warn_of_trash
from cli.output import (
    MOST_LISTED,
    At,
    Db,
    Json,
    MatchId,
    Place,
    clock,
    pairs,
    print_answer,
    print_json,
)
from domain.names import UNNAMED
from replay.book import Book
from replay.errors import Usage
from replay.record.addresses import parse
from replay.record.match_record import MatchRecord
from replay.tags.names import SCOREKEEPER, actor_words, check_player

if TYPE_CHECKING:
    from replay.annotations.current import Remark
    from replay.annotations.events import Annotation
    from replay.annotations.notation import Wording
    from replay.library.text_search import FoundText

SHORT = 8
"""The printed part of an annotation's id, in characters."""
EXCERPT = 240


def annotate(
    match: Place,
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="A comment.")] = None,
    glyph: Annotated[
        list[str],
        typer.Option(
            "--glyph",
            metavar="GLYPH",
            help="Like '!?', '$5' or 'mistake'; `plybook glyphs` lists them.",
            autocompletion=completion.glyphs,
        ),
    ] = [],  # noqa: B006  # typer reads it as "none given"
    arrow: Annotated[
        list[str], typer.Option("--arrow", metavar="FROM-TO", help="An arrow, like a1-c3.")
    ] = [],  # noqa: B006
    circle: Annotated[
        list[str], typer.Option("--circle", metavar="PLACE", help="A circle, like d4.")
    ] = [],  # noqa: B006
    label: Annotated[
        list[str], typer.Option("--label", metavar="PLACE=LABEL", help="A label, like d4=A.")
    ] = [],  # noqa: B006
    bookmark: Annotated[
        bool,
        typer.Option(
            "--bookmark", help="Mark the moment for a later comment, which replaces the mark."
        ),
    ] = False,
    edit: Annotated[
        str | None, typer.Option("--edit", metavar="ID", help="Change the words of an annotation.")
    ] = None,
    retract: Annotated[
        str | None, typer.Option("--retract", metavar="ID", help="Take an annotation back.")
    ] = None,
    erase: Annotated[
        str | None,
        typer.Option(
            "--erase", metavar="ID", help="Delete an annotation for good, with its history."
        ),
    ] = None,
    author: Annotated[
        str, typer.Option(metavar="NAME", help="The author of the annotation.")
    ] = SCOREKEEPER,
    at: At = None,  # a part of `match`
    db: Db = None,
    json: Json = False,
) -> None:
    """Comment on an event, or put signs and marks on it.

    Without a ply it is about the last event. A ply has at most one glyph for the move ($1 to
    $9), one for the position ($10 to $135), and any number of others.

    Examples:
        plybook annotate - 'Far from home' --glyph '!?'
        plybook annotate @2 --arrow c1-c3
    """
    from replay.annotations.notation import Wording

    wording = Wording(text, tuple(glyph), tuple(arrow), tuple(circle), tuple(label), bookmark)
    if retract is not None and (edit is not None or wording != Wording()):
        raise Usage("--retract takes no text, glyph, mark or --edit; leave them out")
    if erase is not None and (retract, edit, wording) != (None, None, Wording()):
        raise Usage("--erase takes no text, glyph, mark, --edit or --retract; leave them out")
    if author != SCOREKEEPER:
        check_player("the name of an author", author)
    with existing_book(db) as book:
        record, ply = book.at(parse(match))
        warn_of_trash(record)
        if erase is not None:
            _erase(book, record, erase)
            return
        for remark in _apply(book, record, ply, wording, edit, retract, author):
            _print(record, remark, json)


def _erase(book: Book, record: MatchRecord, key: str) -> None:
    from replay.annotations.editing import erase

    print(f"annotation {erase(book, record, key).id} erased")


def glyphs(json: Json = False) -> None:
    """List the glyphs that `annotate` and text records take.

    Examples:
        plybook glyphs
        plybook glyphs --json
    """
    from replay.annotations.glyphs import FOR_ANY_GAME

    for each in FOR_ANY_GAME:
        told = f"{f'${each.number}':<5} {each.sign:<4} {each.name}"
        print_answer({"number": each.number, "sign": each.sign, "name": each.name}, told, json)


def list_annotations(
    match: Place = LATEST,
    history: Annotated[
        bool, typer.Option("--history", help="List edited and retracted annotations too.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """List the annotations of a match, or of one ply.

    Examples:
        plybook annotations
        plybook annotations k7m2@2 --history
    """
    from replay.annotations.current import plies_by_version, remarks

    address = parse(match)
    with read_book(db) as book:
        record, ply = book.at(address)
        plies = plies_by_version(record)
        found = [
            each for each in remarks(book, record, whole=True) if history or each.said is not None
        ]
        if address.ply is not None:
            found = [each for each in found if plies.get(each.on) == ply]
        for remark in sorted(found, key=lambda each: (plies.get(each.on, len(plies)), each.on)):
            _print(record, remark, json, history=history)


def tag(
    match: MatchId,
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=VALUE...]", help="Tags; an empty value erases one."),
    ] = None,
    reason: Annotated[
        str, typer.Option(help="Why a player has another name after the end of the match.")
    ] = "",
    db: Db = None,
    json: Json = False,
) -> None:
    """Set or list the tags of a match, like Event or Seat1.

    Examples:
        plybook tag -
        plybook tag k7m2 Event='Second evening' Seat1=Jet
    """
    from replay.tags import match_tags, people

    with (existing_book if values else read_book)(db) as book:
        record = book.open(match)
        if values:
            people.tag(book, record, pairs(values, "NAME=VALUE, a tag and its value"), reason)
        tags = match_tags.tags(book, record)
    if json:
        print_json({"match": record.id, "tags": [each._asdict() for each in tags]})
    else:
        for each in tags:
            print(f"{each.name}={each.value}")


def find(
    words: Annotated[
        list[str], typer.Argument(metavar="WORD...", help="Words, or their first letters.")
    ],
    limit: Annotated[
        int, typer.Option(min=1, max=MOST_LISTED, help="The most results to print.")
    ] = 100,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Rebuild the index first.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Find comments, players and tags in all matches.

    Case and accents do not count.

    Examples:
        plybook find home
        plybook find jet --limit 5
    """
    from cli.progress import counted
    from replay.library import text_search

    with read_book(db) as book:
        (text_search.rebuild if rebuild else text_search.catch_up)(book, counted)
        found = list(text_search.find(book, " ".join(words), limit))
    for each in found:
        print_answer(each, _describe_match(each, words), json)
    if not found and not json:
        print("nothing found")


def describe_remark(remark: Remark) -> str:
    """Describe an annotation in a line: its id, author and content."""
    edited = "  (edited)" if remark.edited and remark.said is not None else ""
    return f"{remark.id[:SHORT]}  {actor_words(remark.author, UNNAMED)}: {_words(remark)}{edited}"


def describe_briefly(remarks: Sequence[Remark]) -> str:
    """Write glyphs and comments after their event, as a text record does."""
    from replay.annotations.events import Bookmarked, Commented, Glyphed
    from replay.annotations.glyphs import glyph

    said = [remark.said for remark in remarks]
    signs = [glyph(each.glyph).sign for each in said if isinstance(each, Glyphed)]
    comments = [f"{{{each.text}}}" for each in said if isinstance(each, Commented)]
    bookmarks = [f"({each.words()})" for each in said if isinstance(each, Bookmarked)]
    return " ".join(["", *signs, *comments, *bookmarks])


def remark_json(record: MatchRecord, remark: Remark, plies: Mapping[int, int]) -> dict[str, Any]:
    """Return an annotation as JSON data."""
    return {
        "match": record.id,
        "id": remark.id,
        "ply": plies.get(remark.on),
        "version": remark.on,
        "kind": remark.kind,
        "said": remark.said,
        "author": remark.author,
        "at": remark.at,
        "changes": remark.changes,
    }


def _apply(
    book: Book,
    record: MatchRecord,
    ply: int,
    wording: Wording,
    edit: str | None,
    retract: str | None,
    author: str,
) -> list[Remark]:
    from replay.annotations import editing

    if retract is not None:
        return [editing.retract(book, record, retract, author=author)]
    if edit is not None:
        return [editing.edit(book, record, edit, wording, author=author)]
    return editing.annotate(book, record, ply, wording, author=author)


def _print(record: MatchRecord, remark: Remark, json: bool, *, history: bool = False) -> None:
    from replay.annotations.current import plies_by_version

    plies = plies_by_version(record)
    if json:
        print_json(remark_json(record, remark, plies))
        return
    in_line = remark.on in plies
    where = f"@{plies[remark.on]}" if in_line else f"v{remark.on}"
    note = "" if in_line else "  (its event is no longer in the line)"
    print(f"{where:<5} {describe_remark(remark)}{note}")
    for change in remark.changes if history and remark.edited else ():
        words = "retracted" if change.said is None else change.said.words()
        print(f"        {clock(change.at)} {actor_words(change.author, UNNAMED)}: {words}")


def _words(remark: Remark) -> str:
    if remark.said is not None:
        return remark.said.words()
    return f"{_last_content(remark).words()}  (retracted)"


def _last_content(remark: Remark) -> Annotation:
    return next(change.said for change in reversed(remark.changes) if change.said is not None)


def _describe_match(found: FoundText, query: Sequence[str]) -> str:
    text = _excerpt(found.text, query)
    if found.kind != "comment":
        return f"{found.match}  {found.kind} {found.name}: {text}"
    where = "" if found.ply is None else f"@{found.ply}"
    author = f" of {actor_words(found.author, UNNAMED)}" if found.author else ""
    return f"{found.match}{where}  comment {found.name[:SHORT]}{author}: {text}"


def _excerpt(text: str, query: Sequence[str]) -> str:
    """Cut a long text around the first word of the query."""
    from replay.store.search_words import fits, words

    if len(text) <= EXCERPT:
        return text
    first = words(" ".join(query))[:1]
    hits = (position.start() for position in re.finditer(r"\w+", text) if fits(first, position[0]))
    start = max(0, next(hits, 0) - EXCERPT // 3)
    end = start + EXCERPT
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
