"""Random deals of Whist, Hearts and Bridge with one broken rule, and an independent oracle.

`python -m tests.plugins.random_deals whist 100000` plays many, and prints one line of figures.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from domain.match import open_match
from replay import registry
from tests.conformance import door
from tests.paths import ROOT

RANKS = "23456789TJQKA"
PACK = [rank + suit for suit in "CDHS" for rank in RANKS]
FOLLOW = {"whist": "WHI-3.2", "hearts": "HRT-4.3", "bridge": "BRI-5.2"}
"""The clause of each game by which a hand follows suit."""
GAMES = tuple(FOLLOW)
TRUMPS = {"whist": "H", "hearts": "", "bridge": "S"}
BEFORE = {"bridge": ("bid=4S", "pass", "pass", "pass")}
"""The moves before the first card: seat 1 declares, and seat 2 leads."""


class Fallen(NamedTuple):
    """A card as it fell, and the clauses that it breaks."""

    seat: int
    card: str
    broken: tuple[str, ...]


class Rule(NamedTuple):
    """A clause, and the cards that a hand must not have beside the card that is played."""

    clause: str
    cards: frozenset[str]


def rules(game: str, before: Sequence[Fallen], card: str) -> list[Rule]:
    """Return what a card asks of its hand, from the text of the rules."""
    trick = before[len(before) // 4 * 4 :]
    suit, led = card[1], trick[0].card[1] if trick else card[1]
    found = []
    if game == "hearts" and not before:
        return [] if card == "2C" else [Rule("HRT-4.2", frozenset(PACK))]
    if suit != led:
        found.append(Rule(FOLLOW[game], frozenset(each for each in PACK if each[1] == led)))
    if game == "hearts":
        broken = any(one.card[1] == "H" for one in before)
        if not trick and suit == "H" and not broken:
            found.append(Rule("HRT-4.4", frozenset(each for each in PACK if each[1] != "H")))
        if len(before) < 4 and suit != led and (suit == "H" or card == "QS"):
            plain = (each for each in PACK if each[1] not in ("H", led) and each != "QS")
            found.append(Rule("HRT-4.5", frozenset(plain)))
    return found


def deal(game: str, rng: Random) -> Iterator[Fallen]:
    """Yield the cards of a deal; one of them breaks a rule, if any can."""
    pack = [*PACK]
    rng.shuffle(pack)
    hands = {seat: {*pack[13 * seat - 13 : 13 * seat]} for seat in (1, 2, 3, 4)}
    leads = 2 if game == "bridge" else 1
    if game == "hearts":
        leads = next(seat for seat in hands if "2C" in hands[seat])
    due, done, fallen = rng.randrange(44), False, list[Fallen]()
    for number in range(52):
        seat = (leads - 1 + number % 4) % 4 + 1
        judged = {card: _broken(game, fallen, card, hands[seat]) for card in sorted(hands[seat])}
        wrong = [card for card, clauses in judged.items() if clauses]
        if number >= due and wrong and not done:
            card, done = rng.choice(wrong), True
        else:
            card = rng.choice([card for card, clauses in judged.items() if not clauses])
        hands[seat].remove(card)
        fallen.append(Fallen(seat, card, judged[card]))
        yield fallen[-1]
        if number % 4 == 3:
            leads = _taker(fallen[-4:], TRUMPS[game])


def as_fallen(game: str, leads: int, cards: Sequence[str]) -> Iterator[Fallen]:
    """Yield the cards of a deal with the seats that played them."""
    fallen: list[Fallen] = []
    for number, card in enumerate(cards):
        if number and number % 4 == 0:
            leads = _taker(fallen[-4:], "H" if game == "whist" else "")
        fallen.append(Fallen((leads - 1 + number % 4) % 4 + 1, card, ()))
        yield fallen[-1]


def _broken(game: str, before: Sequence[Fallen], card: str, hand: set[str]) -> tuple[str, ...]:
    return tuple(one.clause for one in rules(game, before, card) if one.cards & hand)


def _taker(trick: Sequence[Fallen], trumps: str) -> int:
    def strength(one: Fallen) -> tuple[bool, bool, int]:
        suit = one.card[1]
        return suit == trumps, suit == trick[0].card[1], RANKS.index(one.card[0])

    return max(trick, key=strength).seat


class Oracle:
    """Deals the cards that have not fallen by augmenting paths, card by card."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.fallen: list[Fallen] = []
        self.asked: list[tuple[int, int, Rule]] = []

    def add(self, one: Fallen) -> None:
        asked = rules(self.game, self.fallen, one.card)
        self.asked += [(len(self.fallen), one.seat, rule) for rule in asked]
        self.fallen.append(one)

    def fits(self, without: frozenset[tuple[int, str]] = frozenset()) -> bool:
        """Return whether a deal fits, if some rules (card number, clause) were broken."""
        kept = [each for each in self.asked if (each[0], each[2].clause) not in without]
        for place, seat, rule in kept:
            later = self.fallen[place + 1 :]
            if any(one.seat == seat and one.card in rule.cards for one in later):
                return False
        room = {seat: 13 - sum(one.seat == seat for one in self.fallen) for seat in (1, 2, 3, 4)}
        gone = {one.card for one in self.fallen}
        barred = {seat: set[str]() for seat in room}
        for _, seat, rule in kept:
            barred[seat] |= rule.cards
        able = {
            card: [seat for seat in room if card not in barred[seat]]
            for card in PACK
            if card not in gone
        }
        held: dict[int, list[str]] = {seat: [] for seat in room}
        return all(self._place(card, able, held, room, set()) for card in able)

    def _place(
        self,
        card: str,
        able: dict[str, list[int]],
        held: dict[int, list[str]],
        room: dict[int, int],
        tried: set[int],
    ) -> bool:
        for seat in able[card]:
            if seat in tried:
                continue
            tried.add(seat)
            if len(held[seat]) < room[seat]:
                held[seat].append(card)
                return True
            for other in held[seat]:
                if self._place(other, able, held, room, tried):
                    held[seat][held[seat].index(other)] = card
                    return True
        return False


class Told(NamedTuple):
    """The findings of the referee about a deal, and the first card that proved one."""

    first: int | None
    certain: list[tuple[int, int, str]]
    doubted: list[tuple[int, int, str]]


def referee(game: Any, cards: Sequence[Fallen]) -> Told:
    """Play the cards of one deal with unseen hands."""
    position = open_match(game, game.read_options({"hands": "unseen"})).state.position
    for text in BEFORE.get(game.slug, ()):
        (awaited,) = position.awaiting()
        position, _ = game.parse(text).evolve(position, awaited.seat)
    play = game.parse("2C")
    told = Told(None, [], [])
    for number, one in enumerate(cards):
        move, player = type(play)(one.card).normal(position), position.table.player or one.seat
        assert move.check(position, player) is None
        position, effects = move.evolve(position, player)
        for each in effects:
            if type(each).__name__ == "Revoked":
                assert each.proven == number // 4 + 1
                told = told._replace(first=number if told.first is None else told.first)
                where = told.certain if each.certain else told.doubted
                where.append((each.seat, each.trick, each.clause))
    return told


def expected(game: str, cards: Sequence[Fallen]) -> int | None:
    """Return the number of the first card after which no deal fits."""
    oracle = Oracle(game)
    for number, one in enumerate(cards):
        oracle.add(one)
        if not oracle.fits():
            return number
    return None


class Figures(NamedTuple):
    """The deals with a broken rule; those told at the right card, in doubt at first, falsely."""

    broken: int = 0
    told: int = 0
    doubted: int = 0
    false: int = 0

    def after(self, game: Any, seed: int) -> Figures:
        """Add a deal."""
        cards = [*deal(game.slug, Random(seed))]
        truth = {
            (one.seat, place // 4 + 1, clause)
            for place, one in enumerate(cards)
            for clause in one.broken
        }
        found, first = referee(game, cards), expected(game.slug, cards)
        right = found.first == first and sorted(found.certain) == sorted(truth)
        false = {*found.certain} - truth or (found.doubted and not truth)
        return Figures(
            self.broken + bool(truth),
            self.told + (right and bool(truth)),
            self.doubted + bool(found.doubted),
            self.false + bool(false),
        )


def main(slug: str, deals: int) -> None:
    """Print the figures of many deals."""
    with tempfile.TemporaryDirectory() as folder:
        door.install(ROOT / "plugins" / slug, Path(folder))
        with door.opened(Path(folder)):
            game, figures = registry.find(slug), Figures()
            for seed in range(deals):
                figures = figures.after(game, seed)
    print(slug, deals, "deals:", figures)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
