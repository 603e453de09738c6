"""The moves: their notation, the clauses that refuse them, and what they change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any, ClassVar, Literal

from msgspec import defstruct
from msgspec.structs import asdict, replace

from homeworlds.galaxy import COLOURS, PYRAMIDS, Galaxy, Pyramid, System, order
from plybook.game import UNNAMED, Effect, Label, Lexeme, Move, Names, Pick, Violation, template

Step = tuple[Galaxy, tuple[Effect, ...]]
Fault = tuple[object, str, str]
NUMBERS = tuple(range(1, 1000))
PAIRS = tuple(combinations_with_replacement(PYRAMIDS, 2))
PIECE = (Lexeme("[rygb][123]"), Pyramid)
NUMBER = (Lexeme("[1-9][0-9]{0,2}", int, str, tuple(map(str, NUMBERS))), Literal[NUMBERS])
LABELS = tuple(Label(*one) for one in COLOURS.items())
COLOUR = (Lexeme("[rygb]", labels=LABELS, noun="colour"), Literal["r", "y", "g", "b"])
OWNERS = (1, 2, 3, 4)
OWNER = (Lexeme("[1-4]", int, str), Literal[OWNERS])
PAIR = Lexeme("|".join(map("".join, PAIRS)), lambda text: (text[:2], text[2:]), "".join)


def effect(tag: str, sentence: str, *fields: tuple[str, type]) -> Any:
    """Make a kind of effect: its tag, its sentence and its fields."""
    roles = tuple(name for name, _ in fields if name in ("seat", "owner"))
    notable = tag in ("captured", "catastrophe", "out")
    words = {"template": sentence, "notable": notable, "seats": roles}
    return defstruct(tag, fields, bases=(Effect,), frozen=True, tag=tag, namespace=words)


SEAT, AT, STARS = ("seat", int), ("at", int), ("stars", tuple[str, ...])
Forgotten = effect("forgotten", "system {at} is forgotten", AT, STARS)
Ended = effect("turn ended", "the turn of {seat} is over", SEAT, ("by_itself", bool))
Out = effect("out", "{seat} has no ship at {its} homeworld and is out", SEAT)
DONE = (SEAT, ("ship", str), AT)
Settled = effect("settled", "{seat} begins at {at} with {ship}", *DONE)
Built = effect("built", "{seat} builds {ship} at {at}", *DONE)
Traded = effect("traded", "{seat} trades {ship} for {into} at {at}", *DONE, ("into", str))
Moved = effect("moved", "{seat} moves {ship} from {at} to {to}", *DONE, ("to", int))
Found = effect("discovered", "system {at}, {star}, is discovered", AT, ("star", str))
Taken = effect("captured", "{seat} captures {ship} of {owner} at {at}", *DONE, ("owner", int))
GIFT = (("actions", int), ("colour", str))
Spent = effect("sacrificed", "{seat} sacrifices {ship} at {at}", *DONE, *GIFT)
LOSS = (AT, ("colour", str), ("pieces", str))
Collapsed = effect("catastrophe", "a catastrophe at {at} takes {pieces}", *LOSS)
Destroyed = effect("destroyed", "system {at} is destroyed", AT, ("ships", tuple[str, ...]))


class Play(Move[Galaxy], frozen=True):
    """A move of any kind; `taps` are the names of what is tapped for it.

    `power` is the colour of an action. A kind is `named` if its `ship` is the one that acts.
    """

    power: ClassVar[str] = ""
    named: ClassVar[bool] = True
    button: ClassVar[str] = ""
    taps: ClassVar[str] = ""

    @classmethod
    def legal(cls, position: Galaxy, seat: int) -> Iterator[Play]:
        moves = (cls(*fields) for fields in candidates(cls, position, seat))
        return (move for move in moves if not move.check(position, seat))

    def check(self, position: Galaxy, seat: int) -> Violation | None:
        broken = (fault for fault in faults(self, position, seat) if fault[0])
        return next((Violation(clause, message) for _, clause, message in broken), None)

    def evolve(self, position: Galaxy, seat: int) -> Step:
        after, *effects = carry_out(self, position, seat)
        over = isinstance(self, Home | Pass | End)
        after, more = end_turn(after, isinstance(self, Home)) if over else settle(after)
        return after, (*effects, *more)

    def picks(self, position: Galaxy) -> tuple[Pick, ...]:
        texts = self.taps.format(seat=position.seat, **asdict(self)).split()
        return tuple(
            Pick("at", text) if text[-1].isdigit() else Pick("how", text, text.title())
            for text in texts
        )

    def label(self, names: Names = UNNAMED) -> str:
        return self.button.format(**asdict(self))


class Home(Play, frozen=True, tag="home"):
    """The first turn of a seat (HOM-2.2). Its stars have an order."""

    stars: tuple[Pyramid, Pyramid]
    ship: Pyramid

    notation = template("home={stars}/{ship}", stars=PAIR, ship=PIECE[0])
    what = "homeworld"
    example = "home=y1b3/g3"
    taps = "{stars[0]} {stars[1]} {ship}"

    def __post_init__(self) -> None:
        if self.stars not in PAIRS:
            raise ValueError(f"{self.stars} are not in order; use {self.stars[::-1]}")


def spellings(position: Galaxy, text: str) -> tuple[str, ...]:
    """Return the homeworld whose stars are written in another order: `home=b3y1/g3`."""
    found = re.fullmatch("home=(..)(..)/(..)", "".join(text.lower().split()))
    if found is None or (found[2], found[1]) not in PAIRS:
        return ()
    return (f"home={found[2]}{found[1]}/{found[3]}",)


def kind(
    example: str, text: str, fields: dict[str, Any], what: str, tag: str = "", **said: Any
) -> Any:
    """Make a kind of move; each field has a lexeme and a type."""
    notation = template(text, **{name: lexeme for name, (lexeme, _) in fields.items()})
    types = [(name, type_) for name, (_, type_) in fields.items()]
    words = {"notation": notation, "what": what, "example": example, **said}
    names = {"tag": tag or what, "rename": {"from_": "from", "for_": "for"}}
    return defstruct(what, types, bases=(Play,), frozen=True, namespace=words, **names)


SHIP_AT = {"ship": PIECE, "at": NUMBER}
WAY = {"ship": PIECE, "from_": NUMBER, "to": NUMBER}
OWN = "{at}.{seat}{ship} "
# fmt: off
Build = kind("+g1@1", "+{ship}@{at}", SHIP_AT, "build", power="g", named=False, taps="{at} {ship}")
Trade = kind("g1=y1@1", "{ship}={for_}@{at}", {"ship": PIECE, "for_": PIECE, "at": NUMBER},
             "trade", power="b", taps=OWN + "{for_}", button="Trade {ship} for {for_}")
Sail = kind("y1@1-4", "{ship}@{from_}-{to}", WAY, "move", power="y",
            taps="{from_}.{seat}{ship} {to}")
Discover = kind("y1@1-5:g2", "{ship}@{from_}-{to}:{star}", {**WAY, "star": PIECE}, "discovery",
                "discover", power="y", taps="{from_}.{seat}{ship} {star} discover")
Capture = kind("x2b1@3", "x{owner}{ship}@{at}", {"owner": OWNER, **SHIP_AT}, "capture",
               power="r", named=False, taps="{at}.{owner}{ship}")
Sacrifice = kind("sac=g3@1", "sac={ship}@{at}", SHIP_AT, "sacrifice", taps=OWN + "sacrifice")
Catastrophe = kind("cat=r@4", "cat={colour}@{at}", {"colour": COLOUR, "at": NUMBER}, "catastrophe",
                   button="Catastrophe in {colour} at {at}")
Pass = kind("pass", "pass", {}, "pass", button="Pass")
End = kind(".", ".", {}, "end of turn", "end", button="End the turn")
# fmt: on
ACTIONS = (Build, Trade, Sail, Discover, Capture)
MOVES = (Home, *ACTIONS, Sacrifice, Catastrophe, Pass, End)


def candidates(kind: type[Play], position: Galaxy, seat: int) -> Iterator[tuple[Any, ...]]:
    """Yield the fields of all legal moves of a kind, and of some illegal ones."""
    alone: dict[Any, Any] = {Home: product(PAIRS, PYRAMIDS), Catastrophe: position.crises()}
    if kind in (Home, Catastrophe, Pass, End):
        return (yield from alone.get(kind, [()]))
    numbers = [one.number for one in position.systems]
    if kind is Discover:
        numbers = [position.next] if position.next in NUMBERS else []
    values = {"for_": PYRAMIDS, "star": PYRAMIDS, "owner": OWNERS, "to": numbers}
    for one in position.systems if position.power in ("", kind.power) else ():
        own = dict.fromkeys(one.own(seat))
        values |= {"ship": own if kind.named else PYRAMIDS, "at": [one.number]}
        values["from_"] = values["at"]
        if own and (position.power or kind.power in "".join((*one.stars, *own))):
            yield from product(*(values[name] for name in kind.__struct_fields__))


def faults(move: Any, position: Galaxy, seat: int) -> Iterator[Fault]:
    """Yield whether a clause is broken, the clause and a message, in the order of the rules."""
    first = "a seat's first move, and no other, makes its homeworld, like home=y1b3/g3"
    yield (seat in position.homeless) != isinstance(move, Home), "HOM-2.2", first
    match move:
        case Home(stars, ship):
            small = position.options.ship == "large" and ship[1] != "3"
            yield small, "HOM-2.3", f"the first ship cannot be {ship}; use a large one"
            short = Counter((*stars, ship)) - position.bank()
            yield short, "HOM-2.4", f"the bank has too few {' '.join(short)}; use other pieces"
        case Catastrophe(colour, at):
            yield (
                not position.system(at),
                "HOM-1.4",
                f"there is no system {at}; use an existing one",
            )
            few = (colour, at) not in position.crises()
            yield few, "HOM-6.1", f"{at} has fewer than four {COLOURS[colour]} pieces"
        case Pass():
            yield position.acted, "HOM-2.5", "the seat has acted; end the turn with ."
        case End():
            yield not position.acted, "HOM-2.6", "the seat has not acted; write pass to do nothing"
        case _:
            yield from act_faults(move, position, seat)


def act_faults(move: Any, position: Galaxy, seat: int) -> Iterator[Fault]:
    """Yield the same for an action or a sacrifice."""
    power, name = position.power, COLOURS.get(move.power)
    done = not position.actions or (power and not move.power)
    yield done, "HOM-2.5", "the one action of this turn is done; end the turn with ."
    message = f"the sacrifice gives {COLOURS.get(power)} actions; use one, or end with ."
    yield power and move.power != power, "HOM-5.2", message
    at = move.from_ if isinstance(move, Sail | Discover) else move.at
    here = position.system(at)
    yield not here, "HOM-1.4", f"there is no system {at}; use an existing one"
    there = position.system(getattr(move, "to", at))
    if isinstance(move, Discover):
        there = System(move.to, (move.star,)) if move.to == position.next else None
    yield not there, "HOM-1.4", f"use an existing system, or {position.next} for a new one"
    own, bank = here.own(seat), position.bank
    lacks = move.ship not in own if move.named else not own
    yield lacks, "HOM-3.1", f"the seat has no such ship at {at}; use one there"
    lent = power or {piece[0] for piece in (*here.stars, *own)}
    yield move.power not in (*lent, ""), "HOM-3.2", f"no star or ship of the seat at {at} is {name}"
    match move:
        case Build(ship):
            absent = ship[0] not in {one[0] for one in own}
            yield (
                absent,
                "HOM-4.1",
                f"the seat has no {COLOURS[ship[0]]} ship at {at}; build another",
            )
            least = next((one for one in PYRAMIDS if one[0] == ship[0] and bank()[one]), "another")
            yield ship != least, "HOM-4.2", f"{ship} is not the smallest in the bank; use {least}"
        case Trade(ship, into):
            wrong = ship == into or ship[1] != into[1]
            yield (
                wrong,
                "HOM-4.3",
                f"{ship} cannot be traded for {into}; use its size in another colour",
            )
            yield not bank()[into], "HOM-4.4", f"the bank has no {into}; use another colour"
        case Sail() | Discover():
            closed = {star[1] for star in here.stars} & {star[1] for star in there.stars}
            message = f"{at} and {move.to} have stars of one size; go where all sizes differ"
            yield closed, "HOM-4.5", message
            missing = isinstance(move, Discover) and not bank()[move.star]
            yield missing, "HOM-4.6", "the bank has no such star; use another"
        case Capture(owner, ship):
            absent = owner == seat or (owner, ship) not in here.ships
            yield absent, "HOM-4.7", f"no other seat has {ship} at {at}; use one there"
            size = max(one[1] for one in own)
            yield ship[1] > size, "HOM-4.8", f"{ship} is larger than the seat's ships there"


def carry_out(move: Any, position: Galaxy, seat: int) -> tuple[Any, ...]:
    """Return the position with the pieces moved, and the effects."""
    system, left = position.system, position.actions - 1
    spent = replace(position, actions=left, power=position.power if left else "")
    match move:
        case Home(stars, ship):
            return position.put(System(seat, stars, ((seat, ship),))), Settled(seat, ship, seat)
        case Build(ship, at):
            return spent.put(system(at).add(seat, ship)), Built(seat, ship, at)
        case Trade(ship, into, at):
            changed = system(at).remove(seat, ship).add(seat, into)
            return spent.put(changed), Traded(seat, ship, at, into)
        case Sail(ship, at, to):
            after = spent.put(system(at).remove(seat, ship), system(to).add(seat, ship))
            return after, Moved(seat, ship, at, to)
        case Discover(ship, at, to, star):
            after = spent.put(system(at).remove(seat, ship), System(to, (star,), ((seat, ship),)))
            return replace(after, next=to + 1), Moved(seat, ship, at, to), Found(to, star)
        case Capture(owner, ship, at):
            changed = system(at).remove(owner, ship).add(seat, ship)
            return spent.put(changed), Taken(seat, ship, at, owner)
        case Sacrifice(ship, at):
            colour, size = ship
            after = position.put(system(at).remove(seat, ship))
            after = replace(after, actions=int(size), power=colour)
            return after, Spent(seat, ship, at, int(size), COLOURS[colour])
        case Catastrophe(colour, at):
            return collapse(position, system(at), colour)
    return (position,)


def collapse(position: Galaxy, system: System, colour: str) -> tuple[Any, ...]:
    """Take all pieces of a colour away, and ships without a star (HOM-6.3)."""
    gone = sorted((one for one in system.pieces() if one[0] == colour), key=order)
    stars = tuple(star for star in system.stars if star[0] != colour)
    ships = tuple(one for one in system.ships if one[1][0] != colour)
    after = position.put(System(system.number, stars, ships if stars else ()))
    if position.power and position.options.midturn == "no":
        after = replace(after, actions=0, power="")
    collapsed = Collapsed(system.number, COLOURS[colour], " ".join(gone))
    lost = () if stars else (Destroyed(system.number, tuple(ship for _, ship in ships)),)
    return after, collapsed, *lost


def is_over(position: Galaxy) -> bool:
    """Whether nothing is left to do in a turn, so that it ends by itself (HOM-2.6)."""
    acting = (kind.legal(position, position.seat) for kind in ACTIONS if position.actions)
    return position.acted and not any(position.crises()) and not any(map(any, acting))


def settle(position: Galaxy) -> Step:
    """Forget empty systems, and end the turn if nothing is left to do."""
    after, forgotten = forget(position)
    after, ended = end_turn(after, True) if is_over(after) else (after, ())
    return after, (*forgotten, *ended)


def conclude(position: Galaxy, seat: int, clause: str) -> Step | None:
    """Continue without a seat that resigned or ran out of time (HOM-7.6)."""
    left = replace(position, playing=tuple(one for one in position.playing if one != seat))
    if len(left.playing) < 2:
        return None
    return end_turn(left, True) if seat == position.seat else settle(left)


def forget(position: Galaxy) -> Step:
    """Return systems without ships to the bank, but not homeworlds of playing seats (HOM-1.6)."""
    gone = [one for one in position.systems if not one.ships and one.number not in position.playing]
    kept = tuple(one for one in position.systems if one not in gone)
    return replace(position, systems=kept), tuple(Forgotten(one.number, one.stars) for one in gone)


def next_seat(position: Galaxy) -> int:
    """Return the nearest playing seat on the left of the seat in turn (HOM-2.1)."""
    others = [seat for seat in position.playing if seat != position.seat] or position.playing
    return min(others, key=lambda seat: (seat - position.seat) % position.seats)


def end_turn(position: Galaxy, by_itself: bool) -> Step:
    """Put out the seats that have lost their homeworld, then find the winner or the next seat."""
    homes = {seat: position.system(seat) for seat in position.playing}
    lost = [seat for seat, home in homes.items() if not (home and home.own(seat))]
    out = [] if position.homeless else lost
    playing = tuple(seat for seat in position.playing if seat not in out)
    winner = None
    if len(playing) < 2:
        winner = sum(playing)
    elif position.options.target == "left" and position.seat in playing:
        winner = position.seat if next_seat(position) in out else None
    after = replace(position, playing=playing, winner=winner, power="", turn=position.turn + 1)
    seat = next_seat(after) if winner is None else 0
    after, forgotten = forget(replace(after, seat=seat, actions=int(seat > 0)))
    return after, (Ended(position.seat, by_itself), *map(Out, out), *forgotten)
