"""The store in a database of PostgreSQL, for several programs on several machines."""

from replay.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
