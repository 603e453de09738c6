"""Pages for people with other needs: without scripts, without motion."""

from __future__ import annotations

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import Server
from tests.browser.page_cases import MIDGAME

pytestmark = pytest.mark.slow

TOKENS = ("M@c1", "S@c6", "c1>L@c2")

MOVING = """
window.moving = [];
for (const kind of ["animationstart", "transitionrun"]) {
  addEventListener(kind, ({ type, target }) => moving.push(`${type} ${target.outerHTML}`), true);
}
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  moving.push(`animate ${this.outerHTML}`);
  return animate.apply(this, how);
};
"""


@pytest.fixture(scope="module")
def server(demonstration: Server) -> Server:
    return demonstration


@pytest.fixture
def demo(server: Server, game: str) -> str:
    listed = server.get("/matches")["matches"]
    return next(each["match"] for each in listed if each["game"] == game)


games = pytest.mark.parametrize(
    "game",
    [
        "poptrix",
        *(pytest.param(game, marks=pytest.mark.slow) for game in MIDGAME if game != "poptrix"),
    ],
)


@games
def test_match_can_be_read_without_scripts(phone, server, game, demo):
    page = phone(base_url=server.url, java_script_enabled=False)
    page.goto(f"/m/{demo}")
    assert page.locator(".board .pb-cell").first.is_visible()
    assert page.locator(".standing").inner_text()
    page.get_by_role("link", name="Look back").click()
    page.wait_for_url("**/replay**")
    moves = page.locator('.list [data-line=""] > a')
    assert moves.count() > MIDGAME[game]
    at_the_end = page.locator(".board").inner_html()
    moves.nth(MIDGAME[game]).click()
    page.wait_for_url(f"**ply={MIDGAME[game]}")
    assert page.locator("article.frame").get_attribute("data-ply") == str(MIDGAME[game])
    assert page.locator(".board").inner_html() != at_the_end
    page.get_by_role("link", name="Rules").click()
    page.wait_for_url(f"**/rules/{game}")
    assert page.locator("main h2").count() > 3


def test_library_search_works_without_scripts(phone, server):
    page = phone(base_url=server.url, java_script_enabled=False)
    page.goto("/library")
    everything = page.locator(".match-card").count()
    page.get_by_label("Look for").fill("warm")
    page.get_by_label("Look for").press("Enter")
    page.wait_for_url("**q=warm**")
    assert 0 < page.locator(".match-card").count() < everything


def test_dice_and_turn_are_seen_in_forced_colours(phone, server):
    opened = server.open("blockade")
    page = phone(forced_colors="active")
    BoardPage(server, page, opened)
    pip, face, mark, other, paper = page.evaluate("""() => {
      const style = (selector, part) => getComputedStyle(document.querySelector(selector), part);
      document.body.style.background = "Canvas";
      return [
        style(".face circle").fill, style(".face").backgroundColor,
        style(".players .is-awaited", "::before").backgroundColor,
        style(".players li:not(.is-awaited)").borderTopColor, style("body").backgroundColor,
      ];
    }""")
    assert pip != face
    assert mark != paper == other


def test_wish_for_contrast_is_heard(phone, server):
    page = phone(contrast="more")
    page.goto(f"{server.url}/")
    soft, ink = (
        page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}')")
        for name in ("soft", "ink")
    )
    assert soft == ink


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_reduced_motion_stops_all_movement(phone, server, wish, opened):
    page = phone(reduced_motion=wish)
    page.add_init_script(MOVING)
    table = BoardPage(server, page, opened)
    for token in TOKENS:
        table.enter(token)
        page.wait_for_timeout(300)
    page.locator("[data-more]").tap()
    page.wait_for_timeout(300)
    if wish == "reduce":
        assert page.evaluate("moving") == []
    else:
        page.wait_for_function("() => moving.length > 0")


def test_player_does_not_animate_with_reduced_motion(phone, server):
    listed = server.get("/matches")["matches"]
    demo = next(each["match"] for each in listed if each["game"] == "pyramid-ball")
    page = phone(reduced_motion="reduce")
    page.add_init_script(MOVING)
    page.goto(f"{server.url}/m/{demo}/replay#0")
    page.wait_for_selector(".controls:visible")
    page.locator("[data-go=next]").tap()
    page.locator("[data-go=toggle]").tap()
    page.locator('.stage .frame[data-ply="3"]').wait_for()
    assert page.evaluate("moving") == []
