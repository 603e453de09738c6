"""The settings limit the length of texts on every way in, and the schema states the limits."""

from __future__ import annotations

import pytest

from service.settings import Settings
from tests.service.conftest import serve

NAME, TEXT = 7, 40
SHORT = Settings(longest_name=NAME, longest_text=TEXT)
ENDLESS = Settings(longest_name=0, longest_text=0)
VAST = Settings(longest_name=10**6, longest_text=10**6)
ARCHIVE = "application/x-plybook-archive"
RECORD = "text/plain"

SENT = {
    "open": ("POST", "/matches", lambda text: {"game": "poptrix", "players": {"2": text}}),
    "seat": ("PATCH", "/matches/{match}/people", lambda text: {"players": {"1": text}}),
    "tag a seat": (
        "POST",
        "/matches",
        lambda text: {"game": "poptrix", "tags": {"Seat1": text}},
    ),
    "say why": (
        "PATCH",
        "/matches/{match}/people",
        lambda text: {"players": {"1": "Jet"}, "reason": text},
    ),
    "tag": ("PUT", "/matches/{match}/tags", lambda text: {"tags": {"Event": text}}),
    "fork": ("POST", "/matches/{match}/forks", lambda text: {"ply": 1, "name": text}),
    "play on": (
        "POST",
        "/matches/{match}/forks",
        lambda text: {"ply": 1, "kind": "match", "players": {"1": text}},
    ),
    "rename": ("PUT", "/matches/{fork}/name", lambda text: {"name": text}),
    "sign": (
        "POST",
        "/matches/{match}/annotations",
        lambda text: {"ply": 1, "circle": "c1", "author": text},
    ),
    "comment": ("POST", "/matches/{match}/annotations", lambda text: {"ply": 1, "comment": text}),
    "reword": ("PATCH", "/matches/{match}/annotations/{note}", lambda text: {"comment": text}),
    "adjust": ("POST", "/matches/{match}/adjustments", lambda text: {"reason": text}),
    "rule": ("POST", "/matches/{match}/rulings", lambda text: {"result": "drawn", "reason": text}),
}
"""Ways to send a text, by the operation's effect."""

PATHS = {
    "open": ("$.players.2", "MatchOpening", 100),
    "seat": ("$.players.1", "PeopleChange", 100),
    "tag a seat": ("$.tags.Seat1", "MatchOpening", 100),
    "say why": ("$.reason", "PeopleChange", 500),
    "tag": ("$.tags.Event", "TagChange", 1000),
    "fork": ("$.name", "ForkRequest", 100),
    "play on": ("$.players.1", "ForkRequest", 100),
    "rename": ("$.name", "ForkName", 100),
    "sign": ("$.author", "NewAnnotation", 100),
    "comment": ("$.comment", "NewAnnotation", 10_000),
    "reword": ("$.comment", "AnnotationWording", 10_000),
    "adjust": ("$.reason", "PositionAdjustment", 500),
    "rule": ("$.reason", "Ruling", 500),
}
"""The path of the text, the type of its body, and its limit in a record."""


def sent(api, what, length):
    """Send a text of a length in a match of its own."""
    match, host, _ = api.open()
    api.play(match, host, "M@c1", "S@c6")
    fork = api.post(f"/matches/{match}/forks", json={"ply": 1}, headers=host).json()
    note = api.post(
        f"/matches/{match}/annotations", json={"ply": 1, "comment": "Bold"}, headers=host
    ).json()["annotations"][0]["id"]
    position = api.get(f"/matches/{match}/position").json()["position"]
    method, path, make = SENT[what]
    body = make("x" * length) | ({"position": position} if what == "adjust" else {})
    url = path.format(match=match, fork=fork["match"], note=note)
    who = {"Authorization": f"Bearer {fork['tokens']['host']}"} if what == "rename" else host
    return api.client.request(method, url, json=body, headers=who)


@pytest.fixture(scope="module")
def short():
    with serve(SHORT) as api:
        yield api


@pytest.mark.parametrize("what", SENT)
def test_text_has_the_length_of_the_settings(short, what):
    path, _, ceiling = PATHS[what]
    most = NAME if ceiling == 100 else TEXT
    answer = sent(short, what, most)
    assert answer.is_success, answer.text
    refused = sent(short, what, most + 1)
    assert refused.status_code == 400
    assert refused.json()["path"] == path
    assert f"has {most + 1} characters; at most {most} are allowed" in refused.json()["detail"]


@pytest.mark.parametrize("settings", [ENDLESS, VAST], ids=["no limit", "a vast one"])
def test_texts_keep_their_limits_without_a_setting(settings):
    with serve(settings) as api:
        for what, (path, _, ceiling) in PATHS.items():
            assert sent(api, what, ceiling).is_success, what
            refused = sent(api, what, ceiling + 1)
            assert (refused.status_code, refused.json()["path"]) == (400, path)
            assert f"at most {ceiling} " in refused.json()["detail"]


def bound_of(schema, kind, path):
    """Return the `maxLength` at a path of a type's schema."""
    part = schema["components"]["schemas"][kind]
    for name in path.split(".")[1:]:
        patterns = part.get("patternProperties", {}).values() if name == "Seat1" else ()
        found = part.get("properties", {}).get(name)
        part = found or next(iter(patterns), None) or part["additionalProperties"]
    return (part if "maxLength" in part else part["anyOf"][0])["maxLength"]


@pytest.mark.parametrize("settings", [SHORT, ENDLESS, Settings()], ids=["short", "none", "usual"])
def test_schema_has_the_limits_in_force(settings):
    with serve(settings) as api:
        schema = api.get("/schema/openapi.json").json()
    for path, kind, ceiling in PATHS.values():
        short = NAME if ceiling == 100 else min(TEXT, ceiling)
        assert bound_of(schema, kind, path) == (short if settings is SHORT else ceiling)


def test_pages_limit_their_text_fields(short):
    match, host, _ = short.open()
    assert short.get("/new/poptrix").text.count(f'maxlength="{NAME}"') == 2
    told = f'data-longest-name="{NAME}" data-longest-comment="{TEXT}"'
    assert told in short.get(f"/m/{match}/replay").text
    assert f'data-longest-reason="{TEXT}"' in short.get(f"/m/{match}").text
    assert f'maxlength="{TEXT}"' in short.get(f"/m/{match}/adjust", headers=host).text


RECORDS = {
    "a name": ('[Game "poptrix"]\n[Seat1 "{}"]\n[Seat2 "Red"]\n\nM@c1 *\n', NAME),
    "a tag": ('[Game "poptrix"]\n[Event "{}"]\n\nM@c1 *\n', TEXT),
    "a comment": ('[Game "poptrix"]\n\nM@c1 {{{}}} *\n', TEXT),
    "a comment in a variation": ('[Game "poptrix"]\n\nM@c1 (S@c1 {{{}}}) *\n', TEXT),
}


@pytest.mark.parametrize("what", RECORDS)
def test_record_with_too_long_text_is_refused(short, what):
    template, most = RECORDS[what]
    statuses = []
    for length in (most, most + 1):
        record = template.format("x" * length)
        answer = short.post("/records", content=record, headers={"Content-Type": RECORD})
        statuses.append((answer.status_code, f"at most {most} " in answer.text))
    assert statuses == [(201, False), (400, True)]


@pytest.mark.parametrize(
    "what", sorted(PATHS.keys() - {"open", "fork", "play on", "tag a seat", "say why"})
)
def test_archive_with_too_long_text_is_refused(short, shared, what):
    _, _, ceiling = PATHS[what]
    most = NAME if ceiling == 100 else TEXT
    for length, status in ((most, 201), (most + 1, 400)):
        match = sent(shared, what, length).request.url.path.split("/")[2]
        archive = shared.get(f"/matches/{match}/record?format=archive").content
        answer = short.post("/records", content=archive, headers={"Content-Type": ARCHIVE})
        assert answer.status_code == status, answer.text
        assert (f"at most {most} " in answer.text) == (status == 400)
