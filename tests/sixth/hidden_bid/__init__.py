"""Hidden Bid: roll for a prize, bid for it in secret. Clauses: seeds/hidden-bid/rules-1.md.

A complete Plybook game in one module: options, two kinds of moves, one of them secret, seats that
go out, effects, and a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import ClassVar, Literal

from msgspec.structs import replace

from plybook.drawing import Cell, Grid, Mark, Piece, Scene, Tray
from plybook.game import (
    UNNAMED,
    Awaited,
    Effect,
    Field,
    Game,
    Lexeme,
    Move,
    Names,
    Notation,
    Options,
    Outcome,
    Player,
    Position,
    Secret,
    Sentence,
    TextCodec,
    View,
    Violation,
    fields,
    read_seat,
    template,
)

Pips = Literal[1, 2, 3, 4, 5, 6]
PIPS: tuple[Pips, ...] = (1, 2, 3, 4, 5, 6)
NUMBER = Lexeme("[0-9]|10", int, str)
COLOUR: tuple[Literal["black", "seat1", "seat2", "seat3"], ...] = (
    "black", "seat1", "seat2", "seat3",
)  # fmt: skip

FIELDS = ("the seats", "the coins", "the rounds", "the prize", "the roller", "the round")


class BidOptions(Options, frozen=True):
    """BID-1.2."""

    rounds: Literal[3, 5] = 3


class Table(View, frozen=True):
    """The public part: `prize` is 0 before the roll; `past` has prize and taker of each round.

    `coins` and `points` are those of seats 1, 2 …, also of a seat that has gone out.
    """

    rounds: int
    roller: int
    playing: tuple[int, ...]
    coins: tuple[int, ...]
    points: tuple[int, ...]
    past: tuple[tuple[int, int], ...] = ()
    prize: int = 0
    sealed: tuple[int, ...] = ()


class Hand(View, frozen=True):
    """The table with the seat's own bid, as a seat sees it after bidding."""

    table: Table
    seat: int
    coins: int


class Auction(Position, frozen=True):
    """The table and the secret bids: one for each seat of `table.sealed`."""

    table: Table
    bids: tuple[int, ...] = ()

    @property
    def turn(self) -> int:
        """A round is a turn."""
        return len(self.table.past) + 1

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not resigned."""
        return self.table.playing

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats that have bid in this round."""
        return self.table.sealed

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await the roll (BID-2.1), then the bids still missing (BID-2.2)."""
        if self.outcome() is not None:
            return ()
        if not self.table.prize:
            return (Awaited(self.table.roller, "roll the die", ("roll",)),)
        missing = [seat for seat in self.playing if seat not in self.sealed]
        return tuple(Awaited(seat, "bid", ("bid",)) for seat in missing)

    def outcome(self) -> Outcome | None:
        """BID-4.1."""
        table = self.table
        if len(table.past) < table.rounds:
            return None
        worth = {seat: (table.points[seat - 1], table.coins[seat - 1]) for seat in self.playing}
        best = [seat for seat in self.playing if worth[seat] == max(worth.values())]
        return Outcome("BID-4.1", tuple(best) if len(best) == 1 else (), table.points)

    def view(self, seat: int | None) -> View:
        """Return the table, with a seat's own bid after it has bid."""
        if seat is None or seat not in self.sealed:
            return self.table
        return Hand(self.table, seat, self.bids[self.sealed.index(seat)])


class Roll(Move[Auction], frozen=True):
    """The die, rolled at the table (BID-2.1)."""

    pips: Pips

    notation: ClassVar[Notation] = template("roll={pips}", pips=Lexeme("[1-6]", int, str))
    chance: ClassVar[bool] = True
    dice_count: ClassVar[int] = 1
    what: ClassVar[str] = "roll of the die"
    example: ClassVar[str] = "roll=4"

    @classmethod
    def legal(cls, position: Auction, seat: int) -> Iterator[Roll]:
        """List the values of the die."""
        return map(cls, PIPS)

    @classmethod
    def roll(cls, position: Auction, die: Callable[[int], int]) -> Roll:
        """Let the service roll."""
        return cls(PIPS[die(6) - 1])

    def label(self, names: Names = UNNAMED) -> str:
        """Name the die."""
        return f"Roll {self.pips}"

    def check(self, position: Auction, seat: int) -> Violation | None:
        """Refuse a second roll in a round."""
        if position.table.prize:
            return Violation("turn", f"the die shows {position.table.prize}; now the seats bid")
        return None

    def evolve(self, position: Auction, seat: int) -> tuple[Auction, tuple[Effect, ...]]:
        """Set the prize."""
        table = replace(position.table, prize=self.pips)
        return Auction(table), (Rolled(seat, self.pips),)


class Bid(Secret[Auction], frozen=True):
    """Coins in a closed hand (BID-2.2)."""

    coins: Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

    notation: ClassVar[Notation] = template("bid={coins}", coins=NUMBER)
    what: ClassVar[str] = "bid"
    example: ClassVar[str] = "1:bid=3"

    def check(self, position: Auction, seat: int) -> Violation | None:
        """BID-2.3."""
        if not position.table.prize:
            first = Sentence("{seat} rolls the die before anyone bids", seat=Player(seat))
            return Violation("turn", first)
        coins = position.table.coins[seat - 1]
        if self.coins > coins:
            message = Sentence(
                "{seat} has {coins} coins and cannot bid more", seat=Player(seat), coins=coins
            )
            return Violation("BID-2.3", message)
        return None

    def evolve(self, position: Auction, seat: int) -> tuple[Auction, tuple[Effect, ...]]:
        """Seal the bid, and with the last one reveal them all."""
        table = replace(position.table, sealed=(*position.sealed, seat))
        auction, effects = _reveal_if_complete(Auction(table, (*position.bids, self.coins)))
        return auction, (Sealed(seat), *effects)


def _reveal_if_complete(auction: Auction) -> tuple[Auction, tuple[Effect, ...]]:
    """Settle the round once every seat still in has bid (BID-3)."""
    table, bids = auction.table, dict(zip(auction.sealed, auction.bids, strict=True))
    if not table.prize or set(bids) != set(table.playing):
        return auction, ()
    highest = [seat for seat in bids if bids[seat] == max(bids.values())]
    taker = highest[0] if len(highest) == 1 else 0
    coins, points = list(table.coins), list(table.points)
    if taker:
        coins[taker - 1] -= bids[taker]
        points[taker - 1] += table.prize
    after = replace(
        table,
        roller=_after(table.roller, table.playing),
        coins=tuple(coins),
        points=tuple(points),
        past=(*table.past, (table.prize, taker)),
        prize=0,
        sealed=(),
    )
    revealed = (Revealed(seat, bids[seat]) for seat in sorted(bids))
    return Auction(after), (*revealed, Settled(taker, table.prize, after.roller))


def concluded(
    auction: Auction, seat: int, clause: str
) -> tuple[Auction, tuple[Effect, ...]] | None:
    """BID-4.2."""
    if len(auction.playing) == 2:
        return None
    table, bids = auction.table, zip(auction.sealed, auction.bids, strict=True)
    kept = {other: bid for other, bid in bids if other != seat}
    playing = tuple(other for other in table.playing if other != seat)
    roller = _after(seat, playing) if seat == table.roller else table.roller
    table = replace(table, playing=playing, sealed=tuple(kept), roller=roller)
    return _reveal_if_complete(Auction(table, tuple(kept.values())))


def write(position: Auction) -> str:
    """Write the table, but no bids: `12 10/7 3:2,1:- 4 1 3`.

    The fields: the seats still in; the coins; prize and taker of each round; the prize of this one;
    the roller; the round.
    """
    table = position.table
    return " ".join(
        (
            "".join(map(str, table.playing)),
            "/".join(map(str, table.coins)),
            ",".join(f"{prize}:{taker or '-'}" for prize, taker in table.past) or "-",
            str(table.prize or "-"),
            str(table.roller),
            str(position.turn),
        )
    )


def read(position: Auction, text: str) -> Auction:
    """Read the format of `write`. Points follow from the rounds (BID-3.1)."""
    playing, coins, past, prize, roller, turn = fields(text, FIELDS)
    every = range(1, len(position.table.coins) + 1)
    some = [pick for count in every[1:] for pick in combinations(every, count)]
    seats = playing.choice("the seats", {"".join(map(str, pick)): pick for pick in some})
    purses = coins.parts("/", [f"the coins of seat {seat}" for seat in every])
    rounds = _read_rounds(past, position.table.rounds, every)
    pips = {str(number): number for number in range(1, 7)}
    table = replace(
        position.table,
        playing=seats,
        coins=tuple(purse.number("the coins of a seat", 0, 10) for purse in purses),
        points=tuple(sum(won for won, taker in rounds if taker == seat) for seat in every),
        past=rounds,
        prize=prize.choice("the prize", {"-": 0, **pips}),
        roller=read_seat(roller, seats),
        sealed=(),
    )
    if table.prize and len(rounds) == table.rounds:
        raise prize.wrong("all rounds are played, so there is no prize: write -")
    turn.number("the round", len(rounds) + 1, len(rounds) + 1)
    return Auction(table)


def _read_rounds(past: Field, most: int, seats: range) -> tuple[tuple[int, int], ...]:
    rounds = [] if past.text == "-" else past.split(",")
    if len(rounds) > most:
        raise rounds[most].wrong(f"the game has {most} rounds")
    takers = {"-": 0, **{str(seat): seat for seat in seats}}
    pairs = [one.parts(":", ("the prize", "its taker")) for one in rounds]
    return tuple(
        (prize.number("a prize", 1, 6), taker.choice("a taker", takers)) for prize, taker in pairs
    )


def _after(seat: int, playing: tuple[int, ...]) -> int:
    return next((other for other in playing if other > seat), playing[0])


class Rolled(Effect, frozen=True):
    """A prize is set."""

    seat: int
    pips: int

    template: ClassVar[str] = "{seat} rolls a prize of {pips}"


class Sealed(Effect, frozen=True):
    """A seat has bid; the bid is secret."""

    seat: int

    template: ClassVar[str] = "{seat} has bid"


class Revealed(Effect, frozen=True):
    """A bid was revealed."""

    seat: int
    coins: int

    template: ClassVar[str] = "{seat} bid {coins}"


class Settled(Effect, frozen=True):
    """The prize went to seat `taker`, or with 0 to no seat; `roller` is next."""

    taker: int
    prize: int
    roller: int

    def words(self, names: Names = UNNAMED) -> str:
        """Name the taker."""
        taker = f"{names[self.taker]} takes" if self.taker else "nobody takes"
        return f"{taker} the prize of {self.prize}"


def draw(view: View, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the table, with the bid of a seat that has bid."""
    if isinstance(view, Hand):
        return _draw(view.table, {view.seat: view.coins}, effects, names)
    table = view.table if isinstance(view, Auction) else view
    assert isinstance(table, Table)
    return _draw(table, {}, effects, names)


def _draw(table: Table, bids: dict[int, int], effects: Sequence[Effect], names: Names) -> Scene:
    rounds = [*table.past, (table.prize, 0)][: table.rounds]
    cells = tuple(
        _cell(number, *rounds[number - 1 : number]) for number in range(1, table.rounds + 1)
    )
    grid = Grid(tuple(cell.at for cell in cells), ("prize",), cells)
    trays = tuple(
        Tray(
            names.title(seat),
            seat,
            lines=(
                f"{table.coins[seat - 1]} coins",
                f"{table.points[seat - 1]} points",
                *([f"bid: {bids.get(seat, 'sealed')}"] if seat in table.sealed else []),
            ),
        )
        for seat in table.playing
    )
    rolled = any(isinstance(effect, Rolled) for effect in effects)
    marks = (Mark(str(len(table.past) + 1), "to"),) if rolled else ()
    return Scene((grid,), trays, marks=marks)


def _cell(number: int, played: tuple[int, int] = (0, 0)) -> Cell:
    prize, taker = played
    pieces = (Piece("cube", COLOUR[taker]),) if taker else ()
    return Cell(str(number), number - 1, 0, pieces, note=str(prize) if prize else "")


def _start(options: BidOptions, seats: int) -> Auction:
    playing = tuple(range(1, seats + 1))
    return Auction(Table(options.rounds, 1, playing, (10,) * seats, (0,) * seats))


GAME = Game(
    "hidden-bid",
    "Hidden Bid",
    seats=(2, 3),
    options=BidOptions,
    moves=(Roll, Bid),
    start=_start,
    scene=draw,
    text=TextCodec(write, read),
    concluded=concluded,
    seeds="hidden_bid.seeds",
)
