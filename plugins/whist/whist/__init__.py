"""Partnership whist: partners, trumps, points over deals. Clauses: seeds/whist/rules-2.md.

An option decides how hands are recorded: each seat takes its own hand by a secret move, or nobody
enters the hands, and each card is entered when it is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal, cast

from msgspec.structs import replace

from plybook.drawing import Scene, Score, Tray, hand_row, known_of, trick_row
from plybook.game import (
    PACK,
    SEATS,
    SUIT_NAMES,
    TRICKS,
    Card,
    CardDeal,
    CardTable,
    Duty,
    Effect,
    Game,
    HandOfCards,
    Hands,
    Names,
    Options,
    Outcome,
    PlayCard,
    Seen,
    TakeHand,
    TrickTaken,
    View,
    card_controls,
    card_spellings,
    follow,
    table_key,
)

TRUMPS = "HCDS"


class FirstOptions(Options, frozen=True):
    """The options of the first ruleset (WHI-1.2)."""

    deals: Literal[1, 4] = 1


class WhistOptions(FirstOptions, frozen=True):
    """WHI-1.2, WHI-1.4."""

    hands: Hands = "known"


class Table(CardTable, frozen=True):
    """The public part. `tricks` and `points` count those of seats 1 and 3, and of seats 2 and 4."""

    deals: int = 1
    tricks: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)

    @property
    def trumps(self) -> str:  # type: ignore[override]
        """WHI-1.3."""
        return TRUMPS[min(self.deal, self.deals) - 1]

    def before(self, card: Card) -> Iterator[Duty]:
        """WHI-3.2."""
        return follow(self, card, "WHI-3.2")

    def taken_by(self, taker: int, cards: tuple[Card, ...]) -> tuple[Table, tuple[Effect, ...]]:
        """Count a trick (WHI-3.3), and a deal after thirteen (WHI-4.1)."""
        first, second = self.tricks
        tricks = (first + 1, second) if taker % 2 else (first, second + 1)
        if sum(tricks) < TRICKS:
            return replace(self, tricks=tricks), (TrickTaken(taker),)
        gain = tuple(max(0, own - 6) for own in tricks)
        points = (self.points[0] + gain[0], self.points[1] + gain[1])
        leader = SEATS[self.deal % 4]
        after = self.dealt_again(deal=self.deal + 1, leader=leader, points=points)
        side = 1 if gain[0] else 2
        return after, (TrickTaken(taker), DealCounted(side, side + 2, gain[side - 1]))

    def dealt_again(self, **changes: Any) -> Table:
        """Return the table before a deal, without tricks."""
        return cast("Table", super().dealt_again(tricks=(0, 0), **changes))


class Deal(CardDeal[Table], frozen=True):
    """The table and the hands."""

    def outcome(self) -> Outcome | None:
        """WHI-5."""
        table = self.table
        if table.deal <= table.deals:
            return None
        first, second = table.points
        if first == second:
            return Outcome("WHI-5.2", (), table.points * 2)
        return Outcome("WHI-5.1", (1, 3) if first > second else (2, 4), table.points * 2)


class Take(TakeHand[Deal], frozen=True):
    """A hand of thirteen cards (WHI-2.1)."""

    clause: ClassVar[str] = "WHI-2.1"

    @classmethod
    def pack(cls, position: Deal) -> list[Card]:
        """Return the cards that no seat holds: the table does not depend on the hands."""
        return cls.undealt(position)


class Play(PlayCard[Deal], frozen=True):
    """A card of the hand (WHI-3)."""

    clause: ClassVar[str] = "WHI-3.1"


class DealCounted(Effect, frozen=True):
    """Two partners scored points for a deal (WHI-4.1)."""

    seat: int
    partner: int
    points: int

    seats: ClassVar[tuple[str, ...]] = ("seat", "partner")
    template: ClassVar[str] = "{seat} and {partner} score {points}"


def draw(view: View, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the trick, and the hand of a seat that sees its own."""
    table = view if isinstance(view, Table) else view.table
    rows = [trick_row(table, f"Trick · trumps are {SUIT_NAMES[table.trumps]}", names)]
    if isinstance(view, HandOfCards):
        rows.append(hand_row(view.cards, PACK))
    return Scene(tuple(rows), tuple(_tray(table, seat, names) for seat in SEATS))


def _tray(table: Table, seat: int, names: Names) -> Tray:
    side = (seat - 1) % 2
    won = Score.of(table.tricks[side], "trick").words
    lines = (won, *known_of(table, seat))
    return Tray(names.title(seat), seat, lines=lines, score=Score.of(table.points[side], "point"))


def _game(version: int, options: type[FirstOptions]) -> Game[Deal]:
    def start(chosen: FirstOptions, seats: int) -> Deal:
        unseen = isinstance(chosen, WhistOptions) and chosen.hands == "unseen"
        return Deal(Table(deals=chosen.deals, seen=Seen() if unseen else None))

    return Game(
        "whist",
        "Whist",
        version=version,
        seats=(4,),
        teams=((1, 3), (2, 4)),
        options=options,
        moves=(Take, Play),
        start=start,
        scene=draw,
        key=table_key,
        spellings=card_spellings,
        controls=card_controls,
        seeds="whist.seeds",
    )


GAME = _game(2, WhistOptions)
GAMES = (_game(1, FirstOptions), GAME)
