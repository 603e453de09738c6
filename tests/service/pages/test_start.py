"""The first page, and the pages that start a match."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from replay import registry, rules_text
from replay.errors import Damaged
from replay.games import game_info
from tests.conformance import door
from tests.service.conftest import bearer


def join(api, match):
    token = match.host["Authorization"].removeprefix("Bearer ")
    api.get(f"/join/{match.id}/{token}", follow_redirects=False)


def test_public_matches_are_on_the_first_page_and_no_others(api):
    shown = api.open(visibility="public")
    hidden = [api.open(), api.open(visibility="private")]
    page = api.get("/").text
    assert f"/m/{shown.id}" in page
    assert all(match.id not in page for match in hidden)


def test_a_match_that_goes_on_is_there_for_the_device_that_bears_it(api):
    match = api.open(visibility="private", players={"1": "Jet"})
    join(api, match)
    page = api.get("/").text
    assert "Still open on this device" in page
    assert f'href="/m/{match.id}"' in page
    api.play(match.id, match.host, "1:resign")
    assert match.id not in api.get("/").text.partition("Lately played")[0]


def test_a_cookie_that_opens_nothing_shows_nothing(api):
    match = api.open(visibility="private")
    api.client.cookies.set(f"plybook-{match.id}", "not-the-token")
    assert match.id not in api.get("/").text


@pytest.mark.parametrize("slug", registry.games())
def test_each_option_is_a_question_with_an_answer_for_every_value(slug):
    game = registry.find(slug)
    about = game_info.about(game)
    assert about.sentence
    assert about.like
    assert len(about.seats) == game.seats[-1]
    for option, values in game.choices().items():
        assert about.question(option) != option
        assert all(about.answer(option, value) != str(value) for value in values)
    known = {option: {str(value) for value in values} for option, values in game.choices().items()}
    told = {option: set(words) - {"ask", "are"} for option, words in about.options.items()}
    assert told == known


@pytest.mark.parametrize("slug", registry.games())
def test_the_first_answer_to_each_question_is_what_the_game_has_by_default(api, slug):
    page = api.get(f"/new/{slug}").text
    default = registry.find(slug).options()
    chosen = re.findall(r'name="option\.(\w+)" value="(\w+)" checked', page)
    assert dict(chosen) == {
        name: str(getattr(default, name)) for name in registry.find(slug).choices()
    }


def test_the_form_asks_who_rolls_only_for_games_with_dice(api):
    assert "Who rolls the dice?" in api.get("/new/blockade").text
    assert "Who rolls the dice?" not in api.get("/new/poptrix").text


def test_a_game_that_tells_nothing_of_itself_can_be_started_all_the_same(api, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    door.install(door.SIXTH, site)
    with door.opened(site):
        assert "Hidden Bid" in api.get("/new").text
        page = api.get("/new/hidden-bid")
        assert page.status_code == 200
        assert "Player 3" in page.text
        assert api.get("/new/hidden-bid/picture.svg").status_code == 200
        assert "BID-1.1" in api.get("/rules/hidden-bid").text


def test_a_game_without_rules_leads_to_none(api, monkeypatch):
    assert "/rules/poptrix" in api.get("/new/poptrix").text
    monkeypatch.setattr(registry.find("poptrix"), "seeds", "tests")
    page = api.get("/new/poptrix")
    assert page.status_code == 200
    assert "/rules/poptrix" not in page.text


def test_an_about_that_cannot_be_read_is_told_by_its_game(tmp_path, monkeypatch):
    (tmp_path / "broken_seeds" / "poptrix").mkdir(parents=True)
    (tmp_path / "broken_seeds" / "__init__.py").touch()
    (tmp_path / "broken_seeds" / "poptrix" / "about.toml").write_text("minutes = 'long'")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Damaged, match=r"about\.toml of poptrix"):
        game_info.about(SimpleNamespace(seeds="broken_seeds", slug="poptrix"))


def test_a_game_there_is_not_is_a_page_that_says_so(api):
    answer = api.get("/new/chess", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "no game" in answer.text


def test_the_small_picture_of_a_private_match_is_for_those_invited(api):
    match = api.open(visibility="private")
    assert api.get(f"/m/{match.id}/small/0/0").status_code == 401
    drawn = api.get(f"/m/{match.id}/small/0/0", headers=match.host)
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert "private" in drawn.headers["cache-control"]
    assert api.get(f"/m/{match.id}/small/7/0", headers=bearer("x")).status_code == 401


def test_durations_are_those_of_the_publications(api):
    page = api.get("/new").text
    assert "2 players, 10 minutes" in page  # Blockade
    assert "2 players, 10 to 20 minutes" in page  # Cube Pyramid


def test_no_year_is_given_that_no_source_gives():
    assert "20" not in rules_text.text(registry.find("pyramid-ball")).partition("## ")[0]
