"""A board that is shown by hand so far, as a fragment: what lies where, and whose turn it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.editor import Location
from replay.corrections.position_editor import Arrangement
from replay.drawing import board_buttons, spot_buttons
from replay.match_record import MatchRecord
from service.pages.frame import SEAT, labelled, sentence, standing_words, with_names
from service.pages.start_form import FormAnswer, question

BOARD: Final = (
    '<article class="frame arranged" data-text="{text}" data-fit="{fit}" data-differs="{differs}"'
    ' data-told="{told}">'
    '<div class="board">{board}</div>{rows}'
    '<div class="whose">{told_so}{turns}</div>{chips}'
    '<script type="application/json" class="things">{things}</script></article>'
)

OWNER: Final = re.compile(r" of seat \d\b")


def board_of(
    then: MatchRecord, shown: Arrangement, names: Mapping[int, str], turn: int | None
) -> str:
    """Write the fragment: the board, the rows beside it, who is to move, and the data for both."""
    scene, spots = shown.scene, [_called(spot, names) for spot in shown.locations]
    told = f"{sentence(_words(shown), names).rstrip('.')}."
    return BOARD.format(
        text=escape(shown.text),
        fit="yes" if shown.state else "",
        differs="yes" if shown.differs else "",
        told=escape(told),
        board=labelled(board_buttons.board(scene, title=f"{then.game.name} board"), names),
        rows=spot_buttons.rows(spots, _owners(shown.locations)),
        told_so=_spoken(shown, told),
        turns=_turns(shown, names, turn),
        chips=spot_buttons.chips(_called(_briefly(spot), names) for spot in shown.locations),
        things=data(_things(spots)),
    )


def _words(shown: Arrangement) -> str:
    """Say who is to move then, or why this cannot be."""
    if shown.state is None:
        return shown.why
    words = standing_words(shown.state)
    return f"this ends the match: {words}" if shown.state.outcome else words


def _called(spot: Location, names: Mapping[int, str]) -> Location:
    """Return a spot whose words name the players."""
    things = tuple(replace(each, words=with_names(each.words, names)) for each in spot.things)
    return replace(spot, things=things, words=with_names(spot.words, names))


def _briefly(spot: Location) -> Location:
    """Leave out of the words whose things are, where one has all of them."""
    owners = [set(SEAT.findall(each.words)) for each in spot.things]
    if not owners or any(len(own) != 1 or own != owners[0] for own in owners):
        return spot
    things = tuple(replace(each, words=OWNER.sub("", each.words)) for each in spot.things)
    return replace(spot, things=things)


def _owners(spots: Sequence[Location]) -> dict[str, int]:
    """Return whose a spot is, where its words say so."""
    found = ((spot.at, SEAT.search(spot.words)) for spot in spots)
    return {name: int(seat[2]) for name, seat in found if seat}


def _spoken(shown: Arrangement, told: str) -> str:
    if shown.state:
        return f'<p class="standing">{escape(told)}</p>'
    return f'<p class="notice unfit"><b>This cannot be yet.</b> {escape(told)}</p>'


def _turns(shown: Arrangement, names: Mapping[int, str], turn: int | None) -> str:
    """Ask whose turn it is, where it can be given by hand."""
    if not shown.turns:
        return ""
    answers = [
        FormAnswer("", "As it was"),
        *(FormAnswer(seat, names[seat]) for seat in shown.turns),
    ]
    return question("turn", "Whose turn is it?", answers, css="segments", chosen=turn)


def _things(spots: Sequence[Location]) -> dict[str, Any]:
    """Tell the script what lies where, in words."""
    return {
        spot.at: {
            "words": spot.words or f"on {spot.at}",
            "things": [{"what": each.what, "words": each.words} for each in spot.things],
        }
        for spot in spots
    }


def data(value: Any) -> str:
    """Write JSON that can stand in a page."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
