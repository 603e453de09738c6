"""Bridge: auction, dummy, claims and duplicate scores. Clauses: seeds/bridge/rules-1.md.

An option decides how hands are recorded: each seat takes its own hand by a secret move, or nobody
enters the hands, and each card is entered when it is played.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final

from msgspec.structs import replace

from bridge.effects import PassedOut, Scored, shown
from bridge.moves import ORDER, Answer, Bid, Call, Claim, Play, Take
from bridge.pbn import PBN
from bridge.table import BridgeOptions, Deal, Table, left_of, side
from plybook.drawing import (
    Piece,
    Row,
    Scene,
    Score,
    Tray,
    card_row,
    hand_row,
    known_of,
    trick_row,
)
from plybook.game import (
    SEATS,
    SUIT_SIGNS,
    Effect,
    Game,
    HandOfCards,
    MoveControls,
    Names,
    Seen,
    View,
    card_controls,
    card_spellings,
    table_key,
)

SHORT: Final = {"pass": "–", "double": "X", "redouble": "XX"}
CALLS: Final = {"P": "pass", "X": "double", "DBL": "double", "XX": "redouble", "RDBL": "redouble"}
SIGNS: Final = {ord(sign): suit for suit, sign in SUIT_SIGNS.items()}
CLAIMED: Final = 8
"""From so many tricks that are left, claims have buttons."""
BID: Final = re.compile("([1-7])([CDHS]|NT?)")


def draw(view: View, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the auction or the trick, dummy, and the hand of a seat that sees its own."""
    table = view if isinstance(view, Table) else view.table
    panels = _play(table, names) if table.contract else [_auction(table)]
    if table.is_over:
        panels = [_result(effects, names)]
    if isinstance(view, HandOfCards):
        panels.append(hand_row((card for card in view.cards if card not in table.laid), ORDER))
    return Scene(tuple(panels), tuple(_tray(table, seat, names) for seat in SEATS))


def _result(effects: Sequence[Effect], names: Names) -> Row:
    """Say how the last board ended, once no other follows."""
    for told in effects:
        if isinstance(told, PassedOut):
            return Row((), f"Board {told.board} · passed out")
        if isinstance(told, Scored):
            by = names[told.declarer]
            done = f"{shown(told.contract)} by {by}, {Score.of(told.tricks, 'trick').words}"
            return Row((), f"Board {told.board} · {done}")
    return Row((), "All boards are played")


def _auction(table: Table) -> Row:
    """Return the calls, in the colours of their seats."""
    calls = (
        Piece("letter", f"seat{left_of(table.dealer, at)}", text=SHORT.get(call) or _spaced(call))
        for at, call in enumerate(table.calls)
    )
    return Row(tuple(calls), f"Board {table.board} · auction")


def _spaced(bid: str) -> str:
    """Write a bid apart from the card of its name: `6 ♣`."""
    return f"{bid[0]} {shown(bid)[1:]}"


def _play(table: Table, names: Names) -> list[Row]:
    """Return the trick, and the open hand of dummy."""
    contract = table.contract
    assert contract is not None
    title = f"Trick {table.number} · {shown(contract.text)} by {names[contract.declarer]}"
    rows: list[Row] = [trick_row(table, title, names)]
    if table.laid:
        title = f"Dummy: {names.title(table.dummy)}"
        rows.append(card_row(sorted(table.laid, key=ORDER.index), title))
    return rows


def _tray(table: Table, seat: int, names: Names) -> Tray:
    """Show what a seat is on this board, the tricks of its side, and its score."""
    own = side(seat)
    score = Score.of(table.scores[own], "point")
    if table.is_over:
        return Tray(names.title(seat), seat, score=score)
    declares = table.contract is not None and seat == table.contract.declarer
    known = {
        "dealer": seat == table.dealer,
        "vulnerable": own in table.vulnerable,
        "declarer": declares,
        "dummy": seat == table.dummy,
    }
    roles = ", ".join(word for word, holds in known.items() if holds)
    won = Score.of(table.tricks[own], "trick").words
    lines = (*([roles] if roles else []), won, *known_of(table, seat))
    return Tray(names.title(seat), seat, lines=lines, score=score)


def _controls(state: Any, seat: int) -> MoveControls:
    """Return the pad of cards, and offer the claims of all tricks and of none towards the end."""
    found, table = card_controls(state, seat), state.position.table
    if not table.contract or table.claimed or seat != table.player:
        return found
    buttons = (f"claim={table.left}", "claim=0") if table.left <= CLAIMED else ()
    return replace(found, note="Claim: under More, type claim=5.", buttons=buttons)


def spellings(position: Deal, text: str) -> Collection[str]:
    """Return the calls that are written like `1NT` or `X`, or a card like `10h`."""
    plain = "".join(text.split()).upper().translate(SIGNS)
    found = BID.fullmatch(plain) if position.table.contract is None else None
    if found:
        return (f"bid={found[1]}{found[2].replace('NT', 'N').replace('N', 'NT')}",)
    return (CALLS[plain],) if plain in CALLS else card_spellings(position, text)


def _start(options: BridgeOptions, seats: int) -> Deal:
    return Deal(Table(options=options, seen=Seen() if options.hands == "unseen" else None))


GAME = Game(
    "bridge",
    "Bridge",
    seats=(4,),
    teams=((1, 3), (2, 4)),
    options=BridgeOptions,
    moves=(Take, Call, Bid, Play, Claim, Answer),
    start=_start,
    scene=draw,
    key=table_key,
    spellings=spellings,
    controls=_controls,
    formats=(PBN,),
    seeds="bridge.seeds",
)
