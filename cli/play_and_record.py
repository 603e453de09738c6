"""Commands for a match in progress: play, record."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli import completion
from cli.books import LATEST, existing_book, latest_match, open_book
from cli.match_text import answer, describe_in_detail, open_to_write, status
from cli.output import (
    Db,
    Json,
    MatchId,
    OptionTexts,
    Plain,
    check_whole,
    has_screen,
    options_of,
    print_json,
    print_refusals,
    suggest,
)
from cli.stood import After, Stood, read_stood
from domain.entry.move_text import SplitText, UnsureText, split
from domain.entry.spellings import spell_all
from replay import registry
from replay.book import Book
from replay.errors import UnknownMatch, Usage
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.opening import open_match
from replay.store.types import SummaryFilter
from replay.tags.match_tags import is_imported
from replay.tags.names import names_of

if TYPE_CHECKING:
    from cli.recording_session import Session

MoveTexts = Annotated[
    list[str],
    typer.Argument(metavar="MOVE...", help="Moves, like c1>S@c3.", autocompletion=completion.moves),
]


def play(
    match: MatchId,
    texts: MoveTexts,
    is_stood: Stood = False,
    position: After = None,
    unsure: Annotated[
        bool, typer.Option("--unsure", help="Record that the writer is not sure of the moves.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Enter moves, all or none; the referee checks them first.

    With --stood, record one move that breaks a rule. A dash, as in `plybook play - -- --`, stands
    for moves of a seat that nobody wrote down.

    Examples:
        plybook play - 'c3xc4'
        plybook play k7m2 c3xc4 --json
    """
    with existing_book(db) as book:
        before = open_to_write(book, match)
        texts = spell_all(before.state, texts)
        texts = read_stood(texts, is_stood, position)
        with print_refusals(texts, json, names_of(book, before), (book, before.id)):
            kind = UnsureText if unsure else SplitText
            after = entering.play(book, before, [kind(*split(text)) for text in texts])
        filled = list(timeline.filled_since(after, before.match.version))
        if json:
            entered = list(timeline.entries(after, after=len(before.match.line)))
            print_json(answer(after, entered) | ({"reconstructed": filled} if filled else {}))
        else:
            names = names_of(book, after)
            for entry in timeline.entries(after, None, len(before.match.line), names):
                print(describe_in_detail(entry, names))
            for entry in filled:
                print(f"ply {entry.ply} must have been {entry.written}")
            print(status(after, names))


def record(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[MATCH|GAME]",
            help="A match to continue, by default the latest open one; or a game, for a new match.",
            autocompletion=completion.matches_and_games,
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME...]", help="The names of the players, from seat 1."),
    ] = None,
    option: OptionTexts = [],  # noqa: B006  # typer reads it as "none given"
    plain: Plain = False,
    db: Db = None,
) -> None:
    """Record a match move by move.

    Shows the board, asks for moves and explains refusals. `plybook record poptrix Jet Red` opens a
    match first; `plybook new` knows more settings.

    Examples:
        plybook record
        plybook record poptrix Jet Red
        plybook record k7m2 --plain
    """
    from cli.recording_session import Session  # only this command needs the modules of the session

    game = registry.named(what) if what else None
    if (players or option) and game is None:
        fault = f"{what!r} is not a game" if what else "no game is named"
        raise Usage(f"players and options belong to a new match, and {fault}")
    with (open_book if game else existing_book)(db) as book:
        if game:
            named = dict(enumerate(players or (), 1))
            record = open_match(book, game, players=named, options=options_of(game, option))
        else:
            what = latest_match(db) if what == LATEST else what
            record = _named(book, what) if what else _latest_open(book)
        session = Session(book, record)
        _run(session, has_screen(plain))
    if sys.stdin.isatty():
        print(f"go on with: {suggest('record', record.id)}")
    elif session.refusals:
        raise typer.Exit(1)


def _run(session: Session, on_screen: bool) -> None:
    """Record until the person leaves."""
    if on_screen:
        # Textual takes longer to load than other commands to run.
        from cli.screen.recording import Record

        Record(session).run()
    else:
        # Only this command needs the modules of the completion.
        from cli.recorder import Recorder

        Recorder(session).run()


def _named(book: Book, what: str) -> MatchRecord:
    check_whole(what)
    try:
        return open_to_write(book, what.lower())
    except UnknownMatch:
        known = "`plybook games` and `plybook list` list the choices"
        raise Usage(f"{what!r} is neither a match nor a game; {known}") from None


def _latest_open(book: Book) -> MatchRecord:
    """Return the unfinished match that was opened last."""
    from replay.library import indexes

    indexes.catch_up_summaries(book)
    for each in book.store.listed(SummaryFilter(kind="match", status="open")):
        if each.summary is not None and not is_imported(book.store.metadata(each.stream.id)):
            return book.read(each.stream)
    raise Usage("there is no open match; `plybook record GAME NAME NAME` opens one")
