"""Examine a database and its environment, for `plybook doctor`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from replay import registry
from replay.book import Book
from replay.book_file import open_book
from replay.errors import Damaged, PlybookError, UnknownRuleset
from replay.record.match_record import Header, game_of, header_of
from replay.store import Location, examine
from replay.store.checks import Finding, ok, warning
from replay.upkeep import reindex

SHOWN: Final = 3
"""The most matches that a finding names."""


def checkup(location: Location) -> Iterator[Finding]:
    """Yield findings one by one, and change nothing."""
    usable = False
    for found in examine(location):
        usable = found.verdict == "ok" if found.check == "schema" else usable
        usable = usable and found.verdict != "fault"
        yield found
    if usable:
        yield from _derived(location)
    yield from _plug_ins()


def _derived(location: Location) -> Iterator[Finding]:
    """Compare the derived data with the logs."""
    with open_book(location) as book:
        yield _compared("summaries", "the summaries", reindex.wrong_summaries, book)
        yield _compared("positions", "the moves", reindex.wrong_moves, book)
        yield _compared("search", "the texts", reindex.wrong_texts, book)
        yield from games_of(book)


def _compared(name: str, what: str, look: Callable[[Book], Iterator[str]], book: Book) -> Finding:
    advice = "run `plybook reindex` to rebuild them from the events"
    try:
        wrong = list(look(book))
    except PlybookError as error:
        return warning(name, f"{what} of matches cannot be compared: {error}", advice)
    if not wrong:
        return ok(name, f"{what} of all matches agree with their logs")
    more = f" and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    return warning(name, f"{what} differ from the logs of {', '.join(wrong[:SHOWN])}{more}", advice)


def games_of(book: Book) -> Iterator[Finding]:
    """Name the rulesets whose matches cannot be refereed here."""
    rulesets: dict[str, Header] = {}
    for stream in book.store.matches():
        with suppress(Damaged):  # `verify` names it
            header = header_of(stream)
            rulesets.setdefault(header.rules, header)
    missing = [*filter(None, map(_missing_game, rulesets.values()))]
    if not missing:
        yield ok("games", "the games of all matches are installed")
    yield from (warning("games", each, "install it; its matches are kept") for each in missing)


def _missing_game(header: Header) -> str | None:
    """Return why the game of a match is not there, or `None`."""
    try:
        game_of(header)
    except UnknownRuleset as error:
        return str(error)
    return None


def _plug_ins() -> Iterator[Finding]:
    broken = registry.broken()
    for each in broken:
        told = f"the game {each.name} could not be loaded: {' '.join(each.reason.split())}"
        yield warning("plug-in", told, "repair, update or remove its distribution")
    if not broken:
        yield ok("plug-ins", f"{len(registry.games())} games; every plug-in loaded")
