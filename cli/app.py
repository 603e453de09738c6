"""The commands of `plybook`, in the order of `--help`."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import re
from collections.abc import Callable
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from cli import (
    account,
    analysis,
    annotation,
    bot,
    branches,
    corrections,
    dataset,
    exports,
    games,
    imports,
    library,
    matches,
    mcp_command,
    play_and_record,
    reconstruct,
    records,
    referee,
    replay_command,
    serve,
    show,
    site,
    tokens,
    upkeep,
)
from cli.examples import CommandWithExamples, GroupWithExamples, help_of
from cli.output import DATABASE_HELP, ReaderGone, note_book, note_games


class Commands(TyperGroup):
    """The commands, listed by groups. Unlike typer's own help, it does not import `rich`."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each group as a section of the help."""
        limit = formatter.width - 6 - max(map(len, self.commands))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name, self.commands[name].get_short_help_str(limit)) for name in group]
                )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; `-@3` is read as `@3`, not as an option."""
        return super().parse_args(ctx, [re.sub("^-(?=@)", "", each) for each in args])

    def invoke(self, ctx: Any) -> Any:
        """Run a command.

        A reader that has gone is handled by `cli.main`; typer would exit with 1.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGone from error


app = typer.Typer(
    name="plybook",
    cls=Commands,
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


def _add_games(paths: list[str]) -> None:
    """Add games of one file for this command and for the processes that it starts."""
    import os

    from replay.registry import FILES

    for path in paths:
        if not os.path.isfile(path):
            kinds = "a Python file with a GAME, or a score sheet in TOML"
            raise typer.BadParameter(f"{path} is not a file; name {kinds}")
    files = map(os.path.abspath, paths)
    os.environ[FILES] = os.pathsep.join(filter(None, (*files, os.environ.get(FILES))))


@app.callback()
def plybook(
    context: typer.Context,
    db: Annotated[str | None, typer.Option("--db", envvar="PLYBOOK_DB", help=DATABASE_HELP)] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE.py", help="Add a game of one file; PLYBOOK_GAMES may name several."
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The scoresheet, referee and replay desk for games played on a real table."""
    note_book(context, db)
    note_games(game or ())
    if game:
        _add_games(game)
    if db is not None:
        book = {"db": db}
        actions = {"account": dict.fromkeys(account.ACTIONS, book)}
        context.default_map = dict.fromkeys(COMMANDS, book) | actions


GROUPS: Final[dict[str, dict[str, Callable[..., None]]]] = {
    "Play": {
        "record": play_and_record.record,
        "new": matches.new,
        "play": play_and_record.play,
        "takeback": corrections.takeback,
        "redo": corrections.redo,
    },
    "Read": {
        "list": library.list_matches,
        "evening": library.evening,
        "show": show.show,
        "log": show.log,
        "goto": show.goto,
        "replay": replay_command.replay,
        "find": annotation.find,
        "explore": library.explore,
        "stats": library.stats,
    },
    "Correct": {
        "amend": corrections.amend,
        "gap": corrections.gap,
        "adjust": corrections.adjust,
        "position": corrections.position,
        "delete": matches.delete,
    },
    "Comment and analyse": {
        "annotate": annotation.annotate,
        "annotations": annotation.list_annotations,
        "analyse": analysis.analyse,
        "glyphs": annotation.glyphs,
        "tag": annotation.tag,
        "fork": branches.fork,
        "tree": branches.tree,
        "compare": branches.compare,
        "promote": branches.promote,
        "hide": branches.hide,
    },
    "Records": {
        "import": imports.import_records,
        "export": exports.export,
        "formats": exports.formats,
        "check": records.check,
        "reconstruct": reconstruct.reconstruct,
        "format": records.format_records,
        "verify": records.verify,
    },
    "Games and rules": {
        "games": games.games,
        "rules-diff": games.rules_diff,
        "rules": games.rules,
        "legal": games.legal,
        "perft": games.perft,
        "referee": referee.referee,
        "bot": bot.bot,
        "dataset": dataset.dataset,
    },
    "The book": {
        "serve": serve.serve,
        "mcp": mcp_command.mcp,
        "site": site.site,
        "token": tokens.token,
        "account": account.account,
        "visibility": tokens.visibility,
        "backup": upkeep.backup,
        "compact": upkeep.compact,
        "restore": upkeep.restore,
        "copy": upkeep.copy,
        "publish": upkeep.publish,
        "doctor": upkeep.doctor,
        "reindex": upkeep.reindex,
    },
}
"""The commands by their group in `--help`."""

OWN_CLASSES: Final = {"serve": serve.ServeCommand, "export": exports.ExportCommand}
COMMANDS: Final = {name: run for group in GROUPS.values() for name, run in group.items()}

for _name, _command in COMMANDS.items():
    if _name == "account":
        app.add_typer(account.app, name=_name, cls=GroupWithExamples, **help_of(_command))
    else:
        _kind = OWN_CLASSES.get(_name, CommandWithExamples)
        app.command(_name, cls=_kind, **help_of(_command))(_command)

command: Final = typer.main.get_command(app)
"""The assembled command. Assembling takes a while, so it is done once per process."""
