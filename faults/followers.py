"""Followers of matches: each must receive every event once and in order across all restarts."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from faults.client import Door
from faults.ledger import Event, Ledger
from faults.players import Player
from tests.waiting import PATIENCE

QUIET: Final = 0.5
"""Seconds without news after which a follower checks whether its match is over."""


class Follower(threading.Thread):
    """Follows the matches of a player, resuming each broken stream."""

    def __init__(self, server: Door, ledger: Ledger, player: Player) -> None:
        super().__init__(name=f"follower of {player.name}", daemon=True)
        self.heard: list[Event] = []
        self.resumed = 0
        self.trouble: BaseException | None = None
        self._server = server
        self._ledger = ledger
        self._player = player

    def run(self) -> None:
        try:
            while not self._player.stopping.is_set():
                if (match := self._player.current) is not None:
                    self._follow(match)
                else:
                    time.sleep(0.05)
        except BaseException as error:
            self.trouble = error

    def _follow(self, match: str) -> None:
        """Follow a match until its player leaves it or the follower is stopped."""
        version, since = 0, time.monotonic()
        while not self._over(match, version):
            before = version
            try:
                for event in self._events(match, version):
                    assert event.version == version + 1, f"{event} came after {version}"
                    version = event.version
                    self.heard.append(event)
            except (OSError, http.client.HTTPException):
                self.resumed += 1
                time.sleep(0.05)
            if version > before or version >= self._ledger.version(match):
                since = time.monotonic()
            assert time.monotonic() < since + PATIENCE, f"the stream of {match} stays at {version}"

    def _over(self, match: str, version: int) -> bool:
        left = self._player.current != match and version >= self._ledger.version(match)
        return left or self._player.stopping.is_set()

    def _events(self, match: str, after: int) -> Iterator[Event]:
        """Yield the events of a stream until it is quiet. Raises `OSError` when it breaks off."""
        with closing(self._server.connect(QUIET)) as connection:
            resume = {"Last-Event-ID": str(after)} if after else {}
            connection.request("GET", f"/matches/{match}/stream?after={after}", headers=resume)
            answer = connection.getresponse()
            if answer.status != 200:
                raise http.client.HTTPException(f"{answer.status} from the stream of {match}")
            try:
                while line := answer.readline():
                    if line.startswith(b"data: ") and line.endswith(b"\n"):
                        news = json.loads(line[6:])
                        if "hash" in news:
                            yield Event(match, news["version"], news["hash"])
            except TimeoutError:
                return
            raise http.client.HTTPException(f"the stream of {match} ended")


@contextmanager
def following(server: Door, ledger: Ledger, players: list[Player]) -> Iterator[list[Follower]]:
    """Follow some players until they are stopped. Raises the faults that a follower found."""
    several = [Follower(server, ledger, player) for player in players]
    for each in several:
        each.start()
    try:
        yield several
    finally:
        for player in players:
            player.stopping.set()
        for each in several:
            each.join()
    for each in several:
        if each.trouble is not None:
            raise each.trouble
