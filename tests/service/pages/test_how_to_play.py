"""The pages that explain the games."""

from __future__ import annotations

import re

import pytest

from replay import registry, rules_text
from replay.games import game_info
from tests.conformance import door


@pytest.mark.parametrize("slug", registry.games())
def test_game_has_pictures_needs_and_clauses(api, slug):
    game = registry.find(slug)
    guide = game_info.guide(game)
    page = api.get(f"/how-to-play/{slug}").text
    pictures = re.findall(r'<img class="picture" src="([^"]+)" alt="([^"]+)"', page)
    assert len(pictures) == len(guide.examples)
    for address, _ in pictures:
        drawn = api.get(address)
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert 'class="pb-' in drawn.text
    assert page.count("<li><b>") == len(guide.needs)
    cited = {clause for example in guide.examples for clause in example.clauses}
    assert set(re.findall(rf'href="/rules/{slug}#([^"]+)"', page)) == cited


@pytest.mark.parametrize("slug", registry.games())
def test_guide_is_linked_from_start_and_rules(api, slug):
    for page in (f"/new/{slug}", f"/rules/{slug}"):
        assert f'href="/how-to-play/{slug}"' in api.get(page).text


def test_game_with_only_rules_shows_its_clauses(api, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    door.install(door.SIXTH, site)
    with door.opened(site):
        page = api.get("/how-to-play/hidden-bid").text
        clauses = rules_text.clauses(registry.find("hidden-bid"))
        assert all(f'id="{clause}"' in page for clause in clauses)
        assert "<img" not in page
        assert api.get("/how-to-play/hidden-bid/1").status_code == 404


def test_game_without_texts_has_no_page(api, monkeypatch):
    monkeypatch.setattr(registry.find("poptrix"), "seeds", "tests")
    assert api.get("/how-to-play/poptrix").status_code == 404
    assert "/how-to-play/poptrix" not in api.get("/new/poptrix").text


@pytest.mark.parametrize("address", ["poptrix/0", "poptrix/6", "chess", "chess/1"])
def test_unknown_page_is_not_found(api, address):
    assert api.get(f"/how-to-play/{address}").status_code == 404
