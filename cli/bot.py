"""Commands for engines at a match of a server: bot."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import print_json
from replay.errors import Usage

if TYPE_CHECKING:
    from cli.bots.remote_server import RemoteServer
    from replay.programs.engines import Engine


def bot(
    token: Annotated[
        str,
        typer.Option(envvar="PLYBOOK_TOKEN", help="The token of the seat, or of the account."),
    ],
    match: Annotated[
        str | None, typer.Option(metavar="ID", help="The whole id of the match.")
    ] = None,
    account: Annotated[
        bool, typer.Option("--account", help="Play in all matches of the account instead.")
    ] = False,
    engine: Annotated[
        str, typer.Option(metavar="COMMAND", help="A program that plays, or random, or search.")
    ] = "search",
    url: Annotated[str, typer.Option(help="The address of the server.")] = "http://localhost:8000",
    seconds: Annotated[
        float, typer.Option(min=0.01, max=3600, help="The seconds that `search` takes for a move.")
    ] = 1.0,
    patience: Annotated[
        float,
        typer.Option(
            min=0.01, max=86400, help="The seconds that another program may take to answer."
        ),
    ] = 60.0,
    seed: Annotated[
        int | None, typer.Option(help="The seed of random numbers; by default a new one.")
    ] = None,
) -> None:
    """Let an engine play a seat of a match on a server, to its end.

    Prints the outcome. With --account it plays every seat of an account, and prints each match that
    ends or refuses a move, until Ctrl-C.

    Examples:
        plybook bot --engine search --match k7m2c4x9q0ab --token TOKEN
        plybook bot --engine './engine --fast' --account --token TOKEN
    """
    from cli.bots.remote_server import RemoteServer

    if account == (match is not None):
        raise Usage("use --match ID to play one match, or --account to play all of an account")
    with RemoteServer(url, token) as server:
        # A wrong request is refused before the engine starts.
        server.get(f"/matches/{match}" if match else "/account/matches?limit=1")
        with _running(engine, seconds, patience, seed) as running:
            for said in _played(server, match, running):
                print_json(said)
                sys.stdout.flush()


def _played(server: RemoteServer, match: str | None, engine: Engine) -> Iterator[object]:
    """Yield the outcome of a match, or the news of all matches of the account."""
    from cli.bots.player import AccountPlayer, EnginePlayer
    from cli.bots.remote_server import RemoteMatch

    if match is None:
        yield from AccountPlayer(server, engine).play()
    else:
        yield EnginePlayer(RemoteMatch(server, match), engine).play()


@contextmanager
def _running(name: str, seconds: float, patience: float, seed: int | None) -> Iterator[Engine]:
    from random import Random

    from cli.bots.engine_process import EngineProcess
    from replay.programs.engines import built_in
    from replay.search.playouts import for_seconds

    engine = built_in(name, Random(seed), lambda: for_seconds(seconds))
    if engine is not None:
        yield engine
        return
    process = EngineProcess(name, patience)
    try:
        yield process
    finally:
        process.close()
