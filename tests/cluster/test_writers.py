"""Writers on two servers who expect the same version: one wins, the others learn the new one."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

from tests.cluster.serving import ask, open_match
from tests.faults.client import Answer, Client

WRITERS = 20
ROUNDS = 200
TOKENS = ("1:offer-draw", "2:decline-draw")
"""They may be entered in turn for ever."""


def test_of_writers_on_two_servers_who_expect_the_same_version_one_wins(pair):
    match, together = open_match(pair[0]), threading.Barrier(WRITERS)
    path = f"/matches/{match.id}/events"

    def enter(client: Client, version: int) -> Answer:
        body = {"events": [{"token": TOKENS[version % 2]}], "expected": version}
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
