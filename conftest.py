"""Settings for all tests: properties try fifty examples, and none has a time limit."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.replay.store.postgres_server import Server, programs, running

settings.register_profile(
    "plybook",
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("plybook")

# Containers often forbid it; then every worker and every server compiles everything again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell lets its jobs in the background ignore the signal, and the programs under test would
# inherit that: no Ctrl-C would reach them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# pytest reads options and writes its summary only from plug-ins of the root conftest.
pytest_plugins = ["faults.reporting", "tests.scheduling"]


# What is imported and collected stays to the end. Collecting garbage took a seventh of the time.
gc.disable()


def pytest_collection_finish() -> None:
    """Spare the garbage collector the collected tests, and let it run less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Start a PostgreSQL server for the tests that ask for one."""
    if programs() is None:
        pytest.skip("there is no PostgreSQL here: no initdb, postgres and pg_ctl")
    with running() as server:
        yield server
