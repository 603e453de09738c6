"""Links are built from the configured host names, whatever name a request uses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from replay.errors import Usage
from service.http.addresses import HostNames
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
def test_unknown_host_name_is_400_naming_valid_ones(named, host):
    for path in ("/games", "/", "/static/css/plybook.css"):
        answer = named.get(path, headers={"Host": host})
        assert answer.status_code == 400, path
    told = named.get("/games", headers={"Host": host}).json()
    assert "play.example.org" in told["detail"]


def test_probes_may_use_any_host_name(named):
    for path in ("/healthz", "/readyz", "/metrics"):
        assert named.get(path, headers={"Host": "192.0.2.1:8000"}).status_code == 200


@pytest.mark.parametrize(
    "host", ["elsewhere.test", "a_b.test.", "[2001:db8::1]:65535", "A:", "192.0.2.1:0", ""]
)
def test_unset_host_names_accept_every_valid_name(api, host):
    assert api.get("/games", headers={"Host": host}).status_code == 200


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
        HostNames([name])


def test_pages_forbid_base_and_foreign_forms(api):
    for path in ("/", "/games", "/nowhere"):
        policy = api.get(path).headers["content-security-policy"].split("; ")
        assert {"base-uri 'none'", "form-action 'self'"} <= set(policy)
