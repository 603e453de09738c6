"""Matches over HTTP whose game is not installed."""

from __future__ import annotations

import io

import pytest

from replay import registry
from replay.errors import UnknownRuleset
from replay.formats.archive.reader import verify_archive
from replay.library.indexes import catch_up_positions


@pytest.fixture
def kept(fresh):
    """A match of Poptrix, the game that `gone` takes away."""
    match = fresh.open(players={"1": "Ann", "2": "Ben"}, visibility="public")
    fresh.play(match.id, match.host, "M@c1")
    catch_up_positions(fresh.book)
    return match


@pytest.fixture
def gone(fresh, kept, monkeypatch):
    """Take the game away, as if the service was started again without it."""
    find = registry.find

    def missing(name):
        if name == "poptrix/1":
            raise UnknownRuleset("the game 'poptrix' is not installed")
        return find(name)

    monkeypatch.setattr(registry, "find", missing)
    fresh.book.cache = type(fresh.book.cache)()


@pytest.mark.usefixtures("in_process", "gone")
def test_stored_facts_are_served(fresh, kept):
    standing = fresh.get(f"/matches/{kept.id}").json()
    assert (standing["plies"], standing["rules"], standing["awaiting"]) == (1, "poptrix/1", [])
    [event] = fresh.get(f"/matches/{kept.id}/events").json()["events"]
    assert event["text"]
    assert event["text"] in fresh.get(f"/matches/{kept.id}/record").text
    assert "hashes only" in fresh.get(f"/matches/{kept.id}/verify").json()["note"]
    assert [one["match"] for one in fresh.get("/matches").json()["matches"]] == [kept.id]


@pytest.mark.usefixtures("gone")
def test_archive_of_a_kept_match_verifies(fresh, kept):
    archive = fresh.get(f"/matches/{kept.id}/record", params={"format": "archive"})
    [verdict] = verify_archive(io.BytesIO(archive.content))
    assert (verdict.match, verdict.ok) == (kept.id, True)


@pytest.mark.usefixtures("gone")
def test_pages_name_the_missing_ruleset(fresh, kept):
    page = fresh.get(f"/m/{kept.id}")
    assert page.status_code == 200
    assert "Not refereed: needs the ruleset poptrix/1" in page.text
    assert kept.id in fresh.get("/library").text


@pytest.mark.usefixtures("gone")
@pytest.mark.parametrize(
    "path", ["matches/{}/legal", "matches/{}/record?format=html", "m/{}/replay", "m/{}/share"]
)
def test_requests_that_need_the_game_are_refused(fresh, kept, path):
    answer = fresh.get(f"/{path.format(kept.id)}")
    assert (answer.status_code, answer.json()["code"]) == (409, "missing-game")


@pytest.mark.usefixtures("gone")
def test_kept_match_refuses_events(fresh, kept):
    refused = fresh.play(kept.id, kept.host, "1:resign")
    assert (refused.status_code, refused.json()["code"]) == (409, "missing-game")


@pytest.fixture
def hidden(fresh, kept):
    shown = {"visibility": "private"}
    fresh.client.put(f"/matches/{kept.id}/visibility", json=shown, headers=kept.host)


@pytest.mark.usefixtures("hidden", "gone")
@pytest.mark.parametrize("path", ["matches/{}", "matches/{}/events", "matches/{}/record", "m/{}"])
def test_private_match_stays_private(fresh, kept, path):
    fresh.client.cookies.clear()
    assert fresh.get(f"/{path.format(kept.id)}").status_code == 401
    assert fresh.get(f"/{path.format(kept.id)}", headers=kept.host).status_code == 200
