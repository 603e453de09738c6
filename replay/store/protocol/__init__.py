"""The promises of a store of event streams, one part to a module. A store knows no game.

A backend implements every part; `Store` combines them. The tests in `tests/replay/store/contract`
check what the docstrings of the parts promise: run them over each backend.

What holds for all parts:

- **Threads.** Every method may be called from any thread at any time, also while other processes
  use the same store. A read never waits for a write.
- **Writes** return a future at once and are applied in the order in which they were submitted by
  one thread. The future is done when the write is durable: what it acknowledges survives a crash
  of the process and a loss of power. If it raises, nothing of that write is stored.
- **Atomicity.** A write is stored whole or not at all, and a read never sees half of one. Writes
  may be committed together, but the failure of one leaves the others alone.
- **Reads** see every write whose future is done, whichever process made it. Each call reads one
  moment; two calls may see different moments.
- **Numbers.** A stream's number is positive, grows with every new stream and is never used again.
- **Errors.** `UnknownMatch` for a stream that does not exist (or is a carrier, when writing to
  it), `Usage` for arguments that make no sense, `StoreError` if the store itself cannot be read
  or written, `FileChanged` once its files were replaced, `Damaged` for stored data that cannot
  have been written so. After `close` every call raises `StoreError`.
"""

from __future__ import annotations

from typing import Protocol

from replay.store.protocol.changes import Change, ChangeCursor, ChangeFeed, Changes
from replay.store.protocol.facts import Fact, Facts, NotEqual
from replay.store.protocol.hooks import FormerSecret, Hook, Hooks
from replay.store.protocol.log import (
    Appended,
    Creation,
    Log,
    NewEvent,
    NewStream,
    StoredEvent,
)
from replay.store.protocol.position_index import (
    IndexedMatch,
    IndexedStep,
    MoveCount,
    PositionIndex,
    WrittenMove,
)
from replay.store.protocol.streams import CARRIER, Stream, Streams
from replay.store.protocol.summaries import ListedMatch, Summaries, Summary, SummaryFilter
from replay.store.protocol.texts import Hit, IndexedTexts, Text, Texts
from replay.store.protocol.tokens import Capability, Tokens
from replay.store.protocol.upkeep import Condition, Observer, Upkeep

__all__ = [
    "CARRIER",
    "Appended",
    "Capability",
    "Change",
    "ChangeCursor",
    "ChangeFeed",
    "Changes",
    "Condition",
    "Creation",
    "Fact",
    "Facts",
    "FormerSecret",
    "Hit",
    "Hook",
    "Hooks",
    "IndexedMatch",
    "IndexedStep",
    "IndexedTexts",
    "ListedMatch",
    "Log",
    "MoveCount",
    "NewEvent",
    "NewStream",
    "NotEqual",
    "Observer",
    "PositionIndex",
    "Store",
    "StoredEvent",
    "Stream",
    "Streams",
    "Summaries",
    "Summary",
    "SummaryFilter",
    "Text",
    "Texts",
    "Tokens",
    "Upkeep",
    "WrittenMove",
]


class Store(
    Streams,
    Log,
    ChangeFeed,
    Facts,
    Tokens,
    Hooks,
    Summaries,
    Texts,
    PositionIndex,
    Upkeep,
    Protocol,
):
    """Event streams, the few mutable facts beside them, and indexes derived from both."""
