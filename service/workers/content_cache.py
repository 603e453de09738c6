"""Contents that were made lately, so that they need not be made again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final

ROOM: Final = 64 * 1024 * 1024
"""Bytes of content that are kept."""

LARGEST: Final = ROOM // 4
"""Bytes of one content that is kept."""


class ContentCache:
    """Bytes by key, those used longest ago left out first. The bytes in it never exceed `room`."""

    def __init__(self, room: int = ROOM, largest: int = LARGEST) -> None:
        self._contents: OrderedDict[Hashable, bytes] = OrderedDict()
        self._left = room
        self._largest = largest

    def get(self, key: Hashable) -> bytes | None:
        """Return the content of a key, if it is here."""
        content = self._contents.get(key)
        if content is not None:
            self._contents.move_to_end(key)
        return content

    def put(self, key: Hashable, content: Any) -> None:
        """Keep a content under a key; without a key, or if it is no bytes or too many, do not."""
        if key is None or not isinstance(content, bytes) or len(content) > self._largest:
            return
        self._left += len(self._contents.pop(key, b"")) - len(content)
        self._contents[key] = content
        while self._left < 0:
            _, oldest = self._contents.popitem(last=False)
            self._left += len(oldest)
