"""Completion of words in shells: games, clauses, formats, aims, and matches with their players."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, TypeVar

import typer

if TYPE_CHECKING:
    from replay.book import Book
    from replay.store.types import Stream

Word = TypeVar("Word")

MOST: Final = 100
"""The most matches that are offered, newest first."""

UNSAFE: Final = re.compile(r"[^\w ,.-]")
"""Characters left out of descriptions: zsh evaluates them, and names come from strangers."""
PLAIN: Final = re.compile(r"\w[\w.-]*")
"""A name that is one word for every shell."""


def games(incomplete: str) -> list[str]:
    """Return the slugs of games."""
    from replay import registry

    return [slug for slug in registry.games() if slug.startswith(incomplete)]


def clauses(context: typer.Context, incomplete: str) -> list[str]:
    """Return the ids of clauses of the game that was named."""
    from replay import registry, rules_text

    game = registry.named(context.params.get("game") or "")
    known = rules_text.clauses(game) if game else ()
    return [clause for clause in known if clause.startswith(incomplete)]


def formats(incomplete: str) -> list[str]:
    """Return the names of export formats."""
    from replay.formats.export_formats import all_formats

    return [form.name for form in all_formats() if form.name.startswith(incomplete)]


def aims(incomplete: str) -> list[str]:
    """Return the aims of `goto`."""
    from replay.reading import stops

    return [aim for aim in stops.AIMS if aim.startswith(incomplete)]


def glyphs(incomplete: str) -> list[tuple[str, str]]:
    """Return the signs of glyphs, or their numbers if they have no sign, with their names."""
    from replay.annotations.glyphs import FOR_ANY_GAME

    return [(one.sign, one.name) for one in FOR_ANY_GAME if one.sign.startswith(incomplete)]


def one_of(*values: str) -> Callable[[str], list[str]]:
    """Return the completion of a value from these values."""

    def offer(incomplete: str) -> list[str]:
        """Return the values that begin like this."""
        return [value for value in values if value.startswith(incomplete)]

    return offer


def options(context: typer.Context, incomplete: str) -> list[str]:
    """Return the options of the game that was named, with their values: `size=6`."""
    from replay import registry

    # An option without its value leaves the arguments before it unread.
    game = next(filter(None, map(registry.named, context.args)), None)
    choices = game.choices() if game else {}
    pairs = (f"{name}={value}" for name, values in choices.items() for value in values)
    return [pair for pair in pairs if pair.startswith(incomplete)]


def moves(context: typer.Context, incomplete: str) -> list[str]:
    """Return the continuations of a move of the named match, from the referee."""
    from cli.books import LATEST, latest_match, read_book
    from domain.entry.completion import entry
    from replay.errors import PlybookError
    from replay.reading import hints

    db, named = _named_book(context), context.params.get("match")
    match, _, ply = (named or "").partition("@")
    try:
        match = latest_match(db) if match in ("", LATEST) else match
        with read_book(db) as book:
            record = book.open(match)
            if not ply:
                return list(hints.entry(record, None, incomplete).continuations)
            before = record.match.at(record.ply(int(ply)) - 1)  # the move is to be corrected
            return list(entry(record.game, before, None, incomplete).continuations)
    except (PlybookError, OSError, ValueError):  # a shell has no place to show an error
        return []


def _named_book(context: typer.Context) -> str | None:
    parent = context.parent.params if context.parent else {}
    named: str | None = context.params.get("db") or parent.get("db")
    return named


def matches(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Return the ids of the newest matches, with their games and players."""
    return _from_book(context, lambda book: islice(_matches(book, incomplete.lower()), MOST))


def players(context: typer.Context, incomplete: str) -> list[str]:
    """Return the players of the newest matches."""
    names = _from_book(context, lambda book: chain.from_iterable(islice(_players(book), MOST)))
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]


def _from_book(context: typer.Context, read: Callable[[Book], Iterable[Word]]) -> list[Word]:
    from cli.books import read_book
    from replay.errors import PlybookError

    try:
        with read_book(_named_book(context)) as book:
            return list(read(book))
    except (PlybookError, OSError):  # a shell has no place to show an error during completion
        return []


def accounts(context: typer.Context, incomplete: str) -> list[str]:
    """Return the names of accounts."""
    from cli.books import read_book
    from replay.access.accounts import list_accounts
    from replay.errors import PlybookError

    try:
        with read_book(_named_book(context)) as book:
            names = [each.account for each in list_accounts(book)]
    except (PlybookError, OSError):  # a shell has no place to show an error during completion
        return []
    return [name for name in names if name.startswith(incomplete)][:MOST]


def matches_and_games(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Return games for a new match, and open matches to continue."""
    return [*((slug, "a new match") for slug in games(incomplete)), *matches(context, incomplete)]


def _matches(book: Book, begin: str) -> Iterator[tuple[str, str]]:
    from replay.record.match_record import header_of

    for stream in book.store.matches():
        if stream.public_id.startswith(begin):
            names = _names(book, stream)
            about = f"{header_of(stream).rules.partition('/')[0]} {' - '.join(names)}"
            yield stream.public_id, UNSAFE.sub("", about)


def _players(book: Book) -> Iterator[list[str]]:
    """Yield the names of each match that need no quotes in a shell."""
    for stream in book.store.matches():
        yield [name for name in _names(book, stream) if PLAIN.fullmatch(name)]


def _names(book: Book, stream: Stream) -> list[str]:
    facts = book.store.metadata(stream.id)
    return [text for name, text in sorted(facts.items()) if name.startswith("Seat")]
