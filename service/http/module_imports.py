"""The JavaScript modules that a page needs, found in its scripts' imports."""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import Final

from service.http.static_files import digest, path_of

IMPORT: Final = re.compile(r'^import\b[^;"]*"(\.[^"]+)"', re.MULTILINE)
"""A static import of a relative address; `import(…)` loads later, if at all."""


def imported_modules(scripts: Iterable[str]) -> tuple[str, ...]:
    """Return the modules that scripts import, directly or indirectly, without the scripts.

    Pages preload them, so the browser need not load one to discover the next. Names are relative to
    `static/js`.
    """
    return _imported(tuple(scripts), digest())


@functools.lru_cache(maxsize=64)
def _imported(scripts: tuple[str, ...], _digest: str) -> tuple[str, ...]:
    found = dict.fromkeys(scripts)
    waiting = list(scripts)
    while waiting:
        fresh = [name for name in _imports(waiting.pop(0)) if name not in found]
        found |= dict.fromkeys(fresh)
        waiting += fresh
    return tuple(found)[len(dict.fromkeys(scripts)) :]


def _imports(name: str) -> Iterator[str]:
    source = path_of(f"js/{name}").read_text(encoding="utf-8")
    for address in IMPORT.findall(source):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(name), address))
