"""The question "which rule?": a refused try of a data set, and clauses to choose from."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.game import Game
from replay import rules_text
from replay.sampling.dataset import JudgedMove, Round, Selection, candidates

SEED: Final = 0
"""The seed of the data sets, so that a question has a permanent address."""
TRIES: Final = 20
"""The refused tries of a round, at most."""
OFFERED: Final = 4
"""The clauses to choose from."""


class Question(Struct, frozen=True):
    """A refused try, and clauses, one of which it breaks."""

    tried: JudgedMove
    offered: tuple[str, ...]


TRIED: Final = msgspec.json.Decoder(JudgedMove)
QUESTION_LIST: Final = msgspec.json.Decoder(tuple[Question, ...])


def questions(game: Game[Any], number: int) -> tuple[Question, ...]:
    """Return the questions of a round of a game's data set, spread over the clauses."""
    chosen = Selection(2 * TRIES).choose(candidates(Round(game.ruleset, SEED, number)))
    judged = (TRIED.decode(line) for line in chosen)
    refused = [each for each in judged if not each.legal]
    broken = sorted({each.clause for each in refused if each.clause})
    others = [*broken, *(name for name in rules_text.clauses(game) if name not in broken)]
    rng = Random(f"{SEED}/{number}")
    return tuple(Question(each, _offered(each, others, rng)) for each in refused)


def _offered(tried: JudgedMove, clauses: list[str], rng: Random) -> tuple[str, ...]:
    """Return the clause of a try among others, preferably clauses that other tries break."""
    assert tried.clause is not None
    others = [name for name in clauses if name != tried.clause]
    likely = others[: 2 * OFFERED]
    chosen = rng.sample(likely, min(len(likely), OFFERED - 1))
    return tuple(sorted([tried.clause, *chosen]))
