"""The question "which rule?": each game asks, and one of the answers is right."""

from __future__ import annotations

import re

import pytest

from domain.games import BUILT_IN, built_in
from replay.sampling import which_rule

SILENT = {"score-sheet", "free-board"}
"""Games whose moves cannot be drawn at random."""


def shown(api, game, number, answer=""):
    page = api.get(f"/rules/{game}/which?number={number}&answer={answer}")
    assert page.status_code == 200, page.text
    return page.text


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_has_a_quiz(api, game):
    page = shown(api, game, 1)
    offered = re.findall(r"answer=([A-Z]+-[\d.]+)", page)
    assert len(offered) == len(set(offered)) == which_rule.OFFERED
    assert "<svg" in page
    assert f"/rules/{game}/which" in api.get(f"/rules/{game}").text
    answers = [shown(api, game, 1, each) for each in offered]
    assert ["Right." in answer for answer in answers].count(True) == 1


@pytest.mark.parametrize("game", sorted(SILENT))
def test_game_without_questions_has_no_quiz(api, game):
    assert api.get(f"/rules/{game}/which").status_code == 404
    assert f"/{game}/which" not in api.get(f"/rules/{game}").text


@pytest.mark.parametrize("query", ["number=-1", "number=1000", "number=x", f"answer={'A' * 21}"])
def test_bad_questions_are_refused(api, query):
    assert api.get(f"/rules/poptrix/which?{query}").status_code == 400


def test_same_number_gives_the_same_questions():
    asked = which_rule.questions(built_in("poptrix"), 2)
    assert asked == which_rule.questions(built_in("poptrix"), 2)
    assert all(each.tried.clause in each.offered for each in asked)
    assert len({each.tried.clause for each in asked}) > which_rule.OFFERED
