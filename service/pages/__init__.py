"""Pages for people: HTML with boards drawn in it, brought to life by small modules."""

from __future__ import annotations

from typing import Final

from service.pages import board, home, pictures, rules, start

ROUTERS: Final = (
    home.ROUTER,
    start.ROUTER,
    board.ROUTER,
    pictures.ROUTER,
    rules.ROUTER,
)
"""The routers of all pages."""
