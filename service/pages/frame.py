"""A board frame: the position at an address, seen by spectators, with the caller's controls.

Pages swap it as an HTML fragment. It contains the legal moves as data, so pages need no rules. Even
a seat's frame hides sealed moves, because others may see the screen.
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
from replay.reading.adjusted_scene import marked_scene
from service.http.access import Visit
from service.http.addresses import prefix
from service.pages.controls import Controls, controls_of
from service.pages.frame_data import RunningClocks, at_head, may_act, running_clocks
from service.pages.words import player_names

ENDED: Final = {
    "resigned": "By resignation.",
    "agreed": "By agreement.",
    "flagged": "On time.",
    "ruled": "As the scorekeeper ruled.",
}
"""The endings that are not rules of the game."""


class Ending(Struct, frozen=True):
    """The reason why a match ended; if a rule of the game ended it, its clause and a link to it."""

    words: str
    clause: str = ""
    link: str = ""


class Frame(Struct, frozen=True):
    """The data of `frame.html`; scripts use `controls` and `clocks` at the head."""

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
    """The names of the players by seat, and the awaited seats."""

    names: dict[int, str]
    awaited: tuple[int, ...]


def frame(book: Book, visit: Visit, then: MatchRecord, ply: int, step: int | None = None) -> Frame:
    """Return the frame for a ply of a match at a version.

    If an event has several pictures, `step` is the index of one.
    """
    names = player_names(book, then)
    here = timeline.point(then, ply, names=names)
    scene = marked_scene(then, here, names) if step is None else _step(here.scene, step)
    state = then.match.at(ply)
    # Intermediate pictures must not reveal the ending.
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


def describe_ply(recorded: MatchRecord, ply: int, names: Names) -> str:
    """Describe the event at a ply in words; empty at the start."""
    if ply == 0:
        return ""
    last = recorded.match.line[ply - 1]
    if isinstance(last.event, Adjusted):
        # The board already shows the new position.
        return f"the position was adjusted: {last.event.reason}"
    corrected = "corrected" if timeline.is_amended(recorded, last) else ""
    return "; ".join(filter(None, (timeline.describe_effects(last, names), corrected)))


def describe_briefly(then: MatchRecord, ply: int, names: Names) -> str:
    """Describe the event at a ply briefly, for the line next to its board; empty at the start."""
    return _describe(then, timeline.point(then, ply, names=names), ply, names) if ply else ""


def _describe(then: MatchRecord, here: timeline.LinePoint, ply: int, names: Names) -> str:
    """Describe an event; if it has several pictures, only the effects they do not show."""
    if not here.scene.frames:
        return describe_ply(then, ply, names)
    captions = [picture.caption for picture in here.scene.frames]
    return "; ".join(caption for caption in captions if ":" in caption) or then.game.uneventful


def _ending(recorded: MatchRecord, outcome: Outcome) -> Ending:
    words = rules_text.words(recorded.game, outcome.clause)
    if words is None:
        return Ending(ENDED.get(outcome.clause, outcome.clause))
    return Ending(words, outcome.clause, f"{prefix()}/rules/{recorded.game.slug}#{outcome.clause}")


def _step(scene: Scene, step: int) -> Scene:
    """Return an intermediate picture; without trays it gets those of the final board."""
    picture = scene.frames[step]
    return picture if picture.trays else replace(picture, trays=scene.trays)


def _awaited(state: State) -> tuple[int, ...]:
    awaited = state.awaiting()
    return tuple(dict.fromkeys(one.seat for one in awaited if one.must))


def shown_players(book: Book, recorded: MatchRecord) -> ShownPlayers:
    """Return the players of a match, for the list above its board."""
    return ShownPlayers(dict(player_names(book, recorded).players), _awaited(recorded.state))
