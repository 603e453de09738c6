"""Writers on two servers: only one wins an expected version; retries store nothing."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

from faults.client import Answer, Client
from tests.cluster.serving import ask, open_match

WRITERS = 20
ROUNDS = 200
RETRIES = 50
TOKENS = ("1:offer-draw", "2:decline-draw")
"""They may be entered in turn for ever."""


def test_one_writer_wins_an_expected_version(pair):
    match, together = open_match(pair[0]), threading.Barrier(WRITERS)
    path = f"/matches/{match.id}/events"

    def enter(client: Client, version: int) -> Answer:
        body = {"events": [{"text": TOKENS[version % 2]}], "expected": version}
        together.wait()
        return client.once("POST", path, body, token=match.host)

    won = []
    with ExitStack() as connected, ThreadPoolExecutor(WRITERS) as writers:
        clients = [
            connected.enter_context(closing(Client(pair[number % 2], threading.Event())))
            for number in range(WRITERS)
        ]
        for version in range(ROUNDS):
            answers = list(writers.map(enter, clients, [version] * WRITERS))
            winners = [answer.json for answer in answers if answer.status == 200]
            losers = [answer for answer in answers if answer.status != 200]
            assert [winner["version"] for winner in winners] == [version + 1]
            assert {(lost.status, lost.json["version"]) for lost in losers} == {(412, version + 1)}
            assert {len(lost.json["missed"]) for lost in losers} == {1}
            won.append(winners[0]["events"][0]["hash"])
    for server in pair:
        log = ask(server, "GET", path).json["events"]
        assert [event["hash"] for event in log] == won


def test_repeated_key_across_servers_stores_once(pair):
    with ExitStack() as connected, ThreadPoolExecutor(len(pair)) as writers:
        clients = [
            connected.enter_context(closing(Client(server, threading.Event()))) for server in pair
        ]

        def ask_both(path: str, body: object, token: str = "") -> list[Answer]:
            key = str(uuid.uuid4())
            asked = [
                writers.submit(client.once, "POST", path, body, token=token, key=key)
                for client in clients
            ]
            return [each.result() for each in asked]

        first, second = ask_both("/matches", {"game": "poptrix"})
        assert first.status == second.status == 201
        assert first.json == second.json
        path, host = f"/matches/{first.json['match']}/events", first.json["tokens"]["host"]
        for version in range(RETRIES):
            body = {"events": [{"text": TOKENS[version % 2]}]}
            first, second = ask_both(path, body, host)
            assert first.status == second.status == 200
            assert first.json == second.json
            assert first.json["version"] == version + 1
