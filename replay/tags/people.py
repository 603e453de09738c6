"""Who played a match: who may name its players, until when, and how changes are recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from replay.access.authors import sign
from replay.access.operators import OPERATOR
from replay.book import Book
from replay.errors import Forbidden, InvalidField, Stale, Usage
from replay.record.match_record import MatchRecord
from replay.store.people_chain import SEAT_TAG
from replay.store.types import Author, Stream
from replay.tags import match_tags
from replay.tags.match_tags import check_tag, without_origin
from replay.tags.names import OF_A_SEAT, SCOREKEEPER, UNKNOWN

Naming = Callable[[Mapping[str, str]], dict[str, str]]
"""Return the names that differ from the current names, by tag."""


def name_players(
    book: Book,
    record: MatchRecord,
    names: Mapping[int, str],
    player: int | None = None,
    reason: str = "",
    account: bytes | None = None,
    *,
    operator: bool = False,
) -> None:
    """Name the players of a match, or erase the names that are empty, as the host or a `player`.

    The id of an `account` makes the pseudonym of its host.

    The end of a match fixes who won it. From then on only the host names players, with a reason; an
    erasure needs no reason, and the `operator` of a server may erase, too. Raises `Usage` for an
    invalid name or seat, a missing reason and for a variation, and `Forbidden` for a player who is
    late, or who names others.
    """
    for seat, name in names.items():
        check_tag(record.match.seats, f"Seat{seat}", name)
    if player and {*names} != {player}:
        raise Forbidden(f"this token names seat {player} only; ask the host to name others")
    values = {f"Seat{seat}": name or UNKNOWN for seat, name in names.items()}
    author = _author(book, record, player, reason, account)
    if erases(names):
        by = replace(author, name=OPERATOR) if operator else author
        write_names(book, record.stream, lambda _: values, by)
    elif operator:
        raise Forbidden("an operator only erases names; ask the host of the match to name players")
    else:
        _change(book, record, lambda _: values, player, author)


def erases(names: Mapping[int, str]) -> bool:
    """Return whether names are only erased."""
    return bool(names) and {*names.values()} <= {"", UNKNOWN}


def swap_players(
    book: Book,
    record: MatchRecord,
    swap: tuple[int, int],
    player: int | None = None,
    reason: str = "",
    account: bytes | None = None,
) -> None:
    """Exchange the players of two seats, as the host. Raises as `name_players`."""
    check_swap(record, *swap)
    if player:
        raise Forbidden("only the host may swap players")
    seats = [f"Seat{seat}" for seat in swap]

    def swapped(facts: Mapping[str, str]) -> dict[str, str]:
        return {
            seat: facts.get(there, UNKNOWN)
            for seat, there in zip(seats, reversed(seats), strict=True)
        }

    _change(book, record, swapped, player, _author(book, record, player, reason, account))


def check_swap(record: MatchRecord, one: int, other: int) -> None:
    """Raise `Usage` for a seat that does not exist, or for a swap of a seat with itself."""
    for seat in (one, other):
        check_tag(record.match.seats, f"Seat{seat}", "")
    if one == other:
        raise Usage(f"seat {one} cannot swap with itself; give two seats")


def tag(book: Book, record: MatchRecord, values: Mapping[str, str], reason: str = "") -> None:
    """Set tags as the host, those of players too. Raises as `name_players`; nothing is set then."""
    for name, value in values.items():
        check_tag(record.match.seats, name, value)
    names = {int(name[4:]): value for name, value in values.items() if SEAT_TAG.fullmatch(name)}
    if names:
        name_players(book, record, names, reason=reason)
    others = {name: value for name, value in values.items() if not SEAT_TAG.fullmatch(name)}
    if others:
        match_tags.tag(book, record, others)


def _author(
    book: Book, record: MatchRecord, player: int | None, reason: str, account: bytes | None
) -> Author:
    actor, now = f"{OF_A_SEAT}{player}" if player else SCOREKEEPER, book.now()
    return Author(sign(actor, account, record.id, now), now, reason)


def _change(
    book: Book, record: MatchRecord, naming: Naming, player: int | None, author: Author
) -> None:
    """Change names; if the match grows meanwhile, check again whether it is over."""
    if record.header.kind == "variation":
        raise Usage(f"{record.id} is a variation of a match; name the players of that match")
    while True:
        _check_end(record, player, author.reason)
        try:
            write_names(book, record.stream, naming, author, record.match.version)
        except Stale:
            record = book.read(book.find_by_id(record.id))
        else:
            return


def erase_player(book: Book, stream: Stream, tag: str) -> None:
    """Erase the name of the player whom a tag names, for the operator."""
    write_names(book, stream, lambda _: {tag: UNKNOWN}, Author(OPERATOR, book.now()))


def write_names(
    book: Book, stream: Stream, naming: Naming, author: Author, at: int | None = None
) -> None:
    """Write the names of people, if the match is `at` a version.

    All changes of names are written here.
    """
    book.store.change_metadata(stream.id, _facts(naming), at, author).result()


def _check_end(record: MatchRecord, player: int | None, reason: str) -> None:
    if record.state.outcome is None:
        return
    if player:
        late = f"{record.id} is over, so its host names the players; you may erase your name"
        raise Forbidden(late)
    if not reason.strip():
        late = f"{record.id} is over; give the reason why a name changes after the end"
        raise InvalidField(late, "reason")


def _facts(naming: Naming) -> Callable[[Mapping[str, str]], dict[str, str | None]]:
    def change(facts: Mapping[str, str]) -> dict[str, str | None]:
        named = naming(facts)
        lost = any(facts.get(seat, name) != name for seat, name in named.items())
        return {**named, **(without_origin(facts) if lost else {})}

    return change
