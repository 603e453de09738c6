"""The replay without spoilers: no answer depends on later moves."""

from __future__ import annotations

import pytest

from domain.entry import move_text
from domain.games import BUILT_IN
from tests.replay.formats.html.matches import SEEDS, long_match

FIRST = 12
PROGRAM = "S=F.L,M=RBR,L=BBR"


def line(slug, count):
    match = long_match(slug)
    return [move_text.write(match.game, ply.event) for ply in match.line[:count]]


def answers(api, match, ply):
    """Return all that is sent for a ply, without the headers that tell the time."""
    for path in (f"unspoiled?ply={ply}", f"unspoiled/frame?ply={ply}"):
        answer = api.get(f"/m/{match.id}/{path}")
        assert answer.status_code == 200, answer.text
        headers = {name: value for name, value in answer.headers.items() if name != "date"}
        yield path, answer.text, headers


@pytest.mark.parametrize("slug", BUILT_IN)
def test_answer_for_a_ply_ignores_later_moves(api, slug):
    match = api.open(slug, players={"1": "Jet", "2": "Red"}, options=SEEDS.get(slug, (0, {}))[1])
    sent, token_list = [], line(slug, FIRST)
    for ply, token in enumerate(token_list):
        sent.append(list(answers(api, match, ply)))
        assert api.play(match.id, match.host, token).status_code == 200
    assert api.play(match.id, match.host, "1:resign").status_code == 200
    assert [list(answers(api, match, ply)) for ply in range(len(sent))] == sent
    last = api.get(f"/m/{match.id}/unspoiled?ply={len(token_list) + 1}").text
    assert "data-over" in last
    assert "og:" not in last
    assert all(
        "data-over" not in text and "ended" not in text for each in sent for _, text, _ in each
    )


def test_dice_and_takebacks_change_no_earlier_answer(api):
    match = api.open("blockade", players={"1": "Jet", "2": "Red"}, dice="service")
    before = list(answers(api, match, 0))
    body = {"events": [{"roll": True, "seat": 1}]}
    rolled = api.post(f"/matches/{match.id}/events", json=body, headers=match.host)
    assert rolled.status_code == 200, rolled.text
    after = list(answers(api, match, 1))
    asked = api.post(f"/matches/{match.id}/takeback", json={"ply": 0}, headers=match.seats["1"])
    assert asked.status_code in (200, 202), asked.text
    assert list(answers(api, match, 1)) == after
    assert api.play(match.id, match.host, "2:resign").status_code == 200
    assert list(answers(api, match, 0)) == before
    assert list(answers(api, match, 1)) == after


def test_unknown_ply_does_not_reveal_the_length(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    for path in ("unspoiled?ply={}", "unspoiled/frame?ply={}", "unspoiled/guess?picks=c1&ply={}"):
        told = {api.get(f"/m/{match.id}/{path.format(ply)}").text for ply in (3, 900, -1)}
        assert len(told) == 1
        assert "not yet" in told.pop()
    assert api.get(f"/m/{match.id}/unspoiled/frame?ply=1&step=0").status_code == 404


def guess(api, match, ply, picks):
    answer = api.get(f"/m/{match.id}/unspoiled/guess", params={"ply": ply, "picks": picks})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_guess_is_judged_and_compared_with_move(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6", "c1>L@c3", "2:resign")
    assert guess(api, match, 2, "c1>L@c3") | {"words": ""} == {
        "legal": True, "played": True, "message": "", "clause": "", "words": "", "squares": [],
        "analysis": "",
    }  # fmt: skip
    assert guess(api, match, 2, "c1,L,c2")["played"] is False
    assert guess(api, match, 2, "c1,L,c3")["played"] is True
    wrong = guess(api, match, 2, "c1,M,c3")
    assert (wrong["legal"], wrong["played"], wrong["clause"]) == (False, None, "POP-3.2")
    assert "medium" in wrong["message"]
    assert guess(api, match, 3, "c6>M@c4")["played"] is False
    over = guess(api, match, 4, "c6>M@c4")
    assert (over["legal"], over["played"]) == (False, None)
    assert over["message"]


def test_guessing_does_not_reveal_a_sealed_program(api):
    match = api.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    assert api.play(match.id, match.seats["1"], f"1:{PROGRAM}").status_code == 200
    for picks in (f"1:{PROGRAM}", PROGRAM):
        assert guess(api, match, 0, picks)["played"] is None
    assert PROGRAM not in api.get(f"/m/{match.id}/unspoiled?ply=1").text


def test_unspoiled_pages_of_private_match_are_private(api):
    match = api.open(visibility="private")
    api.play(match.id, match.host, "M@c1")
    for path in ("unspoiled", "unspoiled/frame?ply=0", "unspoiled/guess?ply=0&picks=c1"):
        assert api.get(f"/m/{match.id}/{path}").status_code == 401
        assert api.get(f"/m/{match.id}/{path}", headers=match.host).status_code == 200


def test_guess_is_compared_with_the_analysis(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6", "1:resign")

    def guessed(picks):
        return api.get(f"/m/{match.id}/unspoiled/guess?ply=1&picks={picks}").json()["analysis"]

    assert guessed("S@c6") == ""
    body = {"ply": 1, "seconds": 0.1}
    answer = api.post(f"/matches/{match.id}/analysis", json=body, headers=match.host)
    best = answer.json()["comment"].partition("; best: ")[2].split("; ")
    assert guessed(best[0].split()[0]) == f"The analysis prefers it, too: {best[0]}"
    assert guessed(best[1].split()[0]).startswith(f"The analysis prefers {best[0]}; of this move")
    assert guessed("S@c1") == ""
    assert "analysis" not in api.get(f"/m/{match.id}/unspoiled?ply=1").text
