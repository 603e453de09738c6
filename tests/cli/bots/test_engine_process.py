"""Engines that are separate programs: good and failing ones."""

from __future__ import annotations

import shlex
import sys

import pytest

from cli.bots import engine_process
from cli.bots.engine_process import EngineFailed, EngineProcess
from replay.errors import Usage


def command(program: str) -> str:
    return shlex.join((sys.executable, "-c", program))


ECHO = command("import sys\nfor line in sys.stdin: print('play', line.split()[-1], flush=True)"
               " if line.startswith('go') else None")  # fmt: skip


def test_engine_answers_only_go():
    engine = EngineProcess(ECHO, 30)
    assert engine.answer("new poptrix seats=2") is None
    assert engine.answer("go 1 a b") == "play b"
    engine.close()
    assert engine._process.returncode == 0


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("pass", "the engine has ended"),
        ("import time; time.sleep(60)", "has not answered for 0.5 seconds"),
        ("print('x' * 100_000)", "more than 65536 bytes"),
    ],
)
def test_failing_engine_is_named_and_ended(program, message, monkeypatch):
    monkeypatch.setattr(engine_process, "STOPPING", 0.1)
    engine = EngineProcess(command(program), 30 if "sleep" not in program else 0.5)
    with pytest.raises(EngineFailed, match=message):
        engine.answer("go 1 a")
    engine.close()
    assert engine._process.returncode is not None


@pytest.mark.parametrize("missing", ["/no/such/engine", "", "'"])
def test_missing_engine_is_usage_error(missing):
    with pytest.raises(Usage, match="is not a valid engine"):
        EngineProcess(missing, 1)
