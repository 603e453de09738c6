"""The templates of HTML files, and the heading of a match in them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, ParamSpec

from jinja2 import Environment, FileSystemLoader, ModuleLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from replay.book import Book
from replay.drawing import board_buttons
from replay.drawing.descriptions import piece_letter, supply_label
from replay.drawing.pieces import piece
from replay.drawing.svg_elements import printable
from replay.record.match_record import MatchRecord
from replay.store.people_chain import SEAT_TAG
from replay.tags.match_tags import tags_of
from replay.tags.names import player_names
from replay.texts import make_visible

P = ParamSpec("P")

TEMPLATES: Final = Path(__file__).parent / "templates"
COMPILED: Final = "compiled"
"""The folder of compiled templates below `templates`; a site has it instead of the templates."""


def environment(*folders: Path, clean: Callable[[str], str] = make_visible) -> Environment:
    """Return an environment that searches the folders for templates, and then `templates` here.

    An undefined name is an error. Templates draw with `draw_board`, `draw_other_boards` and
    `draw_piece`; only their results and the results of `trust` are not escaped. Control characters
    and hidden ones become visible in every other string first.
    """
    searched = [*folders, TEMPLATES]
    compiled = [folder / COMPILED for folder in searched]
    made = Environment(
        loader=ModuleLoader(compiled) if compiled[-1].is_dir() else FileSystemLoader(searched),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=lambda value: clean(value) if type(value) is str else value,
    )
    made.globals.update(
        draw_board=_drawn(board_buttons.board),
        draw_other_boards=_drawn(board_buttons.more),
        draw_piece=_drawn(piece),
        supply_label=supply_label,
        piece_letter=piece_letter,
    )
    return made


def trust(own: str) -> Markup:
    """Mark our own HTML, a drawing or a file as safe; never use it on users' texts."""
    return Markup(own)


def export(template: str, **data: Any) -> str:
    """Write a file from a template, without unprintable characters."""
    return exports().get_template(template).render(data)


@functools.cache
def exports() -> Environment:
    """Return the environment of files, whose texts have printable characters only."""
    return environment(clean=printable)


def _drawn(draw: Callable[P, str]) -> Callable[P, Markup]:
    return lambda *args, **named: trust(draw(*args, **named))


class MatchHeading(Struct, frozen=True):
    """The players by seat, the game, place and date, and the identity of the record.

    `facts` are date, place and other tags by name, `head` the hash of the last event in hex.
    """

    title: str
    match: str
    rules: str
    players: dict[int, str]
    facts: dict[str, str]
    options: dict[str, str]
    head: str


def heading(book: Book, record: MatchRecord) -> MatchHeading:
    """Build the heading of a match for templates."""
    facts = book.facts(record)
    players = dict(player_names(book, record).players)
    return MatchHeading(
        title=f"{record.game.name}: {' – '.join(players.values())}",
        match=f"{record.id}@{len(record.match.line)}v{record.match.version}",
        rules=record.header.rules,
        players=players,
        facts={tag.name: tag.value for tag in tags_of(facts) if not SEAT_TAG.fullmatch(tag.name)},
        options={name: str(value) for name, value in record.header.options.items()},
        head=_head(record),
    )


def _head(record: MatchRecord) -> str:
    """Return the hash of the shown version, which may not be the newest."""
    if not record.log:
        return record.stream.origin.hex()
    return record.log[-1].hash.hex()
