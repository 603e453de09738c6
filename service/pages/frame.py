"""A board frame: the position at an address, with the caller's controls.

Pages swap it as an HTML fragment. It contains the legal moves as data, so pages need no rules. At
the head a player's own page shows the dice and cards that their seat holds, and no move that it has
sealed itself, because others may see the screen.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.events import Adjusted, Moved, Stood, ranked_words
from domain.events import Ply as LinePly
from domain.log_edits import TakenBack
from domain.match import is_secret
from domain.names import Names, count
from domain.position import Outcome, tag_of
from domain.scene import Scene
from replay import rules_text
from replay.book import Book
from replay.games import game_info
from replay.reading import timeline
from replay.reading.stops import marked_scene
from replay.reading.timeline import draw_motion, motion, motion_point
from replay.record.clock import Clocks
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_match
from replay.referee.phones import WAITS
from replay.referee.rematch import find_rematch
from replay.tags.names import player_names
from replay.tags.people_changes import news
from service.http.access import MatchAccess
from service.http.addresses import prefix
from service.pages.controls import Controls, controls_of
from service.pages.player_strip import PlayerStrip, awaited_seats, player_strip


class RunningClocks(Struct, frozen=True):
    """The clocks at the last event, and the server's time `now`.

    `waits` gives the time since which each seat is awaited, `patience` the time after which others
    can call a foul on it. All times are in milliseconds.
    """

    now: int
    clocks: Clocks
    waits: dict[int, int]
    patience: int


def may_act(visit: MatchAccess, then: MatchRecord, ply: int) -> bool:
    """Return whether the caller may enter events at this address: it must be the head."""
    return visit.caller.may_write and at_head(visit, then, ply)


def at_head(visit: MatchAccess, then: MatchRecord, ply: int) -> bool:
    """Return whether the address of a frame is the head of the match."""
    head = visit.record.match
    return then.match.version == head.version and ply == len(head.line)


def running_clocks(record: MatchRecord) -> RunningClocks | None:
    """Return the current state of a match's clocks, or `None` for a match without clocks."""
    clocks, limits, times = timeline.clocks(record), record.header.clock, record.times
    if clocks is None or limits is None or times is None:
        return None
    now = time.time_ns() // 1_000_000
    waits = {seat: one.wait.opened for seat, one in enumerate(times.seats, 1) if one.wait}
    return RunningClocks(now, clocks, waits, (limits.programming + 1) * 1000)


ITS: Final = re.compile(r"\bits\b")
"""The possessive of a seat in its task."""

ENDED: Final = {
    "resigned": "By resignation.",
    "agreed": "By agreement.",
    "flagged": "On time.",
    "forfeited": "After as many refused moves as the match allows.",
    "ruled": "As the scorekeeper ruled.",
}
"""The endings that are not rules of the game."""


class Ending(Struct, frozen=True):
    """The reason why a match ended; for a rule of the game, its clause and a link to it.

    `others` are the seats below the winners, in their ranks, if the game ranks them.
    """

    words: str
    winners: tuple[int, ...] = ()
    others: tuple[str, ...] = ()
    clause: str = ""
    link: str = ""


class Frame(Struct, frozen=True):
    """The data of `frame.html`; scripts use `controls` and `clocks` at the head.

    The drawn motion leads from the ply `moved_from` to `ply`; after a take-back there is no motion.
    `mover` is the seat of the last move. With `before`, the scene at version `since`, only changed
    places are drawn.
    """

    match: str
    version: int
    ply: int
    moved_from: int
    mover: int | None
    turn: int
    steps: int
    awaited: tuple[int, ...]
    over: bool
    happened: str
    todo: str
    standing: str
    ending: Ending | None
    rematch: str
    corrected: str
    title: str
    scene: Scene
    names: Names
    strip: PlayerStrip
    controls: Controls | None
    clocks: RunningClocks | None
    since: int | None = None
    before: Scene | None = None


def frame(
    book: Book, visit: MatchAccess, then: MatchRecord, ply: int, step: int | None = None
) -> Frame:
    """Return the frame for a ply of a match at a version.

    If an event has several pictures, `step` is the index of one.
    """
    facts = book.facts(then)
    names = player_names(book, then, facts)
    whole = motion(then, ply)
    state = then.match.at(ply)
    head = step is None and at_head(visit, then, ply)
    own = visit.caller.seat if head else None
    here = draw_motion(then, ply, whole, names, holding(then, ply, own))
    scene = marked_scene(then, here, names) if step is None else _step(here.scene, step)
    # Intermediate pictures must not reveal the ending.
    ended = state.outcome if step is None else None
    standing = _standing(then, ply, names, own) if step is None else ""
    acts = head and may_act(visit, then, ply)
    came = _what_came(then, here, ply, names) if step is None else ()
    told = "; ".join(came) or _describe(then, here, whole, names)
    return Frame(
        match=then.id,
        version=then.match.version,
        ply=ply,
        moved_from=ply if _is_taken_back(then) else ply - len(whole),
        mover=None if _is_taken_back(then) or not ply else _mover(then.match.line[ply - 1]),
        turn=here.turn,
        steps=len(here.scene.frames),
        awaited=awaited_seats(state),
        over=ended is not None,
        happened=_tell_step(scene, names) if step is not None else told,
        todo=_todo(then, ply, names) if step is None and ended is None else "",
        standing=standing,
        ending=_ending(then, ended, names) if ended else None,
        rematch=_rematch(book, then, names) if ended and head else "",
        corrected=_corrected(book, then) if head else "",
        title=f"{then.game.name} board",
        scene=scene,
        names=names,
        strip=player_strip(then, state, here.scene, names, visit.caller, named=head),
        controls=controls_of(visit, names.players, unsent=WAITS in facts) if acts else None,
        clocks=running_clocks(then) if head else None,
    )


def _corrected(book: Book, then: MatchRecord) -> str:
    """Return the last change of who sits where, if no event followed it."""
    changes = news(book, then)
    return changes[-1].told() if changes else ""


def _mover(last: LinePly) -> int | None:
    return last.event.seat if isinstance(last.event, Moved) else None


def _is_taken_back(then: MatchRecord) -> bool:
    return bool(then.events) and isinstance(then.events[-1], TakenBack)


def frame_since(book: Book, visit: MatchAccess, then: MatchRecord, version: int | None) -> Frame:
    """Return the frame of a match, relative to the version that the page shows, if any."""
    shown = frame(book, visit, then, then.ply())
    if version is None or not (version < then.match.version and then.only_grew_since(version)):
        return shown
    new = then.match.version - version
    ply = then.ply() - new
    viewer = holding(then, ply, visit.caller.seat)
    before = motion_point(then, ply, shown.names, viewer)
    return replace(shown, since=version, before=marked_scene(then, before, shown.names))


def holding(record: MatchRecord, ply: int, seat: int | None) -> int | None:
    """Return a seat that holds secret dice or cards, or whose choices only it may see."""
    position = record.match.at(ply).position
    if seat is None or seat in position.guarded:
        return seat
    if seat not in position.sealed:
        return None
    events = (each.event for each in record.match.line[:ply])
    own = (each.move for each in events if is_secret(each) and each.seat == seat)
    return seat if any(move.chance for move in own) else None


def describe_event(record: MatchRecord, ply: LinePly, names: Names) -> str:
    """Describe an event of the line in words."""
    if isinstance(ply.event, Adjusted):
        # The board already shows the new position.
        return f"the position was adjusted: {ply.event.reason}"
    corrected = "corrected" if timeline.is_amended(record, ply) else ""
    return "; ".join(filter(None, (timeline.describe_effects(ply, names), corrected)))


def describe_briefly(then: MatchRecord, ply: int, names: Names) -> str:
    """Describe the event at a ply briefly, for the line next to its board; empty at the start."""
    whole = motion(then, ply)
    return _describe(then, draw_motion(then, ply, whole, names), whole, names) if ply else ""


def _describe(
    then: MatchRecord, here: timeline.LinePoint, whole: Sequence[LinePly], names: Names
) -> str:
    """Describe a motion; if it has several pictures, only the effects they do not show.

    The last event comes first: on a page with little room the earlier events are cut.
    """
    if not here.scene.frames:
        told = (describe_event(then, each, names) for each in reversed(whole))
        return "; ".join(filter(None, told))
    return "; ".join(_captions(here)) or then.game.uneventful


def _captions(here: timeline.LinePoint) -> list[str]:
    """Return the captions that add something to their pictures."""
    return [picture.caption for picture in here.scene.frames if ":" in picture.caption]


MOTIONS: Final = {"move": "moves", "push": "is pushed"}
"""The words for arrows between places, by kind."""


def _tell_step(scene: Scene, names: Names) -> str:
    """Describe an intermediate picture: the motions of its arrows, and its other effects."""
    ways: dict[tuple[int, str], list[str]] = {}
    for arrow in scene.arrows:
        if arrow.seat and arrow.kind in MOTIONS:
            way = f"{arrow.start} to {arrow.end}"
            ways.setdefault((arrow.seat, MOTIONS[arrow.kind]), []).append(way)
    moved = [f"{names[seat]} {verb} {' and '.join(all_)}" for (seat, verb), all_ in ways.items()]
    head, colon, said = scene.caption.partition(": ")
    told = "; ".join([*moved, *([said] if colon else [])])
    return f"{head}: {told}" if told else scene.caption


def _what_came(
    then: MatchRecord, here: timeline.LinePoint, ply: int, names: Names
) -> tuple[str, ...]:
    """Describe the result of an event with several pictures: notable effects, or captions."""
    if not here.scene.frames:
        return ()
    notable = [effect for effect in then.match.line[ply - 1].effects if effect.notable]
    told = [effect.words(names) for effect in notable] or _captions(here)
    return tuple(told) or (then.game.uneventful,)


def _standing(then: MatchRecord, ply: int, names: Names, own: int | None) -> str:
    """Name the awaited players and their tasks; a player on their own phone is "you"."""
    state = then.match.at(ply)
    if state.outcome and state.outcome.winners and state.outcome.ranks:
        return ranked_words(state.outcome, names)[0]
    tasks = [one.what for one in state.awaiting() if one.must and one.seat == own]
    if not tasks:
        return describe_match(then.match, ply, names)
    return f"you are to {ITS.sub('your', tasks[0])}"


def _ending(record: MatchRecord, outcome: Outcome, names: Names) -> Ending:
    game, clause = record.game, outcome.clause
    others = ranked_words(outcome, names)[1:] if outcome.winners else ()
    words, winners = rules_text.words(game, clause), outcome.winners
    after = _moves(record)
    if words is None:
        return Ending(after + ENDED.get(clause, clause), winners, others)
    plain = after + game_info.about(game).endings.get(clause, words)
    return Ending(plain, winners, others, clause, f"{prefix()}/rules/{game.slug}#{clause}")


def _moves(record: MatchRecord) -> str:
    """Say how many moves were made; nothing of entries, like the numbers of a sheet."""
    entries, events = record.game.unlisted_tags, [each.event for each in record.match.line]
    made = sum(isinstance(event, Stood) for event in events) + sum(
        isinstance(event, Moved) and tag_of(type(event.move)) not in entries for event in events
    )
    return f"{count(made, 'move')}. " if made else ""


def _rematch(book: Book, then: MatchRecord, names: Names) -> str:
    """Name the player who wants a rematch; empty without a request."""
    found = find_rematch(book, then)
    if found is None:
        return ""
    who = "The host" if found.by is None else names[found.by]
    return f"{who} wants a rematch" + (", sides swapped" if found.swapped else "")


def _step(scene: Scene, step: int) -> Scene:
    """Return an intermediate picture; if it has no trays, add the trays of the final board."""
    picture = scene.frames[step]
    return picture if picture.trays else replace(picture, trays=scene.trays)


def _todo(then: MatchRecord, ply: int, names: Names) -> str:
    """Describe what the players at the table have to do after an event; may be empty."""
    effects = then.match.line[ply - 1].effects if ply else ()
    return ", ".join(filter(None, (effect.task(names) for effect in effects)))
