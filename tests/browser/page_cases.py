"""Every page, with matches in all interesting stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.browser.launch import OpenedMatch, Server

MIDGAME = {"poptrix": 12, "blockade": 24, "power-play": 40, "pyramid-ball": 8, "cube-pyramid": 20}
"""The number of events of its demonstration match that shows a game in midgame."""

MISSING = "404 (Not Found)"


class PageCase(NamedTuple):
    """A page to check: its name, its path, the invitation to open it with, and an action on it.

    `says` lists the messages that the browser itself logs for answers that are errors.
    """

    name: str
    path: str
    join: str | None = None
    act: Callable[[Any], None] | None = None
    says: tuple[str, ...] = ()


def _browser_log(status: str) -> tuple[str, ...]:
    return (f"error: Failed to load resource: the server responded with a status of {status}",)


def page_cases(server: Server) -> Iterator[PageCase]:
    """Open matches at a server with demonstrations, and yield every page."""
    listed = server.get("/matches")["matches"]
    demos = {each["game"]: each["match"] for each in listed if each["game"] in MIDGAME}
    played = {game: _play_to_midgame(server, game, match) for game, match in demos.items()}
    poptrix = played["poptrix"]
    host = f"/join/{poptrix.id}/{poptrix.host}"
    yield PageCase("home", "/", host)
    yield PageCase("new", "/new")
    for game in demos:
        yield PageCase(f"new-{game}", f"/new/{game}")
    for game, match in played.items():
        yield PageCase(f"board-{game}", f"/m/{match.id}", f"/join/{match.id}/{match.host}", _tap)
    yield PageCase("board-looking-on", f"/m/{poptrix.id}")
    yield from _controls(server, played)
    yield from _board_pages(server, poptrix, host)
    for game, match in demos.items():
        yield PageCase(f"ended-{game}", f"/m/{match}")
    for game in demos:
        yield PageCase(f"replay-{game}", f"/m/{demos[game]}/replay#{MIDGAME[game]}")
    yield from _replay_pages(server, poptrix, host)
    yield from _adjust_pages(server, played)
    yield PageCase("invite", f"/m/{poptrix.id}/invite", host, _make_link)
    for game, match in played.items():
        yield PageCase(f"tv-{game}", f"/m/{match.id}/tv")
    for game, match in demos.items():
        yield PageCase(f"embed-{game}", f"/m/{match}/embed?ply={MIDGAME[game]}")
    yield PageCase("share", f"/m/{poptrix.id}/share", host)
    yield PageCase("scoresheets", f"/m/{poptrix.id}/scoresheets", host)
    yield PageCase("share-phone", f"/m/{poptrix.id}/share", host, _show_code)
    yield PageCase("phone", f"/m/{poptrix.id}/share", host, _scan_code)
    club = server.post("/evenings", {"title": "Tuesday club", "date": "2026-11-24"})
    for players in ({"1": "Jet", "2": "Red"}, {"1": "Teal", "2": "Gold"}):
        opening = {"game": "poptrix", "players": players}
        table = server.post("/matches", opening, club["token"])["match"]
    server.post(f"/matches/{table}/rulings", {"result": "won", "winner": 1}, club["token"])
    link = f"/join/{club['evening']}/{club['token']}"
    yield PageCase("evening", f"/evenings/{club['evening']}", link, _unfold)
    yield PageCase("evenings", "/new/evening", link)
    yield PageCase("result", f"/new/result?evening={club['evening']}", link)
    yield PageCase("library", "/library")
    yield PageCase("library-search", "/library?q=dark")
    yield PageCase(
        "import", "/library/import", None, _import_illegal_record, _browser_log("400 (Bad Request)")
    )
    yield PageCase("explore", "/library/explore/poptrix?after=M%40c1")
    yield PageCase("statistics", "/library/stats")
    yield PageCase("take-away", "/library/take-away", host)
    yield PageCase("rules", "/rules/poptrix#POP-3.2")
    for game in demos:
        yield PageCase(f"how-to-play-{game}", f"/how-to-play/{game}", None, _unfold)
    yield PageCase("schema", "/schema")
    yield PageCase("unknown", "/m/nonsense", says=_browser_log(MISSING))
    yield PageCase("not-invited", f"/join/{poptrix.id}/nonsense", says=_browser_log(MISSING))
    yield PageCase("no-such-ply", f"/m/{poptrix.id}?ply=999", says=_browser_log(MISSING))
    private = server.open(visibility="private")
    yield PageCase("not-yours", f"/m/{private.id}", says=_browser_log("401 (Unauthorized)"))


def _play_to_midgame(server: Server, game: str, demo: str) -> OpenedMatch:
    """Open a match and play its demonstration's events up to midgame."""
    told = server.get(f"/matches/{demo}")
    match = server.open(game, options=told["options"], players={"1": "Jet", "2": "Red"})
    log = server.get(f"/matches/{demo}/events")["events"]
    server.play(match, *(each["text"] for each in log[: MIDGAME[game]]))
    return match


def _controls(server: Server, played: dict[str, OpenedMatch]) -> Iterator[PageCase]:
    """Yield pages with controls beside the board: dice, and programs on a player's own phone."""
    blockade = server.open("blockade", players={"1": "Jet", "2": "Red"})
    yield PageCase("pad-dice", f"/m/{blockade.id}", f"/join/{blockade.id}/{blockade.host}")
    ball = server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    yield PageCase("pad-covered", f"/m/{ball.id}", f"/join/{ball.id}/{ball.host}")
    own = f"/join/{ball.id}/{ball.seats['1']}"
    yield PageCase("pad-program", f"/m/{ball.id}", own, draw_program)
    yield PageCase("pad-program-open", f"/m/{ball.id}", own, _open_program)


def _board_pages(server: Server, match: OpenedMatch, host: str) -> Iterator[PageCase]:
    """Yield board pages: first moves, refusals, and the menu of rare actions."""
    for game in ("poptrix", "power-play", "cube-pyramid"):
        fresh = server.open(game, players={"1": "Jet", "2": "Red"})
        yield PageCase(f"start-{game}", f"/m/{fresh.id}", f"/join/{fresh.id}/{fresh.host}")
    yield PageCase("board-more", f"/m/{match.id}", host, _open_more)
    sheet = server.open("poptrix", players={"1": "Jet", "2": "Red"}, unjudged=True)
    server.play(sheet, "M@c1", "S@c6", "c1>L@c3", "c6>S@c5", "c3xc4")
    yield PageCase("unjudged", f"/m/{sheet.id}", f"/join/{sheet.id}/{sheet.host}")
    apart = server.post("/matches", {"game": "poptrix", "scoresheets": "each"})
    yield PageCase(
        "apart", f"/m/{apart['match']}", f"/join/{apart['match']}/{apart['tokens']['host']}"
    )
    server.post(f"/matches/{sheet.id}/judgement", {}, sheet.host)
    yield PageCase("judged", f"/m/{sheet.id}", f"/join/{sheet.id}/{sheet.host}")
    begun = server.open("poptrix", players={"1": "Jet", "2": "Red"})
    server.play(begun, "M@c1", "S@c6")
    yield PageCase(
        "stood", f"/m/{begun.id}/stood?picks=c1&seat=1", f"/join/{begun.id}/{begun.host}"
    )
    own = f"/join/{begun.id}/{begun.host}"
    yield PageCase("board-refused", f"/m/{begun.id}", own, _tap_wrongly)


def _replay_pages(server: Server, match: OpenedMatch, host: str) -> Iterator[PageCase]:
    """Yield the dialogs of the replay page, and the log."""
    for tool in ("comment", "fork", "amend", "draw"):
        yield PageCase(f"replay-{tool}", f"/m/{match.id}/replay#6", host, _use(tool))
    yield PageCase("replay-correcting", f"/m/{match.id}/replay#6", host, _correct)
    yield PageCase("replay-unspoiled", f"/m/{match.id}/unspoiled?ply=6")
    yield PageCase("replay-log", f"/m/{match.id}/replay?all=true#3")
    slip = server.open("poptrix", players={"1": "Jet", "2": "Red"})
    server.play(slip, "M@c1", "S@c6", "c1>L@c2")
    server.post(f"/matches/{slip.id}/takeback", {"ply": 2}, slip.host)
    yield PageCase("replay-as-it-stood", f"/m/{slip.id}/replay?version=3#3")
    yield PageCase("beside", f"/m/{slip.id}/beside?version=3")


def _adjust_pages(server: Server, played: dict[str, OpenedMatch]) -> Iterator[PageCase]:
    """Yield adjust pages: with a thing in the hand, with moved things, and with a refusal."""
    for game, match in played.items():
        host = f"/join/{match.id}/{match.host}"
        yield PageCase(f"adjust-{game}", f"/m/{match.id}/adjust", host, _pick_up)
    begun = server.open("poptrix", players={"1": "Jet", "2": "Red"})
    server.play(begun, "M@c1")
    own = f"/join/{begun.id}/{begun.host}"
    yield PageCase("adjust-not-yet", f"/m/{begun.id}/adjust?shift=M,c1,a6", own, _write)
    sealed = server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    server.play(sealed, "1:S=...,M=...,L=...")
    own = f"/join/{sealed.id}/{sealed.host}"
    yield PageCase(
        "adjust-sealed", f"/m/{sealed.id}/adjust", own, says=_browser_log("409 (Conflict)")
    )


def _pick_up(page: Any) -> None:
    """Pick up a thing, if possible from a place with several."""
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
    """Pick up the first piece that can be tapped."""
    first = page.locator(".pb-cell.is-open").first
    if first.count():
        first.click(force=True)


def _make_link(page: Any) -> None:
    page.locator(".guest[data-whom='2'] button").first.click()
    page.locator(".guest[data-whom='2'] .qr").wait_for()


def _show_code(page: Any) -> None:
    page.get_by_text("A dead phone").click()
    page.locator("[data-seat='2']").click()
    page.locator("[data-part=code] .qr").wait_for()


def _scan_code(page: Any) -> None:
    _show_code(page)
    page.goto(page.locator("#phone-link").input_value())


def _import_illegal_record(page: Any) -> None:
    page.locator("summary").click()
    page.locator("#text").fill('[Game "poptrix"]\n\n1. M@c1 2. S@c6\n3. c1>M@c3 *\n')
    page.locator("form button").click()
    page.locator(".notice.bad").wait_for()


def _unfold(page: Any) -> None:
    for folded in page.locator("summary").all():
        folded.click()


def draw_program(page: Any) -> None:
    for piece, ends in {"S": ("f5", "e5"), "L": ("b4",), "M": ("c4", "c6")}.items():
        page.locator(f"[data-walk={piece}]").click()
        for at in ends:
            page.locator(f'.pb-cell[data-at="{at}"]').click(force=True)


def _open_program(page: Any) -> None:
    page.locator("[data-way]").click()
    page.locator("[data-slot=S1]").click()


def _open_more(page: Any) -> None:
    page.locator("[data-more]").click()
    page.locator(".sheet").wait_for()
    for folded in page.locator(".sheet summary").all():
        folded.click()


def _tap_wrongly(page: Any) -> None:
    for place in ("c1", "e5"):
        page.locator(f'.pb-cell[data-at="{place}"]').click()
    page.locator(".refusal").wait_for()


def _use(tool: str) -> Callable[[Any], None]:
    def act(page: Any) -> None:
        for folded in page.locator("details.tools summary").all():
            folded.click()
        page.locator(f"[data-tool={tool}]").click()
        page.locator("dialog[open], .desk .panel").first.wait_for()  # its module comes late

    return act


def _correct(page: Any) -> None:
    _use("amend")(page)
    page.get_by_role("button", name="A move is missing before it").click()
