"""The replay pages: escaped, complete without scripts, and free of secrets."""

from __future__ import annotations

import re

import pytest

from replay.formats.html.jinja import environment

NASTY = "<script>alert(1)</script> & \"'"
OPENING = ("M@c1", "M@e6", "c1>L@c3", "e6>L@c6", "c1>L@d1", "e6>L@e5")
PROGRAM = "S=F.L,M=RBR,L=BBR"


@pytest.fixture
def match(api):
    match = api.open(players={"1": "<Jet>", "2": "Red"})
    api.play(match.id, match.host, *OPENING)
    return match


def amend(api, match, **body):
    answer = api.post(f"/matches/{match.id}/amendments", json=body, headers=match.host)
    assert answer.status_code == 200, answer.text


def fork(api, match, **body):
    answer = api.post(f"/matches/{match.id}/forks", json=body, headers=match.host)
    assert answer.status_code == 201, answer.text
    return answer.json()


def note(api, match, **body):
    answer = api.post(f"/matches/{match.id}/annotations", json=body, headers=match.host)
    assert answer.status_code == 201, answer.text


def test_names_and_comments_cannot_become_markup(api, match):
    note(api, match, ply=2, comment=NASTY, author="<b>Jet</b>")
    fork(api, match, ply=2, name=NASTY)
    texts = [
        api.get(f"/m/{match.id}/{page}", headers=match.host).text
        for page in ("replay?all=true", "replay/moves", "beside?version=3", "entry?ply=2")
    ]
    assert "&lt;Jet&gt;" in texts[0]
    assert "&lt;script&gt;alert(1)" in texts[0]
    for text in texts:
        assert not re.search(r"<script>|<b>Jet|<Jet>|style=", text)


def test_page_is_complete_without_scripts(api, match):
    page = api.get(f"/m/{match.id}/replay?ply=3").text
    assert 'data-ply="3"' in re.search(r'<article class="frame"[^>]*>', page)[0]
    assert page.count("data-line=") == 7
    assert 'href="?ply=5"' in page
    assert "Jet&gt; places a medium on c1" in page
    assert environment().get_template("player.html").module.controls() in page


def test_stop_names_the_first_version_of_its_board(api, match):
    def stops():
        listed = api.get(f"/m/{match.id}/replay/moves").text
        return re.findall(r'data-ply="(\d+)" data-since="(\d+)"', listed)

    before = stops()
    assert before == [(str(ply), str(ply)) for ply in range(7)]
    api.play(match.id, match.host, "d1>M@d2")
    assert stops()[:7] == before
    amend(api, match, ply=3, how="replaced", texts=["c1>L@d1"])
    assert {since for _, since in stops()} == {"8"}
    for ply, since in stops():
        then = api.get(f"/m/{match.id}/frame?version={since}&ply={ply}").text
        assert board(then) == board(api.get(f"/m/{match.id}/frame?ply={ply}").text)


def board(frame):
    return re.search(r'<div class="board">.*?</svg>', frame, re.DOTALL)[0]


def test_page_of_former_line_links_back(api, match):
    amend(api, match, ply=3, how="replaced", texts=["c1>L@d1"])
    now = api.get(f"/m/{match.id}/replay").text
    then = api.get(f"/m/{match.id}/replay?version=6").text
    assert "c1&gt;L@c3" not in now
    assert "c1&gt;L@c3" in then
    assert "ply 3 amended to c1&gt;L@d1" in then
    assert f'href="/m/{match.id}/replay"' in then
    assert f'href="/m/{match.id}/beside?version=6"' in then
    assert "data-tool" not in then


def test_timed_moves_show_their_time(api, match):
    timed = api.open(clock={"total": 600})
    api.play(timed.id, timed.host, *OPENING)
    assert api.get(f"/m/{timed.id}/replay").text.count('class="used"') == len(OPENING)
    assert 'class="used"' not in api.get(f"/m/{match.id}/replay").text


def test_variation_shows_its_name_and_parent(api, match):
    aside = fork(api, match, ply=2, name="By the left")
    page = api.get(f"/m/{aside['match']}/replay").text
    assert "Variation: By the left" in page
    assert f'href="/m/{match.id}/replay#2"' in page
    table = api.get(f"/m/{aside['match']}").text
    assert "Variation: By the left" in table
    assert 'class="aside"' not in api.get(f"/m/{match.id}").text


def test_log_strikes_out_taken_back_moves(api, match):
    api.post(f"/matches/{match.id}/takeback", json={"ply": 4}, headers=match.host)
    assert 'href="?all=true#log"' in api.get(f"/m/{match.id}/replay").text
    page = api.get(f"/m/{match.id}/replay?all=true").text
    assert re.findall(r"<s>(.*?)</s>", page) == ["c1&gt;L@d1", "e6&gt;L@e5"]
    assert 'href="?version=6"' in page


def test_comparison_marks_differences_and_fork(api, match):
    amend(api, match, ply=3, how="replaced", texts=["c1>L@d1"])
    page = api.get(f"/m/{match.id}/beside?version=6").text
    assert "Alike up to move 2" in page
    assert 'data-at="c3" data-marks="to differs"' in page
    assert "<th scope=row>c3</th>" in page
    same = api.get(f"/m/{match.id}/beside?version=7").text
    assert "Both lines are the same" in same
    assert api.get(f"/m/{match.id}/beside?version=99").status_code == 404
    other = api.open("blockade")
    assert api.get(f"/m/{match.id}/beside?other={other.id}").status_code == 400


def test_compared_variations_without_names_have_ids(api, match):
    asides = [fork(api, match, ply=2)["match"] for _ in range(2)]
    page = api.get(f"/m/{asides[0]}/beside?other={asides[1]}").text
    assert all(f"Variation {aside}" in page for aside in asides)


def test_caller_is_offered_only_permitted_tools(api, match):
    def tools(who):
        page = api.get(f"/m/{match.id}/replay", headers=who).text
        return re.findall(r'data-tool="(\w+)"', page)

    assert tools({}) == ["fork"]
    assert tools(match.seats["1"]) == ["comment", "draw", "fork", "lead"]
    assert tools(match.host) == ["comment", "draw", "fork", "lead", "amend", "analyse"]


def test_only_the_host_sees_moves_at_ply(api, match):
    frame = api.get(f"/m/{match.id}/entry?ply=2", headers=match.host)
    assert "c1>L@c3" in frame.text
    assert 'data-ply="2"' in frame.text
    assert frame.headers["cache-control"] == "no-cache"
    assert api.get(f"/m/{match.id}/entry?ply=2", headers=match.seats["1"]).status_code == 403
    assert api.get(f"/m/{match.id}/entry?ply=2").status_code == 401
    assert api.get(f"/m/{match.id}/entry?ply=9", headers=match.host).status_code == 404


def test_hidden_lines_are_shown_only_to_host(api, match):
    aside = fork(api, match, ply=2, name="Aside")
    apart = fork(api, match, ply=2, kind="match", name="Apart")
    reader = api.get(f"/m/{match.id}/replay").text
    assert aside["match"] in reader
    assert apart["match"] not in reader
    api.post(f"/matches/{aside['match']}/hide", headers=match.host)
    assert aside["match"] not in api.get(f"/m/{match.id}/replay").text
    host = api.get(f"/m/{match.id}/replay", headers=match.host).text
    assert 'data-fork-act="unhide"' in host
    assert aside["match"] in host


def test_private_match_is_not_compared_without_token(api, match):
    closed = api.open(visibility="private")
    for page in ("replay", "replay/moves", "beside?version=0"):
        assert api.get(f"/m/{closed.id}/{page}").status_code == 401
    assert api.get(f"/m/{match.id}/beside?other={closed.id}").status_code == 401


def test_replay_pages_show_no_sealed_move(api):
    match = api.open("pyramid-ball")
    answer = api.play(match.id, match.seats["1"], f"1:{PROGRAM}")
    assert answer.status_code == 200, answer.text
    pages = ("replay", "replay?all=true", "replay/moves", "beside?version=0", "entry?ply=0")
    for who in ({}, match.host, *match.seats.values()):
        for page in pages:
            text = api.get(f"/m/{match.id}/{page}", headers=who).text
            assert not re.search(r"F\.L|RBR|BBR", text)
    assert "(sealed)" in api.get(f"/m/{match.id}/replay", headers=match.host).text


def test_analysis_draws_a_curve_of_links(api, match):
    page = f"/m/{match.id}/replay"
    assert "curve" not in api.get(page).text
    for ply, said in enumerate(("seat 1 25%, seat 2 75% after 9 playouts; best: a", "beautiful",
                                "seat 2 wins by force: b")):  # fmt: skip
        note(api, match, ply=ply, comment=said, author="analysis")
    text = api.get(page).text
    assert 'points="0.5,75 2.5,100 "' in text
    assert re.findall('<a href="#([0-9]+)" tabindex="-1">', text) == ["0", "2"]


def test_strip_has_words_for_moves_that_nobody_writes(api):
    match = api.open("score-sheet", seats=3, players={"1": "Ann", "2": "Ben", "3": "Cy"})
    api.play(match.id, match.host, "1:12", "2:8", "3:20", "1:7")
    page = api.get(f"/m/{match.id}/replay").text
    assert re.findall('data-short="(.*?)"', page)[1:] == [
        "Ann enters 12",
        "Ben enters 8",
        "Cy enters 20",
        "Ann enters 7",
    ]
    assert re.findall('data-score="(.*?)"', page)[1:] == ["12", "8", "20", "19"]
    ball = api.open("pyramid-ball", players={"1": "Ann", "2": "Ben"})
    api.play(ball.id, ball.host, f"1:{PROGRAM}", f"2:{PROGRAM}")
    page = api.get(f"/m/{ball.id}/replay").text
    assert re.findall('data-short="(.*?)"', page)[1] == "Ann: program"
    board = api.get(f"/m/{api.open(players={'1': 'Ann'}).id}/replay").text
    assert set(re.findall('data-short="(.*?)"', board)) == {""}
