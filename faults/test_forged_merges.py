"""Forks at sealed moves and dice of the host's own, merged again and again, are never accepted."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import httpx
import pytest

from faults.server import Server
from tests.service.api.test_forged_forks import with_fork
from tests.service.api.test_merges import longer
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.faults]

ARCHIVE: Final = "application/x-plybook-archive"
PROGRAM: Final = "2:S=FLF,M=LFL,L=RFR"
ROLLS: Final = [[first, second] for first in range(1, 7) for second in range(1, 7)]


def test_forged_forks_and_dice_are_never_merged(tmp_path, budget, figures):
    server = Server(tmp_path / "book.db")
    server.start()
    told: Counter[str] = Counter()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{server.port()}", timeout=PATIENCE) as client:
            while not told["rounds"] or budget.left > 0:
                told["rounds"] += 1
                told += attack(client)
    finally:
        server.stop()
    figures("forged merges", **told)
    assert told["fork 409"] == told["rounds"]
    assert told["dice 409"] == len(ROLLS) * told["rounds"]
    assert told["verified"] == told["rounds"]


def attack(client: httpx.Client) -> Counter[str]:
    """Try a fork at a sealed program, and all rolls of two dice; return the answers counted."""
    told: Counter[str] = Counter()
    sealed, host = opened(client, {"game": "pyramid-ball", "seats": 2})
    event = {"events": [{"text": PROGRAM}]}
    assert client.post(f"/matches/{sealed}/events", json=event, headers=host).is_success
    told[f"fork {merge(client, with_fork(archive(client, sealed), sealed, 1, 1), {})}"] += 1
    rolled, host = opened(client, {"game": "blockade", "dice": "service"})
    content = archive(client, rolled)
    for dice in ROLLS:
        data = {"type": "moved", "seat": 1, "move": {"type": "roll", "dice": dice}}
        told[f"dice {merge(client, longer(content, data=data, at=1), host)}"] += 1
    verdict = client.get(f"/matches/{rolled}/verify").json()
    told["verified"] += verdict["ok"] and verdict["events"] == 0
    return told


def opened(client: httpx.Client, body: dict[str, Any]) -> tuple[str, dict[str, str]]:
    made = client.post("/matches", json=body).json()
    return made["match"], {"Authorization": f"Bearer {made['tokens']['host']}"}


def archive(client: httpx.Client, match: str) -> bytes:
    return client.get(f"/matches/{match}/record?format=archive").content


def merge(client: httpx.Client, content: bytes, host: dict[str, str]) -> int:
    headers = {"Content-Type": ARCHIVE} | host
    return client.post("/records?merge=true", content=content, headers=headers).status_code
