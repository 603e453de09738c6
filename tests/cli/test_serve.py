"""The socket that `serve` listens on."""

from __future__ import annotations

import asyncio
import resource
import socket
from contextlib import closing

import pytest

from cli.serve import OTHER_FILES, _allow_connections, listen
from replay.errors import Usage
from tests.faults.server import PATIENCE, Server


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


@pytest.mark.parametrize(
    "arguments", [("--host-name", "http://a.example"), ("--host-name", "a.example:80")]
)
def test_a_host_name_that_is_none_is_told(plybook, arguments):
    ran = plybook("serve", *arguments)
    assert ran.code == 2
    assert "is no host name" in ran.err


@pytest.mark.parametrize("path", ["plybook", "/games"])
def test_a_path_that_cannot_be_a_prefix_is_told(plybook, path):
    ran = plybook("serve", "--root-path", path)
    assert ran.code == 2
    assert "like /plybook" in ran.err


@pytest.mark.parametrize(
    ("limits", "wanted", "allowed", "raised"),
    [
        ((1024, 4096), 2000, 2000, 2000 + OTHER_FILES),
        ((1024, 4096), 10_000, 4096 - OTHER_FILES, 4096),
        ((1024, resource.RLIM_INFINITY), 10_000, 10_000, 10_000 + OTHER_FILES),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), 10_000, 10_000, None),
        ((20_000, 20_000), 10_000, 10_000, None),
        ((1024, 4096), 0, 0, None),
    ],
)
def test_there_are_no_more_connections_than_files_may_be_open(
    monkeypatch, limits, wanted, allowed, raised
):
    asked: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: asked.append(both[0]))
    assert _allow_connections(wanted) == allowed
    assert asked == ([raised] if raised else [])


@pytest.mark.parametrize(("options", "prefix"), [((), ""), (("--forwarded-prefix",), "/evil")])
def test_a_forwarded_prefix_is_believed_only_if_asked_for(tmp_path, options, prefix):
    server = Server(tmp_path / "book.db", options=options)
    server.start()
    try:
        with closing(server.connect(PATIENCE)) as connection:
            connection.request("GET", "/", headers={"X-Forwarded-Prefix": "/evil"})
            page = connection.getresponse().read().decode()
    finally:
        server.stop()
    assert f'href="{prefix}/new"' in page
