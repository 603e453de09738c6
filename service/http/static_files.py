"""Style sheets, modules and pictures, at addresses that change when any of them does.

What a page links to may be kept for ever, as `/static/{digest}/…` holds the digest of the whole
folder; so do the modules that those import by relative addresses. Without a digest, or with an old
one, a file is asked for again each time and answered 304 while it is the same.
"""

from __future__ import annotations

import functools
import hashlib
import re
import time
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, Router, get
from litestar.params import FromPath

from replay.drawing import palette
from service.http.caching import FOR_EVER
from service.http.problems import Problem

FOLDER: Final = Path(__file__).parents[1] / "static"
DIGITS: Final = 12
DIGEST: Final = re.compile(f"[0-9a-f]{{{DIGITS}}}")

TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain",
}

GENERATED: Final = {"css/pictures.css": palette.STYLE.encode()}
"""Files that are in no folder: the styles of boards and pieces, the same as in every picture."""

COMMENT: Final = re.compile(rb"^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/\n", re.MULTILINE)
"""A comment with lines of its own. Modules are served without: half of their bytes are types."""

Found = dict[str, tuple[int, int]]


def address(name: str) -> str:
    """Return where a page finds a file of the folder."""
    return f"/static/{digest()}/{name}"


def digest() -> str:
    """Return the digest of the whole folder as it is now."""
    return _digest(_stamps())


@get("/static/{path:path}")
async def static_file(request: Request[Any, Any, Any], path: FromPath[Path]) -> Response[bytes]:
    """Answer a file: for ever at its digest, else with an ETag."""
    stamps = _stamps()
    asked, name = _split(path.as_posix().lstrip("/"), stamps)
    content = _content(name, stamps[name])
    etag = f'"{_short(content)}"'
    kept = f"public, {FOR_EVER}" if asked == _digest(stamps) else "no-cache"
    headers = {"Cache-Control": kept, "ETag": etag}
    if etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    return Response(content, media_type=TYPES[Path(name).suffix], headers=headers)


def _split(path: str, stamps: Found) -> tuple[str, str]:
    """Return the digest in front, if there is one, and the name. Raises `Problem` 404."""
    front, _, rest = path.partition("/")
    if path in stamps:
        return "", path
    if rest in stamps and DIGEST.fullmatch(front):
        return front, rest
    raise Problem(404, f"there is no file {path!r}")


def _stamps() -> Found:
    """Return size and time of every file that is served, by name, not older than a second."""
    return _stamps_at(int(time.monotonic()))


@functools.lru_cache(maxsize=1)
def _stamps_at(_second: int) -> Found:
    files = ((path, path.stat()) for path in sorted(FOLDER.rglob("*")) if path.suffix in TYPES)
    generated = {name: (len(content), 0) for name, content in GENERATED.items()}
    return generated | {
        path.relative_to(FOLDER).as_posix(): (stat.st_size, stat.st_mtime_ns)
        for path, stat in files
    }


def _digest(stamps: Found) -> str:
    return _digest_of(tuple(stamps.items()))


@functools.lru_cache(maxsize=2)
def _digest_of(stamps: tuple[tuple[str, tuple[int, int]], ...]) -> str:
    whole = (f"{name}\0{_short(_content(name, stamp))}\0" for name, stamp in stamps)
    return _short("".join(whole).encode())


@functools.lru_cache(maxsize=256)
def _content(name: str, _stamp: tuple[int, int]) -> bytes:
    content = GENERATED.get(name) or (FOLDER / name).read_bytes()
    return COMMENT.sub(b"", content) if name.endswith(".js") else content


def _short(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGITS]


ROUTER: Final = Router("/", route_handlers=[static_file], include_in_schema=False)
