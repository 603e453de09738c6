"""Commands that look after the database: backup, doctor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from cli.output import Db, Json, database, print_json


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to copy it to.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file if there is one already.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Copy the database, also while others write to it. The copy is checked before it counts."""
    from replay.upkeep.backup import back_up, back_up_over

    copied = (back_up_over if force else back_up)(database(db), file)
    if json:
        print_json({"file": str(file), **structs.asdict(copied)})
    else:
        print(
            f"{file}: {copied.matches} matches, {copied.events} events, {copied.bytes} bytes, "
            "checked"
        )


def doctor(db: Db = None, json: Json = False) -> None:
    """Look whether the database and what it needs are well; exit status 1 for a fault."""
    from replay.upkeep.doctor import checkup

    failed = False
    for found in checkup(database(db)):
        failed |= found.verdict == "fault"
        if json:
            print_json(found)
        else:
            advice = f"; {found.advice}" if found.advice else ""
            print(f"{found.verdict:7}  {found.check:10}  {found.told}{advice}", flush=True)
    if failed:
        raise typer.Exit(1)
