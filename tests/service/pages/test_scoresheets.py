"""The page that compares two scoresheets."""

from __future__ import annotations

from tests.service.api.test_reconstruction import ASKED, JET, MOVES, pair

PAGE = {"accept": "text/html"}


def compare(api, match, other, **said):
    body = {"scoresheets": [{"match": match.id}, other], "said": said}
    return api.post(f"/m/{match.id}/scoresheets", json=body, headers=match.host)


def test_each_difference_is_a_question_with_two_boards(api):
    one, other = pair(api, *ASKED)
    page = compare(api, one, {"match": other.id})
    assert page.status_code == 200, page.text
    assert "Scoresheet 1 wrote a1&gt;M@c1, Scoresheet 2 wrote a1&gt;M@a3." in page.text
    assert page.text.count('<section class="side"') == page.text.count("<svg") == 2
    decided = compare(api, one, {"match": other.id}, **{"7": "a1>M@a3"}).text
    assert "7. a1&gt;M@a3, by a person: Scoresheet 1 wrote a1&gt;M@c1" in decided
    assert "data-store" in decided


def test_illegal_entry_is_told_with_its_rule(api):
    one, other = pair(
        api, [*MOVES[:6], "a1>M@a4", MOVES[7]], [*MOVES[:6], "a1>M@c4", MOVES[7]], unjudged=True
    )
    page = compare(api, one, {"match": other.id}).text
    assert "Scoresheet 1 wrote a1&gt;M@a4, Scoresheet 2 wrote a1&gt;M@c4. " in page
    assert "(POP-" in page


def test_scoresheet_names_its_player(api):
    one, _ = pair(api, MOVES, MOVES)
    sheet = JET.replace("[Seat2", '[ScoresheetOf "2"]\n[Seat2').replace("a1>M@a3", "a1>M@c1")
    assert (
        "Red wrote a1&gt;M@c1" in compare(api, one, sheet).text
        or "Seat 2 wrote" in compare(api, one, sheet).text
    )


def test_private_scoresheet_needs_its_token(api):
    one, other = pair(api, *ASKED, visibility="private")
    assert compare(api, one, {"match": other.id}).status_code == 401
    assert api.get(f"/m/{one.id}/scoresheets").status_code == 401


def test_unfit_scoresheet_is_refused_in_words(api):
    one, _ = pair(api)
    refused = compare(api, one, '[Game "power-play"]\n\n1. a3-b4 *')
    assert (refused.status_code, "two games" in refused.text) == (400, True)


def test_share_page_leads_to_the_comparison_and_to_linked_matches(api):
    one, other = pair(api, MOVES, MOVES)
    sheets = [{"match": one.id}, {"match": other.id}]
    stored = api.post(
        "/records/reconstruct", json={"scoresheets": sheets, "save": True}, headers=one.host
    )
    found = stored.json()["match"]
    share = api.get(f"/m/{one.id}/share", headers=PAGE).text
    assert f"/m/{one.id}/scoresheets" in share
    assert f'<a href="/m/{found}">The reconstructed match</a>' in share
    assert f'<a href="/m/{other.id}">Scoresheet 2</a>' in api.get(f"/m/{found}/share").text
