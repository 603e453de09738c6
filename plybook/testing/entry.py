"""Moves entered step by step: only legal moves are offered, refusals are the referee's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from domain.entry import move_text
from domain.entry.completion import Completion, entry
from domain.entry.taps import choices, picked
from domain.events import Moved, State
from domain.game import Game
from domain.notation import Notation
from domain.position import Move
from plybook.testing.secrets import worlds
from plybook.testing.subjects import Subject, with_secrets, without_numbers
from replay.sampling.moves import changed, random_of, random_secret, secret_kinds


def steps(game: Game[Any], state: State, whole: str) -> Iterator[tuple[str, Completion]]:
    """Yield the beginnings that lead to a move text, each a continuation of the previous one."""
    prefix = ""
    while prefix != whole:
        found = entry(game, state, None, prefix)
        yield prefix, found
        longer = [text for text in found.continuations if whole.startswith(text)]
        assert longer, (prefix, whole, found)
        prefix = min(longer, key=len)


def reached(game: Game[Any], state: State) -> set[str]:
    """Return all move texts that continuations reach from the empty prefix."""
    complete, open_ = set(), [""]
    while open_:
        prefix = open_.pop()
        found = entry(game, state, None, prefix)
        assert found.verdict != "illegal"
        if found.event is not None:
            complete.add(prefix)
        for longer in found.continuations:
            assert longer.startswith(prefix)
            assert len(longer) > len(prefix)
        open_ += found.continuations
    return complete


def secrets(subject: Subject, state: State) -> list[Moved]:
    """Return a secret move of each kind and seat that can be made now."""
    if state.outcome is not None:
        return []
    rng = Random(subject.seed)
    found = [
        (one.seat, random_secret(kind, state.position, one.seat, rng))
        for one in state.position.awaiting()
        for kind in secret_kinds(subject.game, state.position, one.seat)
    ]
    return [Moved(seat, move) for seat, move in found if move is not None]


def test_completions_lead_only_to_legal_moves(subject: Subject) -> None:
    if subject.game.lists_all:
        for state in (one for one in subject.some(3) if one.outcome is None):
            assert sorted(reached(subject.game, state)) == move_text.legal_texts(
                subject.game, state
            )


@without_numbers
def test_every_legal_move_can_be_typed(
    subject: Subject,
) -> None:
    for state in subject.some(4):
        events = [move_text.write(subject.game, event) for event in secrets(subject, state)]
        listed = move_text.legal_texts(subject.game, state)
        for text in [*events, *Random(subject.seed).sample(listed, min(12, len(listed)))]:
            for _, found in steps(subject.game, state, text):
                assert found.verdict in ("incomplete", "complete")
                assert found.violation is None
                assert list(found.continuations) == sorted(set(found.continuations))
            whole = entry(subject.game, state, None, text)
            assert whole.verdict == "complete"
            assert whole.event is not None
            assert move_text.write(subject.game, whole.event) == text


def test_prefix_is_refused_if_no_legal_move_follows(subject: Subject) -> None:
    if not subject.game.lists_all:
        return
    rng = Random(subject.seed)
    for state in subject.some(4):
        seats = [one.seat for one in state.position.awaiting()] or list(state.position.playing)
        seat = rng.choice(seats)
        legal = [move_text.split(one.text).body for one in choices(subject.game, state, seat)]
        said = move_text.OF_A_SEAT.items()
        legal += [word for word, event in said if event(seat).check(state) is None]
        for kind in subject.game.moves:
            text = subject.game.write(random_of(kind, rng).normal(state.position))
            for end in range(1, len(text) + 1):
                found = entry(subject.game, state, None, f"{seat}:{text[:end]}")
                refused = not any(body.startswith(text[:end]) for body in legal)
                assert (found.verdict == "illegal") == refused
                assert (found.violation is not None) == refused


def test_entry_judges_whole_texts_like_the_referee(subject: Subject) -> None:
    rng = Random(subject.seed)
    for state in subject.some(6):
        seats = [one.seat for one in state.position.awaiting()] or list(state.position.playing)
        listed = [*choices(subject.game, state, None)]
        moves = [random_of(kind, rng) for kind in subject.game.moves for _ in range(6)]
        for choice in rng.sample(listed, min(10, len(listed))):
            event = move_text.read(subject.game, state, choice.text)
            moves.append(changed(event.move, rng))
        for move in moves:
            event = Moved(rng.choice(seats), move.normal(state.position))
            text = f"{event.seat}:{subject.game.write(event.move)}"
            found, refused = entry(subject.game, state, None, text), event.check(state)
            if refused is None:
                assert (found.verdict, found.event) == ("complete", event)
            elif found.continuations:
                assert found.verdict == "incomplete"
            else:
                assert found == Completion("illegal", refused)


@without_numbers
def test_prefix_gets_a_move_refusal(subject: Subject) -> None:
    rng = Random(subject.seed)
    for state in subject.some(4):
        seat = rng.choice(state.position.playing)
        for kind in subject.game.moves:
            text = subject.game.write(random_of(kind, rng))
            found = entry(subject.game, state, seat, f"{seat}:{text[: rng.randint(0, len(text))]}")
            if state.outcome is not None:
                assert found.violation.clause == "over"
            elif seat not in {one.seat for one in state.position.awaiting()}:
                assert found.verdict != "complete"
                assert found.violation is None or found.violation.clause == "turn"
            elif found.violation is not None:
                assert found.violation.clause != "form"


def test_choices_are_the_legal_moves(subject: Subject) -> None:
    for state in subject.some(6):
        listed = choices(subject.game, state, None)
        assert sorted(one.text for one in listed) == move_text.legal_texts(subject.game, state)


def test_picks_in_the_order_of_the_text_give_the_move(subject: Subject) -> None:
    for state in subject.some(4):
        listed = choices(subject.game, state, None)
        for one in Random(subject.seed).sample(listed, min(15, len(listed))):
            event = move_text.read(subject.game, state, one.text)
            picks = [field.text for field in one.fields] or [move_text.split(one.text).body]
            for end in range(len(picks)):
                found = picked(subject.game, state, event.seat, picks[:end])
                assert found.verdict in ("incomplete", "complete")
                assert picks[end] in found.continuations
            whole = picked(subject.game, state, event.seat, picks)
            assert (whole.verdict, whole.event) == ("complete", event)
            assert one.text in whole.texts


def test_picks_in_any_order_give_the_move(subject: Subject) -> None:
    rng = Random(subject.seed)
    for state in subject.some(4):
        listed = choices(subject.game, state, None)
        for one in rng.sample(listed, min(15, len(listed))):
            event = move_text.read(subject.game, state, one.text)
            texts = event.move.notation.split(subject.game.write(event.move))
            picks = shuffled(event.move.notation, list(texts), rng)
            if one.fields and not event.move.picks(state.position):
                assert one.text in picked(subject.game, state, event.seat, picks).texts


def shuffled(notation: Notation, texts: list[str], rng: Random) -> list[str]:
    """Shuffle the texts of fields; fields with the same pattern retain their order."""
    pairs = list(zip((part.lexeme.pattern for part in notation.parts), texts, strict=False))
    patterns = rng.sample([pattern for pattern, _ in pairs], len(pairs))
    waiting = {one: [text for pattern, text in pairs if pattern == one] for one in patterns}
    return [text for pattern in patterns for text in [waiting[pattern].pop(0)] if text]


def test_picks_are_refused_only_with_their_move(subject: Subject) -> None:
    rng = Random(subject.seed)
    for state in subject.some(4):
        seats = [one.seat for one in state.position.awaiting()] or list(state.position.playing)
        for kind in subject.game.moves:
            move = random_of(kind, rng).normal(state.position)
            event = Moved(rng.choice(seats), move)
            if kind.picks is not Move.picks:
                continue
            texts = kind.notation.split(subject.game.write(event.move))
            found = picked(subject.game, state, event.seat, [text for text in texts if text])
            refused = event.check(state) is not None
            assert (move_text.write(subject.game, event) not in found.texts) == refused
            assert (found.violation is not None) == (found.verdict == "illegal")
            if found.violation is not None:
                assert refused
                assert found.texts == found.continuations == ()


@with_secrets
def test_entry_step_by_step_hides_sealed_moves(subject: Subject) -> None:
    rng = Random(subject.seed)
    for world in islice(worlds(subject), 3):
        for seat in (None, world.seat, *subject.match.start.position.playing):
            kind = rng.choice(subject.game.moves)
            written = subject.game.write(random_of(kind, rng))
            for text in ("", f"{seat or 1}:{written[: rng.randint(0, 9)]}"):
                first, second = (entry(subject.game, one, seat, text) for one in world.states)
                assert first == second
            picks = kind.notation.split(written)[:1]
            first, second = (picked(subject.game, one, seat, picks) for one in world.states)
            assert first == second
