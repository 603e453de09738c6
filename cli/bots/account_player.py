"""The player of an account: an engine plays its seats in all matches, over one stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from cli.bots.player import Player
from cli.bots.remote_match import RemoteMatch
from cli.bots.remote_server import RefusedThere, RemoteServer
from domain.position import Awaited
from replay.programs.engines import Engine

STREAM = "/account/stream"


class MatchNews(Struct, frozen=True):
    """The news of a match: its version, what it awaits of the account's seat, and its outcome."""

    match: str
    version: int
    awaiting: tuple[Awaited, ...]
    outcome: dict[str, Any] | None


class Ended(Struct, frozen=True):
    """A match that is over."""

    match: str
    outcome: dict[str, Any] | None


class Failed(Struct, frozen=True):
    """A match in which the server refused the move of the engine, or another request."""

    match: str
    error: str


class AccountPlayer:
    """An account whose seats one engine plays, a turn at a time."""

    def __init__(self, server: RemoteServer, engine: Engine) -> None:
        self._server, self._engine = server, engine
        self._players: dict[str, Player] = {}
        self._last: Player | None = None

    def play(self) -> Iterator[Ended | Failed]:
        """Play whenever a match awaits the account, and yield the matches that end or fail.

        Raises `RefusedThere` if the token opens nothing more.
        """
        for message in self._server.follow(STREAM):
            if message.event == "turn":
                yield from self._take_turn(msgspec.json.decode(message.data, type=MatchNews))
            elif message.event == "ended":
                news = msgspec.json.decode(message.data, type=MatchNews)
                self._players.pop(news.match, None)
                yield Ended(news.match, news.outcome)

    def _take_turn(self, news: MatchNews) -> Iterator[Failed]:
        try:
            player = self._players.get(news.match) or self._begin(news.match)
            if player is not self._last:
                player.begin_anew()
            self._last = player
            player.take_turn(news.version, news.awaiting)
        except RefusedThere as refused:
            self._players.pop(news.match, None)
            yield Failed(news.match, str(refused))

    def _begin(self, match: str) -> Player:
        player = self._players[match] = Player(RemoteMatch(self._server, match), self._engine)
        player.begin()
        return player
