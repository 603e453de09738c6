"""The command that searches for forgotten moves: gap."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Iterator
from typing import Annotated, Final

import typer
from msgspec.structs import asdict

from cli.books import read_book
from cli.output import Db, Json, Place, print_json, suggest
from domain.plurals import count
from replay.corrections.missing_moves import UNKNOWN, Gap, SearchBounds, find_gap
from replay.record.addresses import parse
from replay.record.match_record import MatchRecord

BOUNDS: Final = SearchBounds()
SHOWN: Final = 12
"""The number of ways that are printed; the rest is counted."""


def gap(
    match: Place,
    to: Annotated[
        str,
        typer.Option(
            metavar="POSITION",
            help="The position on the table, as `plybook position` writes it. Whose turn it is"
            " and its number may be left away; ? stands for a field that is not known.",
        ),
    ],
    length: Annotated[int, typer.Option(min=1, help="The most events in a row.")] = BOUNDS.length,
    nodes: Annotated[int, typer.Option(min=1, help="The most positions.")] = BOUNDS.nodes,
    seconds: Annotated[float, typer.Option(min=0.1, help="The most time.")] = BOUNDS.seconds,
    db: Db = None,
    json: Json = False,
) -> None:
    """Search the moves that were forgotten.

    They lead from the record to the position on the table. Offers the shortest ways; ways that
    differ in nothing but dice are offered as one.
    """
    with read_book(db) as book:
        record, ply = book.at(parse(match))
    progress = _show_progress if sys.stderr.isatty() else _show_nothing
    found = find_gap(record, ply, to, SearchBounds(length, nodes, seconds), progress=progress)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    if json:
        print_json({"ok": bool(found.ways), "match": record.id, "ply": ply} | asdict(found))
    else:
        print("\n".join(_describe_ways(record, ply, to, found)))
    if not found.ways:
        raise typer.Exit(1)


def _describe_ways(record: MatchRecord, ply: int, target: str, result: Gap) -> Iterator[str]:
    """Describe the ways, and how to enter the first one."""
    if result.stopped:
        yield f"stopped by --{result.stopped} in ways of {count(result.searched + 1, 'event')}"
    if not result.ways:
        yield (
            f"no way of up to {count(result.searched, 'event')} leads there"
            f" ({count(result.nodes, 'position')})"
        )
        if ply == record.ply() and UNKNOWN not in target.split():
            yield f"if a move broke a rule and stood: {_how_it_stood(record, target)}"
        return
    for way in result.ways[:SHOWN]:
        alike = f"  (or with other dice: {way.alike})" if way.alike else ""
        yield (" ".join(way.tokens) or "the record is there already") + alike
    if len(result.ways) > SHOWN:
        yield f"and {count(len(result.ways) - SHOWN, 'more way')}"
    if result.ways[0].tokens and record.match.version == record.stream.head:
        yield _how_to_enter(record, ply, result.ways[0].tokens)


def _how_to_enter(record: MatchRecord, ply: int, tokens: tuple[str, ...]) -> str:
    if ply == len(record.match.line):
        return f"enter it: {suggest('play', record.id, *tokens)}"
    return f"put it in: {suggest('amend', f'{record.id}@{ply + 1}', *tokens, '--insert')}"


def _how_it_stood(record: MatchRecord, target: str) -> str:
    return suggest("play", record.id, "TOKEN", "--stood", "--position", target)


def _show_progress(length: int, nodes: int) -> None:
    """Show the progress of a search on the last line of the terminal."""
    print(
        f"\rways of {count(length, 'event')}, {count(nodes, 'position')}",
        end="",
        file=sys.stderr,
        flush=True,
    )


def _show_nothing(length: int, nodes: int) -> None:
    """Show no progress."""
