"""A real server process over its own book, without limits."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from replay.access import accounts, capability_tokens, operators
from replay.book_file import open_book
from tests.paths import ROOT
from tests.waiting import PATIENCE

BOOK = "book.db"
ACCOUNT = "ann"
"""The name of the account that tests use."""

_EVENINGS: dict[str, tuple[str, dict[str, str]]] = {}

UNLIMITED = ("--requests-per-minute=0", "--matches-per-hour=0", "--events-per-match=0")


class OpenedMatch(NamedTuple):
    """An opened match, with the headers of its host and of its seats."""

    id: str
    host: dict[str, str]
    seats: dict[str, dict[str, str]]


class Server(NamedTuple):
    """A server's address, a client with a persistent connection, its log and its process id."""

    url: str
    client: httpx.Client
    log: Path
    pid: int

    def open(self, game: str, **body: Any) -> OpenedMatch:
        answer = self.client.post("/matches", json={"game": game, **body})
        assert answer.status_code == 201, answer.text
        tokens = answer.json()["tokens"]
        seats = {seat: bearer(token) for seat, token in tokens["seats"].items()}
        return OpenedMatch(answer.json()["match"], bearer(tokens["host"]), seats)

    def enter(
        self, match: OpenedMatch, tokens: Iterable[str], headers: dict[str, str] | None = None
    ) -> httpx.Response:
        """Enter tokens, as the host or with other headers."""
        body = {"events": [{"text": token} for token in tokens]}
        return self.client.post(
            f"/matches/{match.id}/events", json=body, headers=headers or match.host
        )

    def account(self, name: str = ACCOUNT) -> dict[str, str]:
        """Return the headers of an account, which another process added."""
        return bearer(_accounts_token(self.log.with_name(BOOK), name))

    def evening(self) -> tuple[str, dict[str, str]]:
        """Return the id of an evening, and the headers of whoever has its link."""
        if self.url not in _EVENINGS:
            body = {"title": "Tuesday club", "date": "2026-11-24"}
            made = self.client.post("/evenings", json=body).json()
            _EVENINGS[self.url] = made["evening"], bearer(made["token"])
        return _EVENINGS[self.url]

    def operator(self, revoked: bool = False, world: str = "") -> dict[str, str]:
        """Return the headers of an operator, whose token another process made.

        Each world has an operator of its own, because a token that opens a match becomes a host's.
        """
        return bearer(_operators_token(self.log.with_name(BOOK), revoked, world))


def run(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a program and return its texts."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@functools.cache
def _operators_token(book: Path, revoked: bool, world: str) -> str:
    with open_book(book) as opened:
        token = operators.issue(opened)
        if revoked:
            operators.revoke(opened, capability_tokens.token_name(token))
    return token


@functools.cache
def _accounts_token(book: Path, name: str) -> str:
    with open_book(book) as opened:
        if opened.store.account(name):  # a request of another test may have added it
            return accounts.issue(opened, name)
        return accounts.add(opened, name)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@contextlib.contextmanager
def run_server(folder: Path, *path: str) -> Iterator[Server]:
    """Serve a new book in a folder; the server can import from the folders of `path`."""
    log = folder / "server.log"
    command = [sys.executable, "-m", "cli", "serve", "--port", "0", *UNLIMITED]
    environment = os.environ | {
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": os.pathsep.join((str(ROOT), *path)),
    }
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [*command, "--db", str(folder / BOOK)],
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            text=True,
        )
    assert process.stdout is not None
    try:
        found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
        assert found is not None, log.read_text()
        # Workers are nice: on a busy machine they may wait for long.
        with httpx.Client(base_url=found[0], timeout=PATIENCE) as client:
            yield Server(found[0], client, log, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
        process.stdout.close()
