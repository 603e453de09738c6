"""A relay between servers and PostgreSQL, which can lose notifications and freeze."""

from __future__ import annotations

import asyncio
import shutil
import struct
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.replay.store.postgres_server import Server
from tests.waiting import PATIENCE

SOCKET: Final = ".s.PGSQL.5432"
HEAD: Final = struct.Struct("!cI")
"""The type of a message of PostgreSQL, and its length without that."""
NOTIFICATION: Final = b"A"
PIECE: Final = 65536


class Relay:
    """A relay: clients name its folder as the host."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.loses_notifications = False
        self.lost = 0
        """The number of notifications that were left out."""
        self._open = asyncio.Event()
        self._open.set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def url(self, direct: str) -> str:
        return f"{direct.partition('?')[0]}?host={self.folder}"

    def freeze(self) -> None:
        """Pass on nothing, like a network that silently drops all packets."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._open.clear)

    def thaw(self) -> None:
        """Pass on everything again, beginning with the held bytes."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._open.set)

    async def run(self, server: Server, ready: threading.Event, ended: asyncio.Event) -> None:
        there = str(server.folder / SOCKET)

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with closing(writer), suppress(OSError):
                answers, questions = await asyncio.open_unix_connection(there)
                with closing(questions):
                    await asyncio.gather(
                        self._ask(reader, questions), self._answer(answers, writer)
                    )

        self._loop = asyncio.get_running_loop()
        async with await asyncio.start_unix_server(relay, str(self.folder / SOCKET)):
            ready.set()
            await ended.wait()

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                await self._open.wait()
                writer.write(piece)
                await writer.drain()
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readexactly(HEAD.size)
                kind, length = HEAD.unpack(head)
                rest = await reader.readexactly(length - 4)
                await self._open.wait()
                if kind == NOTIFICATION and self.loses_notifications:
                    self.lost += 1
                else:
                    writer.write(head + rest)
                    await writer.drain()
        writer.close()


@contextmanager
def relaying(server: Server) -> Iterator[Relay]:
    folder = Path(tempfile.mkdtemp(prefix="plybook-relay-"))  # the path of a socket must be short
    relay, ready, loop, ended = (
        Relay(folder),
        threading.Event(),
        asyncio.new_event_loop(),
        asyncio.Event(),
    )

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(relay.run(server, ready, ended))
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.wait(tasks))
        loop.run_until_complete(asyncio.sleep(0))  # the transports close their sockets
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield relay
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        shutil.rmtree(folder, ignore_errors=True)
