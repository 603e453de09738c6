"""The notation card of a game: how its moves are written, made from the game and its demonstration.

A card fits on a page next to the board. All of it is made from the data of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.entry import move_text
from domain.entry.taps import program_letters
from domain.events import Moved
from domain.game import Game
from domain.match import Match, open_match
from domain.notation import Label
from domain.position import Move, Secret
from domain.scene import Piece, Scene
from replay.annotations.glyphs import GLYPHS
from replay.drawing import svg, text
from replay.drawing.descriptions import bare_code, piece_phrase
from replay.errors import Usage
from replay.formats.html.jinja import export, trust
from replay.formats.html.score_sheet import paper_style
from replay.games import game_info

EVENTS: Final = (
    ("1:resign", "seat 1 gives up"),
    ("1:offer-draw", "seat 1 offers a draw; 2:accept-draw or 2:decline-draw answers"),
    ("1:flag", "seat 1 says that the time of the other is up"),
    ("ruled=+1", "the scorekeeper rules that seat 1 won; ruled== a draw, ruled=* no result"),
)
"""The move texts of every game, with their meanings."""


class CardMove(Struct, frozen=True):
    """A kind of move: its name, an example, and the effect of the example."""

    text: str
    what: str
    words: str


class NotationCard(Struct, frozen=True):
    """The content of a card: moves, letters of secret moves, codes and signs of boards."""

    game: str
    rules: str
    moves: tuple[CardMove, ...]
    letters: dict[str, str]
    events: dict[str, str]
    pieces: dict[str, str]
    signs: tuple[str, ...]
    glyphs: dict[str, str]


def make_card(game: Game[Any]) -> NotationCard:
    """Return the notation card of a game. Raises `Damaged` for a faulty demonstration match."""
    match = _demonstration(game)
    scenes = [game.scene(match.at(ply).position.view(None)) for ply in range(len(match.line) + 1)]
    return NotationCard(
        game.name,
        game.ruleset,
        tuple(_move(match, kind) for kind in game.moves),
        {label.text: label.words.lower() for label in _letters(match)},
        dict(EVENTS),
        dict(sorted(chain.from_iterable(map(_pieces, scenes)))),
        tuple(dict.fromkeys(chain.from_iterable(map(_signs, scenes)))),
        {each.sign: each.name for each in GLYPHS.values() if not set(each.sign) - set("!?")},
    )


def _demonstration(game: Game[Any]) -> Match:
    """Return the demonstration match, or one without moves.

    The match also has no moves if the default options refuse its first move, because they use other
    pieces.
    """
    try:
        shown = game_info.demonstration(game)
    except Usage:
        return open_match(game, game.options())
    begun = open_match(game, game.options(), shown.seats)
    fits = all(begun.check(ply.event) is None for ply in shown.line[:1])
    return shown if fits else begun


def _move(match: Match, kind: type[Move[Any]]) -> CardMove:
    """Describe a kind of move by its first use in the demonstration, or else by its example."""
    for ply in match.line:
        if isinstance(ply.event, Moved) and type(ply.event.move) is kind:
            words = ply.effects[0].words() if ply.effects else ""
            return CardMove(move_text.write(match.game, ply.event), kind.what, words)
    seat, body = move_text.split(kind.example)
    named = kind.names_seat or issubclass(kind, Secret)
    return CardMove(str(move_text.SplitText(1 if named else seat, body)), kind.what, "")


def _letters(match: Match) -> tuple[Label, ...]:
    """Return the letters with which a secret move is written, if the match has secret moves."""
    if any(issubclass(kind, Secret) for kind in match.game.moves):
        for ply in range(len(match.line) + 1):
            if found := program_letters(match.at(ply)):
                return found
    return ()


def _pieces(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield the code of each kind of piece, without badges, and its name."""
    for piece in _things(scene):
        bare = replace(piece, badges=())
        yield bare_code(bare), piece_phrase(bare)


def _things(scene: Scene) -> Iterator[Piece]:
    for panel in text.boards(scene):
        for cell in panel.cells:
            yield from cell.pieces
    for tray in scene.trays:
        yield from (supply.piece for supply in tray.supplies)


def _signs(scene: Scene) -> Iterator[str]:
    for line in text.legend(scene, 1000):
        yield from line.removeprefix("signs: ").split(", ")


def write_text(card: NotationCard) -> str:
    """Return a notation card as lines of text."""
    moves = ((one.text, ": ".join(filter(None, (one.what, one.words)))) for one in card.moves)
    parts = {
        f"{card.game}, how to write a match  ({card.rules})": moves,
        "the letters of a secret move": card.letters.items(),
        "in every game": card.events.items(),
        "pieces on the board": card.pieces.items(),
        "signs on the board": ((sign, words) for sign, _, words in map(_parted, card.signs)),
        "after a move": card.glyphs.items(),
    }
    listed = ((title, list(rows)) for title, rows in parts.items())
    return "\n\n".join("\n".join(_part(title, rows)) for title, rows in listed if rows)


def _parted(sign: str) -> tuple[str, str, str]:
    return sign.partition(" ")


def _part(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    yield title
    longest = max(len(code) for code, _ in rows)
    for code, words in rows:
        yield f"  {code:<{longest}}  {words}"


def write_html(game: Game[Any]) -> str:
    """Return the card of a game as a page for the printer, with a picture."""
    return export(
        "notation_card.html",
        card=make_card(game),
        style=trust(paper_style()),
        picture=trust(svg.draw(game_info.picture_of(_demonstration(game)))),
    )
