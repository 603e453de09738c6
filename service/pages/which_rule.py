"""The page that shows a refused try and asks which rule it breaks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from litestar import Router, get
from litestar.params import FromPath, QueryParameter
from litestar.response import Template

from domain.game import Game
from domain.names import UNNAMED
from domain.scene import Scene
from replay import registry, rules_text
from replay.book import Book
from replay.referee import dry_run
from service.http.access import AnyRequest, find_game
from service.http.caching import HOUR
from service.http.problems import Problem
from service.pages.layout import page
from service.workers.pool import TheWorkers

if TYPE_CHECKING:
    from replay.sampling.dataset import JudgedMove

QUESTIONS: Final = 1000
"""The number of questions of a game; the first follows the last."""
COST: Final = 5
"""The cost of a round of questions, in requests: about half a second of a processor."""


@get("/rules/{game:str}/which")
async def ask_which_rule(
    request: AnyRequest,
    workers: TheWorkers,
    game: FromPath[str],
    number: Annotated[int, QueryParameter(ge=0, lt=QUESTIONS)] = 0,
    answer: Annotated[str, QueryParameter(max_length=20)] = "",
) -> Template:
    """Show a refused try, and the clauses it may break; with an answer, whether it is right.

    Raises `Problem` 404 for a game whose moves or rules make no questions.
    """
    from replay.sampling.which_rule import QUESTION_LIST, TRIES  # it imports the data sets

    found = find_game(game)
    if not asks(found):
        raise Problem(404, f"{found.name} has no questions about its rules")
    key = ("which rule", found.ruleset, number // TRIES)
    made = await workers.do(request, make_questions, *key[1:], cost=COST, key=key)
    asked = QUESTION_LIST.decode(made)
    if not asked:
        raise Problem(404, f"{found.name} has no questions about its rules")
    question = asked[number % TRIES % len(asked)]
    scene = await asyncio.to_thread(_scene, found, question.tried)
    data = {
        "game": found,
        "tried": question.tried,
        "clauses": {each: rules_text.words(found, each) or "" for each in question.offered},
        "answer": answer if answer in question.offered else "",
        "scene": scene,
        "names": UNNAMED,
        "number": number,
        "next": (number + 1) % QUESTIONS,
    }
    title = f"{found.name}: which rule? · Plybook"
    styles = ("board.css", "start.css")
    return page("which_rule.html", title, data, styles=styles, headers=HOUR)


def asks(game: Game[Any]) -> bool:
    """Return whether the moves of a game can be drawn at random, and its rules have clauses."""
    return not game.unlisted_tags and rules_text.is_there(game) and bool(rules_text.clauses(game))


def make_questions(book: Book, ruleset: str, number: int) -> bytes:
    """Return a round of questions as JSON."""
    from replay.sampling import which_rule  # only the worker needs it

    return msgspec.json.encode(which_rule.questions(registry.find(ruleset), number))


def _scene(game: Game[Any], tried: JudgedMove) -> Scene:
    """Draw the position of a try as its seat sees it."""
    options = {name: str(value) for name, value in tried.options.items()}
    match = dry_run.judge(dry_run.start(game, options, tried.seats), tried.moves).match
    return game.scene(match.state.position.view(tried.seat))


ROUTER: Final = Router("/", route_handlers=[ask_which_rule], include_in_schema=False)
