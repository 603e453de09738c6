"""Moves: actions in OpenSpiel's words, open or secret, of a seat or of chance."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import ClassVar
from urllib.parse import quote, unquote

from msgspec import Struct

from plybook.game import (
    UNNAMED,
    Effect,
    Lexeme,
    Move,
    Names,
    Pick,
    Secret,
    Violation,
    template,
    weighted,
)
from plybook_openspiel.picture import taps
from plybook_openspiel.position import Played, choices, known_words, state

WORD = r"(?!(?:roll|deal|hide)=|roll$)[!-'*-z|~]+"
PLAIN = "#$&'*+,/:;<=>@^|"
"""The signs in move texts besides letters, digits, `-` and `.`."""
FIRST = re.compile(
    r"[^0-9A-Za-z\x80-\U0010ffff]|[0-9]+\.|[0-9]:|(roll|deal|hide|ruled|stood)=|1-0$|0-1$|1/2-1/2$"
    r"|(roll|resign|flag|forfeit|offer-draw|accept-draw|decline-draw)$"
)
"""The beginning of words whose text would be read as something else."""


def write(words: str) -> str:
    """Write words as a move text: `~` for a space, brackets for parentheses, `%` and codes else."""
    rest = quote(words, PLAIN).replace("_", "%5F").replace("~", "%7E").replace("%20", "~")
    return "." * bool(FIRST.match(words)) + rest.replace("%28", "[").replace("%29", "]")


def read(text: str) -> str:
    """Return the words of a move text."""
    return unquote(text.removeprefix(".").translate({126: " ", 91: "(", 93: ")"}))


class Offer(Struct, frozen=True, omit_defaults=True):
    """The facts of a game that Plybook needs before loading it; `move` and `roll` are examples."""

    name: str
    title: str
    seats: tuple[int, ...]
    hidden: bool
    move: str
    roll: str = ""


class Acted(Effect, frozen=True):
    """A seat acted; OpenSpiel's words name the action if all may know it."""

    seat: int
    did: str

    template: ClassVar[str] = "{seat} {did}"


class Act(Move[Played], frozen=True):
    """An action in OpenSpiel's words; `did` is what a sentence says of its seat."""

    action: str

    what: ClassVar[str] = "move"
    did: ClassVar[str] = "plays {}"

    @classmethod
    def words(cls, position: Played, seat: int) -> dict[str, int]:
        """Return the possible actions; outcomes of a hidden chance may turn out wrong."""
        if cls.chance and position.hidden:
            return known_words(position.line.name, position.line.seats, True)
        return choices(position.known(seat))

    @classmethod
    def legal(cls, position: Played, seat: int) -> Iterator[Act]:
        """Yield the actions that OpenSpiel lists, unless they are secret."""
        return map(cls, cls.words(position, seat) if cls.listed else ())

    def check(self, position: Played, seat: int) -> Violation | None:
        """OSP-2.1: OpenSpiel lists what is legal, and gives no reasons."""
        [awaited] = position.awaiting()
        if str(self.__struct_config__.tag) not in awaited.moves:
            return Violation("turn", f"this is a {self.what}; now it is time to {awaited.what}")
        words = self.words(position, seat)
        guessed = self.chance and position.hidden
        if self.action in words and (not guessed or position.could_be(words[self.action])):
            return None
        some = ", ".join([*words][:8])
        return Violation("OSP-2.1", f"{self.action[:60]!r} is not possible; possible are {some}")

    def evolve(self, position: Played, seat: int) -> tuple[Played, tuple[Effect, ...]]:
        """Play the action; a game that ends after a wrong deal starts over (OSP-2.4)."""
        after = position.then(self.words(position, seat)[self.action])
        did = self.did.format(self.action)
        if after.false and not choices(after.known()):
            did += ", and the game begins anew: a deal was wrong"
            after = Played(after.line._replace(actions=()), hidden=True, earlier=position.turn)
        return after, (Acted(seat, did),)

    def label(self, names: Names = UNNAMED) -> str:
        """Return OpenSpiel's words."""
        return self.action

    def picks(self, position: Played) -> tuple[Pick, ...]:
        """Tap the places that change, or else a button."""
        seat = sum(one.seat for one in position.awaiting())
        known = taps(position.known(seat))
        return known.get(self.action) or (Pick("move", "-", self.action or "-"),)


class Hide(Act, Secret[Played], frozen=True):
    """An action that only its seat learns."""

    what: ClassVar[str] = "secret move"
    did: ClassVar[str] = "moves in secret"


class Roll(Act, frozen=True):
    """An outcome of chance."""

    what: ClassVar[str] = "chance"
    did: ClassVar[str] = "has {} by chance"
    chance: ClassVar[bool] = True

    @classmethod
    def roll(cls, position: Played, die: Callable[[int], int]) -> Act:
        """Cast a die with the probabilities of OpenSpiel."""
        line = position.known()
        return cls([*choices(line)][weighted(die, [p for _, p in state(line).chance_outcomes()])])


class Deal(Roll, Secret[Played], frozen=True):
    """An outcome of chance that only one seat learns."""

    what: ClassVar[str] = "secret chance"
    did: ClassVar[str] = "learns what chance brings"


def kinds(offer: Offer) -> tuple[type[Act], ...]:
    """Return the kinds of moves of a game, with its own words."""
    secret, chance = offer.hidden, bool(offer.roll)
    bases = {Act: True, Hide: secret, Roll: chance, Deal: secret and chance}
    return tuple(kind(offer, base) for base, is_there in bases.items() if is_there)


def kind(offer: Offer, base: type[Act]) -> type[Act]:
    """Return a kind of moves with the words of a game; its tag begins their texts."""
    tag, words = base.__name__.lower(), write(offer.roll if base.chance else offer.move)
    before = "" if base is Act else f"{tag}="

    def texts() -> tuple[str, ...]:
        return tuple(map(write, known_words(offer.name, offer.seats[0], base.chance)))

    class Kind(base, frozen=True, tag=tag):  # type: ignore[misc,valid-type]
        notation = template(f"{before}{{action}}", action=Lexeme(WORD, read, write, texts))
        example = f"{'1:' * base.names_seat}{before}{words}"
        listed = base is Act or not (base.names_seat or offer.hidden)

    return Kind
