"""The players of a seat and of an account: an engine hears events, and its answers are entered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from cli.bots.remote_server import News, RefusedThere, RemoteMatch, RemoteServer, Standing
from domain.position import Awaited
from replay.errors import Usage
from replay.programs import engine_lines
from replay.programs.engines import Engine


class EnginePlayer:
    """A seat of a match that an engine plays, to its end or a turn at a time."""

    def __init__(self, match: RemoteMatch, engine: Engine) -> None:
        self._match, self._engine = match, engine
        self._opening: list[str] = []
        self._lines: list[str] = []
        """The match as lines: its opening, then the line as the seat sees it."""
        self._told: list[str] = []
        """The lines that the engine knows."""
        self._seat, self._version = 0, 0

    def play(self) -> dict[str, Any]:
        """Let the engine play a match to its end, and return the outcome.

        Raises `Usage` for an unjudged match.
        """
        standing = self.begin()
        outcome = self._begin(standing)
        news = self._match.follow(0) if outcome is None else ()
        for each in news:
            self._note(each)
            if each.version < standing.version:
                continue
            if each.outcome is not None:
                return each.outcome
            self._move(each.version, each.awaiting)
        assert outcome is not None
        return outcome

    def begin(self) -> Standing:
        """Ask for the seat, and return the state of the match. Raises as `play` does."""
        standing = self._match.standing()
        if standing.unjudged:
            raise Usage("this match is not judged, so an engine cannot play it")
        assert standing.you.seat is not None
        self._seat = standing.you.seat
        self._opening = engine_lines.opening(
            standing.rules, standing.seats, standing.options, standing.start
        )
        self._lines = list(self._opening)
        return standing

    def begin_anew(self) -> None:
        """Send the engine the whole match at its next turn, because it played a different one."""
        self._told = []

    def take_turn(self, version: int, awaiting: Iterable[Awaited]) -> None:
        """Read the news up to a version, and move if it is the latest version."""
        if self._version < version:
            for news in self._match.follow(self._version):
                self._note(news)
                if news.version >= version:
                    break
        self._move(version, awaiting)

    def _begin(self, standing: Standing) -> dict[str, Any] | None:
        """Move first, before any event, and return the outcome if the match is over already."""
        if standing.version == 0:
            self._move(0, standing.awaiting)
        return standing.outcome

    def _note(self, news: News) -> None:
        self._version = news.version
        del self._lines[len(self._opening) + news.kept :]
        self._lines += (engine_lines.line_of(each.seat, each.text, each.note) for each in news.line)

    def _move(self, version: int, awaiting: Iterable[Awaited]) -> None:
        """Ask the engine for a move if the seat must act at the latest version."""
        if not any(one.seat == self._seat and one.must for one in awaiting):
            return
        seat = str(self._seat)
        legal = self._match.legal(self._seat)
        if legal.version != version:
            return
        for line in engine_lines.changes(self._told, self._lines):
            self._engine.answer(line)
        self._told = list(self._lines)
        sample = (text for kind in legal.secret.get(seat, ()) for text in kind.sample)
        offered = (*legal.legal.get(seat, ()), *sample)
        answer = self._engine.answer(engine_lines.question(self._seat, offered))
        text = engine_lines.chosen(answer or "")
        refused = self._match.enter(text, version)
        if refused is not None:  # a refused try is an event, after which the seat is asked again
            self._engine.answer(engine_lines.refusal(text, refused))


STREAM = "/account/stream"


class MatchNews(Struct, frozen=True):
    """The news of a match: its version, what it awaits from the account's seat, and its outcome."""

    match: str
    version: int
    awaiting: tuple[Awaited, ...]
    outcome: dict[str, Any] | None


class EndedMatch(Struct, frozen=True):
    """A match that is over."""

    match: str
    outcome: dict[str, Any] | None


class FailedMatch(Struct, frozen=True):
    """A match in which the server refused the move of the engine, or another request."""

    match: str
    error: str


class AccountPlayer:
    """An account whose seats an engine plays, a turn at a time."""

    def __init__(self, server: RemoteServer, engine: Engine) -> None:
        self._server, self._engine = server, engine
        self._players: dict[str, EnginePlayer] = {}
        self._last: EnginePlayer | None = None

    def play(self) -> Iterator[EndedMatch | FailedMatch]:
        """Play whenever a match awaits the account, and yield the matches that end or fail.

        Raises `RefusedThere` if the token opens nothing more.
        """
        for message in self._server.follow(STREAM):
            if message.event == "turn":
                yield from self._take_turn(msgspec.json.decode(message.data, type=MatchNews))
            elif message.event == "ended":
                news = msgspec.json.decode(message.data, type=MatchNews)
                self._players.pop(news.match, None)
                yield EndedMatch(news.match, news.outcome)

    def _take_turn(self, news: MatchNews) -> Iterator[FailedMatch]:
        try:
            player = self._players.get(news.match) or self._begin(news.match)
            if player is not self._last:
                player.begin_anew()
            self._last = player
            player.take_turn(news.version, news.awaiting)
        except RefusedThere as refused:
            self._players.pop(news.match, None)
            yield FailedMatch(news.match, str(refused))

    def _begin(self, match: str) -> EnginePlayer:
        player = self._players[match] = EnginePlayer(RemoteMatch(self._server, match), self._engine)
        player.begin()
        return player
