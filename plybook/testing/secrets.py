"""Secrets: other seats and spectators learn nothing about a sealed move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from domain.effects import Effect
from domain.entry import move_text
from domain.events import LineEvent, Moved, State
from domain.game import Game
from domain.log_edits import TakenBack
from domain.position import Move, Secret, tag_of
from plybook.testing.subjects import Subject, random_event, subjects, with_secrets
from replay.book import Book
from replay.errors import Refused
from replay.reading import hints, timeline
from replay.record import codec
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.guarded import try_for
from replay.sampling.moves import random_of, random_secret, secret_kinds
from replay.store import temporary_store


class Worlds(NamedTuple):
    """Two states that differ in the secret of one seat, and the effects of sealing it.

    `before` are the events that led there, `others` the viewers who must not learn the secret;
    `None` is a spectator.
    """

    before: list[LineEvent]
    seat: int
    secrets: tuple[Move[Any], Move[Any]]
    states: tuple[State, State]
    effects: tuple[tuple[Effect, ...], tuple[Effect, ...]]
    others: tuple[int | None, ...]


def seats_of(subject: Subject) -> range:
    """Return the seats of a match, for which `view` is called besides `None`."""
    return range(1, subject.seats + 1)


def worlds(subject: Subject) -> Iterator[Worlds]:
    """Yield a pair for each point of a match at which a seat can seal a secret."""
    rng = Random(subject.seed)
    events = [event for _, event, _ in subject.steps]
    for ply, state in enumerate(subject.states):
        if state.outcome is not None:
            continue
        for one in state.position.awaiting():
            unlisted = secret_kinds(subject.game, state.position, one.seat)
            for kind in (each for each in unlisted if issubclass(each, Secret)):
                first, second = (random_secret(kind, state.position, one.seat, rng) for _ in "12")
                if first is None or second is None or first == second:
                    continue
                one_state, one_effects = Moved(one.seat, first).evolve(state)
                other_state, other_effects = Moved(one.seat, second).evolve(state)
                if (
                    one.seat in one_state.position.sealed
                    and one.seat in other_state.position.sealed
                ):
                    yield Worlds(
                        events[:ply],
                        one.seat,
                        (first, second),
                        (one_state, other_state),
                        (one_effects, other_effects),
                        (None, *(seat for seat in seats_of(subject) if seat != one.seat)),
                    )


LATER = 4
"""The number of events after a secret was sealed in which nothing may reveal it."""
FAR: Final = 60
"""The number of events after a secret in which worlds are compared before each move of chance."""


def worlds_and_later(subject: Subject) -> Iterator[Worlds]:
    """Yield pairs of worlds, and after some of them the worlds to which the same events lead."""
    rng = Random(subject.seed)
    for number, world in enumerate(worlds(subject)):
        yield world
        for step in range(FAR if number < LATER else 0):
            found = later(subject.game, world, rng)
            if found is None:
                break
            world = found
            if step < LATER or awaits_chance(world.states[0]):
                yield world


def awaits_chance(state: State) -> bool:
    """Return whether chance moves next."""
    tags = {tag for one in state.awaiting() for tag in one.moves}
    return any(kind.chance and tag_of(kind) in tags for kind in state.game.moves)


def later(game: Game[Any], world: Worlds, rng: Random) -> Worlds | None:
    """Play an event that is possible in both worlds; `None` if that reveals the secret."""
    first, second = world.states
    events = (random_event(game, first, rng) for _ in range(20) if first.outcome is None)
    event = next((each for each in events if each.check(second) is None), None)
    if event is None:
        return None
    one, other = event.evolve(first), event.evolve(second)
    states, effects = (one[0], other[0]), (one[1], other[1])
    hidden = all(world.seat in state.position.sealed for state in states)
    return world._replace(states=states, effects=effects) if hidden else None


def awaits_secrets(subject: Subject) -> bool:
    """Return whether seats make secret moves in a match; some options make all moves open."""
    state = subject.match.start
    tags = {tag for one in state.position.awaiting() for tag in one.moves}
    secret = {tag_of(kind) for kind in subject.game.moves if issubclass(kind, Secret)}
    later = any(step.position.sealed for step in subject.states)
    return bool(tags & secret) or later


@with_secrets
def test_random_matches_seal_moves(subject: Subject) -> None:
    assert any(worlds(subject)) == awaits_secrets(subject)


@with_secrets
def test_some_matches_have_secrets(game: Game[Any]) -> None:
    for seats in game.seats:
        assert any(awaits_secrets(one) for one in subjects(game) if one.seats == seats)


@with_secrets
def test_other_seats_views_hide_sealed_moves(subject: Subject) -> None:
    for world in worlds_and_later(subject):
        for viewer in world.others:
            first, second = (state.position.view(viewer) for state in world.states)
            assert first == second
            assert repr(first) == repr(second)


@with_secrets
def test_other_seats_pictures_hide_sealed_moves(subject: Subject) -> None:
    for world in worlds_and_later(subject):
        for viewer in world.others:
            first, second = (
                msgspec.json.encode(subject.game.scene(state.position.view(viewer), effects))
                for state, effects in zip(world.states, world.effects, strict=True)
            )
            assert first == second


@with_secrets
def test_seat_sees_its_own_secret(subject: Subject) -> None:
    for world in worlds(subject):
        first, second = (state.position.view(world.seat) for state in world.states)
        assert first != second


@with_secrets
def test_effects_hide_sealed_moves(subject: Subject) -> None:
    for world in worlds_and_later(subject):
        assert world.effects[0] == world.effects[1]


@with_secrets
def test_awaited_seats_hide_sealed_moves(subject: Subject) -> None:
    for world in worlds_and_later(subject):
        first, second = (state.position for state in world.states)
        assert first.awaiting() == second.awaiting()
        assert first.outcome() == second.outcome()
        assert (first.turn, first.playing, first.sealed) == (
            second.turn,
            second.playing,
            second.sealed,
        )


@with_secrets
def test_legal_moves_hide_sealed_moves(subject: Subject) -> None:
    for world in worlds_and_later(subject):
        for viewer in world.others:
            first, second = (
                move_text.legal_texts(state.game, state, state.withheld(viewer))
                for state in world.states
            )
            assert first == second


@with_secrets
def test_refusals_hide_sealed_moves(subject: Subject) -> None:
    rng = Random(subject.seed)
    for world in worlds_and_later(subject):
        for kind, viewer in product(subject.game.moves, world.others):
            event = Moved(rng.choice(seats_of(subject)), random_of(kind, rng))
            if event.seat not in world.states[0].withheld(viewer):
                first, second = (event.check(state) for state in world.states)
                assert first == second


@with_secrets
def test_only_seats_with_secrets_are_guarded(subject: Subject) -> None:
    for state in subject.states:
        assert set(state.position.guarded) <= set(state.position.sealed)
        tags = {tag_of(kind) for kind in subject.game.moves if not issubclass(kind, Secret)}
        assert set(state.position.unguarded) <= tags


@with_secrets
def test_public_payload_hides_sealed_moves(subject: Subject) -> None:
    for world in worlds(subject):
        public = []
        for move in world.secrets:
            event = Moved(world.seat, move)
            new = codec.encode(subject.game, event, event_id=bytes(16), actor="seat", at=0)
            assert new.sealed is not None
            assert msgspec.json.encode(move) in new.sealed
            data = msgspec.json.decode(new.data)
            assert len(data.pop("commitment")) == 64
            public.append(data)
        assert public[0] == public[1]


@with_secrets
def test_text_record_hides_sealed_moves(subject: Subject) -> None:
    for world in [*worlds(subject)][:4]:
        for more in ([], [TakenBack(len(world.before))]):
            first, second = (
                record(subject, [*world.before, Moved(world.seat, move), *more])
                for move in world.secrets
            )
            for viewer in world.others:
                assert shown_record(first, viewer) == shown_record(second, viewer)
            assert shown_record(first, world.seat) != shown_record(second, world.seat)


@with_secrets
def test_batch_refusal_hides_sealed_moves(subject: Subject) -> None:
    rng, told = Random(subject.seed), list[str]()
    with closing(temporary_store()) as store:
        book = Book(store, now=lambda: 0)
        for world in [*worlds(subject)][:6]:
            pair = [
                record(subject, [*world.before, Moved(world.seat, move)]) for move in world.secrets
            ]
            for state in world.states:
                for batch in batches(subject, world, state, rng):
                    for viewer in world.others[:2]:
                        first, second = (judged(book, one, batch, viewer) for one in pair)
                        assert first == second
                        told.append(str(first))
    if awaits_secrets(subject):
        assert any("opens" in text or "hidden" in text for text in told)


def batches(subject: Subject, world: Worlds, state: State, rng: Random) -> list[list[Any]]:
    """Return the events that open a seat's secret, alone and with some after them."""
    events, after = list[Any](), state
    while world.seat in after.position.sealed and after.outcome is None:
        events.append(random_event(subject.game, after, rng))
        after = events[-1].evolve(after)[0]
    more = [] if after.outcome else [random_event(subject.game, after, rng)]
    follows: list[list[Any]] = [[], more, ["nonsense"], [Moved(9, world.secrets[0])]]
    return [[*events, *follow] for follow in follows]


def judged(book: Book, match: MatchRecord, entries: list[Any], viewer: int | None) -> object:
    """Return the whole text of a refusal to a viewer, or `None` for a legal event."""
    try:
        try_for(viewer, match, partial(entering.dry_run, book, match, entries))
    except Refused as error:
        legal = hints.legal_texts(match, error.match, viewer)
        return error.violation, error.seat, error.index, legal
    return None


def record(subject: Subject, events: list[Any]) -> MatchRecord:
    """Record a match in a book."""
    options = subject.game.set_options(subject.options)
    with closing(temporary_store()) as store:
        return Book(store, now=lambda: 0).create(
            NewMatch(
                subject.game,
                options=options,
                seats=subject.seats,
                events=[(event, "scorekeeper") for event in events],
            )
        )


def plain(entry: msgspec.Struct) -> dict[str, Any]:
    """Return an entry as it appears in JSON."""
    said: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(entry))
    return said


def shown_record(match: MatchRecord, viewer: int | None) -> list[object]:
    """Return the record as a viewer sees it, without the hashes, which are salted."""
    line = [plain(entry) for entry in timeline.entries(match, viewer)]
    log = [plain(entry) for entry in timeline.log(match, viewer)]
    for entry in [*line, *log]:
        del entry["hash"]
    for entry in log:
        entry["event"].pop("commitment", None)
    plies = range(len(match.match.line) + 1)
    return [line, log, [timeline.point(match, ply, viewer) for ply in plies]]


@with_secrets
def test_secrets_are_revealed_at_the_end(subject: Subject) -> None:
    revealed = 0
    for before, _, after in subject.steps:
        if before.position.sealed and not after.position.sealed:
            revealed += 1
            views = [after.position.view(seat) for seat in (None, *after.position.playing)]
            assert len({msgspec.json.encode(subject.game.scene(view)) for view in views}) == 1
    if awaits_secrets(subject) and not revealed:
        outcome = subject.states[-1].outcome
        # Random play does not end every match.
        assert outcome is None or outcome.clause in ("resigned", "agreed", "ruled")


def test_secret_move_names_its_seat(game: Game[Any]) -> None:
    for kind in game.moves:
        if issubclass(kind, Secret):
            assert kind.names_seat
            state = subjects(game)[0].match.start
            text = game.write(random_of(kind, Random(1)))
            assert move_text.read(game, state, text).clause == "form"
