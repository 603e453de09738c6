"""The commands of `plybook`, in the order of `--help`."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from cli import (
    annotation,
    branches,
    corrections,
    exports,
    games,
    imports,
    match_list,
    matches,
    missing_moves,
    records,
    replay_command,
    serve,
    show,
    statistics,
    table,
    upkeep,
    verification,
)
from cli.output import DATABASE_HELP

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
    "games": games.games,
    "rules": games.rules,
    "new": matches.new,
    "play": table.play,
    "record": table.record,
    "takeback": corrections.takeback,
    "amend": corrections.amend,
    "adjust": corrections.adjust,
    "position": corrections.position,
    "gap": missing_moves.gap,
    "show": show.show,
    "log": show.log,
    "goto": show.goto,
    "replay": replay_command.replay,
    "fork": branches.fork,
    "tree": branches.tree,
    "compare": branches.compare,
    "promote": branches.promote,
    "hide": branches.hide,
    "annotate": annotation.annotate,
    "annotations": annotation.list_annotations,
    "tag": annotation.tag,
    "find": annotation.find,
    "list": match_list.list_matches,
    "explore": statistics.explore,
    "stats": statistics.stats,
    "import": imports.import_records,
    "export": exports.export,
    "check": records.check,
    "format": records.format_records,
    "legal": games.legal,
    "perft": games.perft,
    "verify": verification.verify,
    "token": matches.token,
    "delete": matches.delete,
    "backup": upkeep.backup,
    "restore": upkeep.restore,
    "doctor": upkeep.doctor,
    "reindex": upkeep.reindex,
    "serve": serve.serve,
}

for _name, _command in COMMANDS.items():
    app.command(_name, cls=serve.ServeCommand if _name == "serve" else None)(_command)

command: Final = typer.main.get_command(app)
"""The assembled command. Assembling takes a while, so it is done once per process."""
