"""The board of the position editor, with all its pieces and the seat in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.editor import Location
from domain.names import Names
from domain.scene import Scene
from replay.corrections.position_editor import Arrangement
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing_briefly
from service.pages.start_form import FormAnswer
from service.pages.words import sentence


class ArrangedBoard(Struct, frozen=True):
    """The data of `arranged_board.html`.

    `verdict` names the seat to move, or gives the reason why the position is invalid; `turns` are
    the possible seats in turn, `turn` the chosen one; `things` are the pieces by place, in words.
    """

    text: str
    fits: bool
    differs: bool
    verdict: str
    title: str
    scene: Scene
    names: Names
    locations: Sequence[Location]
    turns: Sequence[FormAnswer]
    turn: int | None
    things: dict[str, Any]


def arranged_board(
    then: MatchRecord, shown: Arrangement, names: Names, turn: int | None
) -> ArrangedBoard:
    """Return the board as arranged so far."""
    return ArrangedBoard(
        text=shown.text,
        fits=shown.state is not None,
        differs=shown.differs,
        verdict=f"{sentence(_words(shown, names)).rstrip('.')}.",
        title=f"{then.game.name} board",
        scene=shown.scene,
        names=names,
        locations=shown.locations,
        turns=_turns(shown, names),
        turn=turn,
        things=_things(shown.locations, names),
    )


def _words(shown: Arrangement, names: Names) -> str:
    """Name the seat to move then, or the reason why the position is invalid."""
    if shown.state is None:
        return shown.fault.words(names) if shown.fault else ""
    words = describe_standing_briefly(shown.state, names)
    return f"this ends the match: {words}" if shown.state.outcome else words


def _turns(shown: Arrangement, names: Names) -> list[FormAnswer]:
    """Return the seats that can be in turn, if the turn can be set by hand."""
    if not shown.turns:
        return []
    return [FormAnswer("", "As it was"), *(FormAnswer(seat, names[seat]) for seat in shown.turns)]


def _things(spots: Sequence[Location], names: Names) -> dict[str, Any]:
    return {
        spot.at: {
            "words": spot.words(names),
            "things": [{"what": each.what, "words": each.words(names)} for each in spot.things],
        }
        for spot in spots
    }
