"""The pages that record a stood move and the position after it."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from service.settings import Settings
from tests.service.conftest import serve

BROWSER = {"Accept": "text/html,*/*;q=0.8"}


@pytest.fixture
def match(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    api.play(match.id, match.host, "M@c1", "S@c6", "c1>L@c3")
    return match


def asked(api, match, who=None, **query):
    headers = (match.host if who is None else who) | BROWSER
    return api.get(f"/m/{match.id}/stood", params=query, headers=headers, follow_redirects=False)


def test_known_move_leads_to_proposed_position(api, match):
    led = asked(api, match, text="c6>S@c5", seat=2)
    assert led.status_code == 303
    query = parse_qs(urlsplit(led.headers["location"]).query)
    assert query == {
        "version": ["3"],
        "stood": ["2:c6>S@c5"],
        "base": ["2s2/2s2/5/2L2/5/2M2 5S4M4L 3s5m5l 1 5"],
    }
    page = api.get(led.headers["location"], headers=match.host).text
    assert 'data-stood="2:c6&gt;S@c5"' in page
    assert 'href="/rules/poptrix#POP-3.2"' in page
    assert 'aria-label="c5, small of Red"' in page
    assert "Reason" not in page


def test_picks_lead_to_the_moves_that_contain_them(api, match):
    page = asked(api, match, picks="c6,e1", seat=2).text
    for size in "SML":
        assert f"/m/{match.id}/stood?picks=c6%2Ce1%2C{size}&amp;seat=2" in page
    assert "text=" not in page
    led = asked(api, match, picks="c6,e1,L", seat=2)
    assert parse_qs(urlsplit(led.headers["location"]).query)["stood"] == ["2:c6>L@e1"]


def test_occupied_square_is_not_offered(api, match):
    page = asked(api, match, picks="c6,L", seat=2).text
    places = json.loads(re.search(r'class="tapped">(.*?)</script>', page)[1])["places"]
    assert "c3" not in places
    assert "begins like this" in asked(api, match, picks="c6,c3,L", seat=2).text


@pytest.mark.parametrize(
    ("token", "words"),
    [("c6>M@c5", "This move breaks no rule"), ("<b>", "is not a move of Poptrix")],
)
def test_invalid_stood_move_is_refused_with_reason(api, match, token, words):
    page = asked(api, match, text=token, seat=2)
    assert (page.status_code, words in page.text, "<b>" in page.text) == (409, True, False)
    there = api.get(f"/m/{match.id}/adjust", params={"stood": token}, headers=match.host | BROWSER)
    assert (there.status_code, words in there.text) == (409, True)


def test_only_the_host_records_a_stood_move(api, match):
    for who in ({}, *match.seats.values()):
        assert asked(api, match, who, text="c6>S@c5").status_code == 403


def test_stood_move_is_refused_while_moves_are_sealed(api):
    match = api.open("pyramid-ball")
    api.play(match.id, match.host, "1:S=...,M=...,L=...")
    page = asked(api, match, text="pick=M", seat=2)
    assert (page.status_code, "sealed" in page.text) == (409, True)


def test_every_address_has_the_prefix_of_the_server():
    with serve(Settings(root_path="/evening/")) as api:
        match = api.open()
        api.play(match.id, match.host, "M@c1", "S@c6")
        led = asked(api, match, text="c1>M@c2", seat=1)
        assert led.headers["location"].startswith(f"/evening/m/{match.id}/adjust?")
        page = asked(api, match, picks="c1,c2", seat=1).text
        assert page.count(f'"/evening/m/{match.id}') >= 3
        assert f'"/m/{match.id}' not in page
