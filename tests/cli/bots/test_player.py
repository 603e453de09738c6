"""The player of a seat, between a match and an engine that both only note what they get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cli.bots.player import EnginePlayer
from cli.bots.remote_server import HeardMove, Legal, News, OwnRole, Secrets, Standing
from domain.position import Awaited
from replay.errors import Usage

MINE = (Awaited(1, "move", ("move",)),)
THEIRS = (Awaited(2, "move", ("move",)),)
CLAIM = (Awaited(1, "claim", ("claim",), must=False),)
WON = {"winner": 1, "clause": "X-1.1"}
NEW = "new poptrix/1 seats=2"


def entry(token: str | None, seat: int | None = 2, note: str = "") -> HeardMove:
    return HeardMove(seat, token, note)


class Match:
    """A match with prepared news."""

    def __init__(self, *news: News, standing: int = 0, head: int | None = None) -> None:
        self.news, self.at, self.head = news, standing, head
        self.entered: list[tuple[str, int]] = []
        self.unjudged = False
        self.start: str | None = None
        self.refusal: str | None = None

    def standing(self) -> Standing:
        first = MINE if self.at == 0 else ()
        return Standing(
            "poptrix/1", 2, {}, self.at, self.unjudged, first, None, OwnRole(1), self.start
        )

    def legal(self, seat: int) -> Legal:
        assert seat == 1
        version = self.told if self.head is None else self.head
        return Legal(version, {"1": ("a", "b")}, {"1": (Secrets(("1:c",)),)})

    def enter(self, token: str, expected: int) -> str | None:
        self.entered.append((token, expected))
        return self.refusal

    told = 0

    def follow(self, after: int) -> Iterator[News]:
        assert after == 0
        for each in self.news:
            self.told = each.version
            yield each


class Engine:
    def __init__(self, said: str | None = "play a") -> None:
        self.said = said
        self.lines: list[str] = []

    def answer(self, line: str) -> str | None:
        self.lines.append(line)
        return self.said if line.startswith("go ") else None


def played(*news: News, **settings: Any) -> tuple[Match, Engine]:
    match, engine = Match(*news, News(99, 0, (), (), WON), **settings), Engine()
    assert EnginePlayer(match, engine).play() == WON  # type: ignore[arg-type]
    return match, engine


def test_the_first_move_needs_no_news():
    match, engine = played()
    assert engine.lines == [NEW, "go 1 a b 1:c"]
    assert match.entered == [("a", 0)]


@pytest.mark.parametrize("awaiting", [THEIRS, CLAIM, ()])
def test_engine_rests_while_others_must_act(awaiting):
    match, engine = played(News(1, 0, (entry("a", 1),), awaiting, None), standing=1)
    assert (match.entered, engine.lines) == ([], [])


def test_engine_hears_of_takebacks_reveals_and_adjustments():
    match, engine = played(
        News(1, 0, (entry(None),), MINE, None),
        News(2, 0, (entry("2:x"), entry("y")), MINE, None),
        News(3, 1, (), MINE, None),
        News(4, 1, (entry("(adjusted)", None, "a cat; now 5/5 1"),), MINE, None),
        News(5, 0, (), MINE, None),
        standing=1,
    )
    asked = "go 1 a b 1:c"
    assert engine.lines == [
        *(NEW, "sealed 2", asked),
        *("undo 1", "play 2:x", "play 2:y", asked),
        *("undo 1", asked),
        *("set 5/5 1", asked),
        *(NEW, asked),
    ]
    assert [version for _, version in match.entered] == [1, 2, 3, 4, 5]


def test_engine_gets_earlier_events_without_answering():
    match, engine = played(
        News(1, 0, (entry("x", 1),), MINE, None),
        News(2, 1, (entry("y"),), MINE, None),
        standing=2,
    )
    assert match.entered == [("a", 2)]
    assert engine.lines == [NEW, "play 1:x", "play 2:y", "go 1 a b 1:c"]


def test_engine_hears_where_the_match_begins():
    match, engine = Match(News(1, 0, (entry("x"),), MINE, None), News(2, 0, (), (), WON)), Engine()
    match.start = "5/5 2 2"
    EnginePlayer(match, engine).play()  # type: ignore[arg-type]
    asked = "go 1 a b 1:c"
    assert engine.lines == [NEW, "set 5/5 2 2", asked, "play 2:x", asked]


def test_engine_hears_of_refused_tries():
    match, engine = Match(News(1, 0, (), MINE, None), News(2, 0, (), (), WON)), Engine()
    match.refusal = "c3 is far\n(X-1.2)"
    EnginePlayer(match, engine).play()  # type: ignore[arg-type]
    asked = ["go 1 a b 1:c", "refused a c3 is far (X-1.2)"]
    assert engine.lines == [NEW, *asked, *asked]
    assert match.entered == [("a", 0), ("a", 1)]


def test_outdated_news_is_not_answered():
    match, engine = played(News(1, 0, (entry("x"),), MINE, None), standing=1, head=2)
    assert (match.entered, engine.lines) == ([], [])


def test_unjudged_match_is_refused():
    match = Match(standing=1)
    match.unjudged = True
    with pytest.raises(Usage, match="not judged"):
        EnginePlayer(match, Engine()).play()  # type: ignore[arg-type]


@pytest.mark.parametrize("said", [None, "", "resign"])
def test_engine_without_a_move_is_refused(said):
    with pytest.raises(Usage, match="use play MOVE"):
        EnginePlayer(Match(), Engine(said)).play()  # type: ignore[arg-type]
