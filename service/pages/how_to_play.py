"""How to play a game: its material, drawn positions, and the clauses behind them.

For a game without example positions, the pages link only to its rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Template
from msgspec import Struct

from domain.game import Game
from replay import rules_text
from replay.drawing import svg
from replay.drawing.descriptions import describe
from replay.games import game_info
from replay.games.game_info import Example
from service.http.access import find_game
from service.http.addresses import prefix
from service.http.caching import HOUR
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.pages.cards import SVG
from service.pages.layout import page
from service.pages.start import describe_size


class ShownExample(Struct, frozen=True):
    """An example on the page: its picture's address and description, its words, its clauses."""

    title: str
    words: str
    picture: str
    told: str
    clauses: Sequence[rules_text.RuleClause]


@get("/how-to-play/{game:str}", guards=[ANYBODY])
async def show_how_to_play(game: FromPath[str]) -> Template:
    """Show how to play a game. Raises `Problem` 404 for a game without examples."""
    from replay.formats.html.rulebook import rulebook  # this imports a Markdown parser

    found = find_game(game)
    guide, about = game_info.guide(found), game_info.about(found)
    examples = [_shown(found, number, each) for number, each in enumerate(guide.examples)]
    if not game_info.is_explained(found):
        raise Problem(404, f"{found.name} has no page on how to play it")
    data = {
        "game": found,
        "sentence": about.sentence,
        "size": describe_size(found, about),
        "needs": guide.needs,
        "examples": examples,
        "has_rules": rules_text.is_there(found),
        "rules": None if examples else rulebook(rules_text.text(found)),
    }
    title = f"How to play {found.name} · Plybook"
    return page("how_to_play.html", title, data, headers=HOUR)


@get("/how-to-play/{game:str}/{number:int}", guards=[ANYBODY])
async def draw_example(game: FromPath[str], number: FromPath[int]) -> Response[str]:
    """Draw the position of an example of how to play, counted from 1. Raises `Problem` 404."""
    found = find_game(game)
    if not 1 <= number <= len(game_info.guide(found).examples):
        raise Problem(404, f"{found.name} has no example {number}")
    scene = game_info.example_picture(found, number - 1)
    return Response(svg.draw(scene, title=found.name), media_type=SVG, headers=HOUR)


def _shown(game: Game[Any], number: int, example: Example) -> ShownExample:
    return ShownExample(
        example.title,
        example.words,
        f"{prefix()}/how-to-play/{game.slug}/{number + 1}",
        describe(game_info.example_picture(game, number)),
        game_info.clauses(game, example),
    )
