"""Thumbnails for lists: the board alone, of a match at an address and of each game."""

from __future__ import annotations

from typing import Final

from litestar import Response, Router, get
from litestar.params import FromPath
from msgspec.structs import replace

from domain.scene import Scene
from replay.drawing import svg
from replay.games import game_info
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from service.http.access import TheMatchAccess, find_game
from service.http.addresses import prefix
from service.http.caching import HOUR, address_headers

SVG: Final = "image/svg+xml"


def thumbnail(record: MatchRecord) -> str:
    """Return the address of the thumbnail of a match at its head."""
    return f"{prefix()}/m/{record.id}/small/{record.match.version}/{record.ply()}"


@get("/m/{match:str}/small/{version:int}/{ply:int}")
async def small_board(
    visit: TheMatchAccess, version: FromPath[int], ply: FromPath[int]
) -> Response[str]:
    """Draw the board at an address as the caller may see it."""
    then = visit.at(version)
    here = then.ply(ply)
    scene = timeline.point(then, here, visit.viewer).scene
    headers = address_headers(visit, then, here)
    return Response(_alone(scene, then.game.name), media_type=SVG, headers=headers)


@get("/new/{game:str}/picture.svg")
async def game_picture(game: FromPath[str]) -> Response[str]:
    """Draw a position of a game's demonstration match."""
    found = find_game(game)
    drawn = _alone(game_info.picture(found), found.name)
    return Response(drawn, media_type=SVG, headers=HOUR)


def _alone(scene: Scene, title: str) -> str:
    return svg.draw(replace(scene, panels=scene.panels[:1], trays=(), caption=""), title=title)


ROUTER: Final = Router("/", route_handlers=[small_board, game_picture], include_in_schema=False)
