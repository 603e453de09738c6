"""Serve style sheets, modules and pictures at addresses that contain a digest.

This is *safer* than the router of Litestar, whose files of two versions may meet in one page
(`tests/service/http/test_static_files.py`).

`/static/{digest}/…` can be cached for ever, since the digest covers all files. Modules import each
other by relative addresses, so their imports carry the digest too. A file at an address without a
digest, or with an old digest, is revalidated on each use and answered 304 if it is unchanged.
"""

from __future__ import annotations

import functools
import hashlib
import posixpath
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from litestar import Response, Router, get
from litestar.params import FromPath

from replay.drawing import colours
from replay.formats.html import player_page
from service.http.addresses import prefix
from service.http.caching import FOR_EVER
from service.http.problems import Problem
from service.http.rights import ANYBODY

IMPORT: Final = re.compile(r'^import\b[^;"(]*"(\.[^"]+)"', re.MULTILINE)
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


FOLDERS: Final = (Path(__file__).parents[1] / "static", player_page.STATIC)
"""The folder of the service's own files, and the folder it shares with exported pages."""
DIGITS: Final = 12
DIGEST: Final = re.compile(f"[0-9a-f]{{{DIGITS}}}")

TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain",
}

GENERATED: Final = {"css/pictures.css": colours.STYLE.encode()}
"""Generated files: styles of boards and pieces, as in exported pictures."""

UNREAD: Final = re.compile(
    rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|// .*)?\n|/\*\* @type [^*\n]*\*/ ?|^[ \t]+",
    re.MULTILINE,
)
"""Lines that are empty or a comment, inline types, and indentation.

Modules and style sheets are served without these, because browsers ignore them.
"""

UNREAD_WITHIN: Final = {
    ".css": re.compile(rb"(?<=[{};,:>])\s+|\s+(?=[{}>])"),
    ".js": re.compile(rb"(?<=[{;,(\[])\n"),
}
"""White space next to signs that end a word.

No string contains such white space, and no comment follows code there.
"""

Found = dict[str, tuple[int, int]]


def address(name: str) -> str:
    """Return the address of a static file."""
    return f"{prefix()}/static/{digest()}/{name}"


def digest() -> str:
    """Return the current digest of all static files."""
    return _digest_at(int(time.monotonic()))


@functools.lru_cache(maxsize=1)
def _digest_at(second: int) -> str:
    return _digest_of(tuple(_stamps_at(second).items()))


def names() -> list[str]:
    """Return the names of all static files."""
    return list(_stamps())


def paths() -> dict[str, Path]:
    """Return the paths of the static files in the folders by their names."""
    return {
        path.relative_to(folder).as_posix(): path
        for folder in FOLDERS
        for path in sorted(folder.rglob("*"))
        if path.suffix in TYPES
    }


def path_of(name: str) -> Path:
    """Return the path of a static file in the folders.

    Raises `StopIteration` for an unknown name.
    """
    return next(path for folder in FOLDERS if (path := folder / name).is_file())


def read(name: str) -> bytes:
    """Return the content of a static file."""
    return _content(name, _stamps()[name])


@get("/static/{path:path}", guards=[ANYBODY])
async def static_file(path: FromPath[Path]) -> Response[bytes]:
    """Answer a file: immutable at the current digest, otherwise revalidated by its `ETag`."""
    stamps = _stamps()
    asked, name = _split(path.as_posix().lstrip("/"), stamps)
    content = _content(name, stamps[name])
    kept = f"public, {FOR_EVER}" if asked == digest() else "no-cache"
    headers = {"Cache-Control": kept}
    return Response(content, media_type=TYPES[Path(name).suffix], headers=headers)


def _split(path: str, stamps: Found) -> tuple[str, str]:
    """Split a path into its digest, if any, and the file name. Raises `Problem` 404."""
    front, _, rest = path.partition("/")
    if path in stamps:
        return "", path
    if rest in stamps and DIGEST.fullmatch(front):
        return front, rest
    raise Problem(404, f"there is no file {path!r}")


def _stamps() -> Found:
    """Return size and modification time of every served file by name, at most a second old."""
    return _stamps_at(int(time.monotonic()))


@functools.lru_cache(maxsize=1)
def _stamps_at(_second: int) -> Found:
    stats = {name: path.stat() for name, path in paths().items()}
    generated = {name: (len(content), 0) for name, content in GENERATED.items()}
    return generated | {name: (stat.st_size, stat.st_mtime_ns) for name, stat in stats.items()}


@functools.lru_cache(maxsize=2)
def _digest_of(stamps: tuple[tuple[str, tuple[int, int]], ...]) -> str:
    whole = (f"{name}\0{short_digest(_content(name, stamp))}\0" for name, stamp in stamps)
    return short_digest("".join(whole).encode())


@functools.lru_cache(maxsize=256)
def _content(name: str, _stamp: tuple[int, int]) -> bytes:
    content = GENERATED.get(name) or path_of(name).read_bytes()
    within = UNREAD_WITHIN.get(Path(name).suffix)
    return within.sub(b"", UNREAD.sub(b"", content)) if within else content


def short_digest(content: bytes) -> str:
    """Return the digest of a content as addresses have it."""
    return hashlib.sha256(content).hexdigest()[:DIGITS]


ROUTER: Final = Router("/", route_handlers=[static_file], include_in_schema=False)
