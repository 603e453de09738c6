"""The pages of `docs` that are generated, so that a checkout has them to read.

`python -m tests.reference_pages` writes them: the help of every command, the rules of each game,
and the names of the Python API. `make docs` shows those within docs/python.md.
"""

from __future__ import annotations

import inspect
import io
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from unittest import mock

from cli import main
from cli.app import GROUPS
from tests.paths import ROOT

DOCS = ROOT / "docs"
EXAMPLE = re.compile("^>>> .*(?:\n.+)*", re.MULTILINE)
MADE = "<!-- Made by `python -m tests.reference_pages`. -->\n"

COMMANDS = f"""{MADE}
# Commands and options

This page shows the help of every command, as `plybook COMMAND --help` prints it.
[The terminal](terminal.md) explains the commands with examples.
"""


NAMES = f"""---
orphan: true
---

{MADE}
# The names of the Python API

[The Python API](python.md) explains them with examples.
"""

HEADING = re.compile(r"^## (.*)|^\.\. auto(\w+):: ([\w.]+)(\n   :members:)?", re.MULTILINE)
"""A heading of docs/python.md, or a name with or without its members."""


def pages() -> dict[Path, str]:
    """Return the text of each page."""
    made = {
        DOCS / "commands.md": "\n".join([COMMANDS, *map(group, GROUPS)]),
        DOCS / "python-names.md": "\n".join([NAMES, *names()]),
    }
    for rules in ROOT.glob("seeds/*/rules-1.md"):
        text = rules.read_text(encoding="utf-8")
        made[DOCS / "rules" / f"{rules.parent.name}.md"] = f"{MADE}\n{text}"
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


def names() -> Iterator[str]:
    """Yield the names of the API in the order of docs/python.md, under its headings."""
    page = (DOCS / "python.md").read_text(encoding="utf-8")
    for heading, kind, path, members in HEADING.findall(page):
        if heading:
            title = f"## {heading}\n"
        else:
            module, _, name = path.rpartition(".")
            found = resolve_name(f"{module}:{name}")
            if title:
                yield title
                title = ""
            told = valued if kind == "data" else described
            yield f"### {path}\n\n{told(name, found)}"
            if members:
                yield from (f"- {one}" for one in members_of(found))
                yield ""


def members_of(kind: type) -> Iterator[str]:
    """Yield the public methods and properties that a class defines, each with its docstring."""
    for name, value in vars(kind).items():
        function = getattr(value, "__func__", getattr(value, "fget", value))
        if not name.startswith("_") and inspect.isfunction(function) and function.__doc__:
            told = f"`{name}`" if isinstance(value, property) else f"`{name}{signature(function)}`"
            yield f"{told}: {' '.join(inspect.cleandoc(function.__doc__).split())}"


def described(name: str, found: Any) -> str:
    """Return the signature and the docstring of a function or class."""
    told = EXAMPLE.sub(r"```pycon\n\g<0>\n```", inspect.cleandoc(found.__doc__ or ""))
    return f"```python\n{name}{signature(found)}\n```\n\n{told}\n"


def valued(name: str, data: Any) -> str:
    """Return the value of a constant."""
    return f"```text\n{name} = {repr(data).replace('typing.', '')}\n```\n"


class Written(str):
    """A text that a signature shows without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def signature(found: Any) -> str:
    """Return the parameters with their types; `...` stands for a default that is no plain value."""
    try:
        told = inspect.signature(found)
    except (TypeError, ValueError):
        return ""
    parameters = [
        each.replace(annotation=typed(each.annotation), default=plain(each.default))
        for each in told.parameters.values()
    ]
    return str(told.replace(parameters=parameters, return_annotation=typed(told.return_annotation)))


def typed(annotation: Any) -> Any:
    if annotation is inspect.Signature.empty:
        return annotation
    text = getattr(annotation, "__forward_arg__", annotation)
    text = text if isinstance(text, str) else inspect.formatannotation(text)
    return Written(re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", text).strip("'\""))


def plain(default: Any) -> Any:
    simple = default is inspect.Parameter.empty or default in (None, ())
    return default if simple or isinstance(default, bool | int | str) else Written("...")


if __name__ == "__main__":
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")
