"""The games and their rules, clause by clause."""

from __future__ import annotations

from functools import partial
from typing import Any, Union

import msgspec
from litestar import Response
from litestar.params import FromPath
from msgspec import Struct

from domain.game import Game
from domain.position import Secret
from replay import registry, rules_text
from replay.errors import Usage
from service.api.presenters import answer
from service.http.access import find_game
from service.http.caching import HOUR
from service.http.problems import Problem
from service.http.rights import NONE
from service.openapi.operations import get


class MoveKind(Struct, frozen=True):
    """A kind of move: the tag of its JSON, a description, its notation, and an example.

    `notation` is a regular expression for the text of the move without its seat; the groups are the
    fields of the JSON, in their order.
    """

    type: str
    """The tag that names the kind of object."""
    what: str
    """A description in words."""
    notation: str
    """A regular expression for texts without their seat."""
    example: str
    """A move of this kind as text."""
    secret: bool
    """Whether the move stays sealed until the game reveals it."""
    chance: bool
    """Whether the move is a result of chance, such as dice."""
    names_seat: bool
    """Whether the text of such a move always names its seat."""


class GameSummary(Struct, frozen=True):
    """A game in short: its seats, and the values of its options, the default first."""

    slug: str
    """The game's name in addresses."""
    name: str
    """The game's name for people."""
    rules: str
    seats: tuple[int, ...]
    """The numbers of seats that the game allows."""
    options: dict[str, tuple[int | str, ...]]
    """The values of each option, the default first."""


class GameDetails(GameSummary, frozen=True):
    """A game with its moves; `move` is the JSON Schema of any of its moves."""

    moves: tuple[MoveKind, ...]
    """The kinds of moves, with the notation of each."""
    move: dict[str, Any]
    """The JSON Schema of a move."""


class GameList(Struct, frozen=True):
    """All games."""

    games: tuple[GameSummary, ...]
    """The games that the server knows, in their order."""


class Rules(Struct, frozen=True):
    """The rules of a game: its clauses, and the whole text in Markdown."""

    game: str
    rules: str
    clauses: tuple[rules_text.RuleClause, ...]
    """The clauses of the rules in order."""
    text: str
    """The whole text in Markdown."""


@get("/games", {200: GameList}, right=NONE, sends=("ETag",))
async def list_games() -> Response[bytes]:
    """List the games that the service knows."""
    found = (GameSummary(**_summary(game)) for game in registry.games().values())
    return answer(GameList(tuple(found)), headers=HOUR)


@get("/games/{slug:str}", {200: GameDetails}, right=NONE, sends=("ETag",))
async def show_game(slug: FromPath[str]) -> Response[bytes]:
    """Show a game's seats, options and moves, with notation, examples and the moves' schema."""
    game = find_game(slug)
    kinds = tuple(
        MoveKind(
            str(move.__struct_config__.tag),
            move.what,
            move.notation.pattern.pattern,
            move.example,
            issubclass(move, Secret),
            move.chance,
            move.names_seat,
        )
        for move in game.moves
    )
    schema = msgspec.json.schema(Union[game.moves])  # noqa: UP007  # built at run time
    return answer(GameDetails(**_summary(game), moves=kinds, move=schema), headers=HOUR)


@get("/games/{slug:str}/rules", {200: Rules}, right=NONE, sends=("ETag",))
async def show_rules(slug: FromPath[str]) -> Response[bytes]:
    """Show the rules of a game, clause by clause."""
    game = find_game(slug)
    clauses = tuple(_there(rules_text.clauses, game).values())
    body = Rules(game.slug, game.ruleset, clauses, _there(rules_text.text, game))
    return answer(body, headers=HOUR)


@get(
    "/games/{slug:str}/rules/{clause:str}",
    {200: rules_text.RuleClause},
    right=NONE,
    sends=("ETag",),
)
async def show_clause(slug: FromPath[str], clause: FromPath[str]) -> Response[bytes]:
    """Show one clause, as refusals cite it."""
    found = _there(partial(rules_text.clause, name=clause), find_game(slug))
    return answer(found, headers=HOUR)


def _there(read: Any, game: Game[Any]) -> Any:
    try:
        return read(game)
    except Usage as error:  # plug-ins may have no rules
        raise Problem(404, str(error)) from None


def _summary(game: Game[Any]) -> dict[str, Any]:
    default = game.options()
    return {
        "slug": game.slug,
        "name": game.name,
        "rules": game.ruleset,
        "seats": game.seats,
        "options": {
            name: tuple(sorted(values, key=lambda value: value != getattr(default, name)))
            for name, values in game.choices().items()
        },
    }
