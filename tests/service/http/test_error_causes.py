"""The log shows a cause once a minute with its count; readiness is tested once a second."""

from __future__ import annotations

import pytest

from replay.errors import FileChanged, StoreError
from service.api import health
from service.http import logs
from tests.service.conftest import serve


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(logs.time, "monotonic", clock)
    return clock


FULL = StoreError("book.db: there is no room left", "there is no room left")


def test_cause_is_logged_once_a_minute_with_count(clock, caplog):
    causes = logs.Causes()
    for _ in range(6):
        for _ in range(10):
            causes.log(FULL)
        clock.now += 20
    first, second = (record.getMessage() for record in caplog.records)
    assert first == "book.db: there is no room left"
    assert second == "book.db: there is no room left; 29 more times since the last such line"


def test_each_cause_has_its_own_line(clock, caplog):
    causes = logs.Causes()
    for error in (FULL, StoreError("book.db: it failed", "it failed"), FULL):
        causes.log(error)
    assert len(caplog.records) == 2


def test_only_the_store_logs_a_file_change(caplog):
    logs.Causes().log(FileChanged("book.db was replaced"))
    assert caplog.records == []


def test_background_failures_are_logged_by_cause(clock, caplog, monkeypatch):
    monkeypatch.setattr(logs, "CAUSES", logs.Causes())
    for _ in range(5):
        logs.log_failure("the hooks cannot be looked for", FULL)
    logs.log_failure("the hooks cannot be looked for", KeyError("secret"))
    full, other = (record.getMessage() for record in caplog.records)
    assert "no room" in full
    assert other.startswith("the hooks cannot be looked for")
    assert "secret" not in other


def test_store_failure_is_503_with_retry_after(caplog, monkeypatch):
    monkeypatch.setattr(logs, "CAUSES", logs.Causes())

    def fail(*_: object) -> None:
        raise FULL

    with serve() as api:
        monkeypatch.setattr(api.book.store, "find", fail)
        for _ in range(3):
            answer = api.get("/matches/k7m2")
            assert answer.status_code == 503
            assert answer.headers["Retry-After"] == "5"
            assert "no room left" in answer.json()["detail"]
            assert "book.db" not in answer.text
    assert len(caplog.records) == 1


def test_readiness_costs_one_write_a_second(monkeypatch):
    monkeypatch.setattr(health, "FRESH", 1000.0)
    with serve() as api:
        probes, probe = [], api.book.store.probe
        monkeypatch.setattr(api.book.store, "probe", lambda: probes.append(1) or probe())
        assert [api.get("/readyz").status_code for _ in range(5)] == [200] * 5
    assert len(probes) == 1
