"""Append events to streams, and read them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

from replay.store import validation
from replay.store.postgres import events
from replay.store.postgres.appending import PipelinedAppend
from replay.store.protocol import Appended, NewEvent, StoredEvent, Summary
from replay.store.sql.log import SqlLog


class PostgresLog(SqlLog):
    """The part `Log` of the protocol."""

    def append(
        self,
        stream: int,
        expected: int,
        events: Sequence[NewEvent],
        summary: Summary | None = None,
        epoch: int | None = None,
    ) -> Future[Appended]:
        append = PipelinedAppend(self._writer.epoch, stream, expected, events, summary, epoch)
        return self._writer.submit(append, ends_epoch=False)

    def read(self, stream: int, after: int = 0, until: int | None = None) -> list[StoredEvent]:
        return self._query(events.read, stream, after, validation.LAST if until is None else until)
