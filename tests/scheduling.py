"""Distribute tests to xdist's workers by file, long files in parts."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import suppress
from importlib import import_module
from typing import Any

import pytest
from _pytest.outcomes import Skipped
from xdist.scheduler import LoadFileScheduling

TEST_BY_TEST = (
    "tests/contract/test_conformance.py",
    "faults/test_authorization.py",
    "tests/cluster/test_kills.py",
    "tests/cluster/test_database_faults.py",
    "tests/contract/test_secrets.py",
    "tests/plugins/test_suites.py",
    "tests/browser/test_record_games.py",
    "tests/browser/test_record_plugins.py",
    "tests/browser/test_preferences.py",
    "tests/browser/test_every_page.py",
)
"""The files with the longest tests. They run first, each test wherever a worker is free."""

WHOLE = ("tests/test_bots.py", "tests/replay/store/contract/test_model.py")
"""Long files whose tests share much: they run next, each in one worker, and are not the last."""

NEXT = "tests/browser/"
"""The folder that runs then, so that each worker starts a browser and its servers once."""


class FilesInParts(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return nodeid if file in TEST_BY_TEST else file


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Return two workers for each core, as nearly half of the tests' time is waiting."""
    cores = yield
    return cores if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else 2 * cores


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FilesInParts | None:
    return FilesInParts(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Begin to import in another place in each worker: what one has compiled, the others read.

    In a fresh clone that saves each of them the most of fifteen seconds.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    root = session.config.rootpath
    files = [
        file for path in session.config.args for file in sorted((root / path).rglob("test_*.py"))
    ]
    begin = int(worker["workerid"].removeprefix("gw")) * len(files) // worker["workercount"]
    for file in files[begin:] + files[:begin]:
        with suppress(Exception, Skipped):  # the collection reports it
            import_module(".".join(file.relative_to(root).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {file: place for place, file in enumerate(TEST_BY_TEST + WHOLE)}
    last = len(places) + 1
    items.sort(
        key=lambda item: places.get(
            item.nodeid.partition("::")[0], last - item.nodeid.startswith(NEXT)
        )
    )
