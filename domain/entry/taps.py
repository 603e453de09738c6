"""Enter a move by tapping squares, sizes, colours and dice, in any natural order."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from domain.controls import MoveControls, Pad, PadField
from domain.entry import move_text
from domain.entry.completion import (
    Completion,
    Known,
    Try,
    best_refusal,
    can_try_all,
    candidate_seats,
    explaining_texts,
    known_parts,
    legal_moves,
    listed_moves,
    parse_move,
    unlisted_kinds,
)
from domain.events import Moved, State, broken_clause
from domain.game import Game
from domain.names import UNNAMED, Names
from domain.notation import Label, Part, Pick, Unfinished
from domain.position import Move, Position, Secret, Violation, tag_of


def controls_of(state: State, seat: int) -> MoveControls:
    """Return the controls of a seat. Secret moves that are too many to be listed need a game's pad.

    The other pads follow from the notation: one field with the legal moves and their labels.
    """
    own = state.game.controls(state, seat)
    known = {pad.kind: pad for pad in own.pads}
    listed = (
        known.get(tag_of(kind)) or listed_pad(state, seat, kind)
        for kind in unlisted_kinds(state.game, state, seat)
    )
    return replace(own, pads=tuple(pad for pad in listed if pad is not None))


def program_letters(state: State) -> tuple[Label, ...]:
    """Return the letters of which the secret moves of a position are made, with their meanings."""
    for seat in state.position.playing:
        for pad in controls_of(state, seat).pads:
            if pad.labels:
                return pad.labels
    return ()


def listed_pad(state: State, seat: int, kind: type[Move[Any]], prompt: str = "") -> Pad | None:
    """Return the pad with the legal moves of a kind; `None` if they are too many to be tried."""
    begun = list(kind.notation.beginning(""))
    if not all(map(can_try_all, begun)):
        return None
    moves = [move for some in begun for move in legal_moves(state, seat, kind, some)]
    first, *others = kind.notation.parts

    def words(move: Move[Any]) -> str:
        return move.label_at(state.position)

    if others or first.after:
        labels = tuple(
            Label(text, words(move) or text) for move in moves for text in [state.game.write(move)]
        )
        return Pad(tag_of(kind), (PadField(tag_of(kind), labels, None),), prompt)
    texts = [kind.notation.split(state.game.write(move))[0] for move in moves]
    known = {label.text: label for label in first.lexeme.labels}
    labels = tuple(
        known.get(text) or Label(text, words(move) or text)
        for text, move in zip(texts, moves, strict=True)
    )
    name = kind.__struct_encode_fields__[0]
    return Pad(tag_of(kind), (PadField(name, labels, None, first.before),), prompt)


class Picker(Struct, frozen=True):
    """A field of moves with labels for its texts; `noun` is the word for it."""

    field: str
    noun: str
    labels: tuple[Label, ...]


@functools.cache
def pickers(game: Game[Any]) -> tuple[Picker, ...]:
    """Return the fields of a game's open moves that are chosen by labels next to the board."""
    found = {
        name: Picker(name, part.lexeme.noun or name, part.lexeme.labels)
        for move in game.moves
        for name, part in zip(move.__struct_encode_fields__, move.notation.parts, strict=False)
        if part.lexeme.labels and not issubclass(move, Secret)
    }
    return tuple(found.values())


def dice_counts(game: Game[Any], position: Position) -> dict[str, int]:
    """Return the number of dice of each roll, by the text before their faces in a move text."""
    kinds = [each for each in game.moves if each.dice_count]
    counts = {each.notation.parts[0].before: each.dice_at(position) for each in kinds}
    return {before: count for before, count in counts.items() if count}


MAX_MATCHED: Final = 1000
"""The number of move texts of a kind whose picks are compared with a refused tap."""

MAX_FORBIDDEN: Final = 12
"""The number of illegal moves that a person can choose from."""


class Choice(Struct, frozen=True, omit_defaults=True):
    """A legal move: its text, and the picks for it in order.

    `label` are the words of its button, if it has one.
    """

    text: str
    """The move in the notation of the game."""
    fields: tuple[Pick, ...]
    """The taps for the move, in order."""
    label: str = ""
    """The words of its button; empty for a move that is tapped in the picture."""


class Picked(Completion, frozen=True):
    """The judgement of the picks so far.

    `continuations` are the texts that can be picked next, sorted; `texts` are the legal moves that
    contain all picks. If several of these have no further field, the person must choose.
    """

    texts: tuple[str, ...] = ()


def choices(
    game: Game[Any],
    state: State,
    seat: int | None,
    names: Names = UNNAMED,
    kinds: Collection[str] | None = None,
) -> tuple[Choice, ...]:
    """Return the legal moves of a seat, or (`None`) of all awaited seats, in the order of `legal`.

    Moves that cannot be listed are omitted, and other `kinds`, if tags are given.
    """
    return tuple(
        _choice(state, one, move, names)
        for one in candidate_seats(state, seat)
        for move in listed_moves(state, one)
        if kinds is None or tag_of(type(move)) in kinds
    )


def button_choices(state: State, seat: int, names: Names = UNNAMED) -> tuple[Choice, ...]:
    """Return the moves that have a button although they are not listed."""
    texts = controls_of(state, seat).buttons
    moves = (move for move in map(state.game.parse, texts) if move is not None)
    return tuple(_choice(state, seat, move, names) for move in moves)


def begun_choices(
    game: Game[Any], state: State, seat: int, picks: Sequence[str], names: Names = UNNAMED
) -> tuple[Choice, ...]:
    """Return the legal moves that contain some picks, of kinds that are open and not listed.

    A kind with more than `MAX_MATCHED` such move texts gives no moves.
    """
    found = {
        move: _choice(state, seat, move, names)
        for kind in unlisted_kinds(game, state, seat)
        if not issubclass(kind, Secret)
        for unfinished, _ in _unfinished_texts(kind.notation.parts, picks)
        if unfinished.size <= MAX_MATCHED
        for move in map(partial(parse_move, kind), unfinished.some(MAX_MATCHED))
        if move.offered(state.position) and Moved(seat, move).check(state) is None
    }
    return tuple(sorted(found.values(), key=lambda choice: choice.text))


def _choice(state: State, seat: int, move: Move[Any], names: Names) -> Choice:
    written = move_text.write(state.game, Moved(seat, move))
    return Choice(written, picks_of(state.position, move), move.label_at(state.position, names))


def picks_of(position: Position, move: Move[Any]) -> tuple[Pick, ...]:
    """Return the picks for a move: its own, or its fields that have a text."""
    own = move.picks(position)
    if own:
        return own
    texts = move.notation.split(move.notation.write(move))
    # A kind of move without fields has one pick: its whole text.
    pairs = zip(type(move).__struct_encode_fields__, texts, strict=False)
    return tuple([Pick(name, text) for name, text in pairs if text])


def picked(game: Game[Any], state: State, seat: int | None, picks: Sequence[str]) -> Picked:
    """Judge picked texts of fields, in any order, for a seat or for any awaited seat.

    Fields with the same notation, like two squares, are filled in the order of the picks. A move
    without fields is picked by its text. The entry is complete if one legal move contains all
    picks and has no further field.
    """
    found = [
        each for one in candidate_seats(state, seat) for each in _find(game, state, one, picks)
    ]
    onward = {text for each in found for text in each.next}
    whole = {each.event for each in found if each.event and not each.next}
    written = {move_text.write(game, each.event) for each in found if each.event}
    lists = tuple(sorted(onward)), tuple(sorted(written))
    if len(whole) == 1:
        return Picked("complete", None, whole.pop(), *lists)
    if found:
        return Picked("incomplete", None, None, *lists)
    return Picked("illegal", _reason(game, state, seat, picks))


class Typed(Collection[str]):
    """The texts of a pattern that has too many to list; a person types one."""

    def __init__(self, pattern: str) -> None:
        self._pattern = re.compile(pattern)

    def __contains__(self, text: object) -> bool:
        """Return whether a text matches."""
        return isinstance(text, str) and self._pattern.fullmatch(text) is not None

    def __iter__(self) -> Iterator[str]:
        """Yield nothing."""
        return iter(())

    def __len__(self) -> int:
        """Return 0, because no text is listed."""
        return 0


class Slot(NamedTuple):
    """A field to pick: its pattern or name, and its possible texts."""

    sort: str
    texts: Collection[str]


class Found(NamedTuple):
    """A legal move that contains the picks, or too many secret moves, with the next texts."""

    event: Moved | None
    next: frozenset[str]


def _find(game: Game[Any], state: State, seat: int, picks: Sequence[str]) -> Iterator[Found]:
    for move in listed_moves(state, seat):
        yield from _matching_moves(state.position, seat, move, picks)
    for kind in unlisted_kinds(game, state, seat):
        for unfinished, onward in _unfinished_texts(kind.notation.parts, picks):
            if not can_try_all(unfinished):
                yield Found(None, onward)
                continue
            for move in legal_moves(state, seat, kind, unfinished):
                yield from _matching_moves(state.position, seat, move, picks)


def _matching_moves(
    position: Position, seat: int, move: Move[Any], picks: Sequence[str]
) -> Iterator[Found]:
    slots = _slots(position, move)
    for taken in _assignments(slots, picks):
        yield Found(Moved(seat, move), _next(slots, taken))


def _slots(position: Position, move: Move[Any]) -> list[Slot]:
    """Return the picks for a move; fields with the same notation are filled in their order."""
    own = move.picks(position)
    if own:
        return [Slot(pick.name, (pick.text,)) for pick in own]
    texts = move.notation.split(move.notation.write(move))
    pairs = zip(move.notation.parts, texts, strict=True)
    return [Slot(part.lexeme.pattern, (text,)) for part, text in pairs if text]


def _unfinished_texts(
    parts: Sequence[Part], picks: Sequence[str]
) -> Iterator[tuple[Unfinished, frozenset[str]]]:
    """Yield the move texts that contain the picks, with the texts that can be picked next."""
    slots = [
        Slot(part.lexeme.pattern, part.lexeme.offered or Typed(part.lexeme.pattern))
        for part in parts
    ]
    for taken in _assignments(slots, picks):
        text = dict(zip(taken, picks, strict=True))
        texts = (
            (part.written(text[number]),) if number in text else part.texts
            for number, part in enumerate(parts)
        )
        yield Unfinished(tuple(texts)), _next(slots, taken)


def _assignments(
    slots: Sequence[Slot], picks: Sequence[str], taken: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield the assignments of picks to slots, each as slot numbers."""
    if len(taken) == len(picks):
        yield taken
        return
    for number in _free_slots(slots, taken):
        if picks[len(taken)] in slots[number].texts:
            yield from _assignments(slots, picks, (*taken, number))


def _free_slots(slots: Sequence[Slot], taken: tuple[int, ...]) -> Collection[int]:
    """Return the first free slot of each sort."""
    free: dict[str, int] = {}
    for number, slot in enumerate(slots):
        if number not in taken:
            free.setdefault(slot.sort, number)
    return free.values()


def _next(slots: Sequence[Slot], taken: tuple[int, ...]) -> frozenset[str]:
    return frozenset(
        text for number in _free_slots(slots, taken) for text in slots[number].texts if text
    )


class RefusedPicks(NamedTuple):
    """Illegal moves that contain some picks, and further picks of kinds with too many moves."""

    texts: tuple[str, ...]
    onward: tuple[str, ...]


def forbidden(game: Game[Any], state: State, seat: int, picks: Sequence[str]) -> RefusedPicks:
    """Return the illegal moves of a seat that contain the picks.

    A kind with more than `MAX_FORBIDDEN` such moves needs one more pick.
    """
    tried, onward = set[str](), set[str]()
    for kind in game.moves:
        for unfinished, following in _unfinished_texts(kind.notation.parts, picks):
            plain = unfinished.plain
            if 0 < plain.size <= MAX_FORBIDDEN:
                tried.update(plain.some(MAX_FORBIDDEN))
            else:
                onward.update(following)
    broken = (body for body in tried if isinstance(broken_clause(state, seat, body), str))
    return RefusedPicks(tuple(sorted(broken)), tuple(sorted(onward)))


def _reason(game: Game[Any], state: State, seat: int | None, picks: Sequence[str]) -> Violation:
    """Return why no move that contains the picks is legal.

    If moves have picks of their own, prefer awaited kinds, and explain only the last pick, then the
    first.
    """
    own = any(kind.picks is not Move.picks for kind in game.moves)
    ways = (picks, picks[-1:], picks[:1])
    for awaited, some in product((True, False), ways) if own else [(None, picks)]:
        tries = list(_explaining(game, state, seat, some, awaited))
        refusal = best_refusal(game, state, seat, tries)
        if refusal is not None:
            return refusal
    return game.malformed(" ".join(picks))


def _explaining(
    game: Game[Any], state: State, seat: int | None, picks: Sequence[str], awaited: bool | None
) -> Iterator[Try]:
    """Yield texts that contain the picks, of kinds that are `awaited` or not, or of all kinds."""
    for speaker in candidate_seats(state, seat):
        seen = known_parts(state, speaker)
        tags = {tag for one in state.awaiting() if one.seat == speaker for tag in one.moves}
        for kind in (each for each in game.moves if awaited in (None, tag_of(each) in tags)):
            if kind.picks is not Move.picks:
                yield from _explaining_own(state.position, speaker, kind, picks, seen)
                continue
            for unfinished, _ in _unfinished_texts(kind.notation.parts, picks):
                yield from explaining_texts(f"{speaker}:", kind, unfinished, seen)


def _explaining_own(
    position: Position, seat: int, kind: type[Move[Any]], picks: Sequence[str], seen: Known
) -> Iterator[Try]:
    """Yield the move texts whose own picks begin like these, first those most like legal moves."""
    likely: dict[int, list[Try]] = {}
    for unfinished, _ in _unfinished_texts(kind.notation.parts, picks[:1]):
        for body in unfinished.some(MAX_MATCHED):
            own = parse_move(kind, body).picks(position)
            if [pick.text for pick in own[: len(picks)]] == list(picks):
                fields = zip(kind.notation.parts, kind.notation.split(body), strict=True)
                texts = [part.written(text) for part, text in fields]
                strange = sum(
                    t not in some for t, some in zip(texts, seen.get(kind, ()), strict=False)
                )
                likely.setdefault(strange, []).append(Try(f"{seat}:{body}", 1))
    return iter(likely[min(likely)] if likely else ())
