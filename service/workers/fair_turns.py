"""Fair turns: of the callers who wait for a worker, the caller who had the least comes first."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Final, NamedTuple

MAX_REMEMBERED: Final = 1000
"""The most callers and addresses whose last turn is remembered."""


class Sender(NamedTuple):
    """The sender of work: an address, and at that address a token or a match."""

    address: bytes
    name: str


class FairTurns:
    """Places for work, taken in turns.

    Of the waiting callers, the next is the caller with the fewest places; among equals the address
    with the fewest, then the address and the caller whose last turn is longest ago. `spare`
    additional places are only for addresses without a place, so that the work of one caller delays
    no other caller.
    """

    def __init__(self, places: int, spare: int = 0) -> None:
        self._free = places + spare
        self._spare = spare
        self._waiting: dict[asyncio.Future[None], Sender] = {}
        self._taken: Counter[Sender | bytes] = Counter()
        self._last: OrderedDict[Sender | bytes, int] = OrderedDict()
        self._turns = count(1)

    @asynccontextmanager
    async def turn(self, sender: Sender) -> AsyncIterator[None]:
        """Wait for a place, and hold it."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting[turn] = sender
        self._next()
        try:
            await turn
            yield
        finally:
            if self._waiting.pop(turn, None) is None:  # the caller had its turn
                self._free += 1
                self._taken.subtract((sender, sender.address))
                self._taken = +self._taken
                self._next()

    def _next(self) -> None:
        """Give free places to the next callers."""
        while self._free and self._waiting:
            turn = min(self._waiting, key=self._rank)
            sender = self._waiting[turn]
            if self._free <= self._spare and self._taken[sender.address]:
                return
            del self._waiting[turn]
            self._free -= 1
            for each in (sender.address, sender):
                self._taken[each] += 1
                self._last.pop(each, None)
                self._last[each] = next(self._turns)
            while len(self._last) > MAX_REMEMBERED:
                self._last.popitem(last=False)
            if not turn.done():
                turn.set_result(None)

    def _rank(self, turn: asyncio.Future[None]) -> tuple[int, ...]:
        sender = self._waiting[turn]
        taken, last = self._taken, self._last
        both = (sender.address, sender)
        return taken[sender], taken[sender.address], *(last.get(each, 0) for each in both)
