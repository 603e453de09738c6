"""Dashes and doubts over HTTP: entered, asked, filled by the rules or a person, opened again."""

from __future__ import annotations

from typing import Any

import pytest

from domain.events import Moved
from domain.match import Match, open_match
from replay.registry import find
from tests.service.api.test_unjudged import READ


def solved(api: Any) -> tuple[Any, list[str]]:
    """Open a match, and return texts whose second is a dash that the last texts decide."""
    return api.open("cube-pyramid"), texts_of("cube-pyramid", 9)


def texts_of(game: str, plies: int) -> list[str]:
    match: Match = open_match(find(game))
    texts = []
    for _ in range(plies):
        moves = [*match.game.legal_moves(match.state.position)]
        seat, move = moves[0] if len(texts) < 5 else moves[-1]
        texts.append(f"{seat}:{match.game.write(move)}")
        match = match.evolve(Moved(seat, move))
    return texts


def judgement(api: Any, match: Any) -> Any:
    return api.get(f"/matches/{match.id}/judgement", headers=match.host).json()


def amend(api: Any, match: Any, ply: int, *texts: str) -> Any:
    body = {"ply": ply, "how": "replaced", "texts": texts}
    return api.post(f"/matches/{match.id}/amendments", json=body, headers=match.host)


def dashed(api: Any) -> Any:
    match = api.open(players={"1": "Jet", "2": "Red"})
    assert api.play(match.id, match.host, "M@c1", "M@c6", "--", "c6>S@c5").status_code == 200
    return match


def test_a_dash_is_entered_asked_filled_and_opened_again(api):
    match = dashed(api)
    found = judgement(api, match)
    dash = found["dash"]
    assert (found["broken"], dash["ply"], dash["seat"]) == (None, 3, 1)
    assert 1 <= len(dash["choices"]) <= 5
    filled = amend(api, match, 3, *dash["choices"][0]).json()
    assert (filled["stood"], filled["fell"]) == (1, 0)
    assert judgement(api, match)["dash"] is None
    log = api.get(f"/matches/{match.id}/events").json()["events"]
    assert log[-1]["event"]["reconstructed"] == {"by": {"name": "scorekeeper"}, "entries": ["--"]}
    assert amend(api, match, 3, "--").status_code == 200
    assert judgement(api, match)["dash"]["ply"] == 3
    assert amend(api, match, 3, "a1xa2").status_code == 409


def test_the_answer_says_which_move_it_must_have_been(api):
    match, texts = solved(api)
    api.play(match.id, match.host, *texts[:5], "--")
    for text in texts[6:]:
        entered = api.play(match.id, match.host, text).json()
        if "reconstructed" in entered:
            break
    (found,) = entered["reconstructed"]
    assert (found["ply"], found["reconstructed"]["by"]) == (6, "rules")
    seat, _, body = texts[5].partition(":")
    assert (found["seat"], found["text"].rpartition(":")[2]) == (int(seat), body)
    frame = api.get(f"/m/{match.id}/frame", headers=match.host).text
    assert '"resumed":{"ply":6' in frame
    undone = api.post(
        f"/matches/{match.id}/takeback", json={"ply": entered["ply"] - 1}, headers=match.host
    )
    assert undone.status_code == 200
    assert judgement(api, match)["dash"]["ply"] == 6


def test_an_entry_may_be_unsure(api):
    match = api.open()
    path = f"/matches/{match.id}/events"
    body = {"events": [{"text": "M@c1", "unsure": True}, {"text": "--", "unsure": True}]}
    entered = api.post(path, json=body, headers=match.host).json()
    assert [each["unsure"] for each in entered["events"]] == [True, True]
    assert entered["events"][0]["words"].endswith("not sure")
    for wrong, status in (
        ({"text": "1:resign", "unsure": True}, 409),
        ({"roll": True, "unsure": True}, 400),
    ):
        sent = api.post(path, json={"events": [wrong]}, headers=match.host)
        assert sent.status_code == status


@pytest.mark.parametrize("path", READ)
def test_every_reader_knows_an_open_dash(api, path):
    match = dashed(api)
    for who in (match.host, match.seats["1"], {}):
        assert api.get(path.format(m=match.id), headers=who).status_code < 500
    amend(api, match, 3, "c1>S@c2")
    assert api.get(path.format(m=match.id), headers=match.host).status_code < 500


def test_a_seat_enters_its_own_dash_alone(api):
    match = api.open()
    assert api.play(match.id, match.seats["2"], "1:--").status_code == 403
    assert api.play(match.id, match.seats["1"], "--").status_code == 200
    body = {"ply": 1, "how": "replaced", "texts": ["M@c1"]}
    amended = api.post(f"/matches/{match.id}/amendments", json=body, headers=match.seats["1"])
    assert amended.status_code == 403


def test_an_archive_with_a_dash_has_the_newest_version_and_is_read(api, fresh):
    match = dashed(api)
    archive = api.get(f"/matches/{match.id}/record?format=archive", headers=match.host).text
    assert archive.startswith('{"format":"plybook archive","version":3}')
    sent = {"Content-Type": "application/x-plybook-archive"}
    assert fresh.post("/records", content=archive, headers=sent).status_code == 201


def test_doubtful_matches_can_be_left_out(api):
    for texts in (["M@c1"], ["--"]):
        match = api.open(visibility="public")
        api.play(match.id, match.host, *texts)
    for sure, number in (("", 2), ("?sure=true", 1), ("?sure=false", 2)):
        assert len(api.get(f"/matches{sure}").json()["matches"]) == number
        assert api.get(f"/stats{sure}").json()["games"][0]["matches"] == number
    unsure = api.open(visibility="public")
    events = [{"text": "S@c1", "unsure": True}]
    sent = {"events": events, "expected": 0}
    assert api.post(f"/matches/{unsure.id}/events", json=sent, headers=unsure.host).is_success
    for path in ("/explore/poptrix", f"/matches/{unsure.id}/explore"):
        ply = "&ply=0" * path.startswith("/matches")
        for sure, texts in (("false", ["M@c1", "S@c1"]), ("true", ["M@c1"])):
            moves = api.get(f"{path}?sure={sure}{ply}").json()["moves"]
            assert sorted(move["text"] for move in moves) == texts
    assert api.get("/stats?sure=perhaps").status_code == 400
