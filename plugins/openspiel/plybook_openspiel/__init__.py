"""The turn-based games of OpenSpiel, each as a game of Plybook.

OpenSpiel decides what is legal, what chance brings, what each seat knows and who has won. It gives
no reasons, so every refusal cites the same clause. `offers.jsonl` has the games that pass the
tests of `plybook.testing`, so that OpenSpiel is loaded only when one of them is used.
"""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.util import find_spec

from msgspec import json

from plybook.game import Game
from plybook_openspiel.moves import Offer, kinds
from plybook_openspiel.picture import draw
from plybook_openspiel.position import TEXT, Line, Played

if find_spec("pyspiel") is None:
    raise ImportError("the games of OpenSpiel need its package: pip install open_spiel")


def game(offer: Offer) -> Game[Played]:
    """Return a game of OpenSpiel as a game of Plybook."""
    slug = "-".join(re.findall("[a-z0-9]+", offer.name))
    seats = " or ".join(map(str, offer.seats))
    rules = (files("plybook_openspiel") / "rules.md").read_text(encoding="utf-8")
    return Game(
        f"openspiel-{slug}",
        f"{offer.title} (OpenSpiel)",
        seats=offer.seats,
        moves=kinds(offer),
        start=lambda options, seats: Played(Line(offer.name, seats), hidden=offer.hidden),
        scene=draw,
        text=None if offer.hidden else TEXT,
        seeds="plybook_openspiel.seeds",
        rules=rules.format(title=offer.title, name=offer.name, seats=seats),
    )


GAMES = tuple(
    game(json.decode(line, type=Offer))
    for line in (files("plybook_openspiel") / "offers.jsonl").read_bytes().splitlines()
)
