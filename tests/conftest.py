"""Settings for all tests: no example of a property has a time limit."""

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

# pytest reads options and writes its summary only from plug-ins of the root conftest.
pytest_plugins = ["tests.faults.reporting", "tests.scheduling"]
