"""The worker processes of a real server: their view of the book, and their end."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from html import escape
from importlib import import_module
from pathlib import Path

import httpx
import pytest

from replay.book_file import open_book
from service.workers.process import IDLE_NICE, Order, WorkerProcess
from tests.service.workers.processes import LONG, Server, is_busy, is_gone, leave, needs_proc
from tests.waiting import PATIENCE, eventually

pytest.importorskip("resvg_py")
pytestmark = needs_proc

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
ARCHIVE = "application/x-plybook-archive"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "book.db", "--workers", "2")
    yield running
    running.kill()


def in_thread(url: str) -> tuple[threading.Thread, list[httpx.Response]]:
    answers: list[httpx.Response] = []
    thread = threading.Thread(target=lambda: answers.append(httpx.get(url, timeout=PATIENCE)))
    thread.start()
    return thread, answers


def test_worker_starts_with_the_first_job_and_ends_with_its_server(server):
    match, host = server.open("poptrix")
    server.play(match, host, MOVES[0])
    assert server.client.get(f"/matches/{match}/record").status_code == 200
    assert server.workers() == []
    # It sees each stored move, is nice, and referees records.
    for count, move in enumerate(MOVES[1:], 2):
        server.play(match, host, move)
        assert server.client.get(f"/matches/{match}/verify").json()["events"] == count
        assert escape(move) in server.client.get(f"/matches/{match}/record?format=sheet").text
    (worker,) = server.workers()
    assert is_busy(worker)
    bad = '[Game "poptrix"]\n\n1. M@c1 2. M@c1 *\n'
    headers = {"Content-Type": "text/plain"}
    checked = server.client.post("/records/check", content=bad, headers=headers).json()
    assert checked["faults"][0]["text"] == "M@c1"
    wrong = server.client.post("/records", content=b"{}", headers={"Content-Type": ARCHIVE})
    assert (wrong.status_code, wrong.json()["line"]) == (400, 2)
    assert server.workers() == [worker]
    server.stop(signal.SIGKILL)
    eventually(lambda: is_gone(worker))


def test_worker_imports_what_its_work_needs_before_it_is_nice(tmp_path, monkeypatch):
    # A busy machine leaves a nice process some thousandths of a processor.
    (tmp_path / "late.py").write_text(
        "import os\nIMPORTED = os.getpriority(0, 0)\n"
        "def niceness(book): return IMPORTED, os.getpriority(0, 0)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with open_book(tmp_path / "book.db"):
        worker = WorkerProcess(tmp_path / "book.db", IDLE_NICE)
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert worker.run(Order(import_module("late").niceness, ())) == (ours, IDLE_NICE)
    worker.close()


def test_killed_worker_is_503_and_replaced(server):
    path = server.long()
    thread, answers = in_thread(server.url + path)
    worker = eventually(lambda: [each for each in server.workers() if is_busy(each)])[0]
    os.kill(worker, signal.SIGKILL)
    thread.join()
    assert answers[0].status_code == 503
    assert answers[0].headers["content-type"] == "application/problem+json"
    assert int(answers[0].headers["retry-after"]) > 0
    assert server.client.get(f"{path}&from={LONG}").status_code == 200
    (line,) = server.log.read_text().splitlines()
    match = path.split("/")[2]
    assert f"GET /matches/{{match}}/record for match {match} at version {LONG}" in line
    assert line.endswith(": the worker process for content_of was ended by SIGKILL")
    assert 'plybook_work_failures_total{cause="ended"} 1.0' in server.client.get("/metrics").text


def test_workers_run_no_file_of_the_current_folder(tmp_path):
    script, mark = tmp_path / "plybook", tmp_path / "mark"
    script.write_text("from plybook_command import main\nif __name__ == '__main__':\n    main()\n")
    folder = tmp_path / "current"
    folder.mkdir()
    for name in sys.stdlib_module_names:
        (folder / f"{name}.py").write_text(
            f"open({str(mark)!r}, 'a').write('{name} ')\nraise ImportError"
        )
    server = Server(tmp_path / "book.db", command=[str(script)], folder=folder)
    match, _ = server.open("poptrix")
    status = server.client.get(f"/matches/{match}/record?format=archive").status_code
    server.kill()
    assert (status, mark.exists()) == (200, False)


def test_work_ends_when_its_client_leaves(server):
    path = server.long()
    assert len(leave(server, [path])) == 1
    assert server.client.get(f"{path}&from={LONG}").status_code == 200


def test_analysis_takes_no_worker(tmp_path):
    server = Server(tmp_path / "book.db", "--workers", "1")
    match, host = server.open("blockade")
    thread, answers = in_thread(server.url + server.long())
    (worker,) = eventually(lambda: [each for each in server.workers() if is_busy(each)])
    asked = {"ply": 0, "seconds": 0.1}
    found = server.client.post(f"/matches/{match}/analysis", json=asked, headers=host)
    beside = [each for each in server.workers() if each != worker]
    levels = [os.getpriority(os.PRIO_PROCESS, each) for each in (worker, *beside)]
    thread.join()
    server.kill()
    assert (found.status_code, answers[0].status_code) == (200, 200)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert levels == [min(own + 10, 19), 19]


@pytest.mark.parametrize(
    "how", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_stopped_server_leaves_no_process(server, how):
    thread, answers = in_thread(server.url + server.long())
    worker = eventually(lambda: [each for each in server.workers() if is_busy(each)])[0]
    server.stop(how)
    thread.join()
    assert answers[0].status_code == 503
    eventually(lambda: is_gone(worker))
