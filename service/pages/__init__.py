"""Pages for people: HTML with boards drawn in it, brought to life by small modules."""

from __future__ import annotations

from typing import Final

from service.pages import board, explore, home, library, pictures, rules, start, statistics

ROUTERS: Final = (
    home.ROUTER,
    start.ROUTER,
    board.ROUTER,
    pictures.ROUTER,
    rules.ROUTER,
    library.ROUTER,
    explore.ROUTER,
    statistics.ROUTER,
)
"""The routers of all pages."""
