"""What the commands share: the database, answers as text or JSON, and how events are told."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
import typer

from replay.errors import Usage

if TYPE_CHECKING:
    from domain.game import Game
    from replay.book import Book

DATABASE_HELP: Final = "The database file; by default plybook.db in the platform's data folder."

SEATS: Final = frozenset("123456789")
"""The numbers that a seat may have, as they are typed."""

Db = Annotated[Path | None, typer.Option("--db", help=DATABASE_HELP, show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
MatchId = Annotated[
    str, typer.Argument(metavar="MATCH", help="A match id, which may be abbreviated.")
]
Place = Annotated[
    str,
    typer.Argument(
        metavar="MATCH[@PLY]", help="A match, at a ply (M@17) or as it stood once (M@17v39)."
    ),
]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game, like poptrix.")]
OptionTexts = Annotated[
    list[str], typer.Option("--option", metavar="NAME=VALUE", help="An option of the game.")
]


@contextmanager
def open_book(db: Path | None) -> Iterator[Book]:
    """Open the book in the database, or in the platform's data folder where none is given.

    Raises `StoreError` if the file cannot be used.
    """
    from replay import book_file

    with book_file.open_book(database(db)) as book:
        yield book


def database(db: Path | None) -> Path:
    """Return the database file meant: where none is given that in the platform's data folder."""
    if db is not None:
        return db
    from platformdirs import user_data_path

    return user_data_path("plybook", appauthor=False, ensure_exists=True) / "plybook.db"


def pairs(texts: list[str], what: str) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a dict. Raises `Usage` for a text that is none, or twice."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise Usage(f"{text!r} should be {what}")
        if name in found:
            raise Usage(f"{name} is given twice")
        found[name] = value
    return found


def players_by_seat(texts: list[str]) -> dict[int, str]:
    """Return `--seat` texts, N=NAME, as names by seat. Raises `Usage`."""
    named = pairs(texts, "N=NAME, a seat and who plays it")
    if not all(number in SEATS for number in named):
        raise Usage("a seat is a number from 1 to 9: --seat 1=Jet")
    return {int(number): name for number, name in named.items()}


def options_of(game: Game[Any], texts: list[str]) -> dict[str, str]:
    """Return `--option` texts, checked for their form; the game judges names and values."""
    return pairs(texts, f"NAME=VALUE, an option of {game.name}")


def print_json(value: Any) -> None:
    """Print a value as one line of JSON, which is UTF-8 whatever the terminal takes."""
    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


def in_colour() -> bool:
    """Tell whether standard output wants colour."""
    from replay.drawing.terminal_colour import wants_colour

    return wants_colour(sys.stdout, os.environ)


def clock(at: int) -> str:
    """Write a time in milliseconds since 1970 as the local date and time."""
    return f"{datetime.fromtimestamp(at / 1000).astimezone():%Y-%m-%d %H:%M:%S}"


def duration(milliseconds: int) -> str:
    """Write a time as minutes and seconds, with hours where it takes them: `9:55`, `-0:03`."""
    seconds = abs(milliseconds) // 1000
    hours, minutes = seconds // 3600, seconds // 60 % 60
    whole = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{'-' if milliseconds <= -1000 else ''}{whole}:{seconds % 60:02}"


def write_file(file: Path, content: bytes) -> None:
    """Write a file anew in one step, so that it is never seen half-written.

    Raises `Usage` if it cannot be.
    """
    beside = file.with_name(f".{file.name}.new")
    try:
        beside.write_bytes(content)
        beside.replace(file)
    except OSError as error:
        raise Usage(f"cannot write {file}: {error.strerror}") from None
