"""Moves: actions in OpenSpiel's words, open or secret, of a seat or of chance."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import Any, ClassVar, cast
from urllib.parse import quote, unquote

from msgspec import Struct
from msgspec.structs import replace

from plybook.game import UNNAMED, Effect, Lexeme, Move, Names, Pick, Secret, Violation, template
from plybook_openspiel.picture import taps
from plybook_openspiel.position import Played, choices, known_words, owner, state, weights

TOKEN = r"(?!(?:roll|deal|hide)=|roll$)[!-'*-z|~]+"
PLAIN = "#$&'*+,/:;<=>@^|"
"""The signs that a token has too, besides letters, digits, `-` and `.`."""
FIRST = re.compile(
    r"[^0-9A-Za-z\x80-\U0010ffff]|[0-9]+\.|[0-9]:|(roll|deal|hide|ruled|stood)=|1-0$|0-1$|1/2-1/2$"
    r"|(roll|resign|flag|forfeit|offer-draw|accept-draw|decline-draw)$"
)
"""The beginning of words whose token would be read as something else."""


def write(words: str) -> str:
    """Write words as a token: `~` for a space, brackets for parentheses, `%` and a code else."""
    rest = quote(words, PLAIN).replace("_", "%5F").replace("~", "%7E").replace("%20", "~")
    return "." * bool(FIRST.match(words)) + rest.replace("%28", "[").replace("%29", "]")


def read(token: str) -> str:
    """Return the words of a token."""
    return unquote(token.removeprefix(".").translate({126: " ", 91: "(", 93: ")"}))


class Offer(Struct, frozen=True, omit_defaults=True):
    """What Plybook must know of a game before it is loaded; `move` and `roll` are examples."""

    name: str
    title: str
    seats: tuple[int, ...]
    hidden: bool
    move: str
    roll: str = ""


class Texts(Sequence[str]):
    """The texts of the actions of a game, or of its chance, found when they are first asked for."""

    def __init__(self, offer: Offer, *, chance: bool) -> None:
        self._found = cache(lambda: [*map(write, known_words(offer.name, offer.seats[0], chance))])

    def __getitem__(self, at: Any) -> Any:
        return self._found()[at]

    def __len__(self) -> int:
        return len(self._found())


class Acted(Effect, frozen=True):
    """What a seat did, with OpenSpiel's words if all may know them."""

    seat: int
    did: str

    template: ClassVar[str] = "{seat} {did}"


class Action(Move[Played], frozen=True):
    """An action in OpenSpiel's words; `did` says of a seat what it did.

    What chance brings in a game with secrets is `guessed`: the cards that are left, or those that
    another seat has, can be secrets themselves.
    """

    action: str

    what: ClassVar[str] = "move"
    did: ClassVar[str] = "plays {}"
    guessed: ClassVar[bool] = False

    @classmethod
    def legal(cls, position: Played, seat: int) -> Iterator[Action]:
        """Yield what OpenSpiel lists, if that is no secret."""
        return map(cls, choices(position.line) if cls.listed else ())

    def check(self, position: Played, seat: int) -> Violation | None:
        """OSP-2.1: OpenSpiel lists what is legal, and gives no reasons."""
        [awaited] = position.awaiting()
        if str(self.__struct_config__.tag) not in awaited.moves:
            return Violation("turn", f"this is a {self.what}; now it is time to {awaited.what}")
        listed, given = [*choices(position.line)], self.action[:60]
        possible = known_words(position.line.name, position.line.seats, self.chance)
        if self.action in listed or (self.guessed and self.action in possible):
            return None
        some = ", ".join(possible[:8] if self.guessed else [*listed[:8], "…"][: len(listed)])
        return Violation("OSP-2.1", f"{given!r} is not by the rules; possible are {some}")

    def evolve(self, position: Played, seat: int) -> tuple[Played, tuple[Effect, ...]]:
        """Play the action, or begin anew if chance cannot bring it (OSP-2.4)."""
        if self.guessed and self.action not in choices(position.line):
            start = position.line._replace(actions=())
            words = "has what chance cannot bring here: the game begins anew"
            return Played(start, hidden=True, earlier=position.turn), (Acted(seat, words),)
        line = position.line.then(choices(position.line)[self.action])
        owners = (*position.owners, owner(position.line)) if position.hidden else ()
        did = Acted(seat, self.did.format(self.action))
        return replace(position, line=line, owners=owners), (did,)

    def label(self, names: Names = UNNAMED) -> str:
        """Return OpenSpiel's words."""
        return self.action

    def picks(self, position: Played) -> tuple[Pick, ...]:
        """Tap the places that change, or else a button."""
        return taps(position.line).get(self.action) or (Pick("move", "-", self.action or "-"),)


class Rolled(Action, frozen=True):
    """What chance brings."""

    what: ClassVar[str] = "chance"
    did: ClassVar[str] = "has {} by chance"
    chance: ClassVar[bool] = True

    @classmethod
    def roll(cls, position: Played, die: Callable[[int], int]) -> Action:
        """Cast a die with the probabilities of OpenSpiel."""
        parts = weights([chance for _, chance in state(position.line).chance_outcomes()])
        fallen = die(sum(parts))
        ends = zip(choices(position.line), accumulate(parts), strict=True)
        return cls(next(words for words, end in ends if fallen <= end))


def kinds(offer: Offer) -> tuple[type[Action], ...]:
    """Return the kinds of moves of a game, with its own words."""
    moves = Lexeme(TOKEN, read, write, cast("tuple[str, ...]", Texts(offer, chance=False)))
    rolls = Lexeme(TOKEN, read, write, cast("tuple[str, ...]", Texts(offer, chance=True)))

    class Act(Action, frozen=True):
        notation = template("{action}", action=moves)
        example = write(offer.move)

    class Roll(Rolled, frozen=True):
        notation = template("roll={action}", action=rolls)
        example = f"roll={write(offer.roll)}"
        listed, guessed = not offer.hidden, offer.hidden

    class Hide(Action, Secret[Played], frozen=True):
        notation = template("hide={action}", action=moves)
        example = f"1:hide={write(offer.move)}"
        what = "secret move"
        did = "moves in secret"

    class Deal(Rolled, Secret[Played], frozen=True):
        notation = template("deal={action}", action=rolls)
        example = f"1:deal={write(offer.roll)}"
        what = "secret chance"
        did = "learns what chance brings"
        guessed = True

    chance = ((Roll, Deal) if offer.hidden else (Roll,)) if offer.roll else ()
    return (Act, *((Hide,) if offer.hidden else ()), *chance)
