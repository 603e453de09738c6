"""The cookies of a tab: a service worker sees none and can set none, so they are kept in a file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

SET_COOKIE: Final = b"set-cookie"
MAX_COOKIES: Final = 1000
"""The most cookies that are kept; each match has one, and the oldest are dropped first."""

Headers = list[tuple[bytes, bytes]]


class Kept(Struct):
    """The cookies after the change with this number."""

    number: int = 0
    cookies: dict[str, str] = msgspec.field(default_factory=dict)


class CookieJar:
    """Cookies by name, the newest last.

    Changes are written to two files in turn, so that one file is whole whenever the tab ends.
    """

    def __init__(self, folder: Path) -> None:
        self._files = [folder / f"cookies-{number}.json" for number in range(2)]
        self._kept = max(map(_read, self._files), key=lambda kept: kept.number)

    def header(self) -> str:
        """Return the cookies as in a request; empty without cookies."""
        return "; ".join(f"{name}={value}" for name, value in self._kept.cookies.items())

    def take(self, headers: Iterable[tuple[bytes, bytes]]) -> Headers:
        """Keep the cookies that an answer sets, durably, and return its other headers."""
        others, found = Headers(), False
        for name, value in headers:
            if name.lower() == SET_COOKIE:
                found = self._set(value.decode("latin-1")) or found
            else:
                others.append((name, value))
        if found:
            self._save()
        return others

    def _set(self, text: str) -> bool:
        try:
            cookies = SimpleCookie(text)
        except CookieError:
            return False
        for name, cookie in cookies.items():
            self._kept.cookies.pop(name, None)
            if cookie["max-age"] != "0":
                self._kept.cookies[name] = cookie.value
        return bool(cookies)

    def _save(self) -> None:
        cookies = dict([*self._kept.cookies.items()][-MAX_COOKIES:])
        self._kept = Kept(self._kept.number + 1, cookies)
        with self._files[self._kept.number % 2].open("wb") as file:
            file.write(msgspec.json.encode(self._kept))
            file.flush()
            os.fsync(file)


def _read(path: Path) -> Kept:
    """Return the content of a file; empty if the file is missing or unfinished."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError):
        return Kept()
