"""Full positions of the built-in games, from the recorded matches."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from domain.entry import move_text
from domain.games import BUILT_IN, built_in
from domain.match import Match, open_match
from domain.scene import Scene
from tests.paths import FIXTURES


@functools.cache
def scenes(slug: str) -> tuple[Scene, ...]:
    """Return every picture of one recorded match, the frames of its events included."""
    return tuple(_scenes(slug))


def _scenes(slug: str) -> Iterator[Scene]:
    text = (FIXTURES / slug / "games.ply").read_text()
    header, body = text.split("\n\n", 2)[:2]
    match = _opened(slug, header)
    for token in body.split()[:-1]:
        if not re.fullmatch(r"\d+\.", token):
            match = match.evolve(move_text.read(match.game, match.state, token))
            scene = match.game.scene(match.state.position.view(None), match.line[-1].effects)
            yield from (scene, *scene.frames)


def _opened(slug: str, header: str) -> Match:
    game = built_in(slug)
    options = dict(re.findall(r'\[Option "(\w+)=(\w+)"\]', header))
    seats = len(re.findall(r"\[Seat\d", header))
    return open_match(game, game.read_options(options), seats)


SLUGS = tuple(BUILT_IN)
