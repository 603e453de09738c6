"""What HTTP and its neighbours ask of answers: headers given twice, `Vary`, paths of faults."""

from __future__ import annotations

import pytest

from domain.effects import Effect
from replay.registry import find
from service.http.host_names import checked_host
from service.http.problems import Problem
from tests.service.conftest import bearer


@pytest.mark.parametrize("name", ["Authorization", "Idempotency-Key"])
def test_header_that_is_given_twice_is_400(name):
    sent = [(name.lower().encode(), b"a" * 20), (name.lower().encode(), b"b" * 20)]
    assert checked_host(sent[:1]) == b""
    with pytest.raises(Problem) as refusal:
        checked_host(sent)
    assert (refusal.value.status, refusal.value.facts) == (400, {"path": name})


def test_patch_merges_tags_and_put_replaces_them(api):
    match = api.open(players={"1": "Jet"})
    path = f"/matches/{match.id}/tags"

    def write(method, **tags):
        return api.client.request(method, path, json={"tags": tags}, headers=match.host).json()

    write("PATCH", Round="1")
    assert write("PATCH", Event="Cup")["tags"].items() >= {"Event": "Cup", "Round": "1"}.items()
    put = write("PUT", Site="Bern")
    assert put["players"] == {"1": "Jet"}
    assert put["tags"] == {"Seat1": "Jet", "Seat2": "?", "Site": "Bern"}
    assert write("PUT", **put["tags"]) == put == api.get(path).json()


@pytest.mark.parametrize("seats", ["2.0", "2e0", "20e-1"])
def test_whole_number_may_have_a_fraction_of_zero(api, seats):
    json = {"Content-Type": "application/json"}
    body = f'{{"game": "power-play", "seats": {seats}}}'
    assert api.post("/matches", content=body, headers=json).status_code == 201


def test_move_may_have_a_whole_number_with_a_fraction_of_zero(api):
    match = api.open()
    move = '{"type": "place", "size": "M", "at": "c1"}'
    body = f'{{"events": [{{"seat": 1.0, "move": {move}}}], "expected": 0.0}}'
    headers = match.host | {"Content-Type": "application/json"}
    answer = api.post(f"/matches/{match.id}/events", content=body, headers=headers)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("seats", ["2.5", "1e300", "-1e-9", "true", '"2.0"'])
def test_other_number_is_no_integer(api, seats):
    json = {"Content-Type": "application/json"}
    body = f'{{"game": "power-play", "seats": {seats}}}'
    answer = api.post("/matches", content=body, headers=json)
    assert (answer.status_code, answer.json()["path"]) == (400, "$.seats")


def test_effects_say_from_as_moves_do(api):
    told = api.post("/games/power-play/judge", json={"lines": [{"texts": ["a2-b2"]}]}).json()
    (stepped,) = told["lines"][0]["events"][0]["effects"]
    assert stepped == {"type": "stepped", "seat": 1, "from": "a2", "to": "b2"}


def test_no_field_of_an_effect_has_the_underscore_of_python():
    for game in ("blockade", "free-board", "poptrix", "power-play", "cube-pyramid", "pyramid-ball"):
        find(game)
    kinds = Effect.__subclasses__()
    assert {"from"} < {name for kind in kinds for name in kind.__struct_encode_fields__}
    assert len(kinds) > 30
    wrong = [kind for kind in kinds if any(n.endswith("_") for n in kind.__struct_encode_fields__)]
    assert not wrong


WRONG = {
    "$.seats": {"game": "poptrix", "seats": 9},
    "$.players.1": {"game": "poptrix", "players": {"1": "host"}},
    "$.position": {"game": "poptrix", "position": "nothing"},
    "$.dice": {"game": "poptrix", "dice": "service"},
    "$.tries": {"game": "poptrix", "tries": 1000},
}


@pytest.mark.parametrize("path", WRONG)
def test_fault_names_the_field_of_a_new_match(api, path):
    answer = api.post("/matches", json=WRONG[path])
    assert (answer.status_code, answer.json()["path"]) == (400, path)


def test_fault_names_the_parameter_or_the_option(api):
    assert api.get("/stats?game=none").json()["path"] == "game"
    for first in ("5", "x"):
        body = {"game": "score-sheet", "seats": 1, "options": {"first": first}}
        answer = api.post("/matches", json=body)
        assert (answer.status_code, answer.json()["path"]) == (400, "$.options.first")
    body = {"game": "poptrix", "options": {"nothing": "1"}}
    assert api.post("/matches", json=body).json()["path"] == "$.options.nothing"


@pytest.mark.parametrize("part", ["position", "explore", "analysis"])
def test_score_sheet_without_position_texts_or_moves_is_409(api, part):
    match = api.open("score-sheet")
    path = f"/matches/{match.id}/{part}"
    asked = {"json": {"ply": 0}, "headers": match.host} if part == "analysis" else {}
    method = "POST" if asked else "GET"
    assert api.client.request(method, path, **asked).status_code == 409


def test_title_of_413_is_that_of_the_standard(api):
    headers = {"Content-Type": "application/json"}
    answer = api.post("/matches", content=b" " * 70_000 + b"{}", headers=headers)
    assert (answer.status_code, answer.json()["title"]) == (413, "Content Too Large")


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
@pytest.mark.parametrize("path", ["/games", "/matches/{match}", "/rules/poptrix", "/schema"])
def test_answer_that_may_be_stored_varies_with_the_encoding(api, path, encoding):
    match = api.open()
    answer = api.get(path.format(match=match.id), headers={"Accept-Encoding": encoding})
    assert answer.status_code == 200
    assert answer.headers["vary"].lower().count("accept-encoding") == 1


def test_bad_token_is_told_apart_from_none(api):
    match = api.open()
    for path in (f"/matches/{match.id}", "/accounts", "/account/matches"):
        bad = api.get(path, headers=bearer("a-token-that-opens-nothing"))
        assert bad.status_code == 401
        assert bad.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    none = api.get("/accounts")
    assert (none.status_code, none.headers["www-authenticate"]) == (401, "Bearer")


def test_list_by_tag_says_whether_every_match_is_indexed(api, monkeypatch):
    monkeypatch.setattr(api.book.store, "texts_due", lambda limit=None: [None] * (limit == 1))
    assert api.get("/matches?tag=Event:Cup").json()["indexed"] is False
    assert api.get("/matches").json()["indexed"] is True
