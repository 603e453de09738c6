"""The page of a match: complete, small, closed to the outside, and silent about secrets."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from domain.entry import move_text
from domain.games import built_in
from domain.names import Names
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches import forks
from replay.corrections.takebacks import take_back
from replay.drawing import svg
from replay.formats.html.player_page import write_page
from replay.formats.html.score_sheet import write_sheet
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from tests.replay.formats.html.matches import GAMES, LONG, long_match, long_page, record
from tests.replay.formats.html.unpacking import unpack

NAMES = Names({1: "Player 1", 2: "Player 2"})

MAX_BYTES = 300_000
"""The limit of bytes for the page of a match of 200 events."""

NASTY = """</script><script>alert(1)</script><!-- " ' & <img src=x onerror=alert(1)>"""


class Stops(HTMLParser):
    """The stops of a page in order: their names, and their other attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.stops: dict[str, dict[str, str | None]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if "data-line" in attributes:
            self.stops[attributes["id"] or ""] = attributes


def pictures(page: str) -> list[str]:
    found = re.search(r'id="pictures">([^<]*)<', page)
    assert found is not None
    return unpack(found[1])


def readable(page: str) -> str:
    """Return the page or sheet without the player, but with the packed pictures."""
    static = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    return static + "".join(pictures(page) if 'id="pictures"' in page else [])


def sheet(book: Book, record: MatchRecord) -> str:
    return write_sheet(book, book.open(record.id))


def write(book: Book, record: MatchRecord) -> str:
    record = book.open(record.id)
    return write_page(book, record, len(record.match.line))


@pytest.mark.parametrize("slug", GAMES)
def test_page_of_a_long_match_is_small(slug):
    match = long_match(slug)
    assert len(match.line) == LONG or match.state.outcome is not None
    assert len(long_page(slug).encode()) < MAX_BYTES


@pytest.mark.parametrize("slug", GAMES)
def test_each_stop_draws_its_position_and_its_steps(slug):
    match, page = long_match(slug), long_page(slug)
    drawn, number = pictures(page), 0
    stops = Stops(page).stops
    assert list(stops) == [str(ply) for ply in range(len(match.line) + 1)]
    for ply, attributes in enumerate(stops.values()):
        effects = match.line[ply - 1].effects if ply else ()
        scene = match.game.scene(match.at(ply).position.view(None), effects, NAMES)
        number += int(attributes.get("data-steps") or 0)
        assert int(attributes.get("data-steps") or 0) == len(scene.frames)
        title = f"{match.game.name} board"
        assert drawn[number] == "".join(svg.draw_parts(scene, title=title, names=NAMES)), ply
        number += 1
    assert number == len(drawn)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("writer", [write, sheet])
def test_page_fetches_nothing(slug, writer, book):
    match = built_in(slug)
    page = writer(book, record(book, long_match(match.slug), 20))
    attribute = r"\s(?:href|src|srcset|action|formaction|data|poster)\s*=\s*[\"']?([^\"'\s>]*)"
    links = re.findall(attribute, readable(page))
    assert [link for link in links if not link.startswith("#")] == []
    outside = re.sub(r"http://www\.w3\.org/2000/svg", "", readable(page))
    assert not re.search(r"https?:|//[a-z]|url\(|@import|<link|<iframe|<object|<embed", outside)
    assert "default-src 'none'" in page


def test_policy_allows_only_the_script_of_the_page():
    page = long_page("poptrix")
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in page
    assert page.count("<script") == 2
    assert not re.search(r"\bfetch\(|\bimport\s*[(\"'{]|XMLHttp|WebSocket|EventSource", script)


@pytest.mark.parametrize("writer", [write, sheet])
def test_names_comments_and_tags_cannot_become_markup(writer, book):
    recorded = record(
        book, long_match("poptrix"), 4, Seat1=NASTY, Seat2="Red", Site=NASTY, Event=NASTY
    )
    wording = Wording(comment=NASTY, glyphs=("!",), labels=("a1=b",))
    annotate(book, recorded, 2, wording, author="<img src=x>")
    page = writer(book, recorded)
    assert "alert(1)" in page
    assert "<img" not in readable(page)
    assert "<script>" not in page
    assert page.count("</script>") == page.count("<script ")
    assert "&lt;img src=x&gt;" in page or writer is sheet


def test_page_can_be_read_without_its_script(book):
    recorded = record(book, long_match("poptrix"), 10, Seat1="Jet", Seat2="Red")
    page = write(book, recorded)
    static = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert pictures(page)[-1] in static
    for ply in recorded.match.line:
        assert move_text.write(recorded.game, ply.event).replace(">", "&gt;") in static
        for effect in ply.effects:
            assert effect.words(Names({1: "Jet", 2: "Red"})) in static
    assert "Jet" in static
    assert 'data-player="controls" hidden' in static


def test_page_opens_at_the_wanted_ply(book):
    recorded = record(book, long_match("poptrix"), 10)
    page = write_page(book, recorded, 4)
    assert 'data-opened="4"' in page
    assert page.count(pictures(page)[4]) == 1
    assert pictures(page)[-1] not in page


def test_variations_follow_the_move_they_replace(book):
    recorded = record(book, long_match("poptrix"), 10)
    aside = forks.fork(book, *book.at(Address(recorded.id, 5)), name="another <way>")
    aside = play(book, aside, list(some_tokens(aside, 2)))
    deeper = forks.fork(book, *book.at(Address(aside.id, 6)))
    deeper = play(book, deeper, list(some_tokens(deeper, 2, last=True)))
    hidden = forks.fork(book, *book.at(Address(recorded.id, 3)))
    forks.hide(book, play(book, hidden, list(some_tokens(hidden, 1))))
    page = write(book, recorded)
    stops = Stops(page).stops
    assert f"{hidden.id}@4" not in stops
    names = list(stops)
    assert names.index("6") < names.index(f"{aside.id}@6") < names.index("7")
    assert stops[f"{aside.id}@6"]["data-after"] == "5"
    assert stops[f"{deeper.id}@7"]["data-after"] == f"{aside.id}@6"
    assert "another &lt;way&gt;" in page
    number = names.index(f"{deeper.id}@8")
    scene = deeper.match.game.scene(
        deeper.match.at(8).position.view(None), deeper.match.line[7].effects, NAMES
    )
    drawn = svg.draw_parts(scene, title="Poptrix board", names=NAMES)
    assert pictures(page)[number] == "".join(drawn)


def some_tokens(record: MatchRecord, count: int, *, last: bool = False) -> list[str]:
    """Return moves from the head on, each the first legal one, or the last."""
    match, found = record.match, []
    for _ in range(count):
        seat = match.state.in_turn
        assert seat is not None
        move = list(match.game.legal(match.state.position, seat))[-1 if last else 0]
        found.append(match.game.write(move))
        event = move_text.read(match.game, match.state, found[-1])
        match = match.evolve(event)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("writer", [write, sheet])
def test_no_file_contains_a_sealed_move(writer, book):
    match = long_match("pyramid-ball")
    sealed = next(ply for ply in range(40, 100) if match.at(ply).position.sealed)
    recorded = record(book, match, sealed)
    secret = move_text.write(match.game, match.line[sealed - 1].event)
    page = writer(book, recorded)
    assert "(sealed)" in page
    assert secret not in readable(page)
    assert secret.partition(":")[2] not in readable(page)
    revealed = writer(book, record(book, match, sealed + 1))
    assert secret in revealed


def test_player_is_the_script_that_pages_import():
    from service.http.static_files import path_of

    assert path_of("js/replay/player.js").read_text(encoding="utf-8") in long_page("poptrix")


def test_page_shows_the_line_of_a_version(book):
    recorded = record(book, long_match("poptrix"), 6)
    after = take_back(book, recorded, 2)
    assert list(Stops(write(book, after)).stops) == ["0", "1", "2"]
    page = write_page(book, after.at_version(6), 6)
    assert list(Stops(page).stops) == ["0", "1", "2", "3", "4", "5", "6"]
    assert f"head {after.entry(6).hash.hex()}" in page
