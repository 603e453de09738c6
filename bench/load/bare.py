"""The yardstick: an endpoint that decodes the same bodies and stores nothing.

`python -m bench.load.bare --port N --loop LOOP --http HTTP` serves it with uvicorn's loop and
parser of these names, and else with the settings of `plybook serve`.
"""

from __future__ import annotations

import argparse
from typing import Any, Final

import msgspec
import uvicorn
from litestar import Litestar, Request, Response, post
from litestar.params import FromPath

from service.models.requests import EventEntries

ENTRIES: Final = msgspec.json.Decoder(EventEntries)


@post("/matches/{match:str}/events", status_code=200)
async def enter(request: Request[Any, Any, Any], match: FromPath[str]) -> Response[bytes]:
    """Decode the events and count them."""
    entries = ENTRIES.decode(await request.body())
    body = msgspec.json.encode({"match": match, "events": len(entries.events)})
    return Response(body, media_type="application/json")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--loop", required=True)
    parser.add_argument("--http", required=True)
    chosen = vars(parser.parse_args())
    app = Litestar([enter], openapi_config=None, logging_config=None)
    uvicorn.run(app, log_level="warning", access_log=False, lifespan="on", **chosen)


if __name__ == "__main__":
    main()
