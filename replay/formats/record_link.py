"""A match in a link: its text record behind `#r=`, deflated (RFC 1951) and in base64url.

Browsers send nothing behind `#` to a server, so such a link is the only place where the match is. A
link that is too long for one QR code is a chain of links: `#c=2.3.1f2e3d4c.…` has the second of
three parts, after the first digits of the SHA-256 of the whole record.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from math import ceil
from typing import Final

from replay.errors import Usage

MARK: Final = "#r="
ADDRESS: Final = re.compile("https?:/")
"""The beginning of an address, even as a path, in which slashes are single."""
LINK: Final = re.compile(r".*#r=([A-Za-z0-9_-]+)=*")
PART: Final = re.compile(r".*#c=([1-9]\d?)\.([1-9]\d?)\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)")
"""A link of a chain: its number, the number of links, the digest of all, its part."""
RAW: Final = -zlib.MAX_WBITS
MAX_CODE: Final = 2953
"""The most bytes of a QR code, at the lowest level of correction."""
PART_LENGTH: Final = 1400
"""The bytes of a part: a camera reads several codes of this size better than one of the largest."""
MAX_CODES: Final = 20
"""The most links of a chain."""
MAX_TEXT: Final = 1024 * 1024
"""The most bytes of a record in a link."""


def link(address: str, text: str) -> str:
    """Return the address of a Plybook with a record behind it."""
    packing = zlib.compressobj(9, wbits=RAW)
    packed = packing.compress(text.encode()) + packing.flush()
    return f"{address}{MARK}{urlsafe_b64encode(packed).rstrip(b'=').decode()}"


def chain(address: str, text: str) -> list[str]:
    """Return links for QR codes: a single link, or a chain of links that together hold the record.

    The result is empty for a record that is too long for a chain.
    """
    whole = link(address, text)
    if len(whole) <= MAX_CODE:
        return [whole]
    packed = whole.partition(MARK)[2]
    length = ceil(len(packed) / ceil(len(packed) / PART_LENGTH))
    parts = [packed[at : at + length] for at in range(0, len(packed), length)]
    if len(parts) > MAX_CODES:
        return []
    front = f"{len(parts)}.{_digest(packed)}"
    return [f"{address}#c={number}.{front}.{part}" for number, part in enumerate(parts, 1)]


def _digest(packed: str) -> str:
    return hashlib.sha256(packed.encode()).hexdigest()[:8]


def joined(texts: Iterable[str]) -> list[str]:
    """Join record links that were split: replace those of each chain, in any order, by one link.

    Raises `Usage` if links of a chain are missing or damaged.
    """
    chains: dict[str, dict[str, str]] = {}
    order: list[str] = []
    for text in texts:
        part = PART.fullmatch(text)
        name = text if part is None else f"#c=*.{part[2]}.{part[3]}"
        if name not in chains:
            order.append(name)
        if part is not None:
            chains.setdefault(name, {})[part[1]] = part[4]
    return [_join(each, chains[each]) if each in chains else each for each in order]


def _join(name: str, parts: dict[str, str]) -> str:
    _, count, digest = name.split(".")
    numbers = [str(number) for number in range(1, int(count) + 1)]
    missing = [number for number in numbers if number not in parts]
    if missing:
        which = f"{', '.join(missing)} of {count}"
        raise Usage(f"links of this match are missing: {which}; give all of them, in any order")
    packed = "".join(parts[number] for number in numbers)
    if _digest(packed) != digest:
        raise Usage("the match in these links is damaged; copy the whole links")
    return MARK + packed


def is_link(text: str) -> bool:
    """Return whether a text should be read as a link: any address, or a part of a chain."""
    return MARK in text or ADDRESS.match(text) is not None or PART.fullmatch(text) is not None


def record(text: str) -> bytes:
    """Return the text record in a record link.

    Raises `Usage` if it has none, or one that is too long.
    """
    part, found = PART.fullmatch(text), LINK.fullmatch(text)
    if part is not None:
        raise Usage(f"this link has part {part[1]} of {part[2]} of a match; give all its links")
    if MARK not in text:
        raise Usage(f"this address has no match; a link with a match has {MARK}…")
    if found is None:
        raise Usage(f"{text[:80]!r} is not a link with a match; copy the whole link")
    unpacking = zlib.decompressobj(RAW)
    try:
        packed = found[1].encode()
        unpacked = unpacking.decompress(
            urlsafe_b64decode(packed + b"=" * (-len(packed) % 4)), MAX_TEXT
        )
    except (ValueError, zlib.error):
        raise Usage("the match in this link is damaged; copy the whole link") from None
    if unpacking.unconsumed_tail:
        raise Usage(f"the match in this link has more than {MAX_TEXT} bytes; send it as a file")
    if not unpacking.eof:
        raise Usage("the match in this link is cut off; copy the whole link")
    return unpacked
