"""A cache of recently built content."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final

ROOM: Final = 64 * 1024 * 1024
"""The capacity of the cache in bytes."""

LARGEST: Final = ROOM // 4
"""The largest content cached, in bytes."""


class ContentCache:
    """An LRU cache of bytes whose total size never exceeds `room`."""

    def __init__(self, room: int = ROOM, largest: int = LARGEST) -> None:
        self._contents: OrderedDict[Hashable, bytes] = OrderedDict()
        self._left = room
        self._largest = largest

    def get(self, key: Hashable) -> bytes | None:
        """Return the content of a key, if cached."""
        content = self._contents.get(key)
        if content is not None:
            self._contents.move_to_end(key)
        return content

    def put(self, key: Hashable, content: Any) -> None:
        """Cache a content under a key, unless there is no key, or it is not bytes or too large."""
        if key is None or not isinstance(content, bytes) or len(content) > self._largest:
            return
        self._left += len(self._contents.pop(key, b"")) - len(content)
        self._contents[key] = content
        while self._left < 0:
            _, oldest = self._contents.popitem(last=False)
            self._left += len(oldest)
