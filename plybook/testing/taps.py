"""Moves entered by taps, in a model of the page, which offers all legal moves and no others.

The page is `service/static/js/board/move_choice.js`; a test in a browser compares both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from msgspec import Struct

from domain.entry.completion import listed_moves
from domain.entry.taps import Choice, Picker, choices, controls_of, dice_counts, pickers, picks_of
from domain.events import Moved, State
from plybook.testing.subjects import Subject, with_pictures
from replay.sampling.moves import random_of

STEADY: Final = 8
FEW: Final = 24
MANY: Final = 60


def pages(subject: Subject, number: int) -> Iterator[tuple[State, Page]]:
    """Yield pages at some points of a match: one page for each seat with legal moves."""
    for state in subject.some(number):
        for seat in state.position.playing:
            listed = choices(subject.game, state, seat)
            # If a move may be tapped from its end, each of its places is a field.
            if listed and not controls_of(state, seat).backward:
                places = subject.game.scene(state.position.view(seat)).places
                yield (
                    state,
                    Page.of(
                        listed,
                        places,
                        pickers(subject.game),
                        dice_counts(subject.game, state.position),
                    ),
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
            assert tapped == [*picks, field.text], (choice.text, picks, field.text)
            picks = tapped
            walk.append(picks)
        yield choice, walk


@with_pictures
def test_every_legal_move_is_entered_by_taps(subject: Subject) -> None:
    rng = Random(subject.seed)
    for _, page in pages(subject, 5):
        for choice, walk in walks(page, rng):
            picks = walk[-1]
            assert page.meant(picks) == choice or choice in page.offered(picks).done, choice.text


@with_pictures
def test_taps_offer_only_continuations(subject: Subject) -> None:
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


def test_each_pick_beside_the_board_has_one_button(subject: Subject) -> None:
    rng = Random(subject.seed)
    for _, page in pages(subject, 5):
        for choice, walk in walks(page, rng):
            for picks, field in zip(walk, choice.fields, strict=False):
                offered = page.offered(picks)
                having = [name for name, one in offered.groups.items() if field.text in one.texts]
                assert field.sort == "place" or offered.typed or having == [field.name], (
                    f"{choice.text} is entered by Pick({field.name!r}, {field.text!r}), but that "
                    f"is a button of {having}; give each name of picks texts of its own, like x2"
                )


def test_illegal_moves_have_picks(subject: Subject) -> None:
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
                assert field.sort == "place" or field.words or field.text in labelled, (
                    f"nothing shows the {field.name} {field.text!r}: give its lexeme `labels`"
                )


class ChosenField(NamedTuple):
    """A pick of a choice: its `sort` is `place` for all places of the picture."""

    name: str
    text: str
    words: str
    sort: str


class PageChoice(NamedTuple):
    """A choice on the page."""

    text: str
    label: str
    fields: tuple[ChosenField, ...]

    @property
    def on_board(self) -> bool:
        """Whether it is made in the picture."""
        return any(field.sort == "place" for field in self.fields)


class OpenChoice(NamedTuple):
    """A choice that has all picks, and its fields that are still free."""

    choice: PageChoice
    free: list[ChosenField]


class Group(NamedTuple):
    """The texts of a field with buttons, and which of them go with the picks."""

    texts: list[str]
    goes: set[str]


class Offered(NamedTuple):
    """The page's offers besides places: texts by field, and moves with a button each."""

    done: list[PageChoice]
    groups: dict[str, Group]
    spoken: list[PageChoice]
    rolls: list[PageChoice]
    typed: bool

    @property
    def buttons(self) -> int:
        """The number of buttons; dice have their own control."""
        grouped = sum(len(group.texts) for group in self.groups.values())
        return len(self.done) + len(self.spoken) + grouped


class Page(Struct, frozen=True):
    """The choices of a seat, the places of the picture, the pickers of the game and its dice."""

    choices: tuple[PageChoice, ...]
    pickers: tuple[Picker, ...]
    rolls: tuple[str, ...]

    @staticmethod
    def of(
        choices: Iterable[Choice],
        places: Iterable[str],
        pickers: tuple[Picker, ...] = (),
        rolls: Iterable[str] = (),
    ) -> Page:
        """Return the page of some choices; `rolls` are the texts in front of the faces of dice."""
        known = frozenset(places)
        listed = tuple(
            PageChoice(
                one.text,
                one.label,
                tuple(
                    ChosenField(*pick, "place" if pick[1] in known else pick[0])
                    for pick in ((each.name, each.text, each.words) for each in one.fields)
                ),
            )
            for one in choices
        )
        return Page(listed, pickers, tuple(rolls))

    @property
    def by_fields(self) -> list[PageChoice]:
        """The choices to make field by field: in the picture, or because there are many."""
        spoken = [
            one
            for one in self.choices
            if one.fields and not one.on_board and not self._is_roll(one)
        ]
        many = spoken if len(spoken) > FEW else []
        return [one for one in self.choices if one.on_board or one in many]

    def tapped(self, picks: Sequence[str], text: str) -> list[str] | None:
        """Return the picks after one more tap, or `None` if no legal move is meant."""
        chosen = self.by_fields
        places = places_of(chosen)
        readings = [[*picks, text]]
        if text in picks:
            last = len(picks) - 1 - list(reversed(picks)).index(text)
            readings += [[*picks[:last], *picks[last + 1 :]]]
        else:
            others = [pick for pick in picks if (pick in places) != (text in places)]
            readings += [[*others, text], [text]]
        return next((reading for reading in readings if left(chosen, reading)), None)

    def meant(self, picks: Sequence[str]) -> PageChoice | None:
        """Return the choice that the picks mean; of several places, the last must be picked."""
        chosen = self.by_fields
        found = left(chosen, picks)
        if len(found) != 1 or not picks:
            return None
        [(choice, free)] = found
        ends = [field for field in choice.fields if field.sort == "place"]
        open_end = bool(ends) and any(field is ends[-1] for field in free)
        return None if open_end and len(places_of(chosen)) > 1 else choice

    def offered(self, picks: Sequence[str]) -> Offered:
        """Return what the page offers after some picks."""
        chosen = self.by_fields
        others = [one for one in self.choices if one not in chosen]
        found = left(chosen, picks)
        groups = self._groups(chosen, picks)
        shown = {name: group for name, group in groups.items() if len(group.texts) <= MANY}
        done = [one for one, free in found if one.fields and not free]
        return Offered(
            done if len(found) > 1 else [],
            shown,
            [one for one in others if not self._is_roll(one)],
            [one for one in others if self._is_roll(one)],
            len(shown) < len(groups),
        )

    def _is_roll(self, choice: PageChoice) -> bool:
        return choice.text.partition(":")[2].startswith(self.rolls) or choice.text.startswith(
            self.rolls
        )

    def _groups(self, chosen: list[PageChoice], picks: Sequence[str]) -> dict[str, Group]:
        loose = [field for one in chosen for field in one.fields if field.sort != "place"]
        groups: dict[str, Group] = {}
        for name in dict.fromkeys(field.name for field in loose):
            own = list(dict.fromkeys(field.text for field in loose if field.name == name))
            labels = (
                [each.text for each in one.labels] for one in self.pickers if one.field == name
            )
            # A move's pick may have the name of a field, and texts that the field lacks.
            known = next((texts for texts in labels if set(own) <= set(texts)), own)
            rest = [pick for pick in picks if pick not in known]
            onward = openings(left(chosen, rest))
            goes = {each.text for each in onward if each.name == name and each.sort != "place"}
            texts = known if len(known) <= STEADY else [text for text in known if text in goes]
            groups |= {name: Group(texts, goes)} if texts else {}
        return groups


def test_buttons_enter_moves_that_are_not_listed(subject: Subject) -> None:
    for state in subject.states:
        for seat in state.position.playing:
            for text in controls_of(state, seat).buttons:
                move = subject.game.parse(text)
                assert move is not None, text
                assert Moved(seat, move).check(state) is None, text
                assert move not in listed_moves(state, seat), text
                assert move.label_at(state.position), text


def places_of(choices: Iterable[PageChoice]) -> set[str]:
    """Return the places that choices have."""
    return {field.text for one in choices for field in one.fields if field.sort == "place"}


def left(choices: Iterable[PageChoice], picks: Sequence[str]) -> list[OpenChoice]:
    """Return the choices of a page that have all the picks."""
    found = ((one, _remaining(one.fields, picks)) for one in choices)
    return [OpenChoice(one, free) for one, free in found if free is not None]


def openings(found: Iterable[OpenChoice]) -> list[ChosenField]:
    """Return the fields of a page that can be tapped next."""
    return [field for _, free in found for field in _heads(free)]


def _remaining(fields: Sequence[ChosenField], picks: Sequence[str]) -> list[ChosenField] | None:
    free = list(fields)
    for pick in picks:
        field = next((one for one in _heads(free) if one.text == pick), None)
        if field is None:
            return None
        free = [one for one in free if one is not field]
    return free


def _heads(free: Sequence[ChosenField]) -> list[ChosenField]:
    """Return the first free field of each sort."""
    return list({field.sort: field for field in reversed(free)}.values())
