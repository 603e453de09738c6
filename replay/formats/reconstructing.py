"""Reconstruct a match from scoresheets, and describe the result as a record."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from domain.events import DASH, Decider, FoundLater, Moved, NamedPerson, State
from domain.game import Game
from domain.match import Match, fold
from domain.names import Names, count, one_of
from domain.reconstruction.answer import (
    ExtraEntry,
    FoundPly,
    Misfit,
    Reconstruction,
    UnreachedPin,
    reconstruct,
)
from domain.reconstruction.scoresheet import MAX_SCORESHEETS, Pins
from domain.reconstruction.steps import read_entry
from domain.reconstruction.targets import Target, TargetError, read_target
from replay.book import Book
from replay.errors import Usage
from replay.formats.ply.model import Node, Record, RecordLine
from replay.formats.ply.parser import TERMINATOR
from replay.formats.scoresheets import WrittenScoresheet
from replay.record.match_creation import MATCH_ID
from replay.record.match_record import MatchRecord
from replay.store.people_chain import names_among
from replay.tags.match_tags import Tag, retag
from replay.tags.names import SCOREKEEPER

LEAST_COMMON: Final = 0.25
"""The least share of plies on which two scoresheets of one match agree."""
SOURCE: Final = "Scoresheet"
"""The tags of a reconstructed match with the ids of its scoresheets, without their number."""
FOUND: Final = "Reconstructed"
"""The tag of a scoresheet with the id of the match that was found from it."""
LINKED: Final = re.compile(f"{SOURCE}[12]|{FOUND}")
MAX_SECONDS: Final = 9.0
"""The processor time of a search; then the match ends before what was not found."""
FEW: Final = 8
"""Shorter scoresheets may differ in everything."""


class Pin(NamedTuple):
    """A position that the table knows, at a ply or at the `end`."""

    ply: int | None
    position: str


class Reconstructed(Struct, frozen=True):
    """The match that fits scoresheets: its plies, and the questions that remain.

    A ply that is not certain is a question. `extra` are the entries that were written twice, or fit
    nowhere. If no line fits, the plies end before the `fault`: the first ply that does not fit.
    """

    game: str
    result: str
    """The result: `+1`, `=` or `*`."""
    complete: bool
    """Whether a line fits."""
    questions: int
    """The number of plies that are not certain."""
    plies: tuple[FoundPly, ...]
    """The line, ply by ply."""
    extra: tuple[ExtraEntry, ...]
    """The entries that were written twice, or fit nowhere."""
    fault: Misfit | None
    """The first entry that does not fit; null if a line fits."""


class FoundMatch(NamedTuple):
    """An answer, and the match that it describes."""

    answer: Reconstructed
    match: Match
    found: Reconstruction
    written: Sequence[WrittenScoresheet]
    said: Mapping[int, str]
    """The answers that people gave to questions, by ply."""

    def answered(
        self, question: FoundPly, text: str, pins: Iterable[Pin], result: str | None
    ) -> FoundMatch:
        """Return the match with a person's answer to the question at a ply."""
        return find_match(self.written, pins, result, {**self.said, question.ply: text})

    def decided(self) -> dict[int, Decider]:
        """Return who decided each ply that a scoresheet does not have as it was found."""
        found, state = dict[int, Decider](), self.match.start
        for event, ply in zip(self.found.events, self.found.plies, strict=True):
            exact = [read_entry(state, entry or "") == event for entry in ply.entries]
            if ply.ply in self.said:
                found[ply.ply] = NamedPerson(SCOREKEEPER)
            elif not all(exact):
                found[ply.ply] = "scoresheet" if any(exact) else "rules"
            state, _ = event.evolve(state)
        return found

    def record(self) -> Record:
        """Return the match as a record; a move that was reconstructed says so.

        It has the words of each scoresheet, and who decided; another event has a comment. A move is
        unsure if it is still a question, or if nobody who wrote it down was sure. Tags name the
        matches that are its scoresheets.
        """
        nodes, state, decided = list[Node](), self.match.start, self.decided()
        for event, ply in zip(self.found.events, self.found.plies, strict=True):
            comments, by = tuple[str, ...](), decided.get(ply.ply)
            said = tuple(entry or "" for entry in ply.entries)
            if isinstance(event, Moved) and _is_unsure(ply):
                event = replace(event, unsure=True)
            if by and isinstance(event, Moved):
                event = replace(event, reconstructed=FoundLater(by, said))
            elif by:
                comments = (f"reconstructed from {one_of(map(repr, said), 'and')}",)
            nodes.append(Node(event, state.position.turn, comments=comments))
            state, _ = event.evolve(state)
        sources = enumerate((each.source for each in self.written), 1)
        tags = [tag for tag in self.written[0].tags if not LINKED.fullmatch(tag.name)]
        tags += [Tag(f"{SOURCE}{number}", match) for number, match in sources if match]
        match = fold(self.match, [node.event for node in nodes])
        return Record(tuple(tags), match, RecordLine(tuple(nodes)))


def _after(seconds: float) -> Callable[[], bool]:
    """Return a function that says whether this thread has worked so long from now on."""
    end = time.thread_time() + seconds
    return lambda: time.thread_time() >= end


def _is_unsure(ply: FoundPly) -> bool:
    wrote = [number for number, entry in enumerate(ply.entries, 1) if entry not in (None, DASH)]
    return not ply.certain or (bool(wrote) and wrote == list(ply.unsure))


def find_match(
    written: Sequence[WrittenScoresheet],
    pins: Iterable[Pin] = (),
    result: str | None = None,
    said: Mapping[int, str] = MappingProxyType({}),
) -> FoundMatch:
    """Reconstruct a match; `said` are people's answers to questions, by ply.

    Raises `Usage` for scoresheets of two games or matches, and bad pins.
    """
    match = _common_match(written)
    names = Names(names_among(dict(written[0].tags)))
    try:
        known = replace(_pins(match.game, match.start, pins, result), moves=said)
        sheets = [each.sheet for each in written]
        found = reconstruct(match.start, sheets, known, enough=_after(MAX_SECONDS), names=names)
    except (TargetError, UnreachedPin) as error:
        raise Usage(str(error)) from None
    if found.fault or 2 * found.questions >= len(found.plies):
        _check_common(written)
    last = len(found.plies)
    odd = [ply for ply in said if not 1 <= ply <= last]
    if odd and not found.fault:
        raise Usage(f"ply {odd[0]} is no question; the line has plies 1 to {last}")
    outcome = found.state.outcome
    answer = Reconstructed(
        match.game.slug,
        outcome.result if outcome else _agreed(written, result),
        found.fault is None,
        found.questions,
        found.plies,
        found.extra,
        found.fault,
    )
    return FoundMatch(answer, match, found, written, said)


def name_match(book: Book, found: str, scoresheets: Iterable[MatchRecord]) -> None:
    """Name a reconstructed match, by its id, in the matches that are its scoresheets."""
    for each in scoresheets:
        retag(book, each.stream, {FOUND: found})


def linked_matches(tags: Iterable[Tag]) -> list[tuple[str, str]]:
    """Return the names and ids of the matches that a match was found from, or that it led to."""
    return [
        (
            "The reconstructed match" if tag.name == FOUND else f"Scoresheet {tag.name[-1]}",
            tag.value,
        )
        for tag in tags
        if LINKED.fullmatch(tag.name) and MATCH_ID.fullmatch(tag.value)
    ]


def choose(found: Sequence[WrittenScoresheet], number: int | None, name: str) -> WrittenScoresheet:
    """Return the scoresheet of a text with a number, or the only scoresheet. Raises `Usage`."""
    if len(found) == 1:
        return found[0]
    if not found:
        raise Usage(f"{name} has no record; it needs its game and a move or a dash")
    if number is None:
        raise Usage(f"{name} has {len(found)} records; say which one, 1 to {len(found)}")
    if not 1 <= number <= len(found):
        raise Usage(f"{name} has no record {number}; use 1 to {len(found)}")
    return found[number - 1]


def _common_match(written: Sequence[WrittenScoresheet]) -> Match:
    """Return the match that all scoresheets begin with. Raises `Usage` if they differ."""
    if not 1 <= len(written) <= MAX_SCORESHEETS:
        raise Usage(f"give one scoresheet or two, not {len(written)}")
    first, *others = (each.match for each in written)
    for number, each in enumerate(written, 1):
        if not each.sheet.entries:
            raise Usage(f"scoresheet {number} is empty; it needs a move or a dash")
    if first.start.outcome is not None:
        raise Usage("the game is over at the start; leave out the position")
    for other in others:
        if other.game.ruleset != first.game.ruleset:
            names = f"{first.game.ruleset} and {other.game.ruleset}"
            raise Usage(f"these are scoresheets of two games, {names}; give two of one match")
        if (other.options, other.seats, other.start) != (first.options, first.seats, first.start):
            raise Usage(
                "these are scoresheets of two matches: their options, seats or first positions"
                " differ; give two of one match"
            )
    return first


def _check_common(written: Sequence[WrittenScoresheet]) -> None:
    """Raise `Usage` for two scoresheets with hardly any entry in common."""
    sheets = [[one.text for one in each.sheet.entries if len(one.text) > 1] for each in written]
    least = min(map(len, sheets))
    if len(sheets) < 2 or least < FEW:
        return
    one, other = sheets
    blocks = SequenceMatcher(a=one, b=other, autojunk=False).get_matching_blocks()
    same = sum(block.size for block in blocks)
    if same < LEAST_COMMON * least:
        alike = f"only {same} of {count(least, 'entry', 'entries')} agree"
        raise Usage(f"these are scoresheets of two matches: {alike}; give two of one match")


def _pins(game: Game[Any], start: State, pins: Iterable[Pin], result: str | None) -> Pins:
    if result is not None and not TERMINATOR.fullmatch(result):
        raise Usage(
            f"{result!r} is not a result; use +1 (seat 1 won), = (a draw) or * (unfinished)"
        )
    wrong = [
        seat
        for seat in re.findall("[1-9]", result or "")
        if int(seat) not in start.position.playing
    ]
    if wrong:
        raise Usage(f"the match has no seat {wrong[0]}, which {result} names")
    targets = dict[int | None, Target]()
    for pin in pins:
        if game.text is None:
            raise Usage(f"{game.name} has no position texts, so no position can be pinned")
        if pin.ply in targets:
            place = "the end" if pin.ply is None else f"ply {pin.ply}"
            raise Usage(f"{place} is pinned twice; give one position")
        targets[pin.ply] = read_target(game, start.position, pin.position)
    end = targets.pop(None, None)
    at = {ply: target for ply, target in targets.items() if ply is not None}
    if 0 in at and not at[0].matches(start):
        raise Usage(f"the match begins at {game.write_position(start.position)}, not as pinned")
    return Pins(at, end, result)


def _agreed(written: Sequence[WrittenScoresheet], result: str | None) -> str:
    """Return the result of an unfinished line: the given result, or that on the scoresheets."""
    said = {each.sheet.result for each in written} - {"*"}
    return result or (said.pop() if len(said) == 1 else "*")
