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

MISSING = "404 (Not Found)"


class Sight(NamedTuple):
    """A page: its name, its path, the invitation it is opened with, and what is done there.

    `says` is what the browser logs of it by its own habit: every answer that is an error.
    """

    name: str
    path: str
    join: str | None = None
    act: Callable[[Any], None] | None = None
    says: tuple[str, ...] = ()


def _habit(status: str) -> tuple[str, ...]:
    return (f"error: Failed to load resource: the server responded with a status of {status}",)


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
    yield from _at_the_table(server, poptrix, host)
    for game, match in demos.items():
        yield Sight(f"ended-{game}", f"/m/{match}")
    for game in demos:
        yield Sight(f"replay-{game}", f"/m/{demos[game]}/replay#{MIDDLE[game]}")
    yield from _reading(server, poptrix, host)
    yield from _adjusting(server, played)
    yield Sight("invite", f"/m/{poptrix.id}/invite", host, _make_link)
    yield Sight("share", f"/m/{poptrix.id}/share", host)
    yield Sight("library", "/library")
    yield Sight("library-search", "/library?q=dark")
    yield Sight("import", "/library/import", None, _bring_in, _habit("400 (Bad Request)"))
    yield Sight("explore", "/library/explore/poptrix?after=M%40c1")
    yield Sight("statistics", "/library/stats")
    yield Sight("rules", "/rules/poptrix#POP-3.2")
    yield Sight("schema", "/schema")
    yield Sight("unknown", "/m/nonsense", says=_habit(MISSING))
    yield Sight("not-invited", f"/join/{poptrix.id}/nonsense", says=_habit(MISSING))
    yield Sight("no-such-ply", f"/m/{poptrix.id}?ply=999", says=_habit(MISSING))
    private = server.open(visibility="private")
    yield Sight("not-yours", f"/m/{private.id}", says=_habit("401 (Unauthorized)"))


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
    own = f"/join/{ball.id}/{ball.seats['1']}"
    yield Sight("pad-program", f"/m/{ball.id}", own)
    yield Sight("pad-program-open", f"/m/{ball.id}", own, _order)


def _at_the_table(server: Server, match: Opened, host: str) -> Iterator[Sight]:
    """Name what a table comes to: first moves, refusals, what is seldom needed."""
    for game in ("poptrix", "power-play", "cube-pyramid"):
        fresh = server.open(game, players={"1": "Jet", "2": "Red"})
        yield Sight(f"start-{game}", f"/m/{fresh.id}", f"/join/{fresh.id}/{fresh.host}")
    yield Sight("board-more", f"/m/{match.id}", host, _open_more)
    begun = server.open("poptrix", players={"1": "Jet", "2": "Red"})
    server.play(begun, "M@c1", "S@c6")
    own = f"/join/{begun.id}/{begun.host}"
    yield Sight("board-refused", f"/m/{begun.id}", own, _tap_wrongly)


def _reading(server: Server, match: Opened, host: str) -> Iterator[Sight]:
    """Name what can be done at a move, each with its dialog open, and the log."""
    for tool in ("comment", "fork", "amend", "draw"):
        yield Sight(f"replay-{tool}", f"/m/{match.id}/replay#6", host, _use(tool))
    yield Sight("replay-correcting", f"/m/{match.id}/replay#6", host, _correct)
    yield Sight("replay-log", f"/m/{match.id}/replay?all=true#3")
    slip = server.open("poptrix", players={"1": "Jet", "2": "Red"})
    server.play(slip, "M@c1", "S@c6", "c1>L@c2")
    server.post(f"/matches/{slip.id}/takeback", {"ply": 2}, slip.host)
    yield Sight("replay-as-it-stood", f"/m/{slip.id}/replay?version=3#3")
    yield Sight("beside", f"/m/{slip.id}/beside?version=3")


def _adjusting(server: Server, played: dict[str, Opened]) -> Iterator[Sight]:
    """Name the board that is rearranged, with something in the hand; then moved, and not yet."""
    for game, match in played.items():
        host = f"/join/{match.id}/{match.host}"
        yield Sight(f"adjust-{game}", f"/m/{match.id}/adjust", host, _lift)
    begun = server.open("poptrix", players={"1": "Jet", "2": "Red"})
    server.play(begun, "M@c1")
    own = f"/join/{begun.id}/{begun.host}"
    yield Sight("adjust-not-yet", f"/m/{begun.id}/adjust?shift=M,c1,a6", own, _write)
    sealed = server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    server.play(sealed, "1:S=...,M=...,L=...")
    own = f"/join/{sealed.id}/{sealed.host}"
    yield Sight("adjust-sealed", f"/m/{sealed.id}/adjust", own, says=_habit("409 (Conflict)"))


def _lift(page: Any) -> None:
    """Take up what lies on several things, or else anything."""
    several = page.locator(".frame template").first
    at = several.get_attribute("data-at") if several.count() else None
    place = f'[data-at="{at}"]' if at else ".pb-held"
    there = page.locator(f".board .pb-cell{place} > .pb-hit").first
    if there.count():
        there.click(force=True)


def _write(page: Any) -> None:
    page.locator("summary").click()
    page.get_by_label("Reason").fill("The cat")
    page.get_by_role("button", name="Save").click()
    page.locator(".saving .notice.bad:visible").wait_for()


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


def _order(page: Any) -> None:
    page.locator("[data-slot=S1]").click()


def _open_more(page: Any) -> None:
    page.locator("[data-more]").click()
    for folded in page.locator(".sheet summary").all():
        folded.click()


def _tap_wrongly(page: Any) -> None:
    for place in ("c1", "e5"):
        page.locator(f'.pb-cell[data-at="{place}"]').click()
    page.locator(".refusal").wait_for()


def _use(tool: str) -> Callable[[Any], None]:
    return lambda page: page.locator(f"[data-tool={tool}]").click()


def _correct(page: Any) -> None:
    _use("amend")(page)
    page.locator("dialog .choice").first.click()
    page.locator(".panel").wait_for()
