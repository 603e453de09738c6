"""Fair turns: the order in which waiting callers get the places."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from service.workers.fair_turns import FairTurns, Sender
from tests.waiting import PATIENCE

ONE = (Sender(b"one", "a"), Sender(b"one", "b"))
OTHER = Sender(b"other", "a")


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def order(places: int, arriving: Sequence[Sender]) -> list[Sender]:
    """Let all arrive while the places are taken by the first ones; return who had turns when."""
    turns, began, ends = FairTurns(places), list[Sender](), asyncio.Queue[None]()

    async def work(sender: Sender) -> None:
        async with turns.turn(sender):
            began.append(sender)
            await ends.get()

    tasks = []
    for sender in arriving:
        tasks.append(asyncio.create_task(work(sender)))
        await settled()
    for _ in tasks:
        ends.put_nowait(None)
        await settled()
    await asyncio.gather(*tasks)
    return began


@pytest.mark.parametrize(
    ("places", "arriving", "expected"),
    [
        (1, "aaaoo", "aoaoa"),
        (1, "aabb", "abab"),
        (1, "aabbo", "aobab"),
        (2, "aao", "aao"),  # nobody else waits when the second place is given
        (2, "aaaao", "aaoaa"),
        (2, "aoaoa", "aoaoa"),
    ],
)
async def test_callers_take_turns(places, arriving, expected):
    who = {"a": ONE[0], "b": ONE[1], "o": OTHER}
    letters = {sender: letter for letter, sender in who.items()}
    began = await order(places, [who[each] for each in arriving])
    assert "".join(map(letters.__getitem__, began)) == expected


async def test_many_names_of_an_address_have_one_share():
    names = [Sender(b"one", str(number)) for number in range(5)]
    began = await order(1, [*names, OTHER, OTHER])
    assert [each is OTHER for each in began] == [False, True, False, True, False, False, False]


async def test_spare_place_is_for_another_address():
    turns, may_end = FairTurns(1, spare=1), asyncio.Event()
    began: list[Sender] = []

    async def work(sender: Sender) -> None:
        async with turns.turn(sender):
            began.append(sender)
            await may_end.wait()

    tasks = []
    for sender in (*ONE, OTHER, OTHER):
        tasks.append(asyncio.create_task(work(sender)))
        await settled()
    assert began == [ONE[0], OTHER]
    may_end.set()
    await asyncio.gather(*tasks)
    assert began == [ONE[0], OTHER, *began[2:]]
    assert set(began[2:]) == {ONE[1], OTHER}


async def test_who_leaves_gives_the_place_back():
    turns = FairTurns(1)

    async def work(sender: Sender) -> str:
        async with turns.turn(sender):
            await asyncio.sleep(0)
            return sender.name

    tasks = [asyncio.create_task(work(each)) for each in (*ONE, OTHER)]
    await asyncio.sleep(0)
    for task in tasks[:2]:  # one at work, and one that waits
        task.cancel()
    assert await asyncio.wait_for(tasks[2], 5) == "a"
    assert await asyncio.wait_for(work(ONE[0]), PATIENCE) == "a"
