"""The board page on a phone, operated only by taps."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

from tests.browser.launch import OpenedMatch, Server

API = re.compile("/matches/|/m/[a-z0-9]{12}/events")
"""The addresses of moves, hints and news, but not of pages and boards."""

PLACE = re.compile(r"[A-Za-z]\d+")

WATCH_BOARD = """
window.covered = [];
setInterval(() => {
  const desk = document.querySelector(".desk");
  const board = document.querySelector(".board svg");
  if (!desk?.querySelector(".foot") || !board || document.querySelector("dialog")) return;
  const { top, bottom } = board.getBoundingClientRect();
  const { top: over } = desk.getBoundingClientRect();
  if (over > top && over < bottom - 1) covered.push([desk.innerText, Math.round(bottom - over)]);
}, 100);
"""
"""Note in `covered` each time that the desk covers a part of the board."""

AT_REST = """async () => {
  const places = () => [...document.querySelectorAll("main, .stage svg, .desk *, dialog *")]
    .map((each) => Object.values(each.getBoundingClientRect().toJSON())).join();
  await document.fonts.ready;
  for (let before = "", same = 0; same < 20; ) {
    await new Promise(requestAnimationFrame);
    const now = places();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}"""


def at_rest(page: Any) -> None:
    """Wait until nothing of a page has changed its place for twenty frames."""
    page.evaluate(AT_REST)


def followed(page: Any) -> Any:
    """Wait until a page that is opened hears of names, annotations, rematches and new links."""
    return page.expect_response("**/stream?*")


class BoardPage:
    """The board page of a match, as the holder of a token sees it."""

    def __init__(
        self, server: Server, page: Any, match: OpenedMatch, token: str | None = None
    ) -> None:
        self.page = page
        self.match = match
        with followed(page):
            page.goto(f"{server.url}/join/{match.id}/{token or match.host}")
        # A seat's pad for secret moves is loaded after the foot, which shows "…" until then.
        page.locator(".desk:not(:has(.prompt:text-is('…'))) .foot").wait_for(state="attached")

    @property
    def version(self) -> int:
        return int(self.page.locator("article.frame").get_attribute("data-version"))

    def doing(self) -> dict[str, Any]:
        return json.loads(self.page.locator("script.record-controls").text_content())

    def place(self, at: str) -> Any:
        return self.page.locator(f'.board .pb-cell[data-at="{at}"]')

    def tap(self, *things: str) -> None:
        """Tap places, and sizes or colours in the desk."""
        for thing in things:
            if re.fullmatch(r"[A-Za-z]\d+", thing):
                self.place(thing).tap()
            else:
                self.page.locator(f'.desk [data-choose="{thing}"]').tap()

    def press(self, **data: str) -> None:
        """Press a button of the desk by its data: `press(move=".")`."""
        name, value = next(iter(data.items()))
        self.page.locator(f'.desk [data-{name.replace("_", "-")}="{value}"]').tap()

    def says(self, words: str) -> None:
        """Wait until the page shows these words."""
        self.page.wait_for_function(
            "words => document.querySelector('main').innerText.includes(words)", arg=words
        )

    def settled(self, version: int) -> None:
        """Wait until the board shows a version and no request is under way."""
        self.page.wait_for_function(
            """version => document.querySelector('article.frame').dataset.version >= version
            && document.querySelector('.desk .state').textContent === 'Saved'""",
            arg=version,
        )
        if (skip := self.page.locator("[data-skip]")).count():
            skip.tap()

    def enter(self, token: str) -> None:
        """Enter a move by taps, which follow from the data in the page."""
        version = self.version
        seat, body = token.split(":", 1) if token[1:2] == ":" else (None, token)
        if body.startswith(("S=", "pick=")):
            self.seal(seat, body)
        else:
            self._choose(seat, body)
        self.settled(version + 1)

    def _choose(self, seat: str | None, body: str) -> None:
        speaking, choice = next(
            (speaking, choice)
            for speaking in self.doing()["seats"]
            if seat in (None, str(speaking["seat"]))
            for choice in speaking["choices"]
            if choice["text"].split(":")[-1] == body
        )
        if speaking["secret"]:
            # The pad of a secret move offers the other moves too.
            self.open_pad(seat)
        texts = [field["text"] for field in choice["fields"]]
        if body.startswith("roll="):
            for die, face in enumerate(texts[0].split(",")):
                self.page.locator(f'.face[data-die="{die}"][data-face="{face}"]').tap()
        elif places := [text for text in texts if PLACE.fullmatch(text)]:
            known = {field["text"] for one in speaking["choices"] for field in one["fields"]}
            if set(filter(PLACE.fullmatch, known)) == set(places) != set(texts):
                # The only place there is needs no tap.
                texts = [text for text in texts if text not in places]
            for text in texts:
                # The last tap is not needed if nothing else was left to choose.
                if self._is_done(text):
                    return
                self.tap(text)
        else:
            self.press(move=choice["text"])

    def _is_done(self, text: str) -> bool:
        needed = PLACE.fullmatch(text)
        return not needed and self.page.locator(f'.desk [data-choose="{text}"]').count() == 0

    def open_pad(self, seat: str | None) -> None:
        """Open the pad of a seat, behind the cover if there is one, unless it is open."""
        if self.page.locator(f'form.program[data-seat="{seat}"]').count():
            return
        if self.doing()["role"] == "host":
            cover = self.page.locator(f'dialog.cover [data-cover="{seat}"]')
            if not cover.count():
                self.press(secret=str(seat))
            cover.tap()
        elif self.page.locator("[data-again]").count():
            self.press(secret=str(seat))

    def seal(self, seat: str | None, body: str) -> None:
        """Program or pick in secret, behind the cover if there is one."""
        self.open_pad(seat)
        if body.startswith("pick="):
            self.tap(body[-1])
        else:
            self.program(body)
        self.press(seal="")

    def program(self, body: str) -> None:
        """Write a program: walk it on the board if possible, else command by command."""
        parts = dict(part.split("=") for part in body.replace("x", ".").split(",") if "=" in part)
        for word in {"quick", "blitz"} & set(body.split(",")):
            self.press(special=word)
        if (walks := self.walks(parts)) is not None:
            self.walk(walks)
        else:
            self.command(parts)
        if "pass" in parts:
            row, to = parts["pass"]
            self.press(text=f",pass={row}")
            self.press(text=to)

    def walks(self, parts: dict[str, str]) -> dict[str, list[str]] | None:
        """Return the taps by piece, "" to stay; `None` if a way cannot be tapped."""
        walks: dict[str, list[str]] = {}
        label = self.page.locator("form.program").get_attribute("aria-label")
        who = next(seat for seat, name in self.doing()["names"].items() if label.endswith(name))
        (pad,) = next(
            each["controls"]["pads"] for each in self.doing()["seats"] if str(each["seat"]) == who
        )
        steps = {
            step["text"]: dict(zip(step["starts"], step["ends"], strict=True))
            for step in pad["steps"]
        }
        rows = {row["piece"]: row["at"] for row in pad["rows"]}
        ends: list[str] = []
        for piece, start in rows.items():
            commands = parts[piece] + (parts.get("dash", "") if piece == "S" else "")
            places = [start]
            for command in commands.rstrip("."):
                at = places[-1]
                places.append(at if command == "." else steps[command].get(at, ""))
            taps = ["" if one == last else one for last, one in itertools.pairwise(places)]
            if "" in places or {*taps} & {*rows.values(), *ends}:
                return None
            ends.append(places[-1])
            walks[piece] = taps
        return walks

    def walk(self, walks: dict[str, list[str]]) -> None:
        for piece, taps in walks.items():
            if taps:
                self.press(walk=piece)
            for at in taps:
                self.tap(at) if at else self.press(stay="")

    def command(self, parts: dict[str, str]) -> None:
        """Write a program command by command in the boxes."""
        self.page.locator(".desk [data-way]").tap()
        self.press(slot="S1")
        slots = [(size, row) for size in "SML" for row in (1, 2, 3)]
        dash = self.page.locator('[data-slot="S4"]').count()
        for size, row in slots:
            self.press(command=parts[size][row - 1])
            if dash and (size, row) == ("S", 3):
                self.press(command=parts.get("dash", "."))
        self.page.locator(".desk [data-way]").tap()
