"""The configuration of Sphinx: `sphinx-build -W --keep-going -n docs build/docs`."""

from __future__ import annotations

import io
from contextlib import redirect_stdout, suppress
from importlib.metadata import version as installed

from sphinx.application import Sphinx

from cli import main
from cli.app import COMMANDS

project = "Plybook"
author = "The Plybook developers"
release = version = installed("plybook")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Plybook"
html_static_path: list[str] = []
exclude_patterns = ["_build"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
default_role = "code"  # docstrings write code in single backticks
nitpick_ignore_regex = [("py:class", ".*")]  # many types in signatures have no page here

HELP = "{{ help of every command }}"


def setup(app: Sphinx) -> None:
    """Let the page of commands print the help of the installed command line."""
    app.connect("source-read", insert_help)


def insert_help(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the mark in a page by the help of every command."""
    if HELP in source[0]:
        texts = (f"## plybook {name}\n\n```text\n{help_of(name)}```\n" for name in COMMANDS)
        source[0] = source[0].replace(HELP, "\n".join(texts))


def help_of(name: str) -> str:
    """Return the help text of a command."""
    printed = io.StringIO()
    with redirect_stdout(printed), suppress(SystemExit):
        main([name, "--help"])
    return printed.getvalue()
