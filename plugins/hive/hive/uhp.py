"""Game strings of UHP, a line each, as records: `Base+MLP;InProgress;White[2];wG1;bG1 -wG1`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from hive.moves import TEXT, Shift
from hive.position import Hive
from plybook import Record
from plybook.game import TextFormat

STRING: Final = re.compile(r"Base(?:\+([MLP]*))?;[^;]*;[^;]*(?:;|$)")
SETS: Final = {"M": "mosquito", "L": "ladybug", "P": "pillbug"}
RESULTS: Final = {"WhiteWins": "+1", "BlackWins": "+2", "Draw": "="}


def recognises(text: str) -> bool:
    """Return whether a text begins with a game string."""
    return STRING.match(text.lstrip()) is not None


def read(lines: Iterable[Any], tally: Any, first: int) -> Iterator[Any]:
    """Read a record of each line, numbered from `first`."""
    from plybook.formats import Reading, read_lexemes

    groups = (list(_lexemes(line)) for line in lines if line.text.strip())
    return read_lexemes(groups, partial(Reading, tally=tally), first)


def _lexemes(line: Any) -> Iterator[Any]:
    """Yield the game with its options, the moves, and the result, each with its place."""
    from plybook.formats import LexemeKind, RecordLexeme

    def at(kind: Any, text: str, column: int, problem: str = "") -> Any:
        return RecordLexeme(kind, text, line.number, column, problem)

    yield at(LexemeKind.HEADING, '[Game "hive"]', 1)
    found = STRING.match(line.text)
    if line.problem or found is None:
        wrong = "this is not a game string; write one like Base+M;InProgress;White[2];wS1;bS1 wS1-"
        yield at(LexemeKind.WORD, line.text, 1, line.problem or wrong)
        return
    for letter in found[1] or "":
        yield at(LexemeKind.TAG, f'[Option "{SETS[letter]}=yes"]', 1)
    column, fields = 1, line.text.rstrip().split(";")
    for number, field in enumerate(fields):
        if number > 2 and field.strip():
            yield at(LexemeKind.WORD, _as_move(field), column)
        column += len(field) + 1
    yield at(LexemeKind.RESULT, RESULTS.get(fields[1], "*"), len(fields[0]) + 2)


def _as_move(text: str) -> str:
    return ">".join(text.split())


def spellings(position: Hive, text: str) -> tuple[str, ...]:
    """Return the move that is written as in UHP: `bG1 -wG1`."""
    move = _as_move(text)
    return () if Shift.notation.read(move) is None else (move,)


def write(record: Record) -> str:
    """Write the moves of a record; comments and variations have no place in a game string."""
    game, state, *rest = TEXT.write(record.match.state.position).split(";")
    if state == "InProgress":  # unless a result was agreed
        state = {ours: theirs for theirs, ours in RESULTS.items()}.get(record.result, state)
    return ";".join((game, state, *rest)) + "\n"


UHP: Final = TextFormat("uhp", ".uhp", "text/x-uhp-game-string", recognises, read, write)
