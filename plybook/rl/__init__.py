"""Environments of PettingZoo for every installed game; they need `plybook[rl]`."""

from __future__ import annotations

try:
    from plybook.rl.environment import CHANCE, GameEnv, env
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("gymnasium", "numpy", "pettingzoo"):
        raise
    missing = f"plybook.rl needs {error.name}: pip install 'plybook[rl]'"
    raise ModuleNotFoundError(missing, name=error.name) from None

__all__ = ["CHANCE", "GameEnv", "env"]
