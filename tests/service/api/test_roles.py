"""The operations on a match that strangers, viewers, players and its host may do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.conftest import bearer

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
POSITION = "1ls2/5/2M2/2L2/5/2M2 5S3M4L 4s5m4l 2 6"

ALL = "stranger viewer seat host"
OPERATIONS: dict[str, tuple[str, str, Any, str]] = {
    "take back": ("POST", "/takeback", {"ply": 2}, "seat host"),
    "answer": ("POST", "/takeback/answer", {"grant": False}, "seat host"),
    "amend": ("POST", "/amendments", {"ply": 4, "how": "deleted"}, "host"),
    "adjust": ("POST", "/adjustments", {"position": POSITION, "reason": "the cat"}, "host"),
    "rule": ("POST", "/rulings", {"result": "drawn"}, "host"),
    "fork": ("POST", "/forks", {"ply": 1}, ALL),
    "tree": ("GET", "/tree", None, ALL),
    "compare": ("GET", "/compare?with={match}", None, ALL),
    "promote": ("POST", "/promote", None, "host"),
    "read people": ("GET", "/people", None, ALL),
    "swap players": ("PATCH", "/people", {"swap": [1, 2]}, "host"),
    "read tags": ("GET", "/tags", None, ALL),
    "tag": ("PUT", "/tags", {"tags": {"Event": "x"}}, "host"),
    "erase a tag": ("DELETE", "/tags/Date", None, "host"),
    "delete": ("DELETE", "", None, "host"),
    "restore": ("POST", "/restore", None, "host"),
    "list annotations": ("GET", "/annotations", None, ALL),
    "annotate": ("POST", "/annotations", {"ply": 2, "glyph": "!"}, "seat host"),
    "reword own": ("PATCH", "/annotations/{own}", {"comment": "ours"}, "seat host"),
    "reword": ("PATCH", "/annotations/{other}", {"comment": "ours"}, "host"),
    "retract own": ("DELETE", "/annotations/{own}", None, "seat host"),
    "retract": ("DELETE", "/annotations/{other}", None, "host"),
}
"""Operations: the request, and the roles that may send it; `seat` is seat 1."""


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("role", ALL.split())
def test_roles_limit_the_operations(api, operation, role):
    method, tail, body, allowed = OPERATIONS[operation]
    match = api.open()
    path = f"/matches/{match.id}"
    api.play(match.id, match.host, *MOVES)
    api.post(f"{path}/takeback", json={"ply": 3}, headers=match.seats["2"])
    viewer = api.post(f"{path}/invitations", json={"role": "viewer"}, headers=match.host).json()
    notes = {}
    for ply, (whose, who) in enumerate(zip(("own", "other"), match.seats.values(), strict=True), 1):
        made = api.post(f"{path}/annotations", json={"ply": ply, "comment": whose}, headers=who)
        notes[whose] = made.json()["annotations"][0]["id"]
    callers = {
        "stranger": {},
        "viewer": bearer(viewer["token"]),
        "seat": match.seats["1"],
        "host": match.host,
    }
    url = path + tail.format(match=match.id, **notes)
    status = api.client.request(method, url, json=body, headers=callers[role]).status_code
    if role in allowed.split():
        assert status == (201 if operation in ("fork", "annotate") else 200)
    else:
        assert status == (401 if role == "stranger" else 403)
