"""Commands for engines at a match of a server: bot."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import print_json

if TYPE_CHECKING:
    from replay.programs.engines import Engine


def bot(
    match: Annotated[str, typer.Option(metavar="ID", help="The match, by its whole id.")],
    token: Annotated[
        str, typer.Option(envvar="PLYBOOK_TOKEN", help="The token of the seat to play.")
    ],
    engine: Annotated[
        str, typer.Option(metavar="COMMAND", help="A program that plays, or random, or search.")
    ] = "search",
    url: Annotated[str, typer.Option(help="The address of the server.")] = "http://localhost:8000",
    seconds: Annotated[
        float, typer.Option(min=0.01, max=3600, help="For each move of search.")
    ] = 1.0,
    patience: Annotated[
        float, typer.Option(min=0.01, max=86400, help="Seconds for an answer of another program.")
    ] = 60.0,
    seed: Annotated[
        int | None, typer.Option(help="The seed of random numbers; by default a new one.")
    ] = None,
) -> None:
    """Let an engine play a seat of a match on a server, to its end.

    Prints the outcome.
    """
    from cli.bots.player import Player
    from cli.bots.remote_match import RemoteMatch

    with RemoteMatch(url, match, token) as remote:
        remote.standing()  # refuse a wrong request before the engine starts
        with _running(engine, seconds, patience, seed) as running:
            print_json(Player(remote, running).play())


@contextmanager
def _running(name: str, seconds: float, patience: float, seed: int | None) -> Iterator[Engine]:
    from random import Random

    from cli.bots.engine_process import EngineProcess
    from replay.programs.engines import built_in
    from replay.search.budget import for_seconds

    engine = built_in(name, Random(seed), lambda: for_seconds(seconds))
    if engine is not None:
        yield engine
        return
    process = EngineProcess(name, patience)
    try:
        yield process
    finally:
        process.close()
