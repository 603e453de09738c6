"""Clients that play, annotate and fork matches of all games, and note each acknowledgement."""

from __future__ import annotations

import itertools
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeVar

from bench.load.matches import Plan, plans
from faults.client import Client, Door, Unanswered
from faults.ledger import Comment, Event, Ledger, Match
from tests.waiting import PATIENCE

P = TypeVar("P", bound="Player")


class Playing(NamedTuple):
    """A match being played: its id and the host's token."""

    id: str
    token: str


class Player(threading.Thread):
    """Plays match after match over one connection until it is stopped.

    Each request has its own key and is repeated under it until it is answered, so the log must hold
    each acknowledged change exactly once. `trouble` is the error that stopped the player.
    """

    def __init__(self, server: Door, ledger: Ledger, seed: int, pause: float = 0.0) -> None:
        super().__init__(name=f"player {seed}", daemon=True)
        self.stopping = threading.Event()
        self.client = Client(server, self.stopping)
        self.ledger = ledger
        self.current: str | None = None
        self.trouble: BaseException | None = None
        self._rng = Random(seed)
        self._pause = pause
        self._plans = record()

    def run(self) -> None:
        try:
            while True:
                self.play_match()
        except Unanswered:
            pass
        except BaseException as error:
            self.trouble = error
        finally:
            self.client.close()

    def play_match(self) -> None:
        """Play one match to its end. Raises `Unanswered` when the player is stopped."""
        if self._rng.random() < 0.2:
            self._play_with_dice()
        else:
            self._play_record()

    def _play_record(self) -> None:
        plan = self._rng.choice(self._plans)
        match = self._open({**plan.opening})
        for ply, token in enumerate(plan.tokens):
            assert self._enter(match, token), (plan.opening, ply, token)
            chance = self._rng.random()
            if chance < 0.06:
                self._comment(match, ply + 1)
            elif chance < 0.1:
                self._fork(match, ply + 1, plan.tokens[ply + 1 : ply + 6])

    def _play_with_dice(self) -> None:
        match = self._open({"game": "blockade", "dice": "service"})
        for _ in range(60):
            answer = self.client.ask("GET", f"/matches/{match.id}/legal")
            tokens = [token for seat in answer.json["legal"].values() for token in seat]
            if not self._enter(match, self._rng.choice(tokens) if tokens else "roll"):
                return

    def _fork(self, match: Playing, ply: int, tokens: Any) -> None:
        """Fork a match, play on and take back, unless a sealed move forbids it."""
        with self._asking(match.id) as key:
            path, body = f"/matches/{match.id}/forks", {"ply": ply}
            answer = self.client.ask("POST", path, body, token=match.token, key=key)
        if answer.status == 201:
            fork = self._opened(answer.json)
            if all(self._enter(fork, token) for token in tokens):
                self._take_back(fork, ply + max(len(tokens) - 2, 0))
        else:
            assert answer.status == 409, answer

    def _take_back(self, match: Playing, ply: int) -> None:
        with self._asking(match.id) as key:
            path = f"/matches/{match.id}/takeback"
            answer = self.client.ask("POST", path, {"ply": ply}, token=match.token, key=key)
        if answer.status == 200:
            now = answer.json
            self.ledger.acknowledge(Event(match.id, now["version"], now["head"]))
        else:
            assert answer.status in (400, 409), answer

    def _comment(self, match: Playing, ply: int) -> None:
        words = f"said {uuid.uuid4()}"
        with self._asking(match.id) as key:
            path, body = f"/matches/{match.id}/annotations", {"ply": ply, "comment": words}
            answer = self.client.ask("POST", path, body, token=match.token, key=key)
        assert answer.status == 201, answer
        self.ledger.acknowledge(Comment(match.id, words))

    def _open(self, body: dict[str, Any]) -> Playing:
        answer = self.client.ask("POST", "/matches", body, key=str(uuid.uuid4()))
        assert answer.status == 201, answer
        match = self._opened(answer.json)
        self.current = match.id
        return match

    def _opened(self, answer: dict[str, Any]) -> Playing:
        self.ledger.acknowledge(Match(answer["match"]))
        return Playing(answer["match"], answer["tokens"]["host"])

    def _enter(self, match: Playing, token: str) -> bool:
        """Enter an event; return whether the rules allowed it."""
        self.stopping.wait(self._pause)
        with self._asking(match.id) as key:
            path, body = f"/matches/{match.id}/events", {"events": [{"text": token}]}
            answer = self.client.ask("POST", path, body, token=match.token, key=key)
        if answer.status != 200:
            assert answer.status == 409, answer
            return False
        now = answer.json
        self.ledger.acknowledge(Event(match.id, now["version"], now["events"][-1]["hash"]))
        return True

    @contextmanager
    def _asking(self, match: str) -> Iterator[str]:
        """Return a key for a request; an unanswered one leaves its change in doubt."""
        try:
            yield str(uuid.uuid4())
        except Unanswered:
            self.ledger.doubt(match)
            raise


@cache
def record() -> list[Plan]:
    """Return recorded matches of all five games, with their secret programs."""
    return list(itertools.islice(plans(), 60))


def wait_for_play(ledger: Ledger, more: int, seconds: float = 30.0) -> None:
    """Return after `count` more acknowledgements, or after some seconds."""
    enough, over = len(ledger) + more, time.monotonic() + seconds
    while len(ledger) < enough and time.monotonic() < over:
        time.sleep(0.02)


def wait_for_recovery(server: Door, ledger: Ledger, players: Sequence[Player]) -> None:
    """Return when the server, without a restart, is ready and acknowledges again."""
    over, before = time.monotonic() + PATIENCE, len(ledger)
    with closing(Client(server, threading.Event())) as client:
        while client.once("GET", "/readyz").status != 200 or len(ledger) <= before + len(players):
            assert time.monotonic() < over, "the server does not recover by itself"
            if any(player.trouble for player in players):
                return  # players raise this when they are stopped
            time.sleep(0.05)


@contextmanager
def playing(
    server: Door,
    ledger: Ledger,
    players: int,
    *,
    seed: int = 0,
    pause: float = 0.0,
    kind: Callable[[Door, Ledger, int, float], P] = Player,  # type: ignore[assignment]
) -> Iterator[list[P]]:
    """Let several players play during the block. Raises the error of any of them."""
    several = [kind(server, ledger, seed + number, pause) for number in range(players)]
    for player in several:
        player.start()
    try:
        yield several
    finally:
        for player in several:
            player.stopping.set()
        for player in several:
            player.join()
    for player in several:
        if player.trouble is not None:
            raise player.trouble
