"""The receiver of WebHooks separates repeated, missing, foreign and simultaneous calls."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from faults.ledger import Event
from tests.cluster.receiver import Receiver


def delivery(*versions: int, told: str = "") -> dict[str, Any]:
    events = [{"version": version, "hash": f"{version}{told}"} for version in versions]
    return {"hook": "h", "match": "m", "events": events}


def received(*deliveries: dict[str, Any]) -> Receiver:
    receiver = Receiver()
    for each in deliveries:
        receiver.receive(each)
    return receiver


def test_receiver_counts_repetitions_of_ordered_events():
    receiver = received(delivery(1, 2), delivery(2, 3))
    assert receiver.events("h") == [Event("m", version, str(version)) for version in (1, 2, 3)]
    assert (receiver.calls, receiver.repeated, receiver.faults) == (2, 1, [])


def test_a_missing_event_is_a_fault():
    assert received(delivery(1), delivery(3)).faults


def test_a_repetition_with_other_content_is_a_fault():
    assert received(delivery(1), delivery(1, told="x")).faults


def test_simultaneous_calls_are_a_fault():
    receiver = Receiver()
    with ThreadPoolExecutor(2) as servers:
        list(servers.map(receiver.receive, [delivery(1), delivery(1)]))
    assert receiver.faults == ["h is called twice at a time"]
