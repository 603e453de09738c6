"""Make a picture of the terminal: `plybook show` with its colours, as SVG."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ID = "k7m2c4x9q0ab"
PLY = 12
COLUMNS = 72
FACES = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""Fonts that rich would load from the internet."""


def draw(file: Path) -> None:
    """Draw the demonstration match of Poptrix in a terminal."""
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"))  # noqa: SIM115
    for words, said in _session():
        console.print(Text(f"$ {words}", style="bold"))
        console.print(Text.from_ansi(said.rstrip("\n")))
    picture = console.export_svg(title="plybook", unique_id="plybook")
    lines = FACES.sub("", picture).splitlines()
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
