"""Commands for access: tokens of a match and of operators, and the visibility of a match."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from typing import TYPE_CHECKING, Annotated

import typer

from cli import completion
from cli.books import existing_book, read_book
from cli.output import Db, Json, MatchId, clock, print_answer, print_answers
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
    link: Annotated[
        bool,
        typer.Option("--link", help="Print the address that makes a browser the scorekeeper."),
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Make a token for HTTP, of a host, an evening or an operator.

    It is shown this once. A host's token writes to a match; an operator's puts any match away.
    An evening gets a new link, and the former one stops.

    Examples:
        plybook token k7m2
        plybook token k7m2 --link
        plybook token --operator
    """
    if match is not None and operator:
        raise Usage("MATCH and --operator exclude each other")
    if match is None and not operator:
        raise Usage("name a match, or say --operator")
    if listed and revoke is not None:
        raise Usage("--list and --revoke exclude each other")
    if link and (match is None or listed or revoke is not None):
        raise Usage("--link goes with a match or an evening, and with neither --list nor --revoke")
    with existing_book(db) as book:
        if match is None:
            _of_operators(book, listed, revoke, json)
        else:
            _of_match(book, match, listed, revoke, json, link)


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


def _of_match(
    book: Book, match: str, listed: bool, revoke: str | None, json: bool, link: bool
) -> None:
    from replay.access import capability_tokens
    from replay.referee import evenings

    evening = None if listed or revoke else book.store.evening(match)
    if evening is not None:
        _print_host(evening.id, evenings.replace_link(book, evening), json, link)
        return
    record = book.open(match)
    if listed:
        found = capability_tokens.list_issued(book, record)
        shown = (filter(None, (each.id, each.role, each.seat, each.account)) for each in found)
        print_answers(found, (" ".join(map(str, each)) for each in shown), json)
    elif revoke is not None:
        capability_tokens.revoke(book, record, revoke)
        _print_revoked(revoke, json)
    else:
        _print_host(record.id, capability_tokens.issue(book, record), json, link)


def _print_host(name: str, token: str, json: bool, link: bool) -> None:
    """Print a host's token of a match or an evening; with `link`, the address that has it."""
    if link and not json:
        print(_link(name, token))
    else:
        _print_issued({"match": name, "role": "host", "token": token}, json)


def _link(name: str, token: str) -> str:
    """Return the address of an invitation at the server that the settings describe."""
    import os

    from cli.serve import address_of
    from cli.setting_sources import read_settings

    settings = read_settings({}, os.environ, None).settings
    return f"{address_of(settings, settings.port)}/join/{name}/{token}"


def _of_operators(book: Book, listed: bool, revoke: str | None, json: bool) -> None:
    from replay.access import operators

    if listed:
        found = operators.list_issued(book)
        print_answers(found, (f"{each.id} {clock(each.created)}" for each in found), json)
    elif revoke is not None:
        operators.revoke(book, revoke)
        _print_revoked(revoke, json)
    else:
        _print_issued({"role": operators.OPERATOR, "token": operators.issue(book)}, json)


def _print_issued(issued: dict[str, str], json: bool) -> None:
    print_answer(issued, issued["token"], json)


def _print_revoked(name: str, json: bool) -> None:
    print_answer({"revoked": name}, f"{name} revoked", json)
