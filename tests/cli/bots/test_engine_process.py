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
        ("pass", "the engine has ended with status 0$"),
        ("print('\\n' * 9, end='')", "the engine has ended with status 0$"),
        ("raise SystemExit(3)", "the engine has ended with status 3$"),
        ("import os; os.abort()", "the engine has ended by signal 6, Aborted$"),
        ("import os, time; os.close(1); time.sleep(60)", "closed its input or output, and runs on"),
        ("while True: print('info depth 3', flush=True)", "has not answered for 0.5 seconds"),
        ("import time; time.sleep(60)", "has not answered for 0.5 seconds"),
        ("print('x' * 100_000)", "more than 65536 bytes"),
    ],
)
def test_failing_engine_is_named_and_ended(program, message, monkeypatch):
    monkeypatch.setattr(engine_process, "STOPPING", 0.1)
    engine = EngineProcess(command(program), 0.5 if "60" in program or "while" in program else 30)
    with pytest.raises(EngineFailed, match=message):
        engine.answer("go 1 a")
    engine.close()
    assert engine._process.returncode is not None


CHATTY = command(
    "print('\\n  \\ninfo depth 3 score 1\\ninfo\\nplay a\\n\\nplay a', flush=True);"
    " [*iter(input, 'quit')]"
)


def test_lines_about_a_search_and_empty_lines_are_passed_over():
    engine = EngineProcess(CHATTY, 30)
    assert [engine.answer("go 1 a") for _ in range(2)] == ["play a", "play a"]
    engine.close()


def test_engine_gets_no_token(monkeypatch):
    monkeypatch.setenv("PLYBOOK_TOKEN", "secret")
    monkeypatch.setenv("SOMETHING", "else")
    told = "print(os.environ.get('PLYBOOK_TOKEN'), os.environ['SOMETHING'])"
    shown = command(f"import os; input(); {told}")
    engine = EngineProcess(shown, 30)
    assert engine.answer("go 1 a") == "None else"
    engine.close()


@pytest.mark.parametrize("missing", ["/no/such/engine", "", "'"])
def test_missing_engine_is_usage_error(missing):
    with pytest.raises(Usage, match="is not a valid engine"):
        EngineProcess(missing, 1)
