"""The pages across matches: library, explorer, statistics."""

from __future__ import annotations

import re

import pytest

from replay.library import explorer
from tests.service.pages.test_start import join

BROWSER = {"Accept": "text/html"}


@pytest.fixture
def shelf(api):
    """A finished public match of Poptrix, and an unfinished one of Blockade."""
    ended = api.open(players={"1": "Jet", "2": "Red"}, visibility="public")
    api.play(ended.id, ended.host, "M@c1", "S@c6", "1:resign")
    open_ = api.open("blockade", players={"1": "Teal", "2": "🦊"}, visibility="public")
    return ended.id, open_.id


@pytest.mark.parametrize(
    ("query", "finds"),
    [
        ("?player=JET", (True, False)),
        ("?player=Je", (False, False)),
        ("?player=Jet&q=red", (True, False)),
        ("", (True, True)),
        ("?game=poptrix", (True, False)),
        ("?status=open", (False, True)),
        ("?status=ended", (True, False)),
        ("?q=teal", (False, True)),
        ("?q=teal&game=poptrix", (False, False)),
        ("?q=...&game=&status=", (False, False)),
        ("?q=%F0%9F%A6%8A", (False, True)),
    ],
)
def test_library_shows_the_matches_of_query(api, shelf, query, finds):
    page = api.get(f"/library{query}").text
    assert tuple(f"/m/{match}" in page for match in shelf) == finds


def test_ended_match_links_to_its_replay(api, shelf):
    page = api.get("/library").text
    assert f'href="/m/{shelf[0]}/replay"' in page
    assert f'href="/m/{shelf[1]}"' in page
    assert "Red won" in page


def test_filter_shows_a_game_without_explorer(api):
    page = api.get("/library?game=score-sheet").text
    assert '<a href="/library?" aria-current="true">Score sheet</a>' in page
    assert '<a href="/library?game=score-sheet&amp;status=open">Going on</a>' in page
    assert "/library/explore/poptrix" in page
    assert "/library/explore/score-sheet" not in page


def test_older_matches_are_on_next_page(api):
    first = api.open(visibility="public")
    for _ in range(24):
        api.open(visibility="public")
    page = api.get("/library?game=poptrix").text
    assert first.id not in page
    way = re.search(r'href="(/library\?game=poptrix&amp;before=\d+)"', page)[1]
    assert first.id in api.get(way.replace("&amp;", "&")).text


def test_found_comment_links_to_its_ply(api, shelf):
    match = api.open(visibility="public")
    api.play(match.id, match.host, "M@c1")
    said = {"ply": 1, "comment": "far from <home>"}
    answer = api.post(f"/matches/{match.id}/annotations", json=said, headers=match.host)
    assert answer.status_code == 201, answer.text
    page = api.get("/library?q=home").text
    assert f'<a href="/m/{match.id}/replay#1">far from &lt;home&gt;</a>' in page


@pytest.mark.parametrize("query", ["?game=chess", "?status=over", "?before=x"])
def test_invalid_query_is_answered_by_a_page(api, query):
    answer = api.get(f"/library{query}", headers=BROWSER)
    assert answer.status_code == 400
    assert "<h1>" in answer.text


def test_explorer_counts_no_private_matches(api, shelf):
    secret = api.open(visibility="private")
    api.play(secret.id, secret.host, "L@a1")
    page = api.get("/library/explore/poptrix").text
    assert "M@c1" in page
    assert "player 2 won 1" in page
    assert "L@a1" not in page


def test_explorer_walks_through_the_moves_of_a_player(api, shelf):
    library = api.get("/library?player=Jet").text
    assert '<a href="/library?" aria-current="true">Jet</a>' in library
    assert "What did Jet play here?" in library
    way = "/library/explore/poptrix?player=Jet"
    assert f'href="{way}"' in library
    page = api.get(way).text
    assert 'href="/library/explore/poptrix?after=M%40c1&amp;player=Jet"' in page
    assert re.search("once|[0-9]+ times, player 2 won [0-9]+<", page)
    after = api.get("/library/explore/poptrix?after=M@c1&player=Red").text
    assert re.search("once|[0-9]+ times, Red won [0-9]+<", after)
    others = api.get(f"{way}&after=M@c1").text
    assert "Jet has not moved here in any match that you may list. All players did this:" in others
    assert 'after=M%40c1+S%40c6&amp;player=Jet"' in others
    assert re.search("player 2 won [0-9]+<", others)
    assert api.get("/library/explore/poptrix?player=%00", headers=BROWSER).status_code == 400


def test_look_back_leads_to_the_explorer(api, shelf):
    match = api.open(visibility="unlisted")
    api.play(match.id, match.host, "M@c1", "S@c6", "1:resign")
    assert f'href="/m/{match.id}/explored?ply=3"' in api.get(f"/m/{match.id}/replay").text
    for ply, after in (
        (0, ""),
        (2, "?after=M%40c1+S%40c6"),
        (3, "?after=M%40c1+S%40c6+1%3Aresign"),
    ):
        way = api.get(f"/m/{match.id}/explored?ply={ply}", follow_redirects=False)
        assert way.headers["location"] == f"/library/explore/poptrix{after}"
        assert api.get(way.headers["location"]).status_code == 200


def test_explorer_keeps_the_secrets_of_a_match(api):
    match = api.open("pyramid-ball", visibility="private")
    api.play(match.id, match.host, "1:S=FRB,M=L.F,L=LFF,pass=2L")
    assert api.get(f"/m/{match.id}/explored?ply=1", headers=BROWSER).status_code == 401
    way = api.client.get(f"/m/{match.id}/explored?ply=1", headers=match.seats["2"])
    assert way.url.path == "/library/explore/pyramid-ball"
    assert not way.url.query


@pytest.mark.parametrize(
    "other", [{"game": "score-sheet"}, {"options": {"cool": "2"}}, {"unjudged": True}]
)
def test_match_that_began_differently_does_not_lead_to_the_explorer(api, other):
    match = api.open(**{"game": "blockade", **other})
    assert "/explored" not in api.get(f"/m/{match.id}/replay").text
    assert api.get(f"/m/{match.id}/explored", headers=BROWSER).status_code == 404


def test_explorer_names_the_illegal_move(api):
    answer = api.get("/library/explore/poptrix?after=M@c1+M@c1", headers=BROWSER)
    assert answer.status_code == 400
    assert "M@c1:" in answer.text


def test_statistics_cover_only_listed_matches(api, shelf):
    hidden = api.open(players={"1": "Nobody"})
    page = api.get("/library/stats").text
    assert hidden.id not in page
    assert "Nobody" not in page
    assert "Jet" in page
    assert "Poptrix" in page


def results(page: str, table: str) -> list[list[str]]:
    """Return the rows of a table of players."""
    body = page.partition(f">{table}</caption>")[2].partition("</table>")[0]
    rows = re.findall("<tr>(.*?)</tr>", body.partition("<tbody>")[2])
    cells = (re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows)
    return [[re.sub("<[^>]*>", "", cell) for cell in row] for row in cells]


def test_statistics_begin_with_people(api):
    for game in ("poptrix", "blockade"):
        match = api.open(game, players={"1": "Cleo", "2": "Dana"}, visibility="public")
        api.play(match.id, match.host, "1:resign")
    page = api.get("/library/stats").text
    counted = results(page, "Players of all games")
    assert ["Dana", "2", "2", "0"] in counted
    assert ["Cleo", "2", "0", "0"] in counted
    games = page.partition("Players of all games")[2].partition("<details>")[2]
    assert games.index("<table>") < games.index('<dl class="facts">')
    assert "<details open>" not in page


def test_results_of_all_games_are_added_up_once_until_the_book_changes(api, monkeypatch):
    added = []
    totals = explorer.totals
    monkeypatch.setattr(explorer, "totals", lambda games: added.append(games) or totals(games))
    for name in ("Elsa", "Finn"):
        for game in ("poptrix", "blockade"):
            api.open(game, players={"1": name, "2": "Gil"}, visibility="public")
        pages = {api.get("/library/stats").text for _ in range(3)}
        assert [name in page for page in pages] == [True]
    assert len(added) == 2


def test_device_statistics_count_its_unlisted_matches(api):
    for game, loser in (("poptrix", 1), ("blockade", 1), ("blockade", 2)):
        match = api.open(game, players={"1": "Ann", "2": "Ben"}, visibility="private")
        api.play(match.id, match.host, f"{loser}:resign")
        join(api, match)
    api.open(players={"1": "Ann", "2": "Stranger"})
    page = api.get("/library/stats").text
    assert results(page, "Players of all our games") == [
        ["Ben", "3", "2", "0"],
        ["Ann", "3", "1", "0"],
    ]
    assert results(page, "Players of Poptrix in our evenings") == [
        ["Ben", "1", "1", "0"],
        ["Ann", "1", "0", "0"],
    ]
    assert '<a href="/library?player=Ben">Ben</a>' in page
    assert "Stranger" not in page
    api.client.cookies.clear()
    other = api.get("/library/stats").text
    assert "Our evenings" not in other
    assert "Ann" not in other


def test_pages_leave_doubtful_matches_out(api, shelf):
    doubtful = api.open(players={"1": "Moss"}, visibility="public")
    api.play(doubtful.id, doubtful.host, "--")
    page = api.get("/library").text
    assert '<a href="/library?sure=true">Sure</a>' in page
    assert doubtful.id in page
    page = api.get("/library?sure=true&game=poptrix").text
    assert '<a href="/library?game=poptrix" aria-current="true">Sure</a>' in page
    assert shelf[0] in page
    assert doubtful.id not in page
    assert "Moss" in api.get("/library/stats").text
    assert "Moss" not in api.get("/library/stats?sure=true").text
    page = api.get("/library/explore/poptrix?sure=true").text
    assert 'href="/library/explore/poptrix?after=M%40c1&amp;sure=true"' in page
    assert 'href="/library/explore/poptrix" aria-current="true">Sure</a>' in page
    assert api.get("/library?sure=perhaps", headers=BROWSER).status_code == 400
