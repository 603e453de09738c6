"""A position as one line: `12 1y2 6 1:y1b3/1g3 2:r2b1/2g1g3 5:g2/1y1y1,2r1`."""

from __future__ import annotations

import re
from itertools import groupby, takewhile

from msgspec.structs import replace

from homeworlds.galaxy import Galaxy, System, order
from homeworlds.moves import is_over
from plybook.game import Field, PositionError, TextCodec

TURN = re.compile(r"([1-4])(?:([rygb])([1-3])|(\.))?|\+([1-4])|=")
FLEET = re.compile("(?<=[/,][1-4])(?:[rygb][123])+")
SYSTEM = re.compile(
    r"([1-9][0-9]{0,2}):((?:[rygb][123]){0,2})/((?:[1-4](?:[rygb][123])+(?:,(?!$)|$))*)"
)


def write(position: Galaxy) -> str:
    """Write the playing seats, the turn, the next number and the systems."""
    seats = "".join(map(str, position.playing)) or "-"
    left = f"{position.power}{position.actions}" if position.power else "." * position.acted
    turn = f"{position.seat}{left}" if position.winner is None else f"+{position.winner}"
    systems = [f"{one.number}:{_pieces(one)}" for one in position.systems]
    return " ".join((seats, "=" if turn == "+0" else turn, str(position.next), *systems))


def _pieces(system: System) -> str:
    owned = groupby(system.ships, key=lambda one: one[0])
    ships = (f"{owner}{''.join(ship for _, ship in own)}" for owner, own in owned)
    return f"{''.join(system.stars)}/{','.join(ships)}"


def key(position: Galaxy) -> str:
    """Write the state that decides the rest of the game: found systems without their numbers."""
    seats, turn, _, *systems = write(position).split(" ")
    homes = sum(one.number <= position.seats for one in position.systems)
    found = sorted(one.partition(":")[2] for one in systems[homes:])
    return " ".join((seats, turn, *systems[:homes], *found))


def read(position: Galaxy, text: str) -> Galaxy:
    """Read a text for the seats and options of a position; ships may come in any order."""
    nothing = Field("", len(text) + 1)
    seats, turn, following, *systems = (*Field(text, 1).split(" "), nothing, nothing)
    found = TURN.fullmatch(turn.text)
    if found is None:
        raise turn.wrong(f"write a turn like 1, 1y2, 1. or +1, not {turn.shown}")
    seat, power, actions, done, winner = found.groups()
    after = replace(
        position,
        playing=tuple(one for one in range(1, position.seats + 1) if str(one) in seats.text),
        next=following.number("the next system", position.seats + 1, 1000),
        systems=(),
        seat=int(seat or 0),
        actions=int(actions or bool(seat and not done)),
        power=power or "",
        winner=None if seat else int(winner or 0),
        turn=position.turn + (seat != str(position.seat)),
    )
    after = after.put(*(_system(after, field) for field in systems if field.text))
    written = write(after)
    ordered = FLEET.sub(lambda ships: "".join(sorted(re.findall("..", ships[0]), key=order)), text)
    if written != ordered:
        alike = (a == b for a, b in zip(written, ordered, strict=False))
        column = 1 + len([*takewhile(bool, alike)])
        raise PositionError(f"write everything once, in order: {written}", column)
    over = after.winner is not None
    alone = after.playing == ((after.winner,) if after.winner else ())
    ended = alone or (position.options.target == "left" and after.winner in after.playing)
    going = after.seat in after.playing and len(after.playing) > 1 and not is_over(after)
    if min(after.bank().values()) < 0 or not (ended if over else going):
        raise turn.wrong("the bank has too few pieces for this, or the turn is over")
    return after


def _system(position: Galaxy, field: Field) -> System:
    found = SYSTEM.fullmatch(field.text)
    if found is None:
        raise field.wrong(f"write a system like 1:y1b3/1g3,2g1, not {field.shown}")
    number, stars = int(found[1]), re.findall("..", found[2])
    system = System(number, tuple(sorted(stars, key=order)))
    for own in filter(None, found[3].split(",")):
        for ship in re.findall("..", own[1:]):
            system = system.add(int(own[0]), ship)
    home, first = number in position.playing, number <= position.seats
    if not (first or number < position.next):
        raise field.wrong(f"the number of a system must be below {position.next}, not {number}")
    if len(stars) > 1 + first or not (stars or (home and not system.ships)):
        raise field.wrong("a homeworld must have one or two stars, any other system one")
    if not (home or system.ships) or any(owner > position.seats for owner, _ in system.ships):
        raise field.wrong(f"a system can have ships only of seats 1 to {position.seats}")
    return system


TEXT = TextCodec(write, read, key)
