"""A complete game of each kind, recorded on a low phone by taps alone."""

from __future__ import annotations

import pytest

from domain.games import BUILT_IN
from tests.browser.board_page import WATCH_BOARD, BoardPage
from tests.browser.games import shortest, written
from tests.browser.launch import OpenedMatch


@pytest.mark.slow
@pytest.mark.parametrize("game", BUILT_IN)
def test_whole_game_is_recorded_without_covering_board(game, phone, server):
    record = shortest(game)
    opened = _open(server, record)
    page = phone(viewport={"width": 360, "height": 640})
    page.add_init_script(WATCH_BOARD)
    table = BoardPage(server, page, opened)
    for token in written(record):
        table.enter(token)
    told = server.get(f"/matches/{opened.id}")
    assert told["outcome"]["clause"] == record.match.state.outcome.clause
    assert told["plies"] == len(record.match.line)
    page.locator(".frame[data-over] .why .clause").wait_for()
    assert page.get_by_role("link", name="Look back").first.is_visible()
    assert page.evaluate("covered") == []


UNREACHED = """() => {
  const places = [...document.querySelectorAll(".board .pb-cell")];
  const reached = new Set(places.slice(0, 1));
  for (const place of reached) {
    for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
      place.focus();
      place.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      reached.add(document.activeElement);
    }
  }
  const open = places.filter((place) => place.matches(".is-open"));
  return open.filter((place) => !reached.has(place)).map(({ dataset }) => dataset.at);
}"""


@pytest.mark.parametrize("game", ["blockade", "cube-pyramid", "poptrix", "power-play"])
def test_arrows_reach_every_place_to_choose(game, desktop, server):
    record = shortest(game)
    opened = _open(server, record)
    server.play(opened, *written(record)[:-3])
    table = BoardPage(server, desktop(), opened)
    table.page.locator(".is-open").first.wait_for(state="attached")
    assert table.page.evaluate(UNREACHED) == []


def test_bonus_cube_needs_only_a_colour(phone, server):
    opened = server.open("cube-pyramid", players={"1": "Jet", "2": "Red"})
    server.play(opened, "l@A11", "d@A15", "l@A51", "d@A12", "l@A33", "d@A14", "d@A24")
    table = BoardPage(server, phone(viewport={"width": 390, "height": 664}), opened)
    table.says("Choose a colour. The opponent gives the cube.")
    table.tap("l")
    table.settled(8)
    assert server.line(opened)[-1] == "l@B14"


def _open(server, record) -> OpenedMatch:
    options = record.game.set_options(record.match.options)
    players = {"1": "Jet", "2": "Red"}
    return server.open(record.game.slug, options=options, players=players)


@pytest.mark.slow
def test_advanced_secret_game_is_recorded_behind_cover(phone, server):
    """The game has a selection of sides, placed balls, special moves, and the longest turns."""
    opened = server.open(
        "pyramid-ball",
        options={"length": "advanced", "opening": "selection"},
        players={"1": "Jet", "2": "Red"},
    )
    table = BoardPage(server, phone(), opened)
    for token in ADVANCED:
        table.enter(token)
    assert server.line(opened)[-1] == "2:S=FFR,M=RFL,L=FFL"


ADVANCED = (
    "1:pick=M",
    "2:pick=S",
    "1:start=ball",
    "1:S=.FR,M=LFF,L=RLF",
    "2:S=.BF,M=RFF,L=FFR",
    "1:take=L",
    "1:S=.BF,M=BLL,L=FRF,blitz",
    "2:S=.FF,M=LFF,L=F.F",
    "2:S=FFF,M=LR.,L=LLF,pass=3S",
    "1:S=F.L,M=RBR,L=BBR",
    "1:ball=e1",
    "1:take=S",
    "1:S=FRR,M=RRF,L=RFL,dash=B",
    "2:S=FFR,M=RFL,L=FFL",
)
