"""The library: lists of visible matches, page by page; search, explorer and statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from replay.library import indexes
from replay.store.sql.store import Store
from service.http import cookies
from service.settings import Settings
from tests.service.conftest import Api, serve

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")


def ids(api: Any, query: str = "", **headers: str) -> list[str]:
    answer = api.get(f"/matches{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    return [each["match"] for each in answer.json()["matches"]]


def fork(api: Any, match: Any, ply: int, **body: Any) -> dict[str, Any]:
    sent = {"ply": ply, **body}
    answer = api.post(f"/matches/{match.id}/forks", json=sent, headers=match.host)
    assert answer.status_code == 201, answer.text
    return answer.json()


def token_of(match: Any) -> str:
    return str(match.host["Authorization"].removeprefix("Bearer "))


@pytest.fixture
def api(emptied):
    return emptied


@pytest.fixture
def queries(api: Api, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, tuple[Any, ...]]]:
    """The functions that query the store from now on, with their arguments."""
    asked: list[tuple[Any, tuple[Any, ...]]] = []
    store = type(api.book.store)
    run = store._query

    def note(self: Any, query: Any, *arguments: Any, **names: Any) -> Any:
        asked.append((query, arguments))
        return run(self, query, *arguments, **names)

    monkeypatch.setattr(store, "_query", note)
    return asked


def is_of_tokens(query: Any) -> bool:
    """Return whether a function asks for the matches that tokens open."""
    return getattr(query, "func", None) is Store._opened_among.__wrapped__


@pytest.fixture
def house() -> Iterator[Api]:
    with serve(Settings(lists_all=True)) as api:
        yield api


@pytest.fixture(scope="module")
def shelved() -> Iterator[tuple[Api, dict[str, str]]]:
    """Four public matches, each with a letter in the order of opening."""
    public: dict[str, Any] = {"visibility": "public"}
    with serve() as api:
        matches = {
            "a": api.open(players={"1": "Jet"}, **public),
            "b": api.open("blockade", players={"2": "Jet"}, **public),
            "c": api.open(**public),
            "d": api.open("blockade", **public),
        }
        api.play(matches["a"].id, matches["a"].host, "1:resign")
        tags = {"Event": "Second evening"}
        answer = api.client.patch(
            f"/matches/{matches['d'].id}/tags", json={"tags": tags}, headers=matches["d"].host
        )
        assert answer.status_code == 200, answer.text
        yield api, {match.id: name for name, match in matches.items()}


def test_list_has_public_and_the_callers_matches(api):
    public = api.open(visibility="public")
    unlisted, private = api.open(), api.open(visibility="private")
    assert ids(api) == [public.id]
    for own in (unlisted, private):
        assert ids(api, **own.host) == [own.id, public.id]
        assert ids(api, **own.seats["2"]) == [own.id, public.id]
    assert ids(api, Authorization="Bearer nothing") == [public.id]


def test_cookies_list_the_matches_they_open(api):
    matches = [api.open(visibility="private") for _ in range(3)]
    for each in matches[:2]:
        api.client.cookies.set(f"plybook-{each.id}", token_of(each))
    api.client.cookies.set(f"plybook-{matches[2].id}", "another")
    assert ids(api) == [matches[1].id, matches[0].id]


def test_tokens_of_the_newest_cookies_take_one_query(api, queries):
    matches = [api.open(visibility="private") for _ in range(2)]
    old, new = (f"plybook-{each.id}={token_of(each)}" for each in matches)
    queries.clear()
    assert ids(api, Cookie=new) == [matches[1].id]
    few = len(queries)
    queries.clear()
    between = [
        f"plybook-{number:012}=" + ".".join(f"{number}{letter}" for letter in "abcdefghi")
        for number in range(cookies.MAX_MATCHES)
    ]
    assert ids(api, Cookie="; ".join([old, *between, new])) == [matches[1].id]
    assert len(queries) == few
    digests = [arguments[1] for query, arguments in queries if is_of_tokens(query)]
    assert [*map(len, digests)] == [1 + (cookies.MAX_MATCHES - 1) * cookies.MAX_TOKENS]


@pytest.mark.parametrize("name", ["plybook-", "plybook-a", "plybook-0123456789abc", "0123456789ab"])
def test_cookie_without_match_id_is_not_looked_up(api, queries, name):
    assert ids(api, Cookie=f"{name}=token") == []
    assert not any(is_of_tokens(query) for query, _ in queries)


def test_house_setting_lists_unlisted_but_not_private(house):
    public, unlisted = house.open(visibility="public"), house.open()
    private = house.open(visibility="private")
    assert ids(house) == [unlisted.id, public.id]
    assert ids(house, **private.host) == [private.id, unlisted.id, public.id]


def test_summary_shows_standing_of_a_match(api):
    match = api.open(visibility="public", players={"1": "Jet"})
    api.play(match.id, match.host, *MOVES)
    (told,) = api.get("/matches").json()["matches"]
    assert told.pop("created") > 0
    assert len(told.pop("head")) == 64
    assert told.pop("changed") > 0
    assert told.pop("number") > 0
    assert told == {
        "match": match.id,
        "game": "poptrix",
        "name": "",
        "rules": "poptrix/1",
        "kind": "match",
        "fork": None,
        "options": {},
        "seats": 2,
        "players": {"1": "Jet"},
        "dice": {"by": "table", "commitment": None, "seed": None},
        "version": 4,
        "plies": 4,
        "turn": 5,
        "awaiting": [{"seat": 1, "what": "attack", "moves": ["attack"], "must": True}],
        "standing": "Jet is to attack",
        "unjudged": False,
        "offered": None,
        "asked": None,
        "asked_by": None,
        "outcome": None,
        "result": "*",
        "ended": None,
    }


def test_next_page_continues_while_matches_are_added(api):
    there = [api.open(visibility="public").id for _ in range(5)]
    first = api.get("/matches?limit=2").json()
    assert [each["match"] for each in first["matches"]] == there[:2:-1]
    api.open(visibility="public")
    second = api.get(f"/matches?limit=2&cursor={first['next']}").json()
    assert [each["match"] for each in second["matches"]] == [there[2], there[1]]
    last = api.get(f"/matches?limit=2&cursor={second['next']}").json()
    assert [each["match"] for each in last["matches"]] == [there[0]]
    assert last["next"] is None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "dcba"),
        ("?game=poptrix", "ca"),
        ("?game=blockade", "db"),
        ("?player=Jet", "ba"),
        ("?player=jET", "ba"),
        ("?player=je", ""),
        ("?status=ended", "a"),
        ("?status=open", "dcb"),
        ("?q=second", "d"),
        ("?q=second+jet", ""),
        ("?q=je&status=open", "b"),
        ("?game=poptrix&status=ended&player=Jet&kind=match", "a"),
    ],
)
def test_library_is_filtered(shelved, query, found):
    api, names = shelved
    assert "".join(names[each] for each in ids(api, query)) == found


@pytest.mark.parametrize(
    "query",
    [
        "game=chess",
        "status=lost",
        "kind=fork",
        "limit=0",
        "limit=101",
        "cursor=nonsense!",
        "cursor=short",
        "q=%21%3F",
        "wish=1",
        *("tag=Event", "tag=:Cup", "tag=Event:", "sort=name", "since=x", "sort=changed&q=x"),
    ],
)
def test_invalid_query_of_matches_is_400(shared, query):
    assert shared.get(f"/matches?{query}").status_code == 400


def test_variations_are_listed_with_their_match_unless_hidden(api):
    public, unlisted = api.open(visibility="public"), api.open()
    for each in (public, unlisted):
        api.play(each.id, each.host, *MOVES)
    shown, hidden = (fork(api, public, 2)["match"] for _ in range(2))
    inside = fork(api, unlisted, 2)["match"]
    api.post(f"/matches/{hidden}/hide", headers=public.host)
    assert ids(api, "?kind=variation") == [shown]
    assert ids(api, "?kind=variation", **unlisted.host) == [inside, shown]


def test_matches_in_the_trash_are_not_listed(api):
    match = api.open(visibility="public")
    api.client.delete(f"/matches/{match.id}", headers=match.host)
    assert ids(api) == []
    assert ids(api, **match.host) == []


def test_search_covers_only_visible_matches(api):
    opened = {
        each: api.open(visibility=each, players={"1": f"Jet {each}"})
        for each in ("public", "unlisted", "private")
    }
    for match in opened.values():
        said = {"ply": 0, "comment": "A jetty"}
        api.post(f"/matches/{match.id}/annotations", json=said, headers=match.host)

    def found(**headers: str) -> list[str]:
        answer = api.get("/search?q=jet", headers=headers)
        assert answer.status_code == 200, answer.text
        return [each["text"] for each in answer.json()["found"]]

    assert found() == ["Jet public", "A jetty"]
    assert found(**opened["private"].host)[:2] == ["Jet private", "A jetty"]
    assert "Jet unlisted" not in found(**opened["private"].host)
    assert len(api.get("/search?q=jet&limit=1").json()["found"]) == 1
    for query in ("", "?q=", "?q=!"):
        assert api.get(f"/search{query}").status_code == 400


def test_explore_counts_no_moves_of_private_matches(api):
    for visibility in ("public", "unlisted", "private"):
        match = api.open(visibility=visibility)
        api.play(match.id, match.host, *MOVES)
        fork(api, match, 2)
    told = api.get("/explore/poptrix").json()
    assert [(each["text"][0], each["seen"]) for each in told["moves"]] == [("M", 2)]
    after = api.get("/explore/poptrix?after=M@c1+S@c6").json()
    there = api.get(f"/matches/{match.id}/explore?ply=2", headers=match.host).json()
    assert after == there
    assert sum(each["seen"] for each in after["moves"]) == 2
    assert after["moves"][0]["won"] == {"1": 0, "2": 0}


def test_explore_counts_moves_of_a_player_in_matches_that_the_caller_may_list(api):
    made = {}
    for visibility in ("public", "unlisted", "private"):
        match = made[visibility] = api.open(visibility=visibility, players={"1": "Ben", "2": "Ann"})
        api.play(match.id, match.host, *MOVES)

    def seen(path: str, **headers: str) -> list[int]:
        return [each["seen"] for each in api.get(path, headers=headers).json()["moves"]]

    here = f"/matches/{made['private'].id}/explore?ply=0&player=ben"
    assert seen(here, **made["private"].seats["2"]) == [2]
    assert seen("/explore/poptrix?player=Ben") == [1]
    assert seen("/explore/poptrix?player=Ben", **made["private"].seats["2"]) == [2]
    assert seen("/explore/poptrix?player=Ben", **made["unlisted"].host) == [2]
    assert seen("/explore/poptrix?player=Ann") == []
    assert seen("/explore/poptrix?player=Ann&after=M@c1") == [1]
    public = made["public"]
    gone = {"players": {"1": ""}}
    api.client.patch(f"/matches/{public.id}/people", json=gone, headers=public.host)
    assert seen("/explore/poptrix?player=Ben") == []
    for unfit in ("", "%20", "%00", "%E2%80%AE"):
        refused = api.get(f"/explore/poptrix?player={unfit}")
        assert refused.status_code == 400
        assert "must be printable, not blank" in refused.json()["detail"]


def test_explore_says_how_many_matches_are_not_counted_yet(api, monkeypatch):
    monkeypatch.setattr(indexes, "MOST", 1)
    for _ in range(3):
        api.open()
    assert [api.get("/explore/poptrix").json()["uncounted"] for _ in range(3)] == [2, 1, 0]
    assert "Not counted yet" not in api.get("/library/explore/poptrix").text
    api.open(), api.open()
    assert "Not counted yet: 1 match." in api.get("/library/explore/poptrix").text


def test_explore_refuses_illegal_and_unknown_lines(api):
    refused = api.get("/explore/poptrix?after=M@c1+M@c1")
    assert refused.status_code == 409
    assert (refused.json()["event"], refused.json()["text"]) == (1, "M@c1")
    assert api.get("/explore/chess").status_code == 404
    match = api.open(visibility="private")
    assert api.get(f"/matches/{match.id}/explore").status_code == 401
    assert api.get(f"/matches/{match.id}/explore?ply=1", headers=match.host).status_code == 404


def test_statistics_count_only_listed_matches(api, house):
    for service, matches in ((api, 1), (house, 2)):
        for visibility in ("public", "unlisted", "private"):
            match = service.open(visibility=visibility, players={"1": f"Jet {visibility}"})
            service.play(match.id, match.host, "2:resign")
        (told,) = service.get("/stats").json()["games"]
        assert (told["game"], told["matches"], told["results"]) == (
            "poptrix",
            matches,
            {"+1": matches},
        )
        names = sorted(each["player"] for each in told["players"])
        assert names == ["Jet public", "Jet unlisted"][:matches]
        assert service.get("/stats?player=Jet private").json() == {"games": []}
    assert api.get("/stats?game=chess").status_code == 400


def test_list_says_when_matches_changed_and_ended(api):
    match = api.open(visibility="public")
    api.play(match.id, match.host, "M@c1", "2:resign")
    [before] = api.get("/matches").json()["matches"]
    assert before["result"] == "+1"
    assert before["ended"] == api.get(f"/matches/{match.id}/events").json()["events"][-1]["at"]
    body = {"ply": 0, "comment": "hello"}
    api.post(f"/matches/{match.id}/annotations", json=body, headers=match.host)
    [after] = api.get("/matches").json()["matches"]
    assert after["number"] > before["number"]
    assert after["changed"] >= before["changed"]
    assert after["version"] == before["version"]
    open_one = api.open(visibility="public")
    [listed, _] = api.get("/matches").json()["matches"]
    assert (listed["match"], listed["result"], listed["ended"]) == (open_one.id, "*", None)


def test_list_begins_with_latest_change(api):
    made = [api.open(visibility="public") for _ in range(4)]
    hidden = api.open(visibility="private")
    api.play(made[1].id, made[1].host, "M@c1")
    expected = [made[each].id for each in (1, 3, 2, 0)]
    assert ids(api, "?sort=changed") == expected
    first = api.get("/matches?sort=changed&limit=3").json()
    api.play(made[2].id, made[2].host, "M@c1")
    rest = ids(api, f"?sort=changed&cursor={first['next']}")
    assert [each["match"] for each in first["matches"]] + rest == expected
    number = first["matches"][0]["number"]
    assert ids(api, f"?sort=changed&after={number}") == [made[2].id]
    assert ids(api, f"?after={number}") == [made[2].id]
    assert ids(api, "?since=0")[0] == made[3].id
    assert ids(api, "?since=99999999999999") == []
    found = ids(api, "?sort=changed", **hidden.host)
    assert set(found) == {*expected, hidden.id}
    assert found[0] == made[2].id


def test_list_has_the_matches_of_a_tag(api):
    cup, other, hidden = api.open(visibility="public"), api.open(visibility="public"), api.open()
    for match, event in ((cup, "Cup: 2"), (other, "Cup"), (hidden, "Cup: 2")):
        body = {"tags": {"Event": event, "Round": "1"}}
        api.client.patch(f"/matches/{match.id}/tags", json=body, headers=match.host)
    for sort in ("opened", "changed"):
        assert ids(api, f"?sort={sort}&tag=Event:Cup: 2") == [cup.id]
        assert ids(api, f"?sort={sort}&tag=Round:1") == [other.id, cup.id]
        assert ids(api, f"?sort={sort}&tag=Event:cup") == []
    assert set(ids(api, "?tag=Event:Cup: 2", **hidden.host)) == {cup.id, hidden.id}
    body = {"tags": {"Event": ""}}
    api.client.patch(f"/matches/{cup.id}/tags", json=body, headers=cup.host)
    assert ids(api, "?tag=Event:Cup: 2") == []


@pytest.mark.parametrize("route", ["/matches", "/stats"])
@pytest.mark.parametrize("game", ["nonsense", "poptrix/9", "x[/y", ""])
def test_filter_by_no_game_names_its_parameter(api, route, game):
    answer = api.get(route, params={"game": game})
    assert (answer.status_code, answer.json()["path"]) == (400, "game")
