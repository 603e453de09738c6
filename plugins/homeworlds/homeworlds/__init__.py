"""Homeworlds for two to four seats. The clauses are in seeds/homeworlds/rules-1.md."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from homeworlds.galaxy import COLOURS, PYRAMIDS, Galaxy, HomeworldsOptions, System
from homeworlds.moves import MOVES, conclude, spellings
from homeworlds.text import TEXT
from plybook.drawing import Mark, Piece, Row, Scene, Supply, Tray
from plybook.game import Effect, Game, Names


def draw(position: Galaxy, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw a row for each system, stars first, and one for the bank."""
    bank = position.bank()
    stock = [
        Piece("pyramid", COLOURS[one[0]], int(one[1]), at=one) for one in PYRAMIDS if bank[one]
    ]
    rows = [row(one, names) for one in position.systems]
    places = {piece.at for one in rows for piece in one.pieces}
    changed = {str(getattr(effect, "at", "")) for effect in effects} & places - {""}
    seats = (Tray(names.title(seat), seat) for seat in range(1, position.seats + 1))
    supplies = tuple(Supply(replace(one, at=""), bank[one.at]) for one in stock)
    trays = (*seats, Tray("Bank", supplies=supplies))
    marks = tuple(Mark(at, "to") for at in sorted(changed))
    return Scene((*rows, Row(tuple(stock), "Bank")), trays, marks=marks)


def row(system: System, names: Names) -> Row:
    """Draw a system; a tap on its first star means it, on the first of equal ships any of them."""
    keys = [str(system.number), *[""] * len(system.stars)][: len(system.stars)]
    ships = [f"{system.number}.{owner}{ship}" for owner, ship in system.ships]
    keys += ["" if key in ships[:place] else key for place, key in enumerate(ships)]
    pieces = tuple(
        Piece("pyramid", COLOURS[piece[0]], int(piece[1]), at=key)
        for piece, key in zip(system.pieces(), keys, strict=True)
    )
    owners = sorted({owner for owner, _ in system.ships})
    fleets = (f"{names.title(owner)}: {' '.join(system.own(owner))}" for owner in owners)
    return Row(pieces, " · ".join((f"{system.number} {' '.join(system.stars)}", *fleets)))


def _start(options: HomeworldsOptions, seats: int) -> Galaxy:
    return Galaxy(options, seats, tuple(range(1, seats + 1)), seats + 1)


GAME = Game(
    "homeworlds",
    "Homeworlds",
    seats=(2, 3, 4),
    options=HomeworldsOptions,
    moves=MOVES,
    start=_start,
    scene=draw,
    text=TEXT,
    spellings=spellings,
    concluded=conclude,
    seeds="homeworlds.seeds",
)
