"""The player of an account: turns of several matches in one stream, with one engine."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from cli.bots.player import AccountPlayer, EndedMatch, FailedMatch, MatchNews
from cli.bots.remote_server import HeardMove, Message, News, OwnRole, RefusedThere, Standing
from domain.position import Awaited
from tests.cli.bots.test_player import Engine

MINE = (Awaited(1, "move", ("move",)),)
WON = {"winner": 1, "clause": "X-1.1"}
NEW = "new poptrix/1 seats=2"


def turn(match: str, version: int, event: str = "turn") -> Message:
    news = MatchNews(match, version, MINE, WON if event == "ended" else None)
    return Message(event, msgspec.json.encode(news).decode())


class Server:
    """A server with prepared messages. Each version of a match has one event, named by both."""

    def __init__(self, *messages: Message, refuses: str = "") -> None:
        self.messages, self.refuses = messages, refuses
        self.entered: list[tuple[str, int]] = []
        self.read: list[tuple[str, int]] = []
        self.head = 0

    def follow(self, path: str, after: int | None = None) -> Iterator[Message]:
        if path == "/account/stream":
            for each in self.messages:
                self.head = msgspec.json.decode(each.data).get("version", 0)
                yield each
            raise RefusedThere("the token opens nothing")
        match = path.split("/")[2]
        assert after is not None
        for version in range(after + 1, self.head + 1):
            self.read.append((match, version))
            line = (HeardMove(2, f"{match}{version}", ""),)
            news = News(version, version - 1, line, MINE, None)
            yield Message("logged", msgspec.json.encode(news).decode())

    def get(self, path: str) -> Any:
        standing = Standing("poptrix/1", 2, {}, 0, False, MINE, None, OwnRole(1))
        return SimpleNamespace(content=msgspec.json.encode(standing))

    def ask(self, method: str, path: str, **sent: Any) -> Any:
        match = path.split("/")[2]
        if method == "GET":
            body = {"version": self.head, "legal": {"1": ["a"]}}
            return SimpleNamespace(content=msgspec.json.encode(body), is_error=False)
        if match == self.refuses:
            raise RefusedThere("a is refused")
        self.entered.append((match, sent["json"]["expected"]))
        return SimpleNamespace(is_error=False, status_code=200)


def played(server: Server) -> tuple[list[EndedMatch | FailedMatch], list[str]]:
    engine, said = Engine(), list[EndedMatch | FailedMatch]()
    playing = AccountPlayer(server, engine).play()  # type: ignore[arg-type]
    with pytest.raises(RefusedThere, match="opens nothing"):
        said.extend(playing)
    return said, engine.lines


def test_one_engine_plays_matches_in_turn():
    server = Server(turn("x", 1), turn("y", 0), turn("x", 3), turn("x", 4), turn("x", 4, "ended"))
    said, lines = played(server)
    assert server.entered == [("x", 1), ("y", 0), ("x", 3), ("x", 4)]
    assert server.read == [("x", version) for version in (1, 2, 3, 4)]
    x = [f"play 2:x{version}" for version in (1, 2, 3, 4)]
    assert lines == [
        *(NEW, x[0], "go 1 a"),
        *(NEW, "go 1 a"),
        *(NEW, *x[:3], "go 1 a"),
        *(x[3], "go 1 a"),
    ]
    assert said == [EndedMatch("x", WON)]


def test_refusal_in_one_match_does_not_affect_others():
    server = Server(turn("x", 1), turn("y", 0), Message("news", "{}"), refuses="x")
    said, _ = played(server)
    assert said == [FailedMatch("x", "a is refused")]
    assert server.entered == [("y", 0)]


def test_repeated_turn_is_answered_again():
    server = Server(turn("x", 2), turn("x", 2))
    played(server)
    assert server.entered == [("x", 2), ("x", 2)]
    assert server.read == [("x", 1), ("x", 2)]


@pytest.mark.parametrize("options", [(), ("--match", "k7m2", "--account")])
def test_match_or_account_is_needed(plybook, options):
    ran = plybook("bot", "--token", "secret", *options)
    assert ran.code == 2
    assert "--account to play all of an account" in ran.err
