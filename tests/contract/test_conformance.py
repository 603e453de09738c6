"""The API answers as its schema says, for all requests of Schemathesis and all its checks."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.contract.server import ROOT, Server, run

HERE = Path(__file__).parent

SEED = os.environ.get("CONFORMANCE_SEED", "1")
"""A run is the same each time, so a failure is news of the change; other seeds find more."""

EXAMPLES = os.environ.get("CONFORMANCE_EXAMPLES", "40")
"""The examples of each operation in the slow jobs; 400 take about ten times as long."""


def conformance(server: Server, folder: Path, *arguments: str) -> str:
    """Run Schemathesis and return its report."""
    st = str(Path(sys.executable).with_name("st"))
    command = [st, "--config-file", str(HERE / "schemathesis.toml"), "run", "--no-color"]
    environment = {
        "PYTHONPATH": str(ROOT),
        "PLYBOOK_UNDER_TEST": server.url,
        "PLYBOOK_OPERATOR": _token(server.operator()),
        "PLYBOOK_ACCOUNT": _token(server.account()),
        "SCHEMATHESIS_HOOKS": "tests.contract.schemathesis_hooks",
    }
    schema = f"{server.url}/schema/openapi.json"
    asked = [*command, "--seed", SEED, schema, *arguments]
    ran = run(*asked, cwd=folder, env=os.environ | environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr + server.log.read_text()
    return ran.stdout


def _token(headers: dict[str, str]) -> str:
    return headers["Authorization"].removeprefix("Bearer ")


def test_some_requests_per_operation_conform_to_the_schema(server, tmp_path):
    report = conformance(server, tmp_path, "--phases=fuzzing,stateful", "--max-examples=1")
    assert "✅ Fuzzing" in report
    assert "✅ Stateful" in report


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["examples,coverage", "fuzzing", "stateful"])
def test_many_requests_per_operation_conform_to_the_schema(server, tmp_path, phase):
    arguments = f"--phases={phase}", f"--max-examples={EXAMPLES}", "--continue-on-failure"
    report = conformance(server, tmp_path, *arguments)
    assert f"✅ {phase.rpartition(',')[2].title()}" in report
