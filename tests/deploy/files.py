"""The files of `docs/deploy`, and the commands of `plybook` that texts name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import typer

from cli.app import command
from tests.paths import ROOT

DEPLOY: Final = ROOT / "docs" / "deploy"

CALL: Final = re.compile(r"(?:^|[\s`/])plybook +([a-z]+(?: [^\s`;|&']+)*)")
OPTION: Final = re.compile(r"(?<=\s)--[a-z-]+")


class Call(NamedTuple):
    """A call of `plybook` in a text: the command, and its options."""

    name: str
    options: frozenset[str]


def calls(text: str) -> Iterator[Call]:
    """Yield the calls in a text that begin with the name of a command."""
    for words in CALL.findall(text.replace("\\\n", "")):
        name = words.split()[0]
        if name in command.commands:
            yield Call(name, frozenset(OPTION.findall(words)))


def unknown(call: Call) -> set[str]:
    """Return the options of a call that its command does not have."""
    found = command.commands[call.name]
    known = {option for each in found.get_params(typer.Context(found)) for option in each.opts}
    return set(call.options - known)
