"""Judge matches and text records of a free board by a game: `check --as GAME`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cli.books import read_book
from cli.output import print_json
from cli.record_files import is_match, open_lines, print_broken, report_faults, source
from domain.game import Game
from domain.match import Match
from domain.names import Names, count
from replay import registry
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_with_faults
from replay.formats.text_formats import Hint
from replay.record.addresses import parse
from replay.referee.judged_as import judge_as
from replay.tags.names import names_of


def judge_all(subjects: Sequence[Path], name: str, hint: Hint, db: str | None, json: bool) -> bool:
    """Judge files and matches, print the verdicts, and return whether all follow the rules."""
    game = registry.find(name)
    good = True
    for subject in subjects:
        matched = is_match(subject)
        read = _stored(str(subject), db) if matched else _of_file(subject, hint, json)
        for found in read:
            good &= found is not None and _judge(*found, game, json)
    return good


def _stored(match: str, db: str | None) -> Iterator[tuple[str, Match, Names]]:
    with read_book(db) as book:
        record = book.open(parse(match).match)
        yield record.id, record.match, names_of(book, record)


def _of_file(file: Path, hint: Hint, json: bool) -> Iterator[tuple[str, Match, Names] | None]:
    with open_lines(file) as lines:
        for found in read_with_faults(lines, hint=hint._replace(file=str(file))):
            if isinstance(found, Record):
                yield f"{source(file)}#{found.number}", found.match, Names(found.players)
            else:
                report_faults(source(file), found, json)
                yield None


def _judge(name: str, match: Match, names: Names, game: Game[Any], json: bool) -> bool:
    verdict = judge_as(match, game, names)
    if json:
        ok = {"ok": verdict.broken is None, "match": name, "rules": game.ruleset}
        print_json(ok | {"moves": verdict.moves, "broken": verdict.broken})
    elif verdict.broken is None:
        print(f"{name}: ok as {game.name}, {count(len(verdict.moves), 'move')}")
    else:
        print_broken(name, verdict.broken)
    return verdict.broken is None
