"""Pages for people: HTML with boards drawn in it, brought to life by small modules."""

from __future__ import annotations

from typing import Final

from service.pages import (
    adjusting,
    beside,
    board,
    bring,
    explore,
    home,
    invite,
    library,
    pictures,
    replay,
    rules,
    share,
    start,
    statistics,
)

ROUTERS: Final = (
    home.ROUTER,
    start.ROUTER,
    board.ROUTER,
    replay.ROUTER,
    adjusting.ROUTER,
    beside.ROUTER,
    pictures.ROUTER,
    rules.ROUTER,
    invite.ROUTER,
    share.ROUTER,
    library.ROUTER,
    bring.ROUTER,
    explore.ROUTER,
    statistics.ROUTER,
)
"""The routers of all pages."""
