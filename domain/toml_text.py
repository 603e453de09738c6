"""TOML, as people write games and settings."""

from __future__ import annotations

import tomllib
from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML. Raises `ValueError`, also for a text whose brackets nest too deeply."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its brackets nest too deeply; use fewer") from None
