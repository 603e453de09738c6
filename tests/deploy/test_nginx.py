"""nginx with the file that names the servers of `compose.yaml`: both answer, and one is enough."""

from __future__ import annotations

from contextlib import ExitStack

import httpx
import pytest

from faults.server import Server
from tests.browser.nginx import BEHIND, COMPOSE, NAME, needs_nginx, run_nginx
from tests.waiting import PATIENCE

pytestmark = pytest.mark.slow

REQUESTS = 20


def test_both_servers_answer_and_one_is_enough(tmp_path):
    needs_nginx()
    with ExitStack() as running:
        servers = [Server(tmp_path / "book.db", options=BEHIND) for _ in range(2)]
        for each in servers:
            each.start()
            running.callback(each.stop)
        ports = (servers[0].port() or 0, servers[1].port() or 0)
        proxy = running.enter_context(run_nginx(tmp_path / "nginx", ports, upstream=COMPOSE))
        client = httpx.Client(
            base_url=f"https://127.0.0.1:{proxy.https}/plybook",
            headers={"Host": f"{NAME}:{proxy.https}"},
            verify=proxy.trust,
            timeout=PATIENCE,
        )
        running.enter_context(client)
        ask = lambda: [client.get("/games").status_code for _ in range(REQUESTS)]  # noqa: E731
        assert ask() == [200] * REQUESTS
        assert [asked(port) for port in ports] == [REQUESTS // 2] * 2
        servers[0].stop()
        assert ask() == [200] * REQUESTS


def asked(port: int) -> int:
    """Return the number of requests for games that a server has answered."""
    figures = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE).text.splitlines()
    lines = [
        line for line in figures if line.startswith("plybook_requests_total") and "games" in line
    ]
    return sum(int(float(line.rpartition(" ")[2])) for line in lines)
