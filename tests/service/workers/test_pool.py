"""Expensive work: shared, bounded, limited by cost, and cancelled when no client waits."""

from __future__ import annotations

import asyncio
import importlib
import io
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from replay.book import Book
from replay.errors import StoreError, Usage
from replay.library import indexes, text_search
from replay.store import open_store, temporary_store
from service.http import logs
from service.http.limits import Buckets, Limits
from service.http.problems import Problem
from service.settings import Settings
from service.workers import pool, process
from service.workers.pool import ContentCache, Workers
from service.workers.process import LONG_LIMIT, MEMORY_LIMIT
from tests.service.conftest import Api
from tests.service.workers.processes import is_gone, needs_proc
from tests.waiting import PATIENCE, eventually

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")


class Client:
    """A request whose client can leave."""

    method = "GET"
    path_params: ClassVar[dict[str, str]] = {}
    app = SimpleNamespace(
        state=SimpleNamespace(
            live=SimpleNamespace(book=SimpleNamespace(cache=SimpleNamespace(named=lambda _: None)))
        )
    )

    def __init__(self, address: str = "192.0.2.1") -> None:
        self.gone = asyncio.Event()
        self.scope = {"type": "http", "client": (address, 1)}
        self.headers: dict[str, str] = {}

    async def receive(self) -> dict[str, str]:
        await self.gone.wait()
        return {"type": "http.disconnect"}


class Work:
    """Work that waits for permission to end, and counts its starts."""

    def __init__(self) -> None:
        self.begun = 0
        self.may_end = threading.Event()

    def __call__(self, book: Book) -> bytes:
        self.begun += 1
        assert self.may_end.wait(PATIENCE)
        return b"done"


def hoard(_: Book) -> int:
    return len(bytes(2 * MEMORY_LIMIT))


def refuse(_: Book) -> None:
    raise Usage("so it cannot be")


def run_out_of_time(_: Book) -> None:
    os.kill(os.getpid(), signal.SIGXCPU)


def spin(_: Book) -> None:
    while True:
        pass


def read_limit(_: Book) -> int:
    resource = importlib.import_module("resource")
    return int(resource.getrlimit(resource.RLIMIT_CPU)[0] - process_time())


def leave(_: Book) -> None:
    os._exit(7)


def name_process(_: Book) -> int:
    return os.getpid()


def wait_for(_: Book, sign: Path) -> None:
    while not sign.exists():
        time.sleep(0.001)


def shout(_: Book) -> str:
    os.write(1, b"not an answer")
    print("nor this", flush=True)
    return "done"


@pytest.fixture(autouse=True)
def causes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Log every cause: another test may have logged it a moment ago."""
    monkeypatch.setattr(logs, "CAUSES", logs.Causes())


@pytest.fixture
def book() -> Iterator[Book]:
    store = temporary_store()  # private to this process, which does the work itself
    yield Book(store)
    store.close()


def workers(book: Book, **settings: int) -> Workers:
    chosen = Settings(**settings)
    return Workers(book, chosen, Limits(chosen))


def ask(asked: Workers, work: Work, key: Any = "a") -> tuple[Client, asyncio.Task[bytes]]:
    client: Any = Client()
    return client, asyncio.create_task(asked.do(client, work, key=key))


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_equal_requests_share_work_and_kept_result(book):
    asked, work = workers(book), Work()
    tasks = [ask(asked, work)[1] for _ in range(3)]
    await settled()
    work.may_end.set()
    assert await asyncio.gather(*tasks) == [b"done"] * 3
    assert await ask(asked, work)[1] == b"done"
    assert work.begun == 1
    assert asked.jobs == 0


async def test_work_without_a_key_is_not_shared(book):
    asked, work = workers(book), Work()
    work.may_end.set()
    await asyncio.gather(*(ask(asked, work, key=None)[1] for _ in range(2)))
    assert work.begun == 2


async def test_work_ends_when_last_client_leaves(book):
    asked, work = workers(book), Work()
    (one, first), (other, second) = ask(asked, work), ask(asked, work)
    await settled()
    one.gone.set()
    with pytest.raises(Problem):
        await first
    assert asked.jobs == 1
    other.gone.set()
    with pytest.raises(Problem):
        await second
    assert asked.jobs == 0
    work.may_end.set()


async def test_work_beyond_queue_is_503_with_retry_after(book):
    asked, work = workers(book, workers=1, queue_length=2), Work()
    tasks = [ask(asked, work, key)[1] for key in "abc"]
    await settled()
    with pytest.raises(Problem) as refused:
        await ask(asked, work, "d")[1]
    assert refused.value.status == 503
    assert int(refused.value.facts["headers"]["Retry-After"]) > 0
    work.may_end.set()
    assert await asyncio.gather(*tasks) == [b"done"] * 3


async def test_the_end_of_the_queue_is_for_addresses_without_work(book):
    asked, work = workers(book, workers=1, queue_length=3), Work()
    tasks = [ask(asked, work, key)[1] for key in "abc"]
    await settled()
    with pytest.raises(Problem) as refused:
        await ask(asked, work, "d")[1]
    assert refused.value.status == 503
    newcomer: Any = Client("192.0.2.2")
    tasks.append(asyncio.create_task(asked.do(newcomer, work, key="e")))
    await settled()
    work.may_end.set()
    assert await asyncio.gather(*tasks) == [b"done"] * 4


async def test_another_address_waits_for_one_job_only(book):
    asked, work = workers(book, workers=1), Work()
    began = list[str]()

    def note(_: Book, name: str) -> None:
        began.append(name)

    clients: Any = [Client(f"192.0.2.{each}") for each in (1, 1, 1, 2)]
    first = asyncio.create_task(asked.do(clients[0], work))
    await settled()
    names = ("second", "third", "another")
    tasks = [
        asyncio.create_task(asked.do(c, note, n)) for c, n in zip(clients[1:], names, strict=True)
    ]
    await settled()
    work.may_end.set()
    await asyncio.gather(first, *tasks)
    assert began == ["another", "second", "third"]


async def test_stopping_service_answers_waiting_callers(book):
    asked, work = workers(book), Work()
    _, task = ask(asked, work)
    await settled()
    await asked.stop()
    with pytest.raises(Problem, match="stopped"):
        await task
    work.may_end.set()


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    with closing(open_store(tmp_path / "book.db")):
        yield tmp_path / "book.db"


@asynccontextmanager
async def processes(path: Path, failures: list[str]) -> AsyncIterator[Workers]:
    """Run workers for the book in a file, and note the causes of work that is not finished."""
    chosen = Settings(workers=1)
    with closing(open_store(path)) as store:
        running = Workers(Book(store), chosen, Limits(chosen), failures.append)
        yield running
        await running.stop()


def do(asked: Workers, work: Callable[..., Any]) -> Awaitable[Any]:
    client: Any = Client()
    return asked.do(client, work)


@pytest.mark.parametrize(
    ("work", "cause", "words", "logged"),
    [
        (hoard, "memory", "more memory", f"needed more than {MEMORY_LIMIT} bytes of memory"),
        (run_out_of_time, "time", "more time", "was ended by SIGXCPU"),
        (leave, "ended", "interrupted", "ended with exit status 7"),
    ],
)
async def test_failed_work_is_a_503_with_its_cause(path, caplog, work, cause, words, logged):
    failures: list[str] = []
    async with processes(path, failures) as asked:
        with pytest.raises(Problem, match=words) as failed:
            await do(asked, work)
        assert await do(asked, name_process) != os.getpid()
    assert (failed.value.status, failures) == (503, [cause])
    (record,) = caplog.records
    assert record.getMessage().endswith(f"the worker process for {work.__name__} {logged}")


@pytest.mark.parametrize(
    ("patched", "value", "logged"),
    [
        ("PROGRAM", "raise SystemExit(3)", "ended with exit status 3"),
        ("SAFE_PATH", "--no-such-option", "ended with exit status 2"),
    ],
)
async def test_process_that_fails_to_start_is_reported(
    path, monkeypatch, caplog, patched, value, logged
):
    monkeypatch.setattr(process, patched, value)
    failures: list[str] = []
    async with processes(path, failures) as asked:
        with pytest.raises(Problem, match="cannot start"):
            await do(asked, name_process)
    assert failures == ["start"]
    assert logged in caplog.text


async def test_missing_python_is_reported(path, monkeypatch, caplog):
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    async with processes(path, []) as asked:
        with pytest.raises(Problem, match="cannot start"):
            await do(asked, name_process)
    assert "could not be started: No such file or directory" in caplog.text


async def test_process_does_several_pieces_of_work(path):
    async with processes(path, []) as asked:
        with pytest.raises(Usage, match="so it cannot be"):
            await do(asked, refuse)
        assert await do(asked, name_process) == await do(asked, name_process)


@needs_proc
async def test_job_ends_at_its_own_limit(path, caplog):
    failures: list[str] = []
    client: Any = Client()
    async with processes(path, failures) as asked:
        with pytest.raises(Problem, match="more time"):
            await asked.do(client, spin, seconds=1)
        long, short = [
            await asked.do(client, read_limit, seconds=limit) for limit in (LONG_LIMIT, 10)
        ]
    assert failures == ["time"]
    # To open the book has taken of each limit before the work reads what is left.
    assert [11 < long <= LONG_LIMIT + 1, 1 < short <= 11] == [True, True]


async def test_process_that_died_without_work_is_replaced(path, caplog):
    async with processes(path, []) as asked:
        first = await do(asked, name_process)
        os.kill(first, signal.SIGKILL)
        eventually(lambda: is_gone(first))
        assert await do(asked, name_process) != first
    assert caplog.messages == ["an idle worker process was ended by SIGKILL"]


@pytest.mark.parametrize(("linger", "stays"), [(60, True), (0.01, False)])
async def test_process_may_finish_what_nobody_waits_for(path, tmp_path, monkeypatch, linger, stays):
    # Pages are left all the time while boards ahead are drawn for them.
    monkeypatch.setattr(pool, "LINGER", linger)
    sign, client = tmp_path / "sign", Client()
    async with processes(path, []) as asked:
        first = await do(asked, name_process)
        left = asyncio.create_task(asked.do(client, wait_for, sign))
        await settled()
        client.gone.set()
        with pytest.raises(Problem):
            await left
        if stays:
            sign.touch()
        assert (await do(asked, name_process) == first) is stays


async def test_process_without_work_ends_after_a_while(path, monkeypatch):
    monkeypatch.setattr(pool, "IDLE_TIMEOUT", 0.01)
    async with asyncio.timeout(PATIENCE), processes(path, []) as asked:
        first = await do(asked, name_process)
        while not is_gone(first):
            await asyncio.sleep(0.01)
        assert await do(asked, name_process) != first


async def test_output_of_work_does_not_disturb_answers(path):
    async with processes(path, []) as asked:
        assert await do(asked, shout) == "done"


async def test_process_does_not_create_a_missing_book(path):
    async with processes(path, []) as asked:
        path.unlink()
        with pytest.raises(StoreError):
            await do(asked, refuse)
    assert not path.exists()


def test_cached_contents_have_bounded_size():
    cache = ContentCache(room=10, largest=6)
    for key in "abc":
        cache.put(key, b"1234")
    cache.put("large", b"1234567")
    cache.put(None, b"1")
    cache.put("b", b"12")
    cache.put("d", b"1234")
    assert [cache.get(key) for key in ("a", "b", "c", "d", "large", None)] == [
        None,
        b"12",
        b"1234",
        b"1234",
        None,
        None,
    ]


def test_problem_survives_pickling():
    problem = pickle.loads(pickle.dumps(Problem(400, "no", line=3, headers={"A": "b"})))
    assert (problem.status, problem.detail) == (400, "no")
    assert problem.facts == {"line": 3, "headers": {"A": "b"}}


def test_work_above_bucket_needs_full_bucket():
    time = [1000.0]
    buckets = Buckets(10, 10, lambda: time[0])
    assert buckets.wait(b"a", 50) == 0
    buckets.take(b"a", 4)
    assert buckets.wait(b"a", 6) == 0
    assert buckets.wait(b"a", 50) == pytest.approx(4)


def played(api: Api) -> str:
    match = api.open()
    assert api.play(match.id, match.host, *MOVES).status_code == 200
    return match.id


def gif(api: Api, match: str, query: str = "", **headers: str) -> Any:
    return api.get(f"/matches/{match}/record?format=gif{query}", headers=headers)


def frames(content: bytes) -> int:
    image = pytest.importorskip("PIL.Image")
    with image.open(io.BytesIO(content)) as picture:
        return int(picture.n_frames)


async def test_expensive_work_is_charged_once(book):
    chosen, work, client = Settings(requests_per_minute=20), Work(), Client()
    asked = Workers(book, chosen, Limits(chosen, lambda: 1000.0))
    work.may_end.set()
    someone: Any = client
    for _ in range(3):
        assert await asked.do(someone, work, cost=15, key="a") == b"done"
    with pytest.raises(Problem) as refused:
        await asked.do(someone, work, cost=15, key="b")
    assert refused.value.status == 429
    assert int(refused.value.facts["headers"]["Retry-After"]) == 30
    assert await asked.do(someone, work, cost=5, key="b") == b"done"
    assert work.begun == 2


def test_animation_is_charged_by_its_plies(served, monkeypatch):
    pytest.importorskip("resvg_py")
    costs: list[int] = []
    monkeypatch.setattr(Limits, "charge", lambda self, request, cost: costs.append(cost))
    api = served()
    match = played(api)
    for query in ("", "", "&from=3"):
        assert gif(api, match, query).status_code == 200
    assert costs == [15, 6]


def test_animation_shows_the_requested_range(served):
    pytest.importorskip("resvg_py")
    api = served()
    match = played(api)
    counts = [frames(gif(api, match, query).content) for query in ("&from=1&to=3", "&from=4")]
    assert counts == [3, 1]


def test_too_long_animation_is_400_with_range(served):
    pytest.importorskip("resvg_py")
    api = served(plies_per_picture=2)
    match = played(api)
    refused = gif(api, match)
    assert refused.status_code == 400
    assert "?from=2&to=4" in refused.json()["detail"]
    assert gif(api, match, "&from=2&to=4").status_code == 200
    assert "gif&amp;from=2&amp;to=4" in api.get(f"/m/{match}/share").text


@pytest.mark.parametrize(
    ("query", "status", "path"),
    [
        ("gif&from=3&to=2", 400, "from"),
        ("gif&ply=3&to=2", 400, "to"),
        ("png&from=1", 400, "from"),
        ("ply&to=1", 400, "to"),
        ("gif&to=5", 404, None),
    ],
)
def test_invalid_range_is_refused(api, query, status, path):
    answer = api.get(f"/matches/{played(api)}/record?format={query}")
    assert (answer.status_code, answer.json().get("path")) == (status, path)


@pytest.mark.parametrize("name", ["gif", "png", "html", "sheet", "archive"])
def test_cached_file_is_304_until_it_changes(api, name):
    pytest.importorskip("resvg_py")
    match = api.open()
    api.play(match.id, match.host, *MOVES[:2])
    path = f"/matches/{match.id}/record?format={name}"
    indexes.catch_up_summaries(api.book)  # the indexer would write later
    indexes.catch_up_positions(api.book)
    text_search.catch_up(api.book)
    tag = api.get(path).headers["etag"]
    same = api.get(path, headers={"If-None-Match": tag})
    assert (same.status_code, same.content) == (304, b"")
    body = {"ply": 2, "label": "d4=A"}
    api.post(f"/matches/{match.id}/annotations", json=body, headers=match.host)
    noted = api.get(path, headers={"If-None-Match": tag})
    assert noted.status_code == 200
    api.play(match.id, match.host, MOVES[2])
    listed = f'"other", {noted.headers["etag"]}'
    assert api.get(path, headers={"If-None-Match": listed}).status_code == 200
    tags = {tag, noted.headers["etag"], api.get(path).headers["etag"]}
    assert len(tags) == 3


def test_kept_file_needs_access_to_match(api):
    match = api.open()
    path = f"/matches/{match.id}/record?format=html"
    tag = api.get(path).headers["etag"]
    private = {"visibility": "private"}
    api.client.put(f"/matches/{match.id}/visibility", json=private, headers=match.host)
    assert api.get(path).status_code == 401
    assert api.get(path, headers={"If-None-Match": tag}).status_code == 401
    assert api.get(path, headers=match.host).status_code == 200


def test_kept_archive_depends_on_visible_forks(api):
    match = api.open(visibility="public")
    api.play(match.id, match.host, *MOVES)
    body = {"ply": 2, "kind": "match"}
    fork = api.post(f"/matches/{match.id}/forks", json=body, headers={}).json()
    host = {"Cookie": f"plybook-{fork['match']}={fork['tokens']['host']}"}
    path = f"/matches/{match.id}/record?format=archive"
    texts = [api.get(path, headers=who).text for who in (host, {}, host)]
    assert [fork["match"] in text for text in texts] == [True, False, True]
