"""Pages for people: HTML with drawn boards, and small JavaScript modules."""

from __future__ import annotations

from typing import Final

from service.pages import (
    adjust,
    ahead,
    api_reference,
    cards,
    compare,
    embed,
    explore,
    home,
    how_to_play,
    library,
    match,
    mine,
    offline,
    replay,
    rules,
    share,
    start,
    stood,
    unopened,
)

ROUTERS: Final = (
    home.ROUTER,
    start.ROUTER,
    unopened.ROUTER,
    match.ROUTER,
    ahead.ROUTER,
    replay.ROUTER,
    offline.ROUTER,
    embed.ROUTER,
    adjust.ROUTER,
    stood.ROUTER,
    compare.ROUTER,
    cards.ROUTER,
    rules.ROUTER,
    how_to_play.ROUTER,
    share.ROUTER,
    library.ROUTER,
    mine.ROUTER,
    explore.ROUTER,
    api_reference.ROUTER,
)
"""The routers of all pages."""
