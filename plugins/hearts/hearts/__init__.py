"""Hearts: hidden hands, a sealed pass, points over deals. Clauses: seeds/hearts/rules-1.md.

Each seat takes its own hand in secret: it types its cards, or the service draws them from those
that nobody holds yet. While a seat has a hand it is guarded: only its player learns which cards
may be passed or played.
"""

from __future__ import annotations

from collections.abc import Sequence

from hearts.cards import ORDER
from hearts.moves import Give, Play, Take
from hearts.table import SEATS, Deal, Hand, HeartsOptions, Table
from plybook.drawing import Scene, Score, Tray, card_row
from plybook.game import Effect, Game, MoveControls, Names, View


def draw(view: View, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the trick, and the hand of a seat that sees its own."""
    if isinstance(view, Deal):
        view = view.table
    table = view.table if isinstance(view, Hand) else view
    assert isinstance(table, Table)
    title = f"Deal {table.deal} · Trick {min(13, 1 + len(table.played) // 4)}"
    rows = [card_row(table.trick, title, table.order)]
    if isinstance(view, Hand):
        rows.append(card_row(sorted(set(view.cards), key=ORDER.index), "Your hand"))
    return Scene(tuple(rows), tuple(_tray(table, seat, names) for seat in SEATS))


def _tray(table: Table, seat: int, names: Names) -> Tray:
    """Show the points of the deal and the score; the lowest score leads."""
    score, taken = table.scores[seat - 1], table.taken[seat - 1]
    shown = Score(-score, str(score), f"{score} points", "point")
    return Tray(names.title(seat), seat, lines=(f"{taken} in this deal",), score=shown)


GAME = Game(
    "hearts",
    "Hearts",
    seats=(4,),
    options=HeartsOptions,
    moves=(Take, Give, Play),
    start=lambda options, seats: Deal(Table(options)),
    scene=draw,
    controls=lambda state, seat: MoveControls(backward=not state.position.table.leader),
    seeds="hearts.seeds",
)
