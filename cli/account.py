"""The commands of `plybook account`: add an account, list, give and revoke tokens, remove."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import completion
from cli.books import existing_book, read_book
from cli.examples import CommandWithExamples, help_of
from cli.output import Db, Json, chosen, clock, print_answer, print_json_lines
from replay.errors import Usage

if TYPE_CHECKING:
    from replay.access.accounts import IssuedAccountToken

LIFETIME: Final = re.compile("([1-9][0-9]{0,4})([hd])")
HOUR: Final = 60 * 60 * 1000
UNITS: Final = {"h": HOUR, "d": 24 * HOUR}
"""The milliseconds of an hour and of a day."""

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The name of an account.", autocompletion=completion.accounts
    ),
]
Scopes = Annotated[
    str, typer.Option("--scope", help="The scope of the token: read, or play, which includes read.")
]
Lifetime = Annotated[
    str | None,
    typer.Option(
        "--expires",
        metavar="TIME",
        help="How long it is valid, like 90d or 12h; by default for ever.",
    ),
]


def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the new account.")],
    scope: Scopes = "play,read",
    expires: Lifetime = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Add an account, and print its first token. It is shown this once.

    Examples:
        plybook account add bob
        plybook account add bob --scope read --expires 90d
    """
    from replay.access import accounts

    until = _end(expires)
    with existing_book(db) as book:
        _print_token(name, accounts.add(book, name, scope.split(","), until), json)


def list_accounts(db: Db = None, json: Json = False) -> None:
    """List the accounts, each with its tokens that are valid.

    Examples:
        plybook account list
        plybook account list --json
    """
    from replay.access import accounts

    with read_book(db) as book:
        found = accounts.list_accounts(book)
    if json:
        print_json_lines(found)
        return
    for account in found:
        print(account.account)
        for each in account.tokens:
            print(f"  {_described(each)}")


def token(
    name: Name,
    scope: Scopes = "play,read",
    expires: Lifetime = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Make another token of an account, and print it. It is shown this once.

    Examples:
        plybook account token ann
        plybook account token ann --scope read --expires 12h
    """
    from replay.access import accounts

    until = _end(expires)
    with existing_book(db) as book:
        _print_token(name, accounts.issue(book, name, scope.split(","), until), json)


def revoke(
    name: Name,
    token: Annotated[str, typer.Argument(metavar="ID", help="A token that `list` names.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Revoke a token of an account at once; its streams end.

    Examples:
        plybook account revoke ann ID
    """
    from replay.access import accounts

    with existing_book(db) as book:
        accounts.revoke(book, name, token)
    print_answer({"revoked": token}, f"{token} revoked", json)


def accept(
    name: Name,
    what: Annotated[
        str,
        typer.Argument(
            metavar="all|ask",
            help="Every match, or only on a yes.",
            autocompletion=completion.one_of("all", "ask"),
        ),
    ],
    db: Db = None,
    json: Json = False,
) -> None:
    """Let an account take every seat that it is given, or be asked before a match is its own.

    Examples:
        plybook account accept ann ask
    """
    from replay.access import accounts

    accepted: accounts.Accept = chosen(what, ("all", "ask"), "is not a valid choice")
    with existing_book(db) as book:
        accounts.set_accept(book.store, accounts.find(book, name), accepted)
    told = f"{name} accepts {'what it says yes to' if what == 'ask' else 'all'}"
    print_answer({"account": name, "accept": what}, told, json)


def remove(name: Name, db: Db = None, json: Json = False) -> None:
    """Remove an account with its tokens and seats, and its name from its seats; matches stay.

    Examples:
        plybook account remove ann
    """
    from replay.referee.account_seats import remove_account

    with existing_book(db) as book:
        remove_account(book, name)
    print_answer({"removed": name}, f"{name} removed", json)


ACTIONS: Final[dict[str, Callable[..., None]]] = {
    "add": add,
    "list": list_accounts,
    "token": token,
    "revoke": revoke,
    "accept": accept,
    "remove": remove,
}
"""The commands of `plybook account` by their names."""

app: Final = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

for _name, _action in ACTIONS.items():
    app.command(_name, cls=CommandWithExamples, **help_of(_action))(_action)


@app.callback()
def account() -> None:
    """Keep the accounts of players and programs, and their tokens.

    Examples:
        plybook account add bob
        plybook account list
    """


def _end(lifetime: str | None) -> int | None:
    """Return the time after a lifetime from now, in milliseconds since 1970. Raises `Usage`."""
    if lifetime is None:
        return None
    found = LIFETIME.fullmatch(lifetime)
    if found is None:
        raise Usage(f"{lifetime!r} is not a valid time; use days or hours: 90d, 12h")
    return time.time_ns() // 1_000_000 + int(found[1]) * UNITS[found[2]]


def _print_token(name: str, issued: str, json: bool) -> None:
    print_answer({"account": name, "token": issued}, issued, json)


def _described(token: IssuedAccountToken) -> str:
    end = "never expires" if token.expires is None else f"expires {clock(token.expires)}"
    return f"{token.id}  {','.join(token.scopes)}  {end}"
