"""Examine a database and its environment, for `plybook doctor`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final

from replay import registry
from replay.book import Book
from replay.book_file import open_book
from replay.errors import Damaged, UnknownRuleset
from replay.match_batches import Advance
from replay.record.match_record import Header, game_of, header_of
from replay.store import Location, examine
from replay.store.checks import Finding, name_some, ok, warning
from replay.upkeep import reindex

CHECKS: Final = {"summaries": "summaries", "moves": "positions", "texts": "search"}
"""The checks of derived data, by the name of the data."""

Progress = Callable[[int], AbstractContextManager[Advance]]


def _unseen(_: int) -> AbstractContextManager[Advance]:
    return nullcontext(lambda _: None)


def checkup(location: Location, progress: Progress = _unseen) -> Iterator[Finding]:
    """Check a book: yield findings one by one, and change nothing.

    `progress` gets the number of matches to compare, and returns a function that advances it.
    """
    usable = False
    for found in examine(location):
        usable = found.verdict == "ok" if found.check == "schema" else usable
        usable = usable and found.verdict != "fault"
        yield found
    if usable:
        yield from _derived(location, progress)
    yield from _plug_ins()


def _derived(location: Location, progress: Progress) -> Iterator[Finding]:
    """Compare the derived data with the logs."""
    differ: dict[str, list[str]] = {name: [] for name in CHECKS}
    errors: dict[str, str] = {}
    with open_book(location) as book:
        with progress(book.store.count_matches()) as advance:
            for each in reindex.compare(book):
                for name in each.differ:
                    differ[name].append(each.match)
                errors = each.errors | errors
                advance(1)
        for name, check in CHECKS.items():
            yield _compared(check, f"the {name}", differ[name], errors.get(name))
        yield from games_of(book)


def _compared(check: str, what: str, wrong: Collection[str], error: str | None) -> Finding:
    advice = "run `plybook reindex` to rebuild them from the events"
    if error is not None:
        return warning(check, f"{what} of matches cannot be compared: {error}", advice)
    if not wrong:
        return ok(check, f"{what} of all matches agree with their logs")
    return warning(check, f"{what} differ from the logs of {name_some(wrong)}", advice)


def games_of(book: Book) -> Iterator[Finding]:
    """Name the rulesets of the book whose matches cannot be refereed here."""
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
    """Return why the game of a match is missing, or `None`."""
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
