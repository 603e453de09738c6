"""Hearts: a sealed pass, no trumps, points over deals. Clauses: seeds/hearts/rules-2.md.

An option decides how hands are recorded: each seat takes its own hand by a secret move, or nobody
enters the hands, and each card is entered when it is played.
"""

from __future__ import annotations

from collections.abc import Sequence

from hearts.moves import Give, Lead, Play, Take
from hearts.table import ORDER, Deal, FirstOptions, HeartsOptions, Table
from plybook.drawing import Scene, Score, Tray, hand_row, known_of, trick_row
from plybook.game import (
    SEATS,
    Effect,
    Game,
    HandOfCards,
    Names,
    Seen,
    View,
    card_controls,
    card_spellings,
    table_key,
)


def draw(view: View, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the trick, and the hand of a seat that sees its own."""
    table = view if isinstance(view, Table) else view.table
    passing = table.seen is not None and not table.played and table.direction != "nowhere"
    what = f"pass {table.direction}" if passing else f"Trick {table.number}"
    rows = [trick_row(table, f"Deal {table.deal} · {what}", names)]
    if isinstance(view, HandOfCards):
        rows.append(hand_row(view.cards, ORDER))
    return Scene(tuple(rows), tuple(_tray(table, seat, names) for seat in SEATS))


def _tray(table: Table, seat: int, names: Names) -> Tray:
    """Show the points of the deal and the score; the lowest score leads."""
    score, taken = table.scores[seat - 1], table.taken[seat - 1]
    shown = Score(-score, str(score), Score.of(score, "point").words, "point")
    lines = (f"{taken} in this deal", *known_of(table, seat))
    return Tray(names.title(seat), seat, lines=lines, score=shown)


def _game(version: int, options: type[FirstOptions]) -> Game[Deal]:
    def start(chosen: FirstOptions, seats: int) -> Deal:
        unseen = isinstance(chosen, HeartsOptions) and chosen.hands == "unseen"
        return Deal(Table(options=chosen, seen=Seen() if unseen else None))

    return Game(
        "hearts",
        "Hearts",
        version=version,
        seats=(4,),
        options=options,
        moves=(Take, Give, Play, Lead),
        start=start,
        scene=draw,
        key=table_key,
        spellings=card_spellings,
        controls=card_controls,
        seeds="hearts.seeds",
    )


GAME = _game(2, HeartsOptions)
GAMES = (_game(1, FirstOptions), GAME)
