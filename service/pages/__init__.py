"""Pages for people: HTML with drawn boards, and small JavaScript modules."""

from __future__ import annotations

from typing import Final

from service.pages import (
    adjust,
    api_reference,
    compare,
    embed,
    explore,
    home,
    how_to_play,
    import_records,
    invite,
    library,
    match,
    match_ending,
    offline,
    replay,
    rules,
    share,
    start,
    statistics,
    stood,
    thumbnails,
    tv,
    unspoiled,
)

ROUTERS: Final = (
    home.ROUTER,
    start.ROUTER,
    match.ROUTER,
    match_ending.ROUTER,
    replay.ROUTER,
    unspoiled.ROUTER,
    offline.ROUTER,
    tv.ROUTER,
    embed.ROUTER,
    adjust.ROUTER,
    stood.ROUTER,
    compare.ROUTER,
    thumbnails.ROUTER,
    rules.ROUTER,
    how_to_play.ROUTER,
    invite.ROUTER,
    share.ROUTER,
    library.ROUTER,
    import_records.ROUTER,
    explore.ROUTER,
    statistics.ROUTER,
    api_reference.ROUTER,
)
"""The routers of all pages."""
