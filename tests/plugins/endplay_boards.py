"""Random boards of Bridge, on which endplay agrees: legal cards, tricks, contracts and scores.

`python -m tests.plugins.endplay_boards 10000` compares many and writes the first of them to
`fixtures/bridge/endplay.txt`. The package endplay must be installed for that; no lock has it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from domain.match import open_match
from replay import registry
from tests.conformance import door
from tests.paths import FIXTURES, ROOT

FILE = FIXTURES / "bridge" / "endplay.txt"
KEPT = 200
"""The boards in the fixture."""
SEATS = "NESW"
PASSES = ("pass", "pass", "pass")


class Board(NamedTuple):
    """A board as text: its deal, calls and cards, the numbers of legal cards, and the score."""

    number: str
    deal: str
    calls: str
    cards: str
    legal: str
    contract: str
    score: str


def play(game: Any, number: str, deal: str, rng: Random | Board) -> Board:
    """Play a board at random, or as it was played, and return what the game says about it."""
    given = rng if isinstance(rng, Board) else None
    dice = rng if isinstance(rng, Random) else Random(0)
    position = open_match(game, game.read_options({"board": number})).state.position
    for seat, hand in enumerate(deal.split(), 1):
        suits = zip("SHDC", hand.split("."), strict=True)
        cards = "".join(f"{rank}{suit}" for suit, ranks in suits for rank in ranks)
        position, _ = game.parse(f"hand={cards}").evolve(position, seat)
    calls, played, legal, told = list[str](), list[str](), "", tuple[Any, ...]()
    texts = iter(f"{given.calls} {given.cards}".split()) if given else None
    while position.outcome() is None:
        (awaited,) = position.awaiting()
        moves = {game.write(move): move for move in game.legal(position, awaited.seat)}
        calling = "call" in awaited.moves
        text = next(texts) if texts else _chosen(moves, calling, calls, dice)
        calls += [text] if calling else []
        played += [] if calling else [text]
        legal += "" if calling else f"{len(moves):x}"
        position, told = moves[text].evolve(position, awaited.seat)
    last = told[-1]
    if not played:
        return Board(number, deal, " ".join(calls), "", "", "Pass", "0")
    points = last.points * (1 if (last.seat - last.declarer) % 2 == 0 else -1)
    contract = f"{last.contract}{SEATS[last.declarer - 1]}{last.tricks}"
    texts_of = " ".join(calls), " ".join(played)
    return Board(number, deal, *texts_of, legal, contract, str(points))


def _chosen(moves: dict[str, Any], calling: bool, calls: list[str], rng: Random) -> str:
    bids = [text for text in moves if text.startswith("bid=")]
    others = [text for text in moves if text not in bids]
    if calling and bids and rng.random() < 0.4 / (1 + len(calls) / 8):
        return bids[min(int(rng.expovariate(0.3)), len(bids) - 1)]
    if calling and len(others) > 1 and rng.random() < 0.3:
        return rng.choice(others[1:])
    return "pass" if calling else rng.choice(others)


def boards(game: Any, seeds: Iterator[int]) -> Iterator[Board]:
    """Yield random boards."""
    for seed in seeds:
        rng = Random(seed)
        pack = [(suit, rank) for suit in range(4) for rank in "AKQJT98765432"]
        rng.shuffle(pack)
        hands = (pack[place : place + 13] for place in range(0, 52, 13))
        suits = (
            ".".join("".join(rank for own, rank in hand if own == suit) for suit in range(4))
            for hand in hands
        )
        yield play(game, str(rng.randint(1, 36)), " ".join(suits), rng)


def agrees(board: Board) -> bool:
    """Return whether endplay finds the same legal cards, contract, tricks and score."""
    from endplay.types import Bid, Card, Contract, Deal, Denom, Player, Vul

    number = int(board.number) - 1
    words = {"pass": "p", "double": "x", "redouble": "xx"}
    calls = [Bid(words.get(call) or call.removeprefix("bid=")) for call in board.calls.split()]
    dealer = Player(number % 4)
    if board.contract == "Pass":
        return len(calls) == 4
    contract = Contract.from_auction(dealer, calls)
    deal = Deal(f"N:{board.deal}", first=contract.declarer.next(1), trump=contract.denom)
    tricks = 0
    for at, (card, count) in enumerate(zip(board.cards.split(), board.legal, strict=True), 1):
        legal = deal.legal_moves()
        if len(legal) != int(count, 16) or Card(card[::-1]) not in legal:
            return False
        deal.play(card[::-1])
        if at % 4 == 0:
            tricks += deal.first in (contract.declarer, contract.declarer.next(2))
    contract.result = tricks - 6 - contract.level
    vulnerable = (Vul.none, Vul.ns, Vul.ew, Vul.both)[(number + number // 4) % 4]
    risk = {1: "", 2: "X", 4: "XX"}[int(contract.penalty)]
    strain = {Denom.nt: "NT"}.get(contract.denom) or contract.denom.name[0].upper()
    told = f"{contract.level}{strain}{risk}{contract.declarer.abbr}{tricks}"
    return (told, str(contract.score(vulnerable))) == (board.contract, board.score)


def main(number: int) -> None:
    """Compare many boards, and write the first of them."""
    with tempfile.TemporaryDirectory() as folder:
        door.install(ROOT / "plugins" / "bridge", Path(folder))
        with door.opened(Path(folder)):
            found = boards(registry.find("bridge"), iter(range(number)))
            first = list(islice(found, min(number, KEPT)))
            wrong = sum(not agrees(board) for board in first)
            FILE.write_text("".join("\t".join(board) + "\n" for board in first))
            wrong += sum(not agrees(board) for board in found)
    print(f"{number} boards; endplay differs on {wrong}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
