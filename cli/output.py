"""Shared parts of the commands: options, the database, text and JSON output."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import msgspec
import typer

from cli import completion
from cli.books import LATEST, latest_match
from cli.stood import advise
from domain.names import UNNAMED, Names
from replay.errors import Refused, Usage
from replay.referee.referee import describe, explain, near
from replay.store import is_url
from replay.texts import make_visible

if TYPE_CHECKING:
    from domain.game import Game
    from replay.book import Book

Choice = TypeVar("Choice", bound=str)

DATABASE_HELP: Final = (
    "The database: a file, by default plybook.db in the platform's data folder, or a URL like "
    "postgresql://HOST/NAME."
)

PASSWORD: Final = re.compile(":[^/@]*(?=@)|(?<=[?&])password=[^&]*&?")
"""A password in the URL of a database."""
COLOUR: Final = re.compile(r"(\x1b\[[0-9;]*m)")
SEATS: Final = frozenset("123456789")
"""The characters of a seat's number."""


def slug(text: str | None) -> str | None:
    """Return the slug of a named game, or its ruleset if the text names one: `poptrix/1`.

    Any other text is returned unchanged; a later check refuses it.
    """
    from replay import registry

    game = registry.named(text) if text else None
    if game is None:
        return text
    return game.ruleset if text and "/" in text else game.slug


_named_book: ContextVar[str | None] = ContextVar("named_book", default=None)
_named_games: ContextVar[tuple[str, ...]] = ContextVar("named_games", default=())


def note_book(context: typer.Context, db: str | None) -> str | None:
    """Remember the book that the command line names, for suggested commands."""
    source = context.get_parameter_source("db")
    if source is not None and source.name == "COMMANDLINE":
        _named_book.set(db)
    elif context.parent is None:
        _named_book.set(None)
    return db


def note_games(paths: Sequence[str]) -> None:
    """Remember the files of games that the command line names, for suggested commands."""
    _named_games.set(tuple(word for path in paths for word in ("--game", path)))


def suggest(*words: str) -> str:
    """Return a command to type for the book that the command line names."""
    return f"{_plybook()} {shlex.join(words)}"


def complete_commands(message: str) -> str:
    """Return a message, with its commands completed for the book that the command line names."""
    return message.replace("`plybook ", f"`{_plybook()} ")


def _plybook() -> str:
    """Return the first words of a command: the program, games, and the book without password."""
    named, words = _named_book.get(), ["plybook", *_named_games.get()]
    if named is not None:
        words += ["--db", PASSWORD.sub("", named) if is_url(named) else named]
    return shlex.join(words)


Db = Annotated[
    str | None,
    # Eager, because the other parameters may need the book.
    typer.Option("--db", help=DATABASE_HELP, show_default=False, callback=note_book, is_eager=True),
]


def resolve_place(context: typer.Context, text: str) -> str:
    """Return an address in which the id of a match replaces `-`, or precedes a bare ply.

    Raises `Usage` if the book has no match.
    """
    if context.resilient_parsing or not text:
        return text
    at = context.params.get("at")
    if at and "@" in text:
        raise Usage(f"{text!r} names a ply already; leave out --at")
    return resolve_place_in(f"{text}@{at}" if at else text, context.params.get("db"))


def resolve_place_in(text: str, db: str | None) -> str:
    """Return an address of a book in which an id replaces `-`, or precedes a bare ply.

    Raises `Usage` if the book has no match.
    """
    match, at, place = text.partition("@")
    return text if match not in ("", LATEST) else latest_match(db) + at + place


def check_whole(text: str) -> str:
    """Return an argument that must be the id of a match alone.

    Raises `Usage` if a ply or a version follows it.
    """
    _, at, place = (text or "").partition("@")
    if at and not place[:1].isdecimal():
        raise Usage(f"{text!r} is not a match; name the match first, then the moves: - {text}")
    if at:
        raise Usage(f"{text!r} is not a valid match; use its id and leave out @{place}")
    return text


def whole_match(context: typer.Context, text: str) -> str:
    """Return the id of a match, as `resolve_place` does. Raises `Usage` for a ply."""
    return resolve_place(context, check_whole(text))


MOST_LISTED: Final = 1_000_000_000
"""The most results to ask for; stores count in 64 bits."""
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Plain = Annotated[bool, typer.Option("--plain", help="Print lines instead of filling the screen.")]
MatchId = Annotated[
    str,
    typer.Argument(
        metavar="MATCH",
        help="A match id, which may be abbreviated; - is the match that changed last.",
        callback=whole_match,
        autocompletion=completion.matches,
    ),
]


def place_argument(metavar: str, meaning: str) -> Any:
    """Declare the argument for a match or a ply of a match."""
    matches = completion.matches
    return typer.Argument(
        metavar=metavar, help=meaning, callback=resolve_place, autocompletion=matches
    )


Place = Annotated[
    str,
    place_argument(
        "MATCH[@PLY]",
        "A match, at a ply (M@17) or in an earlier version (M@17v39); @17 is a ply of the match"
        " that changed last, - its end.",
    ),
]
At = Annotated[
    str | None,
    # Eager, because the match needs it.
    typer.Option("--at", metavar="PLY", help="The ply, as @PLY.", is_eager=True),
]
GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game, like poptrix.",
        callback=slug,
        autocompletion=completion.games,
    ),
]
OptionTexts = Annotated[
    list[str],
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the game.",
        autocompletion=completion.options,
    ),
]


class Terminal(TextIOWrapper):
    """A terminal as a standard stream: characters that would reverse a text are visible."""

    def __init__(self, stream: TextIOWrapper) -> None:
        super().__init__(stream.buffer, stream.encoding, "backslashreplace", line_buffering=True)
        self._stream = stream  # garbage collection of the stream would close the terminal

    def write(self, text: str) -> int:
        """Write a text with escapes for hidden characters."""
        return super().write(_visible(text))


def _visible(text: str) -> str:
    """Return a text with escapes for hidden characters; colours stay."""
    if "\x1b" not in text:
        return make_visible(text)
    parts = COLOUR.split(text)
    return "".join(part if COLOUR.fullmatch(part) else make_visible(part) for part in parts)


class ReaderGone(Exception):
    """The program that reads the output has ended, like `head`."""


def pairs(texts: list[str], option: str) -> dict[str, str]:
    """Parse `NAME=VALUE` texts. Raises `Usage` for any other form, and for a repeated name."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise Usage(f"{text!r} must be {option}")
        if name in values:
            raise Usage(f"{name} is given twice")
        values[name] = value
    return values


def players_by_seat(texts: list[str]) -> dict[int, str]:
    """Parse `--seat` texts, N=NAME, as names by seat. Raises `Usage`."""
    named = pairs(texts, "N=NAME, a seat and who plays it")
    if not all(number in SEATS for number in named):
        raise Usage("a seat must be a number from 1 to 9: --seat 1=Jet")
    return {int(number): name for number, name in named.items()}


def chosen(text: str, choices: Sequence[Choice], wrong: str) -> Choice:
    """Return the choice that a text names.

    Raises `Usage` that says what is `wrong` if the text names no choice.
    """
    for choice in choices:
        if text == choice:
            return choice
    raise Usage(f"{text!r} {wrong}; use {' or '.join(choices)}")


def options_of(game: Game[Any], texts: list[str]) -> dict[str, str]:
    """Parse `--option` texts; the game checks their names and values later."""
    return pairs(texts, f"NAME=VALUE, an option of {game.name}")


def print_json(value: Any) -> None:
    """Print a value as one line of JSON, in UTF-8 whatever the terminal's encoding."""
    write_bytes(msgspec.json.encode(value) + b"\n")


def print_answer(value: Any, told: str, json: bool) -> None:
    """Print an answer: as a line of JSON, or in words."""
    if json:
        print_json(value)
    else:
        print(told)


def write_bytes(content: bytes) -> None:
    """Write a text in UTF-8 to standard output; in a terminal hidden characters are visible."""
    sys.stdout.flush()
    if sys.stdout.isatty():
        content = _visible(content.decode()).encode()
    sys.stdout.buffer.write(content)


def print_json_lines(values: Iterable[Any]) -> None:
    """Print a list as JSON lines, one value on each."""
    for value in values:
        print_json(value)


def print_answers(values: Iterable[Any], told: Iterable[str], json: bool) -> None:
    """Print a list: its values as lines of JSON, or the lines of words."""
    if json:
        print_json_lines(values)
    else:
        for line in told:
            print(line)


@contextmanager
def print_refusals(
    texts: Sequence[str],
    json: bool,
    names: Names = UNNAMED,
    played: tuple[Book, str] | None = None,
) -> Iterator[None]:
    """Print the refusal of a move text with its clause, and exit with status 1.

    For moves that are `played` in a match of a book, also print how to record an accepted illegal
    move.
    """
    try:
        yield
    except Refused as refused:
        wrong = texts[refused.index] if texts else None
        refusal = describe(refused, wrong, names, near(refused, wrong))
        if json:
            print_json(refusal)
        else:
            print(explain(refusal), file=sys.stderr)
            if played and refused.index == 0:
                print_advice(*played, refused, texts[0])
        raise typer.Exit(1) from None


def print_advice(book: Book, match: str, refused: Refused, text: str) -> None:
    """Print how to record a refused move that the players accepted."""
    command = suggest("play", match, text, "--stood")
    advice = advise(book, match, refused, text, command, f"{command} --position POSITION")
    if advice is not None:
        print(advice, file=sys.stderr)


def has_screen(plain: bool) -> bool:
    """Return whether a full-screen program can run: in a terminal that is capable, if wanted."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    capable = os.environ.get("TERM") != "dumb" and sys.stdout.encoding.lower().startswith("utf")
    return interactive and not plain and capable


def in_colour() -> bool:
    """Return whether standard output supports and wants colour."""
    from replay.drawing.terminal_colour import wants_colour

    return wants_colour(sys.stdout, os.environ)


def clock(at: int) -> str:
    """Format a time in milliseconds since 1970 as the local date and time."""
    return f"{datetime.fromtimestamp(at / 1000).astimezone():%Y-%m-%d %H:%M:%S}"


def duration(milliseconds: int) -> str:
    """Format milliseconds as minutes and seconds, with hours if needed: `9:55`, `-0:03`."""
    seconds = abs(milliseconds) // 1000
    hours, minutes = seconds // 3600, seconds // 60 % 60
    whole = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{'-' if milliseconds <= -1000 else ''}{whole}:{seconds % 60:02}"
