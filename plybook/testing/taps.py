"""Moves entered by taps, in a model of the page: all legal ones, and nothing else is offered."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from domain.entry.taps import choices, controls_of, dice_counts, pickers, picks_of
from domain.events import State
from plybook.testing.page_model import MANY, STEADY, Page, PageChoice
from plybook.testing.subjects import Subject, with_pictures
from replay.sampling.moves import random_of


def pages(subject: Subject, number: int) -> Iterator[tuple[State, Page]]:
    """Yield the pages of some points of a match: one for each seat with legal moves."""
    for state in subject.some(number):
        for seat in state.position.playing:
            listed = choices(subject.game, state, seat)
            # If a move may be tapped from its end, each of its places is a field.
            if listed and not controls_of(state, seat).backward:
                places = subject.game.scene(state.position.view(seat)).places
                yield (
                    state,
                    Page.of(listed, places, pickers(subject.game), dice_counts(subject.game)),
                )


def walks(page: Page, rng: Random) -> Iterator[tuple[PageChoice, list[list[str]]]]:
    """Yield some choices, each with the picks before every tap and after the last."""
    chosen = page.by_fields
    for choice in rng.sample(chosen, min(12, len(chosen))):
        picks: list[str] = []
        walk = [picks]
        for field in choice.fields:
            if page.meant(picks) == choice:
                break
            tapped = page.tapped(picks, field.text)
            assert tapped == [*picks, field.text], (choice.token, picks, field.text)
            picks = tapped
            walk.append(picks)
        yield choice, walk


@with_pictures
def test_every_legal_move_is_entered_by_taps(subject: Subject) -> None:
    rng = Random(subject.seed)
    for _, page in pages(subject, 5):
        for choice, walk in walks(page, rng):
            picks = walk[-1]
            assert page.meant(picks) == choice or choice in page.offered(picks).done, choice.token


@with_pictures
def test_taps_offer_only_what_goes_on(subject: Subject) -> None:
    rng = Random(subject.seed)
    for _, page in pages(subject, 5):
        for _, walk in walks(page, rng):
            for picks in walk:
                offered = page.offered(picks)
                assert offered.buttons <= MANY, (picks, offered)
                for group in offered.groups.values():
                    assert group.goes.issuperset(group.texts) or len(group.texts) <= STEADY
                    for text in group.goes:
                        assert page.tapped(picks, text) is not None, (picks, text)


def test_illegal_moves_have_picks_too(subject: Subject) -> None:
    rng = Random(subject.seed)
    for state in subject.some(4):
        for kind in subject.game.moves:
            move = random_of(kind, rng)
            assert all(pick.text for pick in picks_of(state.position, move))


@with_pictures
def test_every_pick_is_in_picture_or_named(subject: Subject) -> None:
    labelled = {label.text for picker in pickers(subject.game) for label in picker.labels}
    for _, page in pages(subject, 5):
        offered = page.offered([])
        buttons = [
            one.label or " ".join(field.text for field in one.fields) for one in offered.spoken
        ]
        assert len(set(buttons)) == len(buttons)
        for one in page.by_fields:
            for field in one.fields:
                assert "," not in field.text
                assert field.sort == "place" or field.words or field.text in labelled, field
