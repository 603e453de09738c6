"""The hooks that lack news, as last read; only hooks of changed matches are read again."""

from __future__ import annotations

from collections.abc import Collection

from replay.store.feed_types import Hook
from replay.store.sql.store import Store


class PendingHooks:
    """The hooks of a store that lack news, for the one task that calls them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, Hook] = {}

    def read(self, changed: Collection[int] | None) -> list[Hook]:
        """Read the hooks of these matches and of the book again, or all; return all that are known.

        The first due comes first.
        """
        found = {hook.id: hook for hook in self._store.hooks_due(changed)}
        if changed is not None:
            found |= {
                name: hook
                for name, hook in self._known.items()
                if hook.stream is not None and hook.stream not in changed
            }
        self._known = found
        return sorted(found.values(), key=lambda hook: (hook.due, hook.id))
