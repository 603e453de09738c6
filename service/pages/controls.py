"""The data of the recording controls: the moves that a caller may enter at the head."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.controls import MoveControls
from domain.entry import move_text, taps
from domain.entry.taps import Choice, Picker
from domain.game import Game
from domain.log_edits import Filled
from domain.match import Match
from domain.names import Names
from domain.position import Awaited, Move, Secret, tag_of
from domain.tricks import card_pad
from replay.access import capability_tokens
from replay.corrections.takebacks import may_redo
from replay.reading import hints
from replay.record.match_record import MatchRecord
from service.http.access import MatchAccess


class SecretKind(Struct, frozen=True):
    """A kind of secret move that is written on a pad: its tag, its name, its token's beginning."""

    kind: str
    word: str
    before: str

    @classmethod
    def of(cls, move: type[Move[Any]]) -> SecretKind:
        """Describe a kind of secret moves; its name is the word in `pass=`, or else its tag."""
        tag, before = tag_of(move), move.notation.parts[0].before
        word = before.removesuffix("=")
        return cls(tag, word if word.islower() else tag, before)


class SeatControls(Struct, frozen=True, omit_defaults=True):
    """A seat that the caller may play for: its tasks, its controls, and its moves if listed.

    `secret` are the kinds of moves that are written on a pad, out of sight of other seats. Moves
    with `apart` do not become outdated by moves of other seats in the same turn: they are secret,
    or numbers on a sheet. With `withheld` only the seat's own player may know the legal moves, so
    moves are typed. With `begun` some moves are listed only once their first place is tapped.
    `rolled` is the text before the faces of dice on the table that are too many to be listed.
    """

    seat: int
    awaited: tuple[Awaited, ...]
    secret: tuple[SecretKind, ...]
    choices: tuple[Choice, ...]
    controls: MoveControls
    apart: bool = False
    withheld: bool = False
    begun: bool = False
    rolled: str = ""


class FreeEntry(Struct, frozen=True):
    """The buttons besides the board while the position is unknown.

    `pieces` are texts of fields other than places, `endings` are labels by token. `shapes` are the
    picks of whole moves: "px" is a piece and another pick, in any order.
    """

    pieces: tuple[str, ...]
    shapes: tuple[str, ...]
    endings: dict[str, str]


class TakebackRequest(Struct, frozen=True):
    """A seat's request to take the line back to a ply."""

    seat: int
    ply: int


class FallenMove(Struct, frozen=True):
    """A move that fell with a correction: its token, its words, and how many fell after it."""

    text: str
    words: str
    more: int


class ResumedPly(Struct, frozen=True):
    """A ply that was a dash, and the moves that it must have been."""

    ply: int
    text: str


class Controls(Struct, frozen=True):
    """The moves and answers that a caller may enter.

    `seat` is the caller's own, `None` for the host; `seats` are the awaited seats that the caller
    may play for; `playing` are all seats still in the game. `dice` are rolled at the `table` or by
    the `service`; `rolls` is their number by the text before their faces in a token. `claims` are
    the tags of moves that claim that another seat's time is up. `redo` is whether a take-back can
    be undone. `again` is the next move that fell with a correction, which `redo` enters. Positions
    with texts are `adjustable`. `unsent` says that a replaced phone has handed over moves.
    `resumed` is what a dash must have been, as the referee found with the last entry; while a dash
    is open, the match is `unjudged`.
    """

    match: str
    game: str
    version: int
    ply: int
    turn: int
    role: str
    seat: int | None
    names: dict[str, str]
    seats: tuple[SeatControls, ...]
    playing: tuple[int, ...]
    offered: int | None
    accepted: tuple[int, ...]
    dice: str
    rolls: dict[str, int]
    claims: tuple[str, ...]
    pickers: tuple[Picker, ...]
    asked: TakebackRequest | None
    timed: bool
    over: bool
    ruled: bool
    redo: bool
    again: FallenMove | None
    adjustable: bool
    unguided: FreeEntry | None
    unsent: bool
    resumed: ResumedPly | None
    unjudged: bool


def controls_of(visit: MatchAccess, names: Mapping[int, str], *, unsent: bool) -> Controls:
    """Return the controls of a visit's caller at the head of its match."""
    record = visit.record
    state, match = record.state, record.match
    awaited = state.awaiting()
    every = dict.fromkeys(one.seat for one in awaited)
    limits, moves = record.header.clock, record.game.moves
    return Controls(
        record.id,
        record.game.slug,
        match.version,
        len(match.line),
        state.position.turn,
        visit.caller.role or capability_tokens.VIEWER,
        visit.caller.seat,
        {str(seat): name for seat, name in names.items()},
        tuple(
            _seat_controls(visit, seat, awaited, Names(names))
            for seat in every
            if visit.viewer in (None, seat)
        ),
        state.position.playing,
        state.offered,
        state.accepted,
        record.header.dice,
        taps.dice_counts(record.game, state.position),
        tuple(tag_of(move) for move in moves if move.patience),
        taps.pickers(record.game),
        TakebackRequest(match.asked.seat, match.asked.ply) if match.asked else None,
        limits is not None and (limits.move is not None or bool(limits.stages)),
        state.outcome is not None,
        state.outcome is not None and state.outcome.clause == "ruled",
        may_redo(record, visit.caller.seat),
        _fallen(record.match, Names(names)),
        record.game.text is not None,
        _unguided(record.game),
        unsent,
        _resumed(record),
        state.unjudged,
    )


def _resumed(record: MatchRecord) -> ResumedPly | None:
    """Return the moves with which the rules filled a dash in the last write."""
    last, match = record.events[-1] if record.events else None, record.match
    if not isinstance(last, Filled) or last.reconstructed.by != "rules":
        return None
    filled = match.line[last.ply - 1 : last.ply - 1 + len(last.texts)]
    texts = (move_text.write(match.game, ply.event) for ply in filled)
    return ResumedPly(last.ply, " ".join(texts)) if filled else None  # a fork may be shorter


def _fallen(match: Match, names: Names) -> FallenMove | None:
    event = match.to_redo if match.fell else None
    if event is None:
        return None
    _, effects = event.evolve(match.state)
    told = "; ".join(effect.words(names) for effect in effects)
    more = len(match.undone) - match.undone.index(event, match.redone) - 1
    return FallenMove(move_text.write(match.game, event), told, more)


@functools.cache
def _unguided(game: Game[Any]) -> FreeEntry | None:
    """Return the buttons of an unjudged match; `None` if the game has secret moves."""
    if game.has_secrets:
        return None
    tapped = [move for move in game.moves if not move.chance and not move.names_seat]
    offered = (
        text for move in tapped for part in move.notation.parts for text in part.lexeme.offered
    )
    endings = (game.parse(move.example) for move in tapped if not move.__struct_fields__)
    kinds = (
        [{_sort(text) for text in part.lexeme.offered} for part in move.notation.parts]
        for move in tapped
    )
    shapes = {"".join(sorted(picks)) for kind in kinds for picks in itertools.product(*kind)}
    return FreeEntry(
        tuple(dict.fromkeys(text for text in offered if text.isalpha())),
        tuple(sorted(shapes - {""})),
        {game.write(move): move.label() for move in endings if move is not None},
    )


def _sort(text: str) -> str:
    return "p" if text.isalpha() else text and "x"


def _seat_controls(
    visit: MatchAccess, seat: int, awaited: tuple[Awaited, ...], names: Names
) -> SeatControls:
    record = visit.record
    withheld = seat in hints.withheld(record, visit.viewer)
    own = tuple(one for one in awaited if one.seat == seat)
    tags = {tag for one in own for tag in one.moves}
    rolled = record.header.dice == "service"
    kinds = [kind for kind in record.game.moves if tag_of(kind) in tags]
    secret = [kind for kind in kinds if issubclass(kind, Secret)]
    # A pad of the whole pack tells nothing about a hand.
    blind = MoveControls(cards=next(filter(None, map(card_pad, secret)), None))
    controls = blind if withheld else taps.controls_of(record.state, seat)
    # On its own phone a seat taps a listed move, unless cards of its hand are locked in together.
    listed = [kind for kind in secret if kind.listed and seat == visit.viewer]
    padded = listed if controls.cards else []
    written = (kind for kind in secret if kind not in listed or kind in padded)
    choices = [] if padded else hints.legal_choices(record, seat, visit.viewer, names)
    choices += [] if withheld else taps.button_choices(record.state, seat, names)
    thrown = (kind for kind in kinds if kind.dice_count and not (kind.listed or rolled or withheld))
    return SeatControls(
        seat,
        own,
        tuple(SecretKind.of(kind) for kind in written if not (rolled and kind.chance)),
        tuple(choices),
        controls,
        secret == kinds or bool(controls.numbers),
        withheld and not (choices and tags <= set(record.state.position.unguarded)),
        bool(tags & set(record.game.unlisted_tags)) and not (withheld or controls.numbers),
        next((kind.notation.parts[0].before for kind in thrown if kind not in secret), ""),
    )
