"""Commands for access: tokens of a match and of operators, and the visibility of a match."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from typing import TYPE_CHECKING, Annotated

import typer

from cli import completion
from cli.books import existing_book, read_book
from cli.output import Db, Json, MatchId, clock, print_json, print_json_lines
from replay.errors import Usage

if TYPE_CHECKING:
    from replay.book import Book


def token(
    match: Annotated[
        str | None,
        typer.Argument(
            metavar="[MATCH]",
            help="A match id, which may be abbreviated.",
            autocompletion=completion.matches,
        ),
    ] = None,
    operator: Annotated[
        bool, typer.Option("--operator", help="A token of an operator, who may delete any match.")
    ] = False,
    listed: Annotated[
        bool, typer.Option("--list", help="List the tokens that are not revoked.")
    ] = False,
    revoke: Annotated[
        str | None, typer.Option(metavar="ID", help="Revoke a token that --list names.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Make a token for HTTP, of a match's host or of an operator.

    It is shown this once. A host's token writes to a match; an operator's puts any match away.

    Examples:
        plybook token k7m2
        plybook token k7m2 --list
        plybook token --operator
    """
    if match is not None and operator:
        raise Usage("MATCH and --operator exclude each other")
    if match is None and not operator:
        raise Usage("name a match, or say --operator")
    if listed and revoke is not None:
        raise Usage("--list and --revoke exclude each other")
    with existing_book(db) as book:
        if match is None:
            _of_operators(book, listed, revoke, json)
        else:
            _of_match(book, match, listed, revoke, json)


def visibility(
    match: MatchId,
    chosen: Annotated[
        str | None,
        typer.Argument(
            metavar="[VISIBILITY]",
            help="unlisted, public or private.",
            autocompletion=completion.one_of("unlisted", "public", "private"),
        ),
    ] = None,
    db: Db = None,
) -> None:
    """Show or set who may read a match over HTTP.

    A public match is listed and published. Everybody who knows its address may read an unlisted
    one, which is the default; a private one needs a token.

    Examples:
        plybook visibility -
        plybook visibility k7m2 public
    """
    from replay.access.visibility import VISIBILITIES, set_visibility, visibility_of

    with (read_book if chosen is None else existing_book)(db) as book:
        record = book.open(match)
        if chosen is not None:
            if chosen not in VISIBILITIES:
                raise Usage(f"{chosen!r} is not a visibility; use unlisted, public or private")
            set_visibility(book, record, VISIBILITIES[chosen])
        print(f"{record.id} {visibility_of(book, record)}")


def _of_match(book: Book, match: str, listed: bool, revoke: str | None, json: bool) -> None:
    from replay.access import capability_tokens

    record = book.open(match)
    if listed:
        found = capability_tokens.list_issued(book, record)
        if json:
            print_json_lines(found)
        else:
            for each in found:
                print(*filter(None, (each.id, each.role, each.seat, each.account)))
    elif revoke is not None:
        capability_tokens.revoke(book, record, revoke)
        _print_revoked(revoke, json)
    else:
        issued = capability_tokens.issue(book, record)
        _print_issued({"match": record.id, "role": capability_tokens.HOST, "token": issued}, json)


def _of_operators(book: Book, listed: bool, revoke: str | None, json: bool) -> None:
    from replay.access import operators

    if listed:
        found = operators.list_issued(book)
        if json:
            print_json_lines(found)
        else:
            for each in found:
                print(each.id, clock(each.created))
    elif revoke is not None:
        operators.revoke(book, revoke)
        _print_revoked(revoke, json)
    else:
        _print_issued({"role": operators.OPERATOR, "token": operators.issue(book)}, json)


def _print_issued(issued: dict[str, str], json: bool) -> None:
    if json:
        print_json(issued)
    else:
        print(issued["token"])


def _print_revoked(name: str, json: bool) -> None:
    if json:
        print_json({"revoked": name})
    else:
        print(f"{name} revoked")
