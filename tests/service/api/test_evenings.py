"""An evening has several matches, and whoever has its link is host of each of them."""

from __future__ import annotations

import csv
import io

import pytest

from replay.access import operators
from tests.service.conftest import OpenedMatch, bearer

TUESDAY = {"title": "Tuesday club", "date": "2026-11-24"}


@pytest.fixture
def evening(api):
    made = api.post("/evenings", json=TUESDAY)
    assert made.status_code == 201, made.text
    return made.json()


def table(api, made, game="poptrix", **body):
    sent = {"game": game, **body}
    return OpenedMatch.of(api.post("/matches", json=sent, headers=bearer(made["token"])))


def shown(api, evening, **query):
    answer = api.get(f"/evenings/{evening['evening']}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_matches_of_the_link_are_the_evening(api, evening):
    first = table(api, evening, players={"1": "Anna", "2": "Bernd"})
    second = table(api, evening, "blockade", players={"1": "Cem", "2": "Dora"})
    stranger = api.open(tags={"Event": TUESDAY["title"]}, players={"1": "Eve"})
    api.play(first.id, first.host, "2:resign")
    host = bearer(evening["token"])
    drawn = api.post(f"/matches/{second.id}/rulings", json={"result": "drawn"}, headers=host)
    assert drawn.status_code in (200, 201), drawn.text
    rows = [
        {
            "match": first.id,
            "table": 1,
            "round": 1,
            "game": "poptrix",
            "players": {"1": "Anna", "2": "Bernd"},
            "status": "ended",
            "result": "+1",
            "points": {"1": 1, "2": 0},
        },
        {
            "match": second.id,
            "table": 2,
            "round": 1,
            "game": "blockade",
            "players": {"1": "Cem", "2": "Dora"},
            "status": "ended",
            "result": "=",
            "points": {"1": 0.5, "2": 0.5},
        },
    ]
    assert shown(api, evening) == {"evening": evening["evening"], **TUESDAY, "matches": rows}
    assert stranger.id not in str(rows)
    heading = api.get(f"/matches/{first.id}/tags").json()["tags"]
    expected = {"Event": "Tuesday club", "Round": "1", "Table": "1"}
    assert {name: heading[name] for name in expected} == expected
    assert api.play(stranger.id, host, "M@c1").status_code == 401


def test_rematch_stays_at_its_table(api, evening):
    match = table(api, evening, players={"1": "Anna", "2": "Bernd"}, tags={"Table": "7"})
    api.play(match.id, match.host, "2:resign")
    again = api.post(f"/matches/{match.id}/rematch", json={"swap": True}, headers=match.seats["1"])
    found = shown(api, evening)["matches"]
    assert {each["match"]: each["table"] for each in found} == {
        match.id: 7,
        again.json()["match"]: 7,
    }
    host = bearer(evening["token"])
    assert api.play(again.json()["match"], host, "1:resign").status_code == 200


def test_rematch_elsewhere_keeps_its_tags(api):
    match = api.open(tags={"Event": "Cup", "Round": "2", "Table": "5"})
    api.play(match.id, match.host, "2:resign")
    again = api.post(f"/matches/{match.id}/rematch", json={}, headers=match.host).json()["match"]
    tags = api.get(f"/matches/{again}/tags").json()["tags"]
    assert (tags["Event"], tags["Round"], tags["Table"]) == ("Cup", "2", "5")


def test_player_sits_at_one_table(api, evening):
    table(api, evening, players={"1": "Anna", "2": "Bernd"})
    sent = {"game": "poptrix", "players": {"1": "Cem", "2": "anna"}}
    refused = api.post("/matches", json=sent, headers=bearer(evening["token"]))
    assert (refused.status_code, refused.json()["path"]) == (400, "$.players.2")
    assert "anna plays at table 1 of round 1 already" in refused.json()["detail"]


def test_table_opened_elsewhere_joins_when_both_say_yes(api, evening):
    match = api.open(players={"1": "Emil"})
    yes = f"/matches/{match.id}/evening", {"evening": evening["evening"]}
    join = lambda: api.client.put(yes[0], json=yes[1], headers=match.host)  # noqa: E731
    refused = join()
    assert (refused.status_code, "ask first" in refused.json()["detail"]) == (409, True)
    path = f"/evenings/{evening['evening']}/matches/{match.id}"
    assert api.client.put(path, headers=match.host).status_code == 403
    asked = api.client.put(path, headers=bearer(evening["token"]))
    assert (asked.status_code, asked.json()["joined"]) == (202, False)
    assert shown(api, evening)["matches"] == []
    assert join().json() == {"match": match.id, "evening": evening["evening"], "joined": True}
    assert [each["match"] for each in shown(api, evening)["matches"]] == [match.id]
    assert api.play(match.id, bearer(evening["token"]), "M@c1").status_code == 200
    other = api.post("/evenings", json=TUESDAY).json()
    path = f"/evenings/{other['evening']}/matches/{match.id}"
    assert api.client.put(path, headers=bearer(other["token"])).status_code == 409


def test_link_makes_a_browser_the_host(api, evening):
    match = table(api, evening)
    link = evening["link"].removeprefix("http://testserver.local")
    led = api.get(link, follow_redirects=False)
    assert (led.status_code, led.headers["location"]) == (303, f"/evenings/{evening['evening']}")
    own = {"Origin": "http://testserver.local"}
    assert api.play(match.id, own, "M@c1").status_code == 200
    sent = {"game": "poptrix", "evening": evening["evening"]}
    assert api.post("/matches", json=sent, headers=own).status_code == 201
    other = {"Origin": "https://other.example"}
    assert api.post("/matches", json=sent, headers=other).status_code == 403
    assert len(shown(api, evening)["matches"]) == 2


def test_replaced_link_opens_nothing_and_says_so(api, evening):
    match, before = table(api, evening), bearer(evening["token"])
    path = f"/evenings/{evening['evening']}"
    made = api.post(f"{path}/link", headers=before)
    assert made.status_code == 201, made.text
    for answer in (
        api.get(path, headers=before),
        api.post("/matches", json={"game": "poptrix"}, headers=before),
        api.play(match.id, before, "M@c1"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (401, "unknown-token")
    assert "was replaced" in api.get(path, headers=before).json()["detail"]
    opened = api.get(evening["link"].removeprefix("http://testserver.local"))
    assert (opened.status_code, "was replaced" in opened.json()["detail"]) == (404, True)
    assert api.play(match.id, bearer(made.json()["token"]), "M@c1").status_code == 200
    assert [each["match"] for each in shown(api, evening)["matches"]] == [match.id]


def test_link_may_have_several_evenings(api, evening):
    host = bearer(evening["token"])
    again = api.post("/evenings", json=TUESDAY, headers=host)
    assert (again.status_code, evening["evening"] in again.json()["detail"]) == (409, True)
    later = api.post("/evenings", json=TUESDAY | {"date": "2026-12-01"}, headers=host).json()
    assert later["token"] == evening["token"]
    match = table(api, evening)
    earlier = table(api, evening, evening=evening["evening"])
    assert [each["match"] for each in shown(api, later)["matches"]] == [match.id]
    assert [each["match"] for each in shown(api, evening)["matches"]] == [earlier.id]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"title": "T" * 300, "date": "2026-11-24"}, "$.title"),
        ({"title": " ", "date": "2026-11-24"}, "$.title"),
        ({"title": "Tuesday", "date": "24 November"}, "$.date"),
        ({"title": "Tuesday", "date": "2026-13-01"}, "$.date"),
        ({"title": "Tuesday"}, "$.date"),
    ],
)
def test_bad_evening_says_what_is_wrong(api, body, path):
    refused = api.post("/evenings", json=body)
    assert (refused.status_code, refused.json()["path"]) == (400, path)


def test_match_of_another_evening_needs_its_link(api, evening):
    other = api.post("/evenings", json=TUESDAY).json()
    sent = {"game": "poptrix", "evening": other["evening"]}
    for who, named in (
        (bearer(evening["token"]), other["evening"]),
        (bearer(evening["token"]), "zzzzzzzzzzzz"),
        ({}, other["evening"]),
    ):
        refused = api.post("/matches", json=sent | {"evening": named}, headers=who)
        assert (refused.status_code, refused.json()["path"]) == (403, "$.evening")


def test_csv_has_a_line_for_each_player(api, evening):
    match = table(api, evening, players={"1": "=1+1", "2": 'Bo "B", Jr'})
    api.play(match.id, match.host, "2:resign")
    table(api, evening, players={"1": "Cem"})
    answer = api.get(f"/evenings/{evening['evening']}", params={"format": "csv"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.count("\r\n") == 4
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    told = [(each["player"], each["result"], each["points"]) for each in rows]
    assert told == [
        ("'=1+1", "won", "1"),
        ('Bo "B", Jr', "lost", "0"),
        ("Cem", "unfinished", ""),
    ]
    assert not any(cell[:1] in ("=", "+", "-", "@") for row in rows for cell in row.values())


def test_private_evening_and_match_are_shown_to_their_holders(api, evening):
    host, path = bearer(evening["token"]), f"/evenings/{evening['evening']}"
    match = table(api, evening, visibility="private")
    assert shown(api, evening)["matches"] == []
    found = api.get(path, headers=host).json()["matches"]
    assert [each["match"] for each in found] == [match.id]
    closing = {"visibility": "private"}
    assert api.client.put(f"{path}/visibility", json=closing).status_code == 401
    assert api.client.put(f"{path}/visibility", json=closing, headers=host).status_code == 200
    assert api.get(path).status_code == 401
    assert api.get(path, headers=host).status_code == 200
    assert api.get("/evenings/zzzzzzzzzzzz").status_code == 404


def test_pages_lead_on_to_the_next(api, evening):
    opened = {table(api, evening).id for _ in range(3)}
    first = shown(api, evening, limit=2)
    rest = shown(api, evening, limit=2, cursor=first["next"])
    found = [each["match"] for each in (*first["matches"], *rest["matches"])]
    assert (set(found), len(found), "next" in rest) == (opened, 3, False)


@pytest.mark.parametrize(
    ("wins", "numbers", "result", "points"),
    [
        ("high", (24, 18, 18), "+1", {"1": 24, "2": 18, "3": 18}),
        ("low", (2, 1, 3), "+2", {"1": 0, "2": 1, "3": 0}),
        ("low", (1, 1, 2), "+1,2", {"1": 1, "2": 1, "3": 0}),
        ("high", (7, 7, 7), "=", {"1": 7, "2": 7, "3": 7}),
    ],
)
def test_result_without_moves_has_a_title_and_points(api, evening, wins, numbers, result, points):
    match = table(
        api,
        evening,
        "score-sheet",
        seats=3,
        options={"rounds": "1", "wins": wins},
        tags={"Title": "Castles"},
    )
    entered = [f"{seat}:{number}" for seat, number in enumerate(numbers, 1)]
    assert api.play(match.id, match.host, *entered).status_code == 200
    (row,) = shown(api, evening)["matches"]
    assert (row["game"], row["result"], row["points"]) == ("Castles", result, points)


def test_repeated_opening_has_the_same_link(api):
    key = {"Idempotency-Key": "the-evening-of-the-club"}
    first = api.post("/evenings", json=TUESDAY, headers=key)
    assert first.status_code == 201, first.text
    assert api.post("/evenings", json=TUESDAY, headers=key).json() == first.json()
    for title, headers in (
        ("Other", key),
        (TUESDAY["title"], key | bearer(api.post("/evenings", json=TUESDAY).json()["token"])),
    ):
        refused = api.post("/evenings", json=TUESDAY | {"title": title}, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (409, "key-reused")
    short = api.post("/evenings", json=TUESDAY, headers={"Idempotency-Key": "short"})
    assert short.status_code == 400


def test_repeated_replacing_has_the_same_link(api, evening):
    path = f"/evenings/{evening['evening']}/link"
    sent = bearer(evening["token"]) | {"Idempotency-Key": "the-new-link-of-the-club"}
    first = api.post(path, headers=sent)
    assert (first.status_code, first.json()["token"] != evening["token"]) == (201, True)
    assert api.post(path, headers=sent).json() == first.json()
    other = bearer(evening["token"]) | {"Idempotency-Key": "another-link-of-the-club"}
    assert api.post(path, headers=other).status_code == 401


def test_holder_and_operator_rename_an_evening(api, evening):
    operator = bearer(operators.issue(api.book))
    match, own = table(api, evening), table(api, evening, tags={"Event": "Cup"})
    api.client.delete(f"/matches/{match.id}", headers=match.host)
    path, host = f"/evenings/{evening['evening']}/title", bearer(evening["token"])

    def rename(title, headers):
        return api.client.put(path, json={"title": title}, headers=headers)

    def event(one):
        tags = api.get(f"/matches/{one.id}/tags", headers=operator).json()["tags"]
        return tags.get("Event")

    assert rename("Mine", {}).status_code == 401
    assert rename("Mine", own.host).status_code == 403
    assert rename("Thursday", host).json()["title"] == "Thursday"
    assert shown(api, evening)["title"] == "Thursday"
    erased = f"Evening {evening['evening']}"
    assert rename("", operator).json()["title"] == erased
    api.post(f"/matches/{match.id}/restore", headers=operator)
    assert [event(match), event(own)] == [erased, erased]
    assert (rename("T" * 300, host).status_code, rename(" ", host).status_code) == (400, 400)
    api.post("/evenings", json=TUESDAY, headers=host)
    assert rename(TUESDAY["title"], host).status_code == 409
