"""Metrics count correctly, and contain no data of persons."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from domain.events import Ruled
from domain.games import built_in
from replay.book import Book
from replay.errors import StoreError
from replay.record.match_creation import NewMatch
from replay.store import open_store
from service.live import readiness
from service.settings import Settings
from tests.service.conftest import Api, serve
from tests.service.live.test_hook_deliveries import hooked, receiving, register, status, until_told
from tests.service.live.test_streams import PROGRAMS
from tests.service.live_service import live_service


def counted(text: str) -> dict[tuple[str, ...], float]:
    """Return the counts by name and label values."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def api(fresh):
    return fresh


def test_requests_events_and_refusals_are_counted(api):
    match, host, _ = api.open()
    assert api.play(match, host, "M@c1", "S@c6").status_code == 200
    assert api.play(match, host, "c1>M@c3").json()["clause"] == "POP-3.2"
    api.get("/nowhere")
    answer = api.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    found = counted(answer.text)
    assert found["plybook_requests_total", "POST", "open_a_match", "201"] == 1
    assert found["plybook_requests_total", "POST", "enter_events", "200"] == 1
    assert found["plybook_requests_total", "POST", "enter_events", "409"] == 1
    assert found["plybook_requests_total", "GET", "other", "404"] == 1
    assert found["plybook_request_seconds_count", "enter_events"] == 2
    assert found["plybook_events_total", "poptrix"] == 2
    assert found["plybook_refusals_total", "POP-3.2"] == 1


def test_repeated_request_counts_once(api):
    match, host, _ = api.open()
    for _ in range(3):
        api.play(match, host | {"Idempotency-Key": "one"}, "M@c1")
    assert counted(api.get("/metrics").text)["plybook_events_total", "poptrix"] == 1


def test_unknown_methods_are_counted_as_one(api):
    for method in ("MADE", "UP"):
        api.client.request(method, "/games")
    found = counted(api.get("/metrics").text)
    assert not {key for key in found if {"MADE", "UP"} & set(key)}


def test_each_application_counts_for_itself(api):
    api.get("/games")
    with serve() as other:
        found = counted(other.get("/metrics").text)
    assert not [key for key in found if "list_games" in key]


async def test_open_streams_and_deliveries_are_counted():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        match, host, _ = await at.open()
        stream = await at.listen(f"/matches/{match}/stream?after=0")
        await at.listen("/stream")
        hook = await register(at, match, host, receiver.url)
        await at.play(match, host, "M@c1")
        await until_told(at, hook, host, lambda now: now["delivered"])
        found = counted((await at.client.get("/metrics")).text)
        assert found["plybook_open_streams",] == 2
        assert found["plybook_hook_deliveries_total", "arrived"] == 1
        await stream.leave()
        found = counted((await at.client.get("/metrics")).text)
        assert found["plybook_open_streams",] == 1


def test_cache_of_matches_is_measured(api):
    first, host, _ = api.open()
    found = counted(api.get("/metrics").text)
    assert found["plybook_match_cache_matches",] == 1
    size = found["plybook_match_cache_bytes",]
    assert size > 0
    assert api.play(first, host, "M@c1", "S@c6").status_code == 200
    again = counted(api.get("/metrics").text)
    assert again["plybook_match_cache_bytes",] > size
    assert again["plybook_match_cache_hits_total",] == found["plybook_match_cache_hits_total",] + 1
    assert again["plybook_match_cache_misses_total",] == found["plybook_match_cache_misses_total",]


def test_setting_limits_the_cache_of_matches():
    with serve(Settings(cache_mb=1)) as api:
        book = api.book
        for _ in range(3):
            ruled = Ruled("drawn", reason="x" * 200_000)
            book.create(NewMatch(built_in("poptrix"), events=[(ruled, "scorekeeper")]))
        found = counted(api.get("/metrics").text)
    assert found["plybook_match_cache_matches",] == 2
    assert found["plybook_match_cache_evictions_total",] == 1
    assert found["plybook_match_cache_bytes",] <= 1024 * 1024


def test_metrics_hold_no_id_token_name_or_secret(api):
    match, host, seats = api.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    api.play(match, seats["1"], PROGRAMS[0])
    api.play(match, seats["2"], PROGRAMS[0])
    api.get(f"/matches/{match}?nonsense=1")
    api.client.delete(f"/matches/{match}/invitations/x", headers=host)
    api.get(f"/join/{match}/{host['Authorization'][7:]}")
    text = api.get("/metrics").text
    for hidden in (match, host["Authorization"][7:], "Jet", "nonsense", "FR."):
        assert hidden not in text
    labels = {value for key in counted(text) for value in key[1:]}
    assert all(re.fullmatch(r"[\w.+-]*", value) for value in labels)


# Readiness


def test_service_with_writable_store_is_ready(api):
    assert api.get("/readyz").json() == {"ok": True}


def test_service_with_closed_store_is_not_ready():
    with serve() as api:
        api.book.store.close()
        answer = api.get("/readyz")
        assert answer.status_code == 503
        assert "cannot be read and written" in answer.json()["detail"]
        assert api.get("/healthz").status_code == 200


def test_readiness_check_changes_no_data(tmp_path):
    with serve(book=Book(open_store(tmp_path / "book.db"))) as api:
        store = api.book.store
        seen = store.data_version()
        assert api.get("/readyz").status_code == 200
        assert store.data_version() == seen
        assert list(store.matches()) == []


def test_service_with_blocked_writer_is_not_ready(tmp_path, monkeypatch):
    monkeypatch.setattr(readiness, "PROBE_TIMEOUT", 0.05)
    from replay.store.sqlite.connecting import writing

    with serve(book=Book(open_store(tmp_path / "book.db"))) as api:
        other = writing(tmp_path / "book.db", 1)
        other.execute("BEGIN IMMEDIATE")
        answer = api.get("/readyz")
        other.close()
        assert answer.status_code == 503
        assert "busy" in answer.json()["detail"]


@pytest.mark.parametrize("error", [StoreError("secret place")])
def test_readiness_keeps_store_error_secret(api, monkeypatch, error):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(api.book.store, "changes", fail)
    answer = api.get("/readyz")
    assert answer.status_code == 503
    assert "secret place" not in answer.text


@pytest.fixture(scope="module")
def apart() -> Iterator[Api]:
    """A service with a separate port for metrics."""
    with serve(Settings(metrics_port=9100)) as api:
        yield api


@pytest.mark.parametrize("path", ["/metrics", "/metrics/", "//metrics"])
def test_only_the_metrics_port_answers_metrics(apart, path):
    assert apart.get("http://testserver" + path).status_code == 404
    assert apart.get("http://testserver:8000" + path).status_code == 404
    assert "plybook_requests" in apart.get("http://testserver:9100/metrics").text


@pytest.mark.parametrize("path", ["/", "/games", "/healthz", "/static/css/plybook.css"])
def test_metrics_port_serves_no_other_path(apart, path):
    assert apart.get(f"http://testserver:9100{path}").status_code == 404
    assert apart.get(f"http://testserver{path}").status_code == 200


async def test_hooks_that_are_behind_are_counted():
    async with hooked() as (at, receiver, match, host, hook):
        receiver.answers = [status(500)]
        assert counted((await at.client.get("/metrics")).text)["plybook_hooks_behind",] == 0
        await at.play(match, host, "M@c1")
        await until_told(at, hook, host, lambda now: now["failures"])
        assert counted((await at.client.get("/metrics")).text)["plybook_hooks_behind",] == 1


def test_metrics_survive_a_failing_store(api, monkeypatch):
    def fail() -> None:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(api.book.store, "hooks_due", fail)
    assert "plybook_hooks_behind NaN" in api.get("/metrics").text
