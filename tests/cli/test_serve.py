"""The socket that `serve` listens on."""

from __future__ import annotations

import asyncio
import socket

import pytest

from cli.serve import listen
from replay.errors import Usage


def test_answers_are_sent_without_waiting_for_an_acknowledgement():
    async def delayed() -> bool:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            accepted.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = listen("127.0.0.1", 0)
        async with await asyncio.start_server(accept, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return not await accepted

    assert not asyncio.run(delayed())


def test_an_address_that_is_taken_is_told():
    with listen("127.0.0.1", 0) as taken, pytest.raises(Usage, match="cannot listen"):
        listen(*taken.getsockname())


def test_an_address_of_ipv6_is_written_in_brackets():
    with pytest.raises(Usage, match=r"cannot listen on \[2001:db8::1\]:0: "):
        listen("2001:db8::1", 0)
