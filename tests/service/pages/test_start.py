"""The first page, and the pages that start a match."""

from __future__ import annotations

import copy
import re
from types import SimpleNamespace

import pytest

from domain.games import BUILT_IN
from replay import registry, rules_text
from replay.errors import Damaged
from replay.games import game_info
from service.pages.start import describe_size
from service.settings import Settings
from tests.conformance import door
from tests.paths import ROOT
from tests.service.conftest import bearer, serve


def join(api, match):
    token = match.host["Authorization"].removeprefix("Bearer ")
    api.get(f"/join/{match.id}/{token}", follow_redirects=False)


def test_first_page_lists_only_public_matches(api):
    shown = api.open(visibility="public")
    hidden = [api.open(), api.open(visibility="private")]
    page = api.get("/").text
    assert f"/m/{shown.id}" in page
    assert all(match.id not in page for match in hidden)


def test_open_match_is_shown_on_its_device(api):
    match = api.open(visibility="private", players={"1": "Jet"})
    join(api, match)
    page = api.get("/").text
    assert "Go on: Poptrix" in page
    assert f'href="/m/{match.id}"' in page
    api.play(match.id, match.host, "1:resign")
    assert match.id not in api.get("/").text.partition("Lately played")[0]


def test_invalid_cookie_shows_no_match(api):
    match = api.open(visibility="private")
    api.client.cookies.set(f"plybook-{match.id}", "not-the-token")
    assert match.id not in api.get("/").text


@pytest.mark.parametrize("slug", BUILT_IN)
def test_each_option_has_question_and_answers(slug):
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
def test_first_answer_is_default_of_the_game(api, slug):
    page = api.get(f"/new/{slug}").text
    default = registry.find(slug).options()
    chosen = re.findall(r'name="option\.(\w+)" value="(\w+)" checked', page)
    chosen += re.findall(r'name="option\.(\w+)"><option value="(\w+)" selected', page)
    assert dict(chosen) == {
        name: str(getattr(default, name)) for name in registry.find(slug).choices()
    }


def test_form_asks_who_rolls_only_with_dice(api):
    assert "Who rolls the dice?" in api.get("/new/blockade").text
    assert "Who rolls the dice?" not in api.get("/new/poptrix").text


def test_form_asks_who_deals_cards_and_names_partners(api, tmp_path):
    door.install(ROOT / "plugins" / "whist", tmp_path)
    with door.opened(tmp_path):
        page = api.get("/new/whist").text
    assert "Who deals?" in page
    assert "Plybook deals" in page
    assert "dice?" not in page
    assert "Partner of player 1" in page


def test_game_without_texts_can_be_started(api, tmp_path):
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


def test_game_without_rules_has_no_rules_link(api, monkeypatch):
    assert "/rules/poptrix" in api.get("/new/poptrix").text
    monkeypatch.setattr(registry.find("poptrix"), "seeds", "tests")
    page = api.get("/new/poptrix")
    assert page.status_code == 200
    assert "/rules/poptrix" not in page.text


def test_unreadable_about_names_its_game(tmp_path, monkeypatch):
    (tmp_path / "broken_seeds" / "poptrix").mkdir(parents=True)
    (tmp_path / "broken_seeds" / "__init__.py").touch()
    (tmp_path / "broken_seeds" / "poptrix" / "about.toml").write_text("minutes = 'long'")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Damaged, match=r"about\.toml of poptrix"):
        game_info.about(SimpleNamespace(seeds="broken_seeds", slug="poptrix"))


def test_unknown_game_is_404_page(api):
    answer = api.get("/new/chess", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "is not a game" in answer.text


def test_thumbnail_of_private_match_needs_invitation(api):
    match = api.open(visibility="private")
    assert api.get(f"/m/{match.id}/small/0/0").status_code == 401
    drawn = api.get(f"/m/{match.id}/small/0/0", headers=match.host)
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert "private" in drawn.headers["cache-control"]
    assert api.get(f"/m/{match.id}/small/7/0", headers=bearer("x")).status_code == 401


def test_start_page_shows_the_published_durations(api):
    page = api.get("/new").text.replace("\u00a0", " ")
    assert "2 players, 10 minutes" in page  # Blockade
    assert "2 players, 10 to 20 minutes" in page  # Cube Pyramid


def test_rules_give_no_year_without_a_source():
    assert "20" not in rules_text.text(registry.find("pyramid-ball")).partition("## ")[0]


def test_words_on_privacy_are_true_where_the_library_lists_all(api):
    assert "Only the link leads to the match." in api.get("/new/poptrix").text
    with serve(Settings(lists_all=True)) as open_to_all:
        page = open_to_all.get("/new/poptrix").text
        assert "Only the link leads to the match." not in page
        assert "This server’s library lists it, too." in page
        assert "Private ones are not listed." in open_to_all.get("/library").text


def test_number_of_players_is_said_in_grammar():
    solo = SimpleNamespace(seats=range(1, 2))
    assert describe_size(solo, SimpleNamespace(minutes=None)) == "1 player"


def test_first_page_names_every_open_match_of_the_device(api):
    opened = [api.open(players={"1": f"Anna {number}"}) for number in range(9)]
    for match in opened:
        join(api, match)
    page = api.get("/").text
    assert all(f'href="/m/{match.id}"' in page for match in opened)


def test_games_played_last_come_first_and_twins_are_one(api, monkeypatch):
    twin = copy.copy(registry.find("blockade"))
    vars(twin).update(slug="other-blockade", name="Blockade (Other)")
    games = registry.games() | {"other-blockade": twin}
    monkeypatch.setattr(registry, "games", lambda: games)
    join(api, api.open("blockade"))
    page = api.get("/new").text
    names = re.findall("<strong>(.*?)</strong>", page)
    assert names[0] == "Blockade"
    assert len(names) == len(games) - 1
    assert 'href="/new/other-blockade">Blockade (Other)</a>' in api.get("/new/blockade").text
    api.client.cookies.clear()
