"""Who played, seen: changes of names after the first move, and the people of a result."""

from __future__ import annotations

import re

import pytest

from replay.formats.export_formats import export
from replay.record.addresses import parse
from replay.referee.verification import verify_match

WHY = {"reason": "Red is what her sister is called"}
RENAMED = {"players": {"2": "Ann"}, **WHY}
SWAPPED = {"swap": [1, 2], "reason": "they sat the other way"}


@pytest.fixture
def match(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    api.play(match.id, match.host, "M@c1")
    return match


def change(api, match, body):
    answer = api.client.patch(f"/matches/{match.id}/people", json=body, headers=match.host)
    assert answer.status_code == 200, answer.text


def end(api, match):
    api.play(match.id, match.host, "2:resign")


def log(api, match, who=None, after=0):
    answer = api.get(f"/matches/{match.id}/events?after={after}", headers=who or {})
    return [each["words"] for each in answer.json()["people"]]


def told(api, match, path="", who=None):
    page = api.get(f"/m/{match.id}{path}", headers=who or {}).text
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", page))


def test_log_has_changes_after_the_first_move(api, match):
    change(api, match, {"players": {"1": "Bob"}})
    api.play(match.id, match.host, "S@c6")
    assert log(api, match) == ["seat 1 is Bob now"]
    assert log(api, match, after=2) == []
    assert log(api, api.open(players={"1": "Jet"})) == []


def test_name_makes_no_move_stale(api, match):
    change(api, match, RENAMED)
    body = {"events": [{"text": "S@c6"}], "expected": 1}
    entered = api.post(f"/matches/{match.id}/events", json=body, headers=match.host)
    assert (entered.status_code, entered.json()["version"]) == (200, 2)


def test_former_name_is_not_in_the_log_of_others(api, match):
    change(api, match, RENAMED)
    change(api, match, {"players": {"2": "Bea"}})
    seat = "seat 2 was corrected"
    assert log(api, match) == [seat, "seat 2 is Bea now"]
    assert log(api, match, match.seats["1"]) == log(api, match)
    host = log(api, match, match.host)
    assert host == [f"seat 2 is Ann now: {WHY['reason']}", "seat 2 is Bea now"]
    assert log(api, match, match.seats["2"]) == host
    for path in ("", "/replay?all=true", "/replay/moves"):
        shown = told(api, match, path)
        assert "Ann" not in shown
        assert "sister" not in shown


RESULTS = {
    "nothing": ({}, "Jet won (resigned)", {"1": "Jet", "2": "Red"}),
    "swap": (SWAPPED, "Jet won (resigned)", {"1": "Red", "2": "Jet"}),
    "another winner": (
        {"players": {"1": "Ann"}, **WHY},
        "seat 1 won (resigned)",
        {"1": "Ann", "2": "Red"},
    ),
    "another loser": (RENAMED, "Jet won (resigned)", {"1": "Jet", "2": "Ann"}),
    "erased winner": ({"players": {"1": ""}}, "seat 1 won (resigned)", {"2": "Red"}),
}


@pytest.mark.parametrize("what", RESULTS)
def test_result_names_who_sat_at_the_end(api, match, what):
    body, standing, players = RESULTS[what]
    end(api, match)
    if body:
        change(api, match, body)
    answer = api.get(f"/matches/{match.id}").json()
    assert (answer["standing"], answer["players"]) == (standing, players)
    winner = standing.partition(" won")[0].replace("seat", "Player")
    assert f"{winner} won" in told(api, match)
    assert f"{winner} won" in told(api, match, "/replay")
    assert f"{winner} won" in export(api.book, parse(match.id), "html").decode().replace(
        "seat 1", winner
    )


def test_sentences_of_a_swapped_match_name_the_same_people(api, match):
    end(api, match)
    before = [each["what"] for each in api.get(f"/matches/{match.id}/events").json()["events"]]
    change(api, match, SWAPPED)
    after = [each["what"] for each in api.get(f"/matches/{match.id}/events").json()["events"]]
    assert before == after
    assert before[-1] == "Red resigns"


def test_correction_after_the_end_is_shown_as_one(api, match):
    end(api, match)
    change(api, match, SWAPPED)
    sentence = "seats 1 and 2 swapped players after the end"
    assert log(api, match) == [sentence]
    line = f"{sentence.capitalize()} (scorekeeper)"
    for path in ("", "/frame", "/replay", "/replay/moves"):
        assert line in told(api, match, path), path
    assert sentence.capitalize() in told(api, match, "/replay?all=true")
    assert sentence in export(api.book, parse(match.id), "sheet").decode()


def test_end_that_is_taken_back_counts_no_more(api, match):
    end(api, match)
    change(api, match, SWAPPED)
    api.post(f"/matches/{match.id}/takeback", json={"ply": 1}, headers=match.host)
    end(api, match)
    assert api.get(f"/matches/{match.id}").json()["standing"] == "Red won (resigned)"


def test_unspoiled_replay_tells_no_later_change(api, match):
    end(api, match)
    change(api, match, RENAMED)
    assert "Ann now" not in told(api, match, "/unspoiled?ply=1")


def test_statistics_count_the_corrected_people(api, match):
    end(api, match)
    change(api, match, SWAPPED)
    assert api.book.store.metadata(api.book.open(match.id).stream.id)["Seat1"] == "Red"


def test_variation_has_the_people_of_its_match(api, match):
    change(api, match, RENAMED)
    fork = api.fork(match.id, match.host, ply=1, kind="variation")
    there = api.get(f"/matches/{fork.id}/people").json()
    assert there["people"] == api.get(f"/matches/{match.id}/people").json()["people"]
    assert log(api, fork) == []
    for body in ({"players": {"1": "Eve"}}, {"swap": [1, 2]}):
        answer = api.client.patch(f"/matches/{fork.id}/people", json=body, headers=fork.host)
        assert (answer.status_code, "variation" in answer.json()["detail"]) == (400, True)


def test_played_fork_cites_the_people_of_its_parent(api, match):
    change(api, match, RENAMED)
    head = api.get(f"/matches/{match.id}/people").json()["head"]
    fork = api.fork(match.id, match.host, ply=1, kind="match")
    change(api, match, {"players": {"2": "Bea"}})
    change(api, fork, {"players": {"2": "Eve"}})
    first, *others = api.get(f"/matches/{fork.id}/people").json()["people"]
    assert (first["event"], head in first["words"]) == ("forked", True)
    assert [each["event"] for each in others] == ["seated", "seated", "renamed"]
    again = api.fork(fork.id, fork.host, ply=1, kind="match")
    for each in (match, fork, again):
        assert verify_match(api.book, api.book.open(each.id).stream).ok
    assert log(api, fork) == []


def test_fork_of_a_match_without_people_cites_nobody(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1")
    fork = api.fork(match.id, match.host, ply=1, kind="match", players={"1": "Jet"})
    (only,) = api.get(f"/matches/{fork.id}/people").json()["people"]
    assert only["event"] == "seated"
