"""The pages of `docs` that are generated, so that a checkout has them to read.

`python -m tests.reference_pages` writes them: the help of every command, the rules of each game.
"""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout, suppress
from pathlib import Path
from unittest import mock

from cli import main
from cli.app import GROUPS
from domain.games import BUILT_IN
from replay import registry, rules_text
from tests.paths import ROOT

DOCS = ROOT / "docs"
MADE = "<!-- Made by `python -m tests.reference_pages`. -->\n"

COMMANDS = f"""{MADE}
# Commands and options

This page shows the help of every command, as `plybook COMMAND --help` prints it.
[The terminal](terminal.md) explains the commands with examples.
"""


def pages() -> dict[Path, str]:
    """Return the text of each page."""
    made = {DOCS / "commands.md": "\n".join([COMMANDS, *map(group, GROUPS)])}
    for slug in BUILT_IN:
        made[DOCS / "rules" / f"{slug}.md"] = f"{MADE}\n{rules_text.text(registry.find(slug))}"
    return made


def group(title: str) -> str:
    """Return the section of a group of commands."""
    texts = (f"### plybook {name}\n\n```text\n{help_of(name)}```\n" for name in GROUPS[title])
    return "\n".join([f"## {title}\n", *texts])


def help_of(name: str) -> str:
    """Return the help of a command, as a terminal of 80 columns shows it."""
    printed = io.StringIO()
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "80", "TERMINAL_WIDTH": "80"}),
        redirect_stdout(printed),
        suppress(SystemExit),
    ):
        main([name, "--help"])
    return printed.getvalue()


if __name__ == "__main__":
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")
