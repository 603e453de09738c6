"""Environments of PettingZoo for every installed game; they need the extra `rl`."""

from __future__ import annotations

from replay.errors import missing_extra

try:
    from plybook.rl.environment import CHANCE, GameEnv, env
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("gymnasium", "numpy", "pettingzoo"):
        raise
    missing = missing_extra(f"plybook.rl ({error.name})", "rl")
    raise ModuleNotFoundError(missing, name=error.name) from None

__all__ = ["CHANCE", "GameEnv", "env"]
