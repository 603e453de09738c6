"""The load generator `wrk`: every connection plays its own matches, move after move."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from bench.load.matches import Opened
from bench.load.servers import Refused, Server
from bench.row import NotMeasured

MISSING: Final = "wrk makes the load and is not installed: apt install wrk, or brew install wrk"

SCRIPT: Final = """
local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

-- A thread has one connection, which asks for the next request when the last was answered.
function init(args)
  again = args[2] == "again"
  requests, made, short = {}, 0, 0
  if number == 1 then made = -1 end  -- wrk asks the first thread for one that it does not send
  local headers = {["Content-Type"] = "application/json"}
  for line in io.lines(args[1] .. "/" .. number) do
    local path, token, body = line:match("^(%S+) (%S+) (.*)$")
    headers["Authorization"] = "Bearer " .. token
    table.insert(requests, wrk.format("POST", path, headers, body))
  end
end

function request()
  made = made + 1
  if made > #requests and again then
    made = 1
  elseif made > #requests then
    short = 1
    wrk.thread:stop()
  end
  return requests[math.max(1, math.min(made, #requests))]
end

function done(summary, latency)
  local short = 0
  for _, thread in ipairs(threads) do short = short + thread:get("short") end
  local errors = summary.errors
  io.stderr:write(string.format(
    '{"answered":%d,"microseconds":%d,"refused":%d,"failed":%d,"short":%d,"p50":%d,"p99":%d}',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, short,
    latency:percentile(50), latency:percentile(99)))
end
"""


class Measured(Struct, frozen=True):
    """A run's number of answered requests, the time they took, and their latencies.

    `refused` counts answers without success, `failed` requests without an answer, `short`
    connections that ran out of moves. `p50` and `p99` are microseconds, `cpu` the server's seconds.
    """

    answered: int
    microseconds: int
    refused: int
    failed: int
    short: int
    p50: int
    p99: int
    cpu: float

    @property
    def speed(self) -> float:
        """Answers per second."""
        return self.answered / self.microseconds * 1_000_000

    @property
    def cost(self) -> float:
        """Seconds of the server's CPU time per answer."""
        return self.cpu / self.answered


class Request(NamedTuple):
    path: str
    token: str
    body: bytes


def check_installed() -> None:
    """Raise `NotMeasured` if wrk is not installed."""
    if shutil.which("wrk") is None:
        raise NotMeasured(MISSING)


def requests(matches: Iterable[Opened]) -> list[Request]:
    """Return the requests that play matches to their ends, one after the other."""
    return [
        Request(match.path, match.token, match.body(ply))
        for match in matches
        for ply in range(len(match.moves))
    ]


def run(server: Server, connections: Sequence[Sequence[Request]], seconds: int) -> Measured:
    """Send the requests of each connection in their order. Raises `Refused` if one is refused."""
    return _run(server, connections, seconds, "once")


def repeat(server: Server, connections: Sequence[Sequence[Request]], seconds: int) -> Measured:
    """Send the requests of each connection in their order, again and again."""
    return _run(server, connections, seconds, "again")


def _run(
    server: Server, connections: Sequence[Sequence[Request]], seconds: int, often: str
) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "script.lua")
        script.write_text(SCRIPT)
        for number, sent in enumerate(connections, 1):
            lines = (b"%s %s %s\n" % (r.path.encode(), r.token.encode(), r.body) for r in sent)
            Path(folder, str(number)).write_bytes(b"".join(lines))
        count = str(len(connections))
        command = ["wrk", "-t", count, "-c", count, "-d", f"{seconds}s", "--timeout", "10s"]
        cpu = server.cpu()
        ran = subprocess.run(
            [*command, "-s", str(script), server.url, "--", folder, often],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
        )
        cpu = server.cpu() - cpu
    answers = msgspec.json.decode(ran.stderr[ran.stderr.rindex(b"{") :])
    measured = Measured(**answers, cpu=cpu)
    if measured.refused or measured.failed or measured.short:
        raise Refused(f"the run does not count: {measured}")
    return measured
