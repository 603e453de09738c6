"""The commands of `plybook`, in the order in which `--help` tells them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from cli import (
    annotating,
    branches,
    correcting,
    desk,
    files,
    library,
    reading,
    replaying,
    rulebook,
    searching,
    server,
    table,
    upkeep,
)
from cli.context import DATABASE_HELP

app = typer.Typer(
    name="plybook",
    help="The scoresheet, referee and replay desk for games played on a real table.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"plybook {version('plybook')}")
        raise typer.Exit


@app.callback()
def plybook(
    context: typer.Context,
    db: Annotated[
        Path | None, typer.Option("--db", envvar="PLYBOOK_DB", help=DATABASE_HELP)
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version.")
    ] = False,
) -> None:
    """The scoresheet, referee and replay desk for games played on a real table."""
    if db is not None:
        context.default_map = {name: {"db": str(db)} for name in COMMANDS}


COMMANDS: Final[dict[str, Callable[..., None]]] = {
    "games": rulebook.games,
    "rules": rulebook.rules,
    "new": desk.new,
    "play": table.play,
    "record": table.record,
    "takeback": correcting.takeback,
    "amend": correcting.amend,
    "adjust": correcting.adjust,
    "position": correcting.position,
    "gap": searching.gap,
    "show": reading.show,
    "log": reading.log,
    "goto": reading.goto,
    "replay": replaying.replay,
    "fork": branches.fork,
    "tree": branches.tree,
    "compare": branches.compare,
    "promote": branches.promote,
    "hide": branches.hide,
    "annotate": annotating.annotate,
    "annotations": annotating.list_annotations,
    "tag": annotating.tag,
    "find": annotating.find,
    "list": desk.list_matches,
    "explore": library.explore,
    "stats": library.stats,
    "import": files.import_records,
    "export": files.export,
    "check": files.check,
    "format": files.format_records,
    "legal": rulebook.legal,
    "perft": rulebook.perft,
    "verify": desk.verify,
    "token": desk.token,
    "delete": desk.delete,
    "backup": upkeep.backup,
    "doctor": upkeep.doctor,
    "serve": server.serve,
}

for _name, _command in COMMANDS.items():
    app.command(_name)(_command)

command: Final = typer.main.get_command(app)
"""All of them put together; that takes a while, and serves any number of calls."""
