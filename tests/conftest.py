"""What holds for all tests: no example of a property is judged by how long it took."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "plybook",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("plybook")

# Here, because pytest reads options and writes its summary only where it begins.
pytest_plugins = ["tests.faults.reporting"]
