"""A board frame: the position at an address as spectators see it, with the controls of a caller.

Pages swap it as a fragment of HTML. The moves that can be entered are in it as data, so no page
needs rules of its own. A seat's frame shows no sealed moves either, as others may see the screen.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.events import Adjusted, State
from domain.names import Names
from domain.position import Outcome
from domain.scene import Scene
from replay import rules_text
from replay.book import Book
from replay.branches.line_tree import describe_standing_briefly
from replay.match_record import MatchRecord
from replay.reading import timeline
from service.http.access import Visit
from service.pages.controls import Controls, controls_of
from service.pages.frame_data import RunningClocks, at_head, may_act, running_clocks
from service.pages.words import player_names

ENDED: Final = {
    "resigned": "By resignation.",
    "agreed": "By agreement.",
    "flagged": "On time.",
    "ruled": "As the scorekeeper ruled.",
}
"""The reasons that are no rules of the game."""


class Ending(Struct, frozen=True):
    """The reason why a match ended; if a rule of the game ended it, its clause and a link to it."""

    words: str
    clause: str = ""
    link: str = ""


class Frame(Struct, frozen=True):
    """The data of `frame.html`; `controls` and `clocks` are for the scripts at the head."""

    match: str
    version: int
    ply: int
    turn: int
    steps: int
    awaited: tuple[int, ...]
    over: bool
    happened: str
    standing: str
    ending: Ending | None
    title: str
    scene: Scene
    names: Names
    controls: Controls | None
    clocks: RunningClocks | None


class ShownPlayers(Struct, frozen=True):
    """The names of the players by seat, and the seats that are awaited."""

    names: dict[int, str]
    awaited: tuple[int, ...]


def frame(book: Book, visit: Visit, then: MatchRecord, ply: int, step: int | None = None) -> Frame:
    """Return the frame for a ply of a match as it stood at a version.

    `step` is one of the pictures on the way there, from 0, where an event has several.
    """
    names = player_names(book, then)
    here = timeline.point(then, ply, names=names)
    scene = here.scene if step is None else _step(here.scene, step)
    state = then.match.at(ply)
    # On the way there nothing tells yet how it ends.
    ended = state.outcome if step is None else None
    head = step is None and at_head(visit, then, ply)
    return Frame(
        match=then.id,
        version=then.match.version,
        ply=ply,
        turn=here.turn,
        steps=len(here.scene.frames),
        awaited=_awaited(state),
        over=ended is not None,
        happened=_describe(then, here, ply, names) if step is None else scene.caption,
        standing=describe_standing_briefly(state, names) if step is None else "",
        ending=_ending(then, ended) if ended else None,
        title=f"{then.game.name} board",
        scene=scene,
        names=names,
        controls=controls_of(visit, names.players) if head and may_act(visit, then, ply) else None,
        clocks=running_clocks(then) if head else None,
    )


def describe_ply(recorded: MatchRecord, ply: int, viewer: int | None, names: Names) -> str:
    """Tell in words what the event at a ply did; nothing at the start."""
    if ply == 0:
        return ""
    event = recorded.match.line[ply - 1].event
    if isinstance(event, Adjusted):
        # The board shows the position that the record writes out.
        return f"the position was adjusted: {event.reason}"
    entry = next(timeline.entries(recorded, viewer, after=ply - 1))
    return entry.words(names, amended="corrected")


def describe_briefly(then: MatchRecord, ply: int, names: Names) -> str:
    """Tell what the event at a ply did, as briefly as beside its board; nothing at the start."""
    return _describe(then, timeline.point(then, ply, names=names), ply, names) if ply else ""


def _describe(then: MatchRecord, here: timeline.LinePoint, ply: int, names: Names) -> str:
    """Tell what happened; of what was played in several pictures only what they do not show."""
    if not here.scene.frames:
        return describe_ply(then, ply, None, names)
    captions = [picture.caption for picture in here.scene.frames]
    return "; ".join(caption for caption in captions if ":" in caption) or then.game.uneventful


def _ending(recorded: MatchRecord, outcome: Outcome) -> Ending:
    words = rules_text.words(recorded.game, outcome.clause)
    if words is None:
        return Ending(ENDED.get(outcome.clause, outcome.clause))
    return Ending(words, outcome.clause, f"/rules/{recorded.game.slug}#{outcome.clause}")


def _step(scene: Scene, step: int) -> Scene:
    """Return a picture on the way, with what lies beside the board as it is afterwards."""
    picture = scene.frames[step]
    return picture if picture.trays else replace(picture, trays=scene.trays)


def _awaited(state: State) -> tuple[int, ...]:
    awaited = () if state.outcome else state.position.awaiting()
    return tuple(dict.fromkeys(one.seat for one in awaited if one.must))


def shown_players(book: Book, recorded: MatchRecord) -> ShownPlayers:
    """Return the players of a match, for the list above its board."""
    return ShownPlayers(dict(player_names(book, recorded).players), _awaited(recorded.state))
