"""`plybook mcp`: over standard input and output, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from service.settings import Settings
from tests.paths import ROOT
from tests.service.mcp.tool_server import client as connect
from tests.waiting import PATIENCE


@pytest.fixture(scope="module", autouse=True)
def _streams() -> None:
    """Load what keeps the standard error of this process, before a test captures it."""
    pytest.importorskip("mcp.client.stdio")


async def opened_match(client: Any) -> str:
    answer = await client.call_tool("open", {"game": "poptrix"})
    opened = answer.structured_content
    given = {"match": opened["match"], "token": opened["tokens"]["seats"]["1"]}
    played = await client.call_tool("play", {**given, "moves": ["M@c1"]})
    assert played.structured_content["ok"]
    return opened["match"]


@pytest.mark.slow
def test_standard_streams_serve_a_book(plybook, tmp_path):
    arguments = ["-m", "cli", "--db", str(tmp_path / "book.db"), "mcp"]

    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def play() -> str:
        program = StdioServerParameters(command=sys.executable, args=arguments, cwd=str(ROOT))
        async with connect(stdio_client(program)) as client:
            return await opened_match(client)

    match = asyncio.run(play())
    assert "M@c1" in plybook("log", match).out


@pytest.mark.slow
def test_http_serves_a_book(plybook, tmp_path):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        busy = f"127.0.0.1:{taken.getsockname()[1]}"
        assert f"cannot listen on {busy}" in plybook("mcp", "--http", busy).err
    environment = {**os.environ, "PLYBOOK_DB": str(tmp_path / "book.db")}
    command = [sys.executable, "-m", "cli", "mcp", "--http", "127.0.0.1:0"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            address = re.search(r"http://\S+/mcp", server.stdout.readline())[0]

            async def play() -> str:
                async with connect(address) as client:
                    return await opened_match(client)

            match = asyncio.run(play())
            port = int(re.search(r":(\d+)/", address)[1])
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as attacker:
                attacker.sendall(b"GET /mcp HTTP/1.1\r\nX-A: " + b"a" * Settings().longest_header)
                assert b" 431 " in attacker.recv(1000)
        finally:
            server.terminate()
            assert server.wait(timeout=PATIENCE) == 0
    assert not (tmp_path / "book.db-wal").exists()
    assert json.loads(plybook("show", match, "--json").out)["ply"] == 1


@pytest.mark.parametrize("address", ["8100", "localhost:", "localhost:99999", "localhost:x", ":1"])
def test_a_bad_address_is_refused(plybook, address):
    ran = plybook("mcp", "--http", address)
    assert ran.code == 2
    assert "use HOST:PORT" in ran.err


def test_missing_extra_is_named(plybook, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    for name in [name for name in sys.modules if name.startswith("service.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    ran = plybook("mcp")
    assert ran.code == 2
    assert "pipx install --force '.[mcp]'" in ran.err


@pytest.mark.slow
def test_the_script_of_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    page = (ROOT / "docs/agents.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (config,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    client = json.loads(config)["mcpServers"]["plybook"]
    client["args"][client["args"].index("--db") + 1] = "tools.db"
    assert f'command="{client["command"]}", args={json.dumps(client["args"])}' in script
    monkeypatch.chdir(tmp_path)
    exec(script, {"__name__": "__main__"})
    refused, played = capsys.readouterr().out.splitlines()
    assert refused.startswith("POP-2.1 ")
    assert played == "seat 2 is to place a pyramid on the home row"
