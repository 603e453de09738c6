"""Make pictures of the terminal as SVG: `plybook show` with its colours, and the screens."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from cli.screen.frame import Frame
from replay.book import Book
from replay.store import temporary_store
from tests.cli.screen.pilot import in_colours, press
from tests.cli.screen.snapshots import pictures

ID = "k7m2c4x9q0ab"
PLY = 12
COLUMNS = 72
SCREENS = {
    ("record-refused", (80, 24)): "record.svg",
    ("replay-poptrix", (100, 30)): "replay.svg",
}
"""The pictures of screens: file by name and size."""
FACES = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""Fonts that rich would load from the internet."""


def draw(file: Path) -> None:
    """Draw the demonstration match of Poptrix in a terminal."""
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"))  # noqa: SIM115
    for words, said in _session():
        console.print(Text(f"$ {words}", style="bold"))
        console.print(Text.from_ansi(said.rstrip("\n")))
    _write(file, console.export_svg(title="plybook", unique_id="plybook"))


def draw_screens(folder: Path) -> None:
    """Draw a refused move in `record`, and a position in `replay`."""
    for name, make, slug, keys, size in pictures():
        if file := SCREENS.get((name, size)):
            store = temporary_store()
            app = make(Book(store, now=lambda: 0), slug)
            drawn = asyncio.run(_screenshot(app, keys, size))
            store.close()
            _write(folder / file, drawn.replace(app.playback.line.record.id, ID))


async def _screenshot(app: Frame, keys: list[str], size: tuple[int, int]) -> str:
    app.console = in_colours("truecolor")
    async with app.run_test(size=size) as pilot:
        await press(pilot, keys)
        return app.export_screenshot(title="plybook")


def _write(file: Path, picture: str) -> None:
    lines = FACES.sub("", re.sub(r"terminal-\d+", "plybook", picture)).splitlines()
    file.write_text("".join(f"{line.rstrip()}\n" for line in lines), encoding="utf-8")


def _session() -> list[tuple[str, str]]:
    """Return commands and what they print: a position in the middle, and a refused move."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PLYBOOK_DB": f"{folder}/book.db", "FORCE_COLOR": "1"}
        imported = _run(environment, "import", "seeds/poptrix/demo.ply").split()[0]
        match = _run(environment, "fork", f"{imported}@{PLY}", "--match").strip()
        said = []
        for words in (["show", match], ["play", match, "b1>L@b2"]):
            command = shlex.join(["plybook", *words]).replace(match, ID[:4])
            said.append((command, _run(environment, *words).replace(match, ID)))
    return said


def _run(environment: dict[str, str], *words: str) -> str:
    command = [sys.executable, "-m", "cli", *words]
    ran = subprocess.run(command, capture_output=True, env=environment, encoding="utf-8")
    return ran.stdout + ran.stderr


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
