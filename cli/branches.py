"""Commands for forks: fork, tree, compare, promote, hide."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.books import LATEST, existing_book, read_book
from cli.match_text import describe_entry, described, players_in, status
from cli.output import At, Db, Json, MatchId, Place, players_by_seat, print_answer, print_json
from domain.names import Names, count
from replay.book import Book
from replay.errors import Usage
from replay.record.addresses import Address, parse
from replay.tags.names import names_of, shared_names

if TYPE_CHECKING:
    from replay.branches.comparison import ComparedLine, Comparison
    from replay.branches.fork_tree import Member


def fork(
    place: Place,
    variation: Annotated[
        bool, typer.Option("--variation", help="For analysis: the default.")
    ] = False,
    match: Annotated[
        bool, typer.Option("--match", help="For a match that players continue.")
    ] = False,
    name: Annotated[str | None, typer.Option(help="The name of the fork.")] = None,
    seat: Annotated[
        list[str],
        typer.Option("--seat", metavar="N=NAME", help="The player of a seat from the fork on."),
    ] = [],  # noqa: B006  # typer reads it as "none given"
    at: At = None,  # a part of `place`
    db: Db = None,
    json: Json = False,
) -> None:
    """Fork a match at a ply, and print the id of the fork.

    The fork is a line of its own that begins as the match did.

    Examples:
        plybook fork @2 --name 'a calmer start'
        plybook fork k7m2@2 --match --seat 2=Ann
    """
    from replay.branches import forks

    if variation and match:
        raise Usage("--variation and --match exclude each other")
    players = players_by_seat(seat)
    with existing_book(db) as book:
        record, ply = book.at(parse(place))
        forked = forks.fork(
            book, record, ply, "match" if match else "variation", name=name, players=players
        )
        if json:
            print_json(described(book, forked))
        else:
            print(forked.id)


def tree(
    match: MatchId = LATEST,
    everything: Annotated[
        bool, typer.Option("-a", "--all", help="List hidden variations and their forks too.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show a match with its forks, and where they leave it.

    A star marks the match asked for, > a variation that is the main line of the analysis.

    Examples:
        plybook tree
        plybook tree k7m2 --all
    """
    from replay.branches.fork_tree import family

    with read_book(db) as book:
        asked = book.open(match)
        members = list(family(book, asked))
        seen = members if everything else list(_visible_members(members))
        for member in seen:
            if json:
                print_json(_as_json(book, member))
            else:
                print(_describe_branch(book, member, asked.id))
        if len(seen) < len(members) and not json:
            print(f"{len(members) - len(seen)} hidden; --all shows them")


def compare(one: Place, other: Place, db: Db = None, json: Json = False) -> None:
    """Compare two matches: where they part, and how they end.

    Compares a match with an earlier version of itself, too: k7m2 k7m2@3v3.

    Examples:
        plybook compare k7m2 f4qw
        plybook compare - @3v3
    """
    from replay.branches.comparison import compare as compared

    with read_book(db) as book:
        addresses = parse(one), parse(other)
        found = compared(book, *addresses)
        names = [names_of(book, book.open(side.match)) for side in found.sides]
    if json:
        print_json(found)
        return
    last = f" ({describe_entry(found.last, shared_names(*names))})" if found.last else ""
    print(f"alike up to ply {found.common}{last}")
    for side, address, named in zip(found.sides, addresses, names, strict=True):
        print(_describe_side(side, address, named))
    print(_describe_results(found, names))


def promote(variation: MatchId, db: Db = None, json: Json = False) -> None:
    """Make a variation the main line of its analysis.

    `export` then writes it first. The played match does not change. To make its own line
    the main line again, promote that match.

    Examples:
        plybook promote f4qw
        plybook promote k7m2
    """
    from replay.branches import forks

    with existing_book(db) as book:
        record = book.open(variation)
        root = forks.promote(book, record)
    if json:
        print_json({"match": root.id, "main": record.id})
    elif root.id == record.id:
        print(f"the main line of {root.id} is the one that was played")
    else:
        print(f"the main line of the analysis of {root.id} is {record.id}")


def hide(
    variation: MatchId,
    undo: Annotated[bool, typer.Option("--undo", help="Show a hidden variation again.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Hide a variation from `tree` and `export`.

    Its own variations are hidden too.

    Examples:
        plybook hide f4qw
        plybook hide f4qw --undo
    """
    from replay.branches import forks

    with existing_book(db) as book:
        record = book.open(variation)
        (forks.unhide if undo else forks.hide)(book, record)
    told = f"{record.id} {'shown again' if undo else 'hidden'}"
    print_answer({"match": record.id, "hidden": not undo}, told, json)


def _visible_members(members: list[Member]) -> Iterator[Member]:
    """Yield the visible members, without hidden variations and their descendants."""
    hidden: int | None = None
    for member in members:
        if hidden is not None and member.depth > hidden:
            continue
        hidden = member.depth if member.hidden else None
        if hidden is None:
            yield member


def _describe_branch(book: Book, member: Member, asked: str) -> str:
    """Describe a match of a tree in a line."""
    record = member.record
    sign = "*" if record.id == asked else " "
    plies = count(len(record.match.line), "ply", "plies")
    plies += f", {status(record, names_of(book, record))}"
    if member.leaves is None:
        names = " - ".join(players_in(book.facts(record), record.match.seats).values())
        return f"{sign} {record.id}  {record.game.name}  {names}  {plies}"
    words = [
        f"@{member.leaves} {record.header.kind}",
        *([f'"{member.name}"'] if member.name else []),
        _describe_first_moves(member),
        plies,
    ]
    words += ["(hidden)"] if member.hidden else []
    words += ["(in the trash)"] if record.stream.trashed else []
    lead = "  " * member.depth + ("> " if member.main else "")
    return f"{sign} {lead}{record.id}  " + "  ".join(filter(None, words))


def _describe_first_moves(member: Member) -> str:
    """Describe the first move of a fork, and the alternative in its parent."""
    if member.first is None:
        return ""
    instead = f" instead of {member.instead.words()}" if member.instead else ""
    return member.first.words() + instead


def _as_json(book: Book, member: Member) -> dict[str, Any]:
    return described(book, member.record) | {
        "depth": member.depth,
        "parent": member.parent,
        "leaves": member.leaves,
        "first": member.first,
        "instead": member.instead,
        "main": member.main,
        "hidden": member.hidden,
        "trashed": member.record.stream.trashed,
    }


def _describe_side(side: ComparedLine, address: Address, names: Names) -> str:
    label = f"{side.match}{str(address).removeprefix(address.match)}"
    went = f"{side.next.ply} {describe_entry(side.next, names)}" if side.next else "ends there"
    return f"  {label}  {went}"


def _describe_results(found: Comparison, names: Sequence[Names]) -> str:
    """Describe how the results of two matches differ, in a line."""
    ends = [
        f"{_describe_result(side, named)} after {count(side.plies, 'ply', 'plies')}"
        for side, named in zip(found.sides, names, strict=True)
    ]
    return f"both {ends[0]}" if ends[0] == ends[1] else "; ".join(ends)


def _describe_result(side: ComparedLine, names: Names) -> str:
    from domain.events import outcome_words

    return outcome_words(side.outcome.read(), names) if side.outcome else "unfinished"
