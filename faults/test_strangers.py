"""Strangers: endless headers to the MCP server, and the page of a very tall stack."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from bench.load import servers
from bench.load.fairness import HEIGHT, ask, pile
from faults.test_large_headers import ATTACKS, MAX_GROWTH, attacking, memory
from tests.paths import ROOT
from tests.service.workers.processes import needs_proc
from tests.waiting import PATIENCE

pytestmark = [needs_proc, pytest.mark.slow, pytest.mark.faults]


@contextmanager
def tools(book: Path) -> Iterator[Any]:
    """Run `plybook mcp --http`, with what an attack asks of a server."""
    pytest.importorskip("mcp")
    command = [sys.executable, "-m", "cli", "--db", str(book), "mcp", "--http", "127.0.0.1:0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(re.findall(r":(\d+)/mcp", process.stdout.readline())[0])
        yield SimpleNamespace(pid=process.pid, port=lambda: port)
        process.terminate()


@pytest.mark.parametrize("attack", ["endless_header", "many_headers"])
def test_mcp_server_answers_beside_endless_headers(attack, tmp_path, budget, figures):
    with tools(tmp_path / "book.db") as server:
        before, answered = 0, 0
        with httpx.Client(base_url=f"http://127.0.0.1:{server.port()}", timeout=PATIENCE) as client:
            client.get("/nothing")
            before = memory(server, "VmRSS")
            with attacking(server, ATTACKS[attack]) as opened:
                while answered < 50 or budget.left > budget.seconds / 2:
                    assert client.get("/nothing").status_code == 404
                    answered += 1
        grown = memory(server, "VmHWM") - before
    figures("headers to the tools", attack=opened.value, answered=answered, MB_more=grown // 2**20)
    assert grown < MAX_GROWTH


def test_tall_stack_is_drawn_for_anybody(tmp_path, figures):
    with servers.plybook(tmp_path / "book.db") as server:
        path = pile(server, HEIGHT)
        sizes = [
            len(
                httpx.get(
                    f"{server.url}{path}/record?format=svg&ply={ply}", timeout=PATIENCE
                ).content
            )
            for ply in (24, 2 * (HEIGHT - 1))
        ]
        ask(server, f"{path}/record?format=html")  # it ends within its limit of processor time
    figures("tall stack", bytes=sizes[1], low=sizes[0])
    assert sizes[1] < 2 * sizes[0]
