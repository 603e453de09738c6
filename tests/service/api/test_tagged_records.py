"""All matches with one tag as one file, polled over HTTP."""

from __future__ import annotations

import pytest


@pytest.fixture
def cup(fresh):
    """Two public matches of a cup, a private one, and one of another cup."""
    for player, event, shown in (
        ("Ann", "Cup", "public"),
        ("Ben", "Cup", "public"),
        ("Cy", "Cup", "private"),
        ("Di", "Bowl", "public"),
    ):
        opened = fresh.open(players={"1": player}, tags={"Event": event}, visibility=shown)
        fresh.play(opened.id, opened.host, "M@c1")
        if player == "Ben":
            match = opened
    return match


def poll(api, query="tag=Event:Cup", tag="", **headers):
    sent = {"If-None-Match": tag} if tag else {}
    return api.get(f"/records?{query}", headers=sent | headers)


def test_matches_with_tag_are_one_file_oldest_first(fresh, cup):
    text = poll(fresh).text
    assert [line for line in text.splitlines() if "Seat1" in line] == [
        '[Seat1 "Ann"]',
        '[Seat1 "Ben"]',
    ]
    assert text.count("1. M@c1 *") == 2


def test_poll_is_304_until_something_changes(fresh, cup):
    tag = poll(fresh).headers["ETag"]
    assert poll(fresh, tag=tag).status_code == 304
    fresh.play(cup.id, cup.host, "S@c6")
    later = poll(fresh, tag=tag)
    assert (later.status_code, "2. S@c6" in later.text) == (200, True)


def test_token_opens_private_match(fresh, cup):
    opened = fresh.open(players={"1": "Zoe"}, tags={"Event": "Cup"}, visibility="private")
    assert "Zoe" not in poll(fresh).text
    assert "Zoe" in poll(fresh, **opened.host).text


def test_tag_without_matches_gives_an_empty_file(fresh, cup):
    answer = poll(fresh, "tag=Event:Vase")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    ("query", "path"),
    [("", "tag"), ("tag=Event", "tag"), ("tag=Event:Cup&format=png", "format")],
)
def test_bad_query_is_refused(fresh, query, path):
    answer = poll(fresh, query)
    assert (answer.status_code, answer.json()["path"]) == (400, path)
