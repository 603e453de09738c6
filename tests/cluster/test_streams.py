"""Streams of one server show the events entered at another, also after faults."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from typing import Any

import psycopg
import pytest

from faults.server import Server
from tests.cluster.relay import Relay, relaying
from tests.cluster.serving import ask, follow, open_match, play, serving

TOKENS = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4")
OFFERS = ("1:offer-draw", "2:decline-draw")
"""They may be entered in turn for ever."""
CUT = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ILIKE %s
"""
EVERY, LISTENING = "%", "LISTEN%"
"""Connections by the beginning of their last statement."""


@pytest.fixture
def relay(postgres) -> Iterator[Relay]:
    with relaying(postgres) as running:
        yield running


def cut(url: str, which: str) -> int:
    """Terminate connections to a database, and return how many there were."""
    with psycopg.connect(url) as connection:
        row = connection.execute(CUT, (which,)).fetchone()
    assert row is not None
    return int(row[0])


def entered_and_told(
    servers: list[Server], visibility: str, disturb: Callable[[], Any] = lambda: None
) -> None:
    """Enter moves at each server in turn, and check that a stream of the other shows each once."""
    match = open_match(servers[0], visibility=visibility)
    path, token = f"/matches/{match.id}/stream?after=0", match.host
    with follow(servers[0], path, token) as first, follow(servers[1], path, token) as second:
        for version, (token, server) in enumerate(zip(TOKENS, cycle(servers)), 1):
            disturb()
            assert play(server, match, token) == version
            for stream in (first, second):
                kind, told = next(stream)
                assert (kind, told["version"], told["line"][0]["text"]) == (
                    "logged",
                    version,
                    token,
                )


def test_stream_shows_moves_of_another_server(pair):
    entered_and_told(pair, "unlisted")


def test_private_stream_needs_viewer_token(pair):
    match = open_match(pair[0], visibility="private")
    invited = {"role": "viewer"}
    path = f"/matches/{match.id}/invitations"
    viewer = ask(pair[0], "POST", path, invited, token=match.host).json
    path = f"/matches/{match.id}/stream?after=0"
    assert ask(pair[1], "GET", path).status == 401
    with follow(pair[1], path, viewer["token"]) as stream:
        play(pair[0], match, TOKENS[0])
        assert next(stream)[1]["version"] == 1
        path = f"/matches/{match.id}/invitations/{viewer['id']}"
        assert ask(pair[0], "DELETE", path, token=match.host).status in (200, 204)
        assert list(stream) == [], "a token that was taken away at the other server follows on"


def test_stream_shows_names_and_annotations_across_servers(pair):
    match = open_match(pair[0])
    with follow(pair[1], f"/matches/{match.id}/stream") as stream:
        assert next(stream)[0] == "standing"
        note = {"ply": 0, "comment": "Begun late."}
        path = f"/matches/{match.id}/annotations"
        assert ask(pair[0], "POST", path, note, token=match.host).status == 201
        assert next(stream)[0] == "notes"
        path = f"/matches/{match.id}/people"
        assert (
            ask(pair[0], "PATCH", path, {"players": {"1": "Jet"}}, token=match.host).status == 200
        )
        kind, told = next(stream)
        assert (kind, told["players"]) == ("notes", {"1": "Jet"})
        kind, told = next(stream)
        assert (kind, told["words"]) == ("people", "seat 1 is Jet now")


def test_lead_reaches_followers_at_another_server(pair):
    match = open_match(pair[0], visibility="private")
    path, lead = f"/matches/{match.id}/lead", {"id": "a", "version": 0, "ply": 0}
    with follow(pair[1], f"/matches/{match.id}/stream?after=0", match.host) as stream:
        for over in (False, True):
            answered = ask(pair[0], "PUT", path, lead | {"over": over}, token=match.host)
            assert answered.status == 200, answered
            assert next(stream) == ("led", answered.json)


def test_public_feed_shows_matches_across_servers(pair):
    with follow(pair[1], "/stream") as feed:
        wait_for_news(feed, pair[0])
        told_in_public(feed, pair[0])


def wait_for_news(feed: Iterator[Any], server: Server) -> None:
    """Open matches until the feed shows one, which proves that the feed has begun."""
    heard = threading.Event()

    def open_matches() -> None:
        while not heard.wait(0.1):
            open_match(server, visibility="public")

    with ThreadPoolExecutor(1) as opener:
        opening = opener.submit(open_matches)
        try:
            next(feed)
        finally:
            heard.set()
        opening.result()


def told_in_public(feed: Iterator[Any], server: Server) -> None:
    """Open matches and play one, and check that a feed shows the public one in order."""
    hidden = open_match(server)
    match = open_match(server, visibility="public")
    play(server, match, TOKENS[0])
    seen = []
    while len(seen) < 2:
        kind, told = next(feed)
        assert told["match"] != hidden.id
        if told["match"] == match.id:
            seen.append((kind, told["version"]))
    assert [kind for kind, _ in seen] == ["opened", "moved"]
    assert seen[1][1] == 1  # the version of the first is 1 too if the feed looked late


@pytest.mark.postgres
@pytest.mark.parametrize("which", [EVERY, LISTENING], ids=["every", "listening"])
def test_streams_survive_cut_database_connections(url, tmp_path, which):
    cuts: list[int] = []
    with serving(url, tmp_path) as servers:
        entered_and_told(servers, "private", lambda: cuts.append(cut(url, which)))
        with follow(servers[1], "/stream") as feed:
            wait_for_news(feed, servers[0])
            cuts.append(cut(url, which))
            told_in_public(feed, servers[0])
    assert sum(cuts) >= len(servers), "no such connection was open"


@pytest.mark.postgres
def test_streams_deliver_despite_lost_notifications(postgres, url, relay, tmp_path):
    relay.loses_notifications = True
    with serving(relay.url(url), tmp_path) as servers:
        entered_and_told(servers, "private")
        with follow(servers[1], "/stream") as feed:
            wait_for_news(feed, servers[0])
            told_in_public(feed, servers[0])
    assert relay.lost, "no notification was sent"


@pytest.mark.postgres
def test_lost_notification_does_not_block_next_move(url, relay, tmp_path):
    relay.loses_notifications = True
    with serving(relay.url(url), tmp_path) as servers:
        match = open_match(servers[0])
        for version, token in enumerate(islice(cycle(OFFERS), 40)):
            path, body = f"/matches/{match.id}/events", {"events": [{"text": token}]}
            body |= {"expected": version}
            answer = ask(servers[version % 2], "POST", path, body, token=match.host)
            assert (answer.status, answer.json["version"]) == (200, version + 1)
