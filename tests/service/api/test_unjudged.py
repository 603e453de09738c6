"""Unjudged matches over HTTP: no answer shows whether a move follows the rules."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.service.conftest import OpenedMatch, bearer

LEGAL = ("M@d1", "S@b6", "d1>L@d3", "b6>M@b4")
ILLEGAL = ("S@d4", "L@b3", "d6>L@d1", "b1>S@a6")
AFTER = "2s2/5/5/2L2/5/2M2 5S4M4L 4s5m5l 2 4"

READ = (
    "/matches/{m}", "/matches/{m}?ply=3", "/matches/{m}/legal", "/matches/{m}/legal?all=true",
    "/matches/{m}/hints?prefix=c1>", "/matches/{m}/hints?picks=c1,S", "/matches/{m}/events",
    "/matches/{m}/position", "/matches/{m}/position?ply=2", f"/matches/{{m}}/gap?to={AFTER}",
    "/matches/{m}/explore", "/matches/{m}/tree", "/matches/{m}/annotations", "/matches/{m}/tags",
    "/matches/{m}/judgement", "/matches/{m}/verify", "/matches/{m}/board/4/4.svg",
    "/matches/{m}/board/4/2.svg", "/matches/{m}/record?format=ply",
    "/matches/{m}/record?format=html", "/matches/{m}/record?format=sheet",
    "/matches/{m}/record?format=archive",
    "/m/{m}", "/m/{m}?ply=2", "/m/{m}/frame",
    "/m/{m}/frame?ply=2",
    "/m/{m}/replay", "/m/{m}/share", "/m/{m}/sheet", "/m/{m}/adjust", "/m/{m}/tv",
    "/m/{m}/stood?text=a1xa2&seat=1",
    "/m/{m}/entry?ply=2", "/m/{m}/embed", "/m/{m}/ending", "/m/{m}/small/4/3", "/m/{m}/unspoiled",
    "/m/{m}/unspoiled/frame?ply=2", "/m/{m}/unspoiled/guess?ply=2&picks=a1,S,a2",
    "/m/{m}/replay/moves", "/m/{m}/beside?version=3", "/m/{m}/invite", "/m/{m}/adjust/board",
    "/matches/{m}/compare?with={m}",
)  # fmt: skip
WRITE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("events?dry_run=true", {"events": [{"text": "{t}"}]}),
    ("events", {"events": [{"text": "{t}"}]}),
    ("events", {"events": [{"text": "1:{t}"}, {"text": "{t}"}]}),
    ("events", {"events": [{"text": "nonsense"}]}),
    ("events", {"events": [{"text": "2:offer-draw"}]}),
    ("amendments?dry_run=true", {"ply": 2, "how": "replaced", "texts": ["{t}"]}),
    ("amendments", {"ply": 2, "how": "replaced", "texts": ["{t}"]}),
    ("amendments", {"ply": 1, "how": "deleted"}),
    ("adjustments", {"position": AFTER, "reason": "why"}),
    ("takeback", {"ply": 3}),
    ("redo", {}),
    ("events", {"events": [{"roll": True}]}),
    ("forks", {"ply": 2}),
    ("rulings", {"result": "won", "winner": 2}),
)


def opened(api: Any, moves: tuple[str, ...]) -> Any:
    match = api.open(players={"1": "Jet", "2": "Red"}, unjudged=True)
    for number, move in enumerate(moves):
        who = (match.host, match.seats["1"], match.seats["2"])[number % 3]
        assert api.play(match.id, who, move).status_code == 200
    return match


def plain(answer: Any, match: Any, moves: tuple[str, ...]) -> tuple[int, str]:
    """Return the status and the text of an answer without the ids, hashes, times and moves."""
    text = answer.text.replace(match.id, "ID")
    for number, move in enumerate(moves):
        for written in (move, move.replace(">", "&gt;"), move.replace(">", "\\u003e")):
            text = text.replace(written, f"TOKEN{number}")
    text = re.sub(r"[0-9a-f]{64}|([0-9a-f]{4} ){15}[0-9a-f]{4}|[0-9a-f]{32}", "HASH", text)
    text = re.sub(r"\b1[0-9]{12}\b|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+", "TIME", text)
    text = re.sub(
        r'"(token|seats|host|1|2)":"[A-Za-z0-9_.-]{20,}"|"match":"[0-9a-z]{12}"', "X", text
    )
    text = re.sub(r"#r=[\w-]+", "#r=RECORD", text)
    return answer.status_code, re.sub(r"[0-9a-z]{12}\b", "ID", text)


@pytest.mark.parametrize("path", READ)
def test_reads_are_equal_for_legal_and_illegal_moves(api, path):
    found = []
    for moves in (LEGAL, ILLEGAL):
        match = opened(api, moves)
        for who in (match.host, match.seats["1"], {}):
            answer = api.get(path.format(m=match.id), headers=who)
            found.append(plain(answer, match, moves))
    assert found[:3] == found[3:]


@pytest.mark.parametrize("number", range(len(WRITE)))
def test_writes_are_equal_for_legal_and_illegal_moves(api, number):
    what, body = WRITE[number]
    found = []
    for moves, last in ((LEGAL, "d3>S@d4"), (ILLEGAL, "d6>L@a2")):
        match = opened(api, moves)
        sent = {**body}
        if what == "redo":
            api.post(f"/matches/{match.id}/takeback", json={"ply": 2}, headers=match.host)
        if "events" in sent and "token" in sent["events"][0]:
            sent["events"] = [{"text": one["text"].format(t=last)} for one in sent["events"]]
        if "tokens" in sent:
            sent["tokens"] = [one.format(t=last) for one in sent["tokens"]]
        answer = api.post(f"/matches/{match.id}/{what}", json=sent, headers=match.host)
        found.append(plain(answer, match, (*moves, last)))
        found.append(plain(api.get(f"/m/{match.id}", headers=match.host), match, (*moves, last)))
    assert found[:2] == found[2:]


def test_json_move_is_noted_unjudged(api):
    match = opened(api, ())
    move = {"type": "attack", "from": "a1", "to": "e6"}
    body = {"events": [{"move": move, "seat": 2}]}
    entered = api.post(f"/matches/{match.id}/events", json=body, headers=match.host).json()
    assert (entered["events"][0]["type"], entered["events"][0]["text"]) == ("noted", "2:a1xe6")
    assert entered["awaiting"] == []


def test_sample_moves_are_legal_or_illegal_as_named(api):
    for moves, broken in ((LEGAL, None), (ILLEGAL, 1)):
        match = api.open(unjudged=True)
        api.play(match.id, match.host, *moves)
        found = judge(api, match, match.host).json()["broken"]
        assert (found and found["ply"]) == broken


def judge(api: Any, match: Any, who: dict[str, str]) -> Any:
    return api.post(f"/matches/{match.id}/judgement", json={}, headers=who)


def test_host_has_match_judged_up_to_broken_move(api):
    match = api.open(unjudged=True)
    api.play(match.id, match.host, *LEGAL[:3], "b6>S@b5", "d3>M@d4")
    for who, status in (({}, 401), (match.seats["1"], 403)):
        assert judge(api, match, who).status_code == status
    found = judge(api, match, match.host).json()
    assert (found["judged"], found["plies"]) == (True, 5)
    broken = found["broken"]
    assert (broken["ply"], broken["text"], broken["clause"]) == (4, "b6>S@b5", "POP-3.2")
    assert "cannot launch another small" in broken["message"]
    assert api.get(f"/matches/{match.id}/judgement").json()["broken"] == broken
    assert judge(api, match, match.host).status_code == 409
    page = api.get(f"/m/{match.id}", headers=match.host).text
    assert 'data-correct data-ply="4"' in page
    stood = {"ply": 4, "how": "replaced", "texts": ["stood=b6>S@b5"]}
    api.post(f"/matches/{match.id}/amendments", json=stood, headers=match.host)
    assert api.get(f"/matches/{match.id}/judgement").json()["broken"] is None
    standing = api.get(f"/matches/{match.id}").json()
    assert (standing["unjudged"], standing["awaiting"][0]["seat"]) == (False, 2)
    assert api.get(f"/matches/{match.id}/verify").json()["ok"]


def forked(api: Any, match: Any, who: dict[str, str]) -> Any:
    """Fork a match, and return the fork's id with the header of its host."""
    body = {"kind": "match", "ply": 3}
    made = api.post(f"/matches/{match.id}/forks", json=body, headers=who).json()
    return OpenedMatch(made["match"], bearer(made["tokens"]["host"]), {})


def test_fork_is_judged_only_after_its_parent(api):
    match = opened(api, LEGAL)
    fork = forked(api, match, {})
    again = forked(api, fork, {})
    for early in (fork, again):
        refused = judge(api, early, early.host)
        assert refused.status_code == 409
        assert "its host must judge first" in refused.json()["detail"]
        assert api.get(f"/matches/{early.id}/judgement").json()["judged"] is False
    for each in (match, fork, again):
        assert judge(api, each, each.host).status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "pyramid-ball"},
        {"game": "blockade", "dice": "service"},
        {"game": "poptrix", "clock": {"total": 60}},
    ],
)
def test_unjudged_match_has_no_secrets_dice_or_clock(api, wrong):
    assert api.post("/matches", json=wrong | {"unjudged": True}).status_code == 400
