"""The exported page in a real browser: keys, slider, list and address move the board."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from replay.book import Book
from replay.branches import forks
from replay.formats.html.player_page import write_page
from replay.record.addresses import Address
from replay.referee.entering import play
from replay.store import temporary_store
from tests.browser.launch import new_context, run_browser
from tests.replay.formats.html.matches import long_match, record
from tests.replay.formats.html.test_page import pictures, some_tokens

STARTED = "[data-player=list] [aria-current=step]"
"""The elements that the running player adds to a page."""

BEAT = "await new Promise((go) => setTimeout(go, 20));"
"""Milliseconds for the effects of an event."""


class Seen(NamedTuple):
    """The content of a page in a browser, and its errors."""

    dom: str
    complaints: list[str]

    def part(self, name: str) -> str:
        found = re.search(rf'<(\w+)[^>]*data-player="{name}"[^>]*>(.*?)</\1>', self.dom, re.DOTALL)
        assert found is not None, self.dom[:2000]
        return html.unescape(re.sub("<[^>]*>", " ", found[2]))

    @property
    def here(self) -> str:
        """Return the name of the stop that the list marks."""
        (found,) = re.findall(r'<a href="#([^"]*)" aria-current="step"', self.dom)
        return found

    def shows(self, picture: str) -> bool:
        """Return whether the board has the texts of this picture."""
        board = re.search(r'data-player="board".*?>(<svg.*?</svg>\s*<svg.*?</svg>)', self.dom, re.S)
        assert board is not None
        return texts(board[1]) == texts(picture)


def texts(drawing: str) -> list[str]:
    return re.findall(r">([^<>]+)</(?:text|title|desc)>", drawing)


class Open:
    """A page on disk, opened like a mail attachment."""

    def __init__(self, tab: Any, folder: Path, page: str) -> None:
        self.tab = tab
        self.path = folder / "page.html"
        self.path.write_text(page, encoding="utf-8")
        self.page = page

    def at(self, address: str = "", *events: str) -> Seen:
        """Open the page again and dispatch events, given as JavaScript."""
        complaints: list[str] = []

        def hear(said: Any) -> None:
            complaints.append(str(getattr(said, "text", said)))

        heard = {"console": hear, "pageerror": hear}
        self.tab.goto("about:blank")
        for name, hearing in heard.items():
            self.tab.on(name, hearing)
        self.tab.goto(f"{self.path.as_uri()}{address}")
        self.tab.wait_for_selector(STARTED)
        for event in ("", *events):
            self.tab.evaluate(f"async () => {{ {event}; {BEAT} }}")
        seen = Seen(self.tab.content(), complaints)
        for name, hearing in heard.items():
            self.tab.remove_listener(name, hearing)
        return seen


def key(name: str) -> str:
    event = f'new KeyboardEvent("keydown", {{key: "{name}", bubbles: true}})'
    return f"document.body.dispatchEvent({event})"


def click(selector: str) -> str:
    return f"document.querySelector('{selector}').click()"


@pytest.fixture(scope="module")
def tab() -> Iterator[Any]:
    with run_browser() as browser:
        yield new_context(browser).new_page()


@pytest.fixture(scope="module")
def opened(tab: Any, tmp_path_factory: pytest.TempPathFactory) -> Open:
    book = Book(temporary_store())
    recorded = record(book, long_match("poptrix"), 12, Seat1="</script>", Seat2="Red")
    aside = forks.fork(book, *book.at(Address(recorded.id, 5)))
    play(book, aside, some_tokens(aside, 2))
    page = write_page(book, book.open(recorded.id), 12)
    book.store.close()
    return Open(tab, tmp_path_factory.mktemp("page"), page)


def test_file_opens_without_errors_at_its_last_position(opened):
    seen = opened.at()
    assert seen.complaints == []
    assert seen.here == "12"
    assert seen.part("count").strip() == "12 / 12"
    assert re.search(r'data-player="controls"(?! hidden)', seen.dom)


def test_address_sets_the_opening_ply(opened):
    seen = opened.at("#4")
    assert seen.complaints == []
    assert seen.here == "4"
    assert seen.shows(pictures(opened.page)[4])
    assert not seen.shows(pictures(opened.page)[12])


def test_keys_move_the_board_and_the_caption(opened):
    back = opened.at("", key("Home"), key("ArrowRight"), key("ArrowRight"))
    assert back.here == "2"
    assert back.shows(pictures(opened.page)[2])
    token = re.search(r'<a href="#2"[^>]*>(.*?)</a>', opened.page)
    assert token is not None
    assert html.unescape(token[1]) in back.part("caption")
    assert back.complaints == []
    assert opened.at("#2", key("ArrowLeft")).here == "1"
    assert opened.at("#2", key("End")).here == "12"
    assert opened.at("#2", key("n")).here == "3"
    assert opened.at("#2", key("p")).here == "1"


def test_buttons_slider_and_list_move_the_board(opened):
    assert opened.at("#2", click("[data-go=next]"), click("[data-go=next]")).here == "4"
    slide = (
        'const slider = document.querySelector("[data-player=slider]"); slider.value = 7;'
        'slider.dispatchEvent(new Event("input", {bubbles: true}))'
    )
    assert opened.at("", slide).here == "7"
    assert opened.at("", click('[href="#3"]')).here == "3"


def test_space_plays_to_the_end_and_stops_there(opened):
    seen = opened.at("#11", key("+"), key("+"), key("+"), key(" "), *["0"] * 20)
    assert seen.here == "12"
    assert 'aria-label="Play"' in seen.dom


def test_variation_leads_back_to_its_line(opened):
    variation = re.findall(r'id="(\w+@6)"', opened.page)[0]
    seen = opened.at(f"#{variation}")
    assert seen.here == variation
    assert seen.part("count").strip() == "6 / 7"
    assert opened.at(f"#{variation}", key("ArrowLeft")).here == "5"
    assert opened.at(f"#{variation}", key("ArrowRight")).here == variation.replace("@6", "@7")


def test_steps_of_an_event_are_played_in_order(tab, tmp_path):
    book = Book(temporary_store())
    match = long_match("pyramid-ball")
    ply = next(
        ply
        for ply in range(1, 60)
        if match.game.scene(match.at(ply).position.view(None), match.line[ply - 1].effects).frames
    )
    page = write_page(book, record(book, match, ply), ply)
    book.store.close()
    seen = Open(tab, tmp_path, page).at(f"#{ply - 1}", key("ArrowRight"))
    assert seen.here == str(ply)
    assert "step 1 of" in seen.part("count")


def test_buttons_jump_between_highlights(opened):
    notable = re.findall(r'id="(\d+)"[^>]* data-notable', opened.page)
    assert opened.at("#0", key(".")).here == (notable or ["12"])[0]
    assert opened.at("#0", click("[data-go=nextevent]")).here == (notable or ["12"])[0]
    assert opened.at("#12", key(",")).here in (*notable, "0")


SIZES_OF_TEXTS = """() => [...document.querySelectorAll(".board svg + svg text")].map((text) => {
  const drawing = text.ownerSVGElement;
  const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
  return parseFloat(getComputedStyle(text).fontSize) * scale;
})"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (900, 700), (1100, 800), (1600, 1000)])
def test_cards_beside_the_board_are_readable(opened, width, height):
    before = opened.tab.viewport_size
    opened.tab.set_viewport_size({"width": width, "height": height})
    opened.at()
    sizes = opened.tab.evaluate(SIZES_OF_TEXTS)
    assert opened.tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    opened.tab.set_viewport_size(before)
    assert sizes
    assert min(sizes) >= 10
