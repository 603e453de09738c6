"""Free boards judged by a game over HTTP."""

from __future__ import annotations

import pytest


def judged(api, *moves, game="poptrix"):
    options = {"size": "6", "pieces": "pyramids"}
    match = api.open("free-board", options=options)
    api.play(match.id, match.host, *moves)
    return api.get(f"/matches/{match.id}/judged", params={"as": game})


def test_legal_moves_are_translated(api):
    answer = judged(api, "wM@c1", "bL@c6", "wL@c3").json()
    assert answer == {"moves": ["M@c1", "L@c6", "c1>L@c3"], "broken": None}


def test_first_broken_clause_is_cited(api):
    broken = judged(api, "wM@c1", "bL@c6", "wM@c3").json()["broken"]
    assert (broken["ply"], broken["text"], broken["clause"]) == (3, "wM@c3", "POP-3.2")


@pytest.mark.parametrize(
    ("game", "status"), [("quoits", 404), ("pyramid-ball", 400), ("score-sheet", 400)]
)
def test_game_that_cannot_judge_is_refused(api, game, status):
    assert judged(api, "wM@c1", game=game).status_code == status
