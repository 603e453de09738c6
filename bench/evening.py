"""The page of an evening, compared with the pages of its matches."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Final

import httpx

from bench.row import Figure, Row, Sample
from domain.games import BUILT_IN, built_in
from plybook import open_book, read_records
from replay import rules_text
from replay.access.capability_tokens import HOST
from replay.book import Book
from replay.formats.ply.importer import imported
from replay.record.match_creation import MatchCredentials, new_match_id
from replay.referee.evenings import OF, open_evening
from replay.store.types import Evening
from replay.tags.match_tags import retag
from service.app import create_app
from service.settings import Settings

TIMES: Final = 20
"""Each page is asked for so often in a round."""
GAMES: Final = tuple(BUILT_IN)[:5]


@dataclass(frozen=True)
class EveningPage(Row):
    """CPU time of the page of an evening of the demonstration matches of five games in turn, each
    with other players, to the mean of the pages of one match of each game; the least of 20 times.
    """

    matches: int = 64

    @property
    def figures(self) -> Sequence[Figure]:
        return (
            Figure(f"CPU of an evening's page, {self.matches} matches, to a match's", at_most=1.2),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder, open_book(Path(folder, "book.db")) as book:
            evening, _ = open_evening(book, "Tuesday club", "2026-11-24")
            ids = [_play(book, evening, number) for number in range(1, self.matches + 1)]
            pages = [f"/evenings/{evening.id}", *(f"/m/{match}" for match in ids[: len(GAMES)])]
            yield lambda: [asyncio.run(_ratio(book, pages))]


def _play(book: Book, evening: Evening, number: int) -> str:
    """Import a demonstration match with players of its own, and return its id."""
    text = rules_text.demo(built_in(GAMES[number % len(GAMES)]))
    (record,) = read_records(re.sub(r'(\[Seat\d "[^"]*)', rf"\1 {number}", text))
    keys = MatchCredentials(new_match_id(), [(evening.digest, HOST, None)])
    made = imported(book, record, keys, {OF: evening.id}).record
    retag(book, made.stream, {"Round": "1", "Table": str(number)})
    return made.id


async def _ratio(book: Book, pages: Sequence[str]) -> float:
    """Return the least time of the first page to the mean of those of the others."""
    app = create_app(book, Settings(requests_per_minute=0))
    spent: dict[str, list[float]] = {page: [] for page in pages}
    async with (
        app.lifespan(),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app),
            base_url="http://plybook",
            headers={"Accept": "text/html"},
        ) as client,
    ):
        for _ in range(TIMES):
            for page in pages:
                start = process_time()
                (await client.get(page)).raise_for_status()
                spent[page].append(process_time() - start)
    evening, *others = map(min, spent.values())
    return evening / (sum(others) / len(others))
