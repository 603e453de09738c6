"""What there is to be seen: every page, with matches on it that are in the middle of something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.browser.serving import Opened, Server

MIDDLE = {
    "poptrix": 12,
    "blockade": 24,
    "power-play": 40,
    "pyramid-ball": 8,
    "cube-pyramid": 20,
}
"""How many events of its demonstration match show a game in full swing."""


class Sight(NamedTuple):
    """A page: its name, its path, the invitation it is opened with, and what is done there."""

    name: str
    path: str
    join: str | None = None
    act: Callable[[Any], None] | None = None


def sights(server: Server) -> Iterator[Sight]:
    """Open matches at a server with demonstrations, and name all pages."""
    demos = {each["game"]: each["match"] for each in server.get("/matches")["matches"]}
    played = {game: _played(server, game, match) for game, match in demos.items()}
    poptrix = played["poptrix"]
    host = f"/join/{poptrix.id}/{poptrix.host}"
    yield Sight("home", "/", host)
    yield Sight("new", "/new")
    for game in demos:
        yield Sight(f"new-{game}", f"/new/{game}")
    for game, match in played.items():
        yield Sight(f"board-{game}", f"/m/{match.id}", f"/join/{match.id}/{match.host}", _tap)
    yield Sight("board-looking-on", f"/m/{poptrix.id}")
    yield from _pads(server, played)
    for game in demos:
        yield Sight(f"replay-{game}", f"/m/{demos[game]}/replay#{MIDDLE[game]}")
    yield Sight("invite", f"/m/{poptrix.id}/invite", host, _make_link)
    yield Sight("share", f"/m/{poptrix.id}/share", host)
    yield Sight("library", "/library")
    yield Sight("library-search", "/library?q=dark")
    yield Sight("import", "/library/import", None, _bring_in)
    yield Sight("explore", "/library/explore/poptrix?after=M%40c1")
    yield Sight("statistics", "/library/stats")
    yield Sight("rules", "/rules/poptrix#POP-3.2")
    yield Sight("unknown", "/m/nonsense")


def _played(server: Server, game: str, demo: str) -> Opened:
    """Open a match that is as its demonstration was in the middle."""
    told = server.get(f"/matches/{demo}")
    match = server.open(game, options=told["options"], players={"1": "Jet", "2": "Red"})
    log = server.get(f"/matches/{demo}/events")["events"]
    server.play(match, *(each["token"] for each in log[: MIDDLE[game]]))
    return match


def _pads(server: Server, played: dict[str, Opened]) -> Iterator[Sight]:
    """Name the controls that are not on a board: dice, and programs on a phone of one's own."""
    blockade = server.open("blockade", players={"1": "Jet", "2": "Red"})
    yield Sight("pad-dice", f"/m/{blockade.id}", f"/join/{blockade.id}/{blockade.host}")
    ball = server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    yield Sight("pad-covered", f"/m/{ball.id}", f"/join/{ball.id}/{ball.host}")
    yield Sight("pad-program", f"/m/{ball.id}", f"/join/{ball.id}/{ball.seats['1']}")


def _tap(page: Any) -> None:
    """Take up the first thing that can be."""
    first = page.locator(".pb-cell.is-open").first
    if first.count():
        first.click(force=True)


def _make_link(page: Any) -> None:
    page.locator(".guest[data-whom='2'] button").first.click()
    page.locator(".guest[data-whom='2'] .qr").wait_for()


def _bring_in(page: Any) -> None:
    page.locator("summary").click()
    page.locator("#text").fill('[Game "poptrix"]\n\n1. M@c1 2. S@c6\n3. c1>M@c3 *\n')
    page.locator("form button").click()
    page.locator(".notice.bad").wait_for()
