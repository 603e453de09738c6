"""Fields of requests with a new name since version 0.1; version 0.3 drops the old names.

The same table is in `CHANGELOG.md`, under "Names that changed".
"""

from __future__ import annotations

import re
from typing import Final

from service.http.problems import Problem

FIELDS: Final = {
    "$.events[].token": "text",
    "$.lines[].tokens": "texts",
    "$.tokens": "texts",
    "$.quiet": "unjudged",
}
"""The present names of fields, by the paths with their former names."""
NUMBER: Final = re.compile(r"(?<=\[)[^\]]*(?=\])")


class FormerName(Problem):
    """A request has the former name of a field."""


def present_name(path: str) -> str | None:
    """Return the present name of a renamed field at a path; `None` for any other unknown field."""
    name, now = path.rpartition(".")[2], FIELDS.get(NUMBER.sub("", path))
    return now and f"{path} has another name: {name!r} is now {now!r}"
