"""The characters of a text: one check for typed texts, one way to clean texts of files.

A sign is unfit if it controls a terminal, reverses the words around it, or has no use but to hide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from replay.errors import Usage

MAX_TAG: Final = 1000
MAX_COMMENT: Final = 10_000

BLANK: Final = re.compile("[ \t\r\n]+")
CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters other than white space, and lone surrogates."""

BREAK: Final = re.compile("[\r\n\u2028\u2029]")

JOINERS: Final = "\u200c\u200d"
"""The zero-width non-joiner of Persian words and the joiner of emoji; both are invisible."""

HIDDEN: Final = (
    f"{JOINERS}\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0001\U000e0020-\U000e007f"
)
SIGNS: Final = re.compile(
    "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"  # the flag of a region
    rf"|(?<=[^\s{JOINERS}])[{JOINERS}]"
    rf"|(?P<unfit>[{HIDDEN}]|{CONTROL.pattern})"
)
"""Invisible characters, and those of `CONTROL`; the `unfit` ones are always refused."""


class Unfit(NamedTuple):
    """A sign that a text cannot hold, and its place from 0."""

    place: int
    sign: str

    def words(self) -> str:
        """Name the sign: "the invisible character U+202E"."""
        control = CONTROL.match(self.sign) or self.sign.isspace()
        kind = "control" if control else "invisible"
        return f"the {kind} character U+{ord(self.sign):04X}"


def unfit_signs(text: str) -> Iterator[Unfit]:
    """Yield the signs that no text can hold."""
    if not (text.isascii() and text.isprintable()):
        for found in SIGNS.finditer(text):
            if found["unfit"]:
                yield Unfit(found.start(), found[0])


def check_text(whose: str, text: str, most: int, *, one_line: bool = True) -> None:
    """Raise `Usage` for an unfit sign, with its column, for several lines, and a text too long.

    Joiners after a character, the flags of regions, and the marks of languages that are written
    from right to left are allowed.
    """
    breaks = (Unfit(at.start(), at[0]) for at in BREAK.finditer(text) if one_line)
    unfit = min((*unfit_signs(text), *breaks), default=None)
    if unfit is not None:
        raise Usage(f"{whose} cannot hold {unfit.words()}, column {unfit.place + 1}; leave it out")
    if len(text) > most:
        raise Usage(f"{whose} has at most {most} characters, and this one has {len(text)}")


class Cleaned(NamedTuple):
    """A text that can be stored. `done` describes the changes, "left out …", or is empty."""

    text: str
    done: str


def clean_text(text: str, most: int) -> Cleaned:
    """Leave out the unfit signs of a text of a file, and cut it at its bound."""
    return without(text, unfit_signs(text), most)


def without(text: str, unfit: Iterable[Unfit], most: int) -> Cleaned:
    """Clean a text: drop the unfit signs, replace unfit white space by spaces, and cut the end.

    A result of more than `most` characters is cut.
    """
    done, kept, signs = list[str](), text, list(unfit)
    if signs:
        more = f" and {len(signs) - 1} more" if len(signs) > 1 else ""
        done.append(f"left out {signs[0].words()}{more}")
        space = {index: " " if sign.isspace() else "" for index, sign in signs}
        kept = "".join(space.get(index, sign) for index, sign in enumerate(text))
    if len(kept) > most:
        done.append(f"cut {kept[:20]!r}… at {most} of {len(kept)} characters")
        kept = kept[:most]
    return Cleaned(kept, " and ".join(done))


def make_visible(text: str) -> str:
    """Return a text with an escape for each sign that `check_text` refuses, as people see it."""
    if text.isascii() and text.isprintable():
        return text
    return SIGNS.sub(_escape, text)


def visible_json(data: bytes) -> bytes:
    """Return the JSON of an event with its texts as people see them, each in one line."""
    if data.isascii() and b"\\" not in data and b"\x7f" not in data:
        return data
    return msgspec.json.encode(_visible(msgspec.json.decode(data)))


def _visible(value: Any) -> Any:
    match value:
        case str():
            return re.sub("[\t\r\n]", " ", make_visible(value))
        case list():
            return [_visible(each) for each in value]
        case dict():
            return {name: _visible(each) for name, each in value.items()}
    return value


def _escape(found: re.Match[str]) -> str:
    unfit = found["unfit"]
    return ascii(unfit)[1:-1] if unfit else found[0]


def tidy(comment: str) -> str:
    """Collapse white space to single spaces, and strip both ends."""
    return BLANK.sub(" ", comment).strip(" ")
