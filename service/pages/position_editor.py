"""A board that is shown by hand so far, as a fragment: what lies where, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

import msgspec

from domain.editor import Location
from domain.names import Names
from replay.branches.line_tree import describe_standing_briefly
from replay.corrections.position_editor import Arrangement
from replay.drawing import board_buttons, spot_buttons
from replay.match_record import MatchRecord
from service.pages.frame import sentence
from service.pages.start_form import FormAnswer, question

BOARD: Final = (
    '<article class="frame arranged" data-text="{text}" data-fit="{fit}" data-differs="{differs}"'
    ' data-told="{told}">'
    '<div class="board">{board}</div>{rows}'
    '<div class="whose">{told_so}{turns}</div>{chips}'
    '<script type="application/json" class="things">{things}</script></article>'
)


def board_of(then: MatchRecord, shown: Arrangement, names: Names, turn: int | None) -> str:
    """Write the fragment: the board, the rows beside it, who is to move, and the data for both."""
    told = f"{sentence(_words(shown, names)).rstrip('.')}."
    return BOARD.format(
        text=escape(shown.text),
        fit="yes" if shown.state else "",
        differs="yes" if shown.differs else "",
        told=escape(told),
        board=board_buttons.board(shown.scene, title=f"{then.game.name} board", names=names),
        rows=spot_buttons.rows(shown.locations, names),
        told_so=_spoken(shown, told),
        turns=_turns(shown, names, turn),
        chips=spot_buttons.chips(shown.locations, names),
        things=data(_things(shown.locations, names)),
    )


def _words(shown: Arrangement, names: Names) -> str:
    """Say who is to move then, or why this cannot be."""
    if shown.state is None:
        return shown.fault.words(names) if shown.fault else ""
    words = describe_standing_briefly(shown.state, names)
    return f"this ends the match: {words}" if shown.state.outcome else words


def _spoken(shown: Arrangement, told: str) -> str:
    if shown.state:
        return f'<p class="standing">{escape(told)}</p>'
    return f'<p class="notice unfit"><b>This cannot be yet.</b> {escape(told)}</p>'


def _turns(shown: Arrangement, names: Names, turn: int | None) -> str:
    """Ask whose turn it is, where it can be given by hand."""
    if not shown.turns:
        return ""
    answers = [
        FormAnswer("", "As it was"),
        *(FormAnswer(seat, names[seat]) for seat in shown.turns),
    ]
    return question("turn", "Whose turn is it?", answers, css="segments", chosen=turn)


def _things(spots: Sequence[Location], names: Names) -> dict[str, Any]:
    """Tell the script what lies where, in words."""
    return {
        spot.at: {
            "words": spot.words(names),
            "things": [{"what": each.what, "words": each.words(names)} for each in spot.things],
        }
        for spot in spots
    }


def data(value: Any) -> str:
    """Write JSON that can stand in a page."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
