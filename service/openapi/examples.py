"""Examples of requests and refusals, by the name of their struct, for the schema of the API."""

from __future__ import annotations

from typing import Any, Final

EXAMPLES: Final[dict[str, Any]] = {
    "Adjusting": {"position": "5/5/5/5/5/5 5S5M5L 5s5m5l 1 1", "reason": "the cat"},
    "Amending": {"ply": 1, "how": "replaced", "tokens": ["M@c1"]},
    "Annotating": {"ply": 0, "comment": "a calm start"},
    "Entries": {"events": [{"token": "M@c1"}], "expected": 0},
    "Entry": {"token": "M@c1"},
    "Forking": {"ply": 0, "kind": "variation", "name": "a bolder start"},
    "Granting": {"grant": True},
    "Inviting": {"role": "viewer"},
    "JudgingMatch": {"expected": 0},
    "Judging": {"lines": [{"tokens": ["M@c1", "S@c6"]}]},
    "Line": {"tokens": ["M@c1", "S@c6"]},
    "Naming": {"name": "a bolder start"},
    "NamingSeat": {"name": "Ben", "seat": 1},
    "Opening": {
        "game": "poptrix",
        "players": {"1": "Jet"},
        "clock": {"total": 600},
        "tags": {"Event": "Cup", "Round": "1"},
        "invite": True,
    },
    "Redoing": {},
    "Registering": {"url": "https://plybook.example/news", "secret": "a-secret-of-20-signs"},
    "RegisteringForAll": {
        "url": "https://plybook.example/news",
        "secret": "a-secret-of-20-signs",
        "types": ["match.opened", "match.ended"],
    },
    "Rematching": {"swap": True},
    "Rewording": {"comment": "a bold start"},
    "Ruling": {"result": "drawn", "reason": "the last train leaves"},
    "Recording": {"records": '[Game "poptrix"]\n\n1. M@c1 2. S@c6 *\n'},
    "Seating": {"players": {"1": "Jet", "2": "Red"}},
    "Showing": {"visibility": "public"},
    "Tagging": {"tags": {"Event": "Second evening"}},
    "TakingBack": {"ply": 0},
    "Problem": {
        "title": "Bad Request",
        "status": 400,
        "code": "invalid-request",
        "detail": "$.expected is not a whole number; use a number, not text",
        "path": "$.expected",
    },
    "Refusal": {
        "title": "Conflict",
        "status": 409,
        "code": "rule-broken",
        "detail": "a first pyramid comes onto the own half of the board",
        "event": 0,
        "token": "M@c6",
        "seat": 1,
        "clause": "POP-2.1",
        "squares": ["c6"],
        "version": 0,
        "legal": ["S@a1", "M@a1", "L@a1"],
    },
}
