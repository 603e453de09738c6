"""A match in a link: its text record behind `#r=`, deflated (RFC 1951) and in base64url.

Browsers send nothing behind `#` to a server, so such a link is the only place where the match is.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from replay.errors import Usage

MARK: Final = "#r="
LINK: Final = re.compile(r".*#r=([A-Za-z0-9_-]+)=*")
RAW: Final = -zlib.MAX_WBITS
MAX_TEXT: Final = 1024 * 1024
"""The most bytes of a record in a link."""


def link(address: str, text: str) -> str:
    """Return the address of a Plybook with a record behind it."""
    packing = zlib.compressobj(9, wbits=RAW)
    packed = packing.compress(text.encode()) + packing.flush()
    return f"{address}{MARK}{urlsafe_b64encode(packed).rstrip(b'=').decode()}"


def is_link(text: str) -> bool:
    """Return whether a text is to be read as a link with a record."""
    return MARK in text


def record(text: str) -> bytes:
    """Return the text record in a link. Raises `Usage` without one, or for a too long one."""
    found = LINK.fullmatch(text)
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
