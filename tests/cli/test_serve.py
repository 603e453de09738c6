"""`serve`: its socket, its book, and its announcements."""

from __future__ import annotations

import asyncio
import json
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cli import serve
from cli.serve import OTHER_FILES, allow_connections, bind
from faults.server import Server
from replay.errors import Usage
from replay.store import shown
from tests.cli.conftest import Plybook
from tests.cluster.serving import ask
from tests.waiting import PATIENCE

TAKEN = """
import os
import sys
from cli import main, serve

host, port, book = sys.argv[1:]
run = serve._run

def run_too_late(*given):
    with serve.bind(host, int(port)) as other:
        other.listen()
        run(*given[:-1], lambda: os._exit(0))

serve._run = run_too_late
main(["serve", "--host", host, "--port", port, "--db", book])
"""
"""A server; another one listens on its port after both have bound it."""


def test_answers_are_sent_without_waiting_for_an_acknowledgement():
    async def delayed() -> bool:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            accepted.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = bind("127.0.0.1", 0)
        async with await asyncio.start_server(accept, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return not await accepted

    assert not asyncio.run(delayed())


def test_taken_address_is_reported():
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(Usage, match="cannot listen"):
            bind(*taken.getsockname())


def test_port_taken_during_the_start_is_reported(tmp_path):
    with bind("127.0.0.1", 0) as free:
        host, port = free.getsockname()
    command = [sys.executable, "-c", TAKEN, host, str(port), str(tmp_path / "book.db")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    told = f"plybook: cannot listen on {host}:{port}: Address already in use\n"
    assert (ran.returncode, ran.stderr) == (2, told)


def test_address_of_ipv6_is_written_in_brackets():
    with pytest.raises(Usage, match=r"cannot listen on \[2001:db8::1\]:0: "):
        bind("2001:db8::1", 0)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--host-name", "http://a.example", "is not a valid host name"),
        ("--host-name", "a.example:80", "is not a valid host name"),
        ("--root-path", "plybook", "like /plybook"),
        ("--root-path", "/games", "like /plybook"),
        *(("--metrics-port", port, "metrics-port") for port in ("0", "65536", "x")),
    ],
)
def test_invalid_option_is_refused(plybook, option, value, words):
    ran = plybook("serve", option, value)
    assert (ran.code, words in ran.err) == (2, True)


def test_metrics_need_a_port_of_their_own(plybook, monkeypatch):
    monkeypatch.setenv("PLYBOOK_METRICS_PORT", "8080")
    ran = plybook("serve", "--port", "8080")
    told = "8080 is not a valid PLYBOOK_METRICS_PORT: --port has it; use another port"
    assert (ran.code, told in ran.err) == (2, True)


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
def test_connections_stay_within_the_file_limit(monkeypatch, limits, wanted, allowed, raised):
    asked: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: asked.append(both[0]))
    assert allow_connections(wanted) == allowed
    assert asked == ([raised] if raised else [])


@pytest.mark.parametrize(("options", "prefix"), [((), ""), (("--forwarded-prefix",), "/evil")])
def test_forwarded_prefix_is_trusted_only_on_request(tmp_path, options, prefix):
    server = Server(tmp_path / "book.db", options=options)
    server.start()
    try:
        with closing(server.connect(PATIENCE)) as connection:
            connection.request("GET", "/", headers={"X-Forwarded-Prefix": "/evil"})
            page = connection.getresponse().read().decode()
    finally:
        server.stop()
    assert f'href="{prefix}/new"' in page


def test_server_answers_for_its_own_names_only(tmp_path):
    server = Server(tmp_path / "book.db", options=["--host=0.0.0.0"])
    server.start()
    try:
        told = {}
        for host in ("localhost", "127.0.0.1", socket.gethostname(), "evil.example"):
            with closing(server.connect(PATIENCE)) as connection:
                connection.request("GET", "/games", headers={"Host": f"{host}:{server.port()}"})
                told[host] = connection.getresponse().status
    finally:
        server.stop()
    assert set(told.values()) == {200, 421}
    assert [host for host, status in told.items() if status == 421] == ["evil.example"]


@pytest.mark.parametrize("named", [(), ("--host-name", "club.example")])
def test_server_on_every_address_asks_for_its_name(announce, plybook, named):
    ran = plybook("serve", "--port", "0", "--host", "0.0.0.0", *named)
    assert ("--host-name NAME" in ran.err) == (named == ())


@pytest.mark.parametrize(
    "how",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_signal_closes_the_book(tmp_path, how):
    server = Server(tmp_path / "book.db")
    ours = signal.signal(how, signal.default_int_handler)  # a server inherits an ignored signal
    try:
        server.start()
    finally:
        signal.signal(how, ours)
    ask(server, "POST", "/matches", {"game": "poptrix"})
    assert (tmp_path / "book.db-wal").stat().st_size
    assert server.stop(how) == 0
    assert not (tmp_path / "book.db-wal").exists()


@pytest.fixture
def announce(
    plybook: Plybook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., str]:
    """Run `plybook serve` up to the point where it serves, and return what it announces."""
    monkeypatch.setattr(serve, "_run", lambda *given: given[-1]())
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path)

    def run(*options: str) -> str:
        ran = plybook("serve", "--port", "0", *options)
        assert ran.code == 0, ran.err
        return re.sub(r":\d+/", ":PORT/", ran.out)

    return run


def test_demonstration_has_a_book_of_its_own(announce, monkeypatch, tmp_path):
    monkeypatch.delenv("PLYBOOK_DB")
    first = announce("--demo")
    book = tmp_path / "demo.db"
    reading = f"Read it in another terminal: plybook --db {book} list"
    assert first.endswith(f"/schema\nThe book is {book}\n{reading}\n")
    assert announce("--demo") == first
    assert [each.name for each in tmp_path.glob("*.db")] == ["demo.db"]
    assert announce().endswith(f"\nThe book is {tmp_path / 'plybook.db'}\n")


@pytest.mark.parametrize("named", ["--db", "PLYBOOK_DB"])
def test_demonstration_goes_into_a_named_book(announce, plybook, monkeypatch, tmp_path, named):
    book = tmp_path / "named.db"
    monkeypatch.setenv("PLYBOOK_DB", str(book if named == "PLYBOOK_DB" else tmp_path / "other.db"))
    told = announce("--demo", *(["--db", str(book)] if named == "--db" else []))
    assert f"\nThe book is {book}\n" in told
    assert not (tmp_path / "demo.db").exists()
    assert len(plybook("list", "--db", book).out.splitlines()) >= 5


def test_announcements_are_json_with_json_log(announce, tmp_path):
    lines = announce("--demo", "--lan", "--access-log", "json").splitlines()
    *games, server = [json.loads(line) for line in lines]
    assert {each["game"] for each in games} >= {"poptrix", "blockade"}
    assert all(each["address"].startswith(server["address"] + "m/") for each in games)
    assert (server["book"], sorted(server)) == (
        str(tmp_path / "book.db"),
        ["address", "book", "schema", "time"],
    )


def test_password_of_a_database_is_not_announced():
    assert shown("postgresql://jet:secret@db/plybook") == "postgresql://jet@db/plybook"


@pytest.mark.parametrize("password", ["50%off", "half/off", "half@off", "half/50%off", "?a@off"])
def test_unescaped_password_is_refused_without_it(password):
    with pytest.raises(Usage, match="must be written as %XX") as raised:
        shown(f"postgresql://jet:{password}@db/plybook")
    assert "off" not in str(raised.value)
