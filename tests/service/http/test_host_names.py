"""The server answers for its own names only, so links and pages are its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from replay.errors import Usage
from service.http import host_names
from service.http.host_names import HostNames, name_in
from service.http.problems import Problem
from service.settings import Settings
from tests.service.conftest import Api, serve


@pytest.fixture(scope="module")
def named() -> Iterator[Api]:
    with serve(Settings(host_names=("play.example.org", "[::1]"))) as api:
        yield api


@pytest.mark.parametrize(
    "host", ["play.example.org", "PLAY.example.org:8000", "play.example.org.", "[::1]:8000"]
)
def test_configured_host_name_is_used_in_links(named, host):
    answer = named.post("/matches", json={"game": "poptrix"}, headers={"Host": host})
    assert answer.status_code == 201
    told = answer.json()
    invited = named.post(
        f"/matches/{told['match']}/invitations",
        json={"role": "seat", "seat": 1},
        headers={"Host": host, "Authorization": f"Bearer {told['tokens']['host']}"},
    )
    assert invited.json()["link"].startswith(f"http://{host}/join/")


@pytest.mark.parametrize(
    "host",
    [
        *("elsewhere.test", "testserver", "play.example.org.elsewhere.test", "", "[::2]"),
        *("play.example.org.example.test", "xplay.example.org"),
    ],
)
def test_unknown_host_name_is_421_naming_valid_ones(named, host):
    for path in ("/games", "/", "/nowhere", "/static/css/plybook.css"):
        answer = named.get(path, headers={"Host": host})
        assert answer.status_code == 421, path
    told = named.get("/games", headers={"Host": host}).json()
    assert (told["code"], told["path"]) == ("unknown-host", "Host")
    assert "ask for play.example.org or [::1] or localhost" in told["detail"]


def test_probes_may_use_any_host_name(named):
    for path in ("/healthz", "/readyz", "/metrics"):
        assert named.get(path, headers={"Host": "192.0.2.1:8000"}).status_code == 200


OWN = [
    *("localhost", "LOCALHOST.:8000", "plybook.localhost:9", "127.0.0.1:65535", "127.8.8.8"),
    *("[::1]:0", "[0:0::1]", "testserver.local", ""),
]


@pytest.mark.parametrize("host", OWN)
def test_server_without_names_answers_for_this_machine(api, host):
    assert api.get("/games", headers={"Host": host}).status_code == 200


STRANGE = ["elsewhere.test", "a_b.test.", "[2001:db8::1]:65535", "A:", "192.0.2.1:0", "0.0.0.0"]


@pytest.mark.parametrize("host", [*STRANGE, "localhost.elsewhere.test", "notlocalhost"])
def test_name_that_changes_its_address_is_refused(api, host):
    page = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    answer = api.post("/matches", json={"game": "poptrix"}, headers=page)
    assert (answer.status_code, answer.json()["code"]) == (421, "unknown-host")
    assert f"--host-name {name_in(host.encode())}; " in answer.json()["detail"]


@pytest.mark.parametrize(
    ("settings", "came_to", "own", "other"),
    [
        (Settings(), "127.0.0.1", "127.0.0.1", "192.168.7.7"),
        (Settings(host="192.168.7.7"), "192.168.7.7", "192.168.7.7:8000", "table.local"),
        (Settings(host="2001:DB8::7"), "2001:db8::7", "[2001:db8:0::7]", "[2001:db8::8]"),
        (Settings(host="table.club"), "192.168.7.7", "table.club:80", "club"),
        (Settings(host="0.0.0.0"), "192.168.7.7", "192.168.7.7", "192.168.7.8"),
        (Settings(host="::"), "::ffff:192.168.7.7", "192.168.7.7", "192.168.7.8"),
        (Settings(lan=True), "192.168.7.7", "table.local:8000", "table.elsewhere.test"),
        (Settings(lan=True), "192.168.7.7", "table.club", "club"),
    ],
)
async def test_names_follow_the_address_of_the_server(monkeypatch, settings, came_to, own, other):
    monkeypatch.setattr(host_names.socket, "gethostname", lambda: "Table")
    monkeypatch.setattr(host_names.socket, "getfqdn", lambda name: f"{name}.club")
    names = HostNames(settings)
    scope = {"path": "/", "root_path": "", "server": (came_to, 8000)}
    await names.check(own.encode(), scope)
    with pytest.raises(Problem, match=re.escape(f"--host-name {other}")):
        await names.check(other.encode(), scope)


async def test_new_name_of_the_machine_is_learned(monkeypatch):
    called, now = ["table"], [0.0]
    monkeypatch.setattr(host_names.socket, "gethostname", lambda: called[-1])
    monkeypatch.setattr(host_names.socket, "getfqdn", str)
    monkeypatch.setattr(host_names.time, "monotonic", lambda: now[0])
    names, scope = HostNames(Settings(lan=True)), {"path": "/", "root_path": "", "server": None}
    await names.check(b"table", scope)
    called.append("desk")
    with pytest.raises(Problem):  # asked a moment ago
        await names.check(b"desk", scope)
    now[0] += host_names.ASKING_INTERVAL
    await names.check(b"desk", scope)


def test_origin_is_compared_with_our_names(named):
    match = named.open()
    cookie = {"Cookie": f"plybook-{match.id}={match.host['Authorization'].split()[1]}"}

    def write(host: str, origin: str) -> int:
        path = f"/matches/{match.id}/takeback"
        headers = {**cookie, "Host": host, "Origin": origin}
        return named.post(path, json={}, headers=headers).status_code

    assert write("localhost:8000", "http://play.example.org:8000") != 403
    for origin in ("http://localhost", "http://localhost:3000", "http://evil.test:8000", "null"):
        assert write("localhost:8000", origin) == 403, origin


@pytest.mark.parametrize(
    "host",
    [
        *("evil.test:99999", "evil.test:65536", "evil.test:000080", "[:::]", "[1.2.3.4]"),
        *(
            "a" * 256,
            "evil.test:80:80",
            "a/b",
            "a b",
            "a@b",
            "evil.test:٣",
            "http://a",
            "[::1",
            "::1",
        ),
    ],
)
@pytest.mark.parametrize("served", ["api", "named"])
def test_invalid_host_is_400_on_every_path(request, served, host):
    asked = request.getfixturevalue(served)
    for path in ("/games", "/", "/nowhere", "/healthz", "/static/css/plybook.css"):
        answer = asked.get(path, headers={b"Host": host.encode()})
        assert answer.status_code == 400, path
        assert "like plybook.example:8000" in answer.json()["detail"]


def test_invalid_host_issues_no_invitation_token(api):
    match = api.open()
    url = f"/matches/{match.id}/invitations"
    before = api.get(url, headers=match.host).json()
    headers = match.host | {"Host": "evil.test:99999"}
    assert api.post(url, json={"role": "viewer"}, headers=headers).status_code == 400
    assert api.get(url, headers=match.host).json() == before


@pytest.mark.parametrize("name", ["", "http://a.example", "a.example:80", "a/b", "a b", "a..b"])
def test_malformed_host_name_is_refused(name):
    with pytest.raises(Usage, match="not a valid host name"):
        HostNames(Settings(host_names=(name,)))


def test_pages_forbid_base_and_foreign_forms(api):
    for path in ("/", "/games", "/nowhere"):
        policy = api.get(path).headers["content-security-policy"].split("; ")
        assert {"base-uri 'none'", "form-action 'self'"} <= set(policy)
