"""A store of event streams over a database of SQL. A store knows no game.

Each part of `Store` is a module. SQLite and PostgreSQL have their own `Connection`, writer thread
and subclass of `Store`; everything else is shared. The tests in `tests/replay/store/contract` check
the promises of the docstrings over both databases.

Promises of all parts:

- **Threads.** Every method may be called from any thread at any time, even while other processes
  use the same store. A read never waits for a write.
- **Writes** return a future at once and are applied in the order in which a thread submits them.
  The future is done when the write is durable: then it survives a crash of the process and a loss
  of power. If it raises, none of its changes are stored.
- **Atomicity.** A write is stored whole or not at all, and a read never sees half of one. Writes
  may be committed together, but the failure of one write does not affect the others.
- **Reads** see every write whose future is done, in any process. Each call reads the state of a
  single moment; two calls may see different moments.
- **Numbers.** A stream's number is positive, grows with every new stream and is never used again.
- **Errors.** `UnknownMatch` for a stream that does not exist (or is a carrier, when writing to
  it), `Usage` for invalid arguments, `StoreError` if the store itself cannot be read or written,
  `FileChanged` once its files were replaced, `Damaged` for stored data that no Plybook can have
  written. After `close` every call raises `StoreError`.
"""

from __future__ import annotations

from replay.store.sql.accounts import Accounts
from replay.store.sql.change_feed import ChangeFeed
from replay.store.sql.evenings import Evenings
from replay.store.sql.hooks import Hooks
from replay.store.sql.log import Log
from replay.store.sql.people import People
from replay.store.sql.position_index import PositionIndex
from replay.store.sql.purging import Purging
from replay.store.sql.search_index import Texts
from replay.store.sql.streams import Streams
from replay.store.sql.summaries import Summaries
from replay.store.sql.tallies import Tallies
from replay.store.sql.tokens import Tokens
from replay.store.sql.upkeep import Upkeep


class Store(
    Streams,
    Purging,
    Log,
    ChangeFeed,
    Tokens,
    Accounts,
    Evenings,
    Hooks,
    Summaries,
    Tallies,
    Texts,
    PositionIndex,
    People,
    Upkeep,
):
    """Event streams, their mutable metadata, and indexes derived from both."""

    def erasure_due(self) -> int | None:
        """Return since when erased bytes may be in the files, in milliseconds since 1970.

        `None`: no erased bytes remain, or the database server's own clean-up decides.
        """
        return None

    def compact(self) -> int | None:
        """Clean up after all erasures; if that is impossible, return since when it is due."""
        return self.erasure_due()
