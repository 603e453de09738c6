"""Links are built from the configured host names, whatever name a request uses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from replay.errors import Usage
from service.http.host_names import HostNames
from service.settings import Settings
from tests.service.conftest import Api, serve


@pytest.fixture(scope="module")
def named() -> Iterator[Api]:
    with serve(Settings(host_names=("play.example.org", "[::1]"))) as api:
        yield api


@pytest.mark.parametrize(
    "host", ["play.example.org", "PLAY.example.org:8000", "play.example.org.", "[::1]:8000"]
)
def test_a_name_of_the_service_is_answered_with_links_of_that_name(named, host):
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
        *("elsewhere.test", "testserver", "play.example.org.elsewhere.test", "", "[::1", "::1"),
        *("play.example.org@elsewhere.test", "play.example.org:80:80", "xplay.example.org"),
    ],
)
def test_another_name_is_a_400_that_tells_the_right_ones(named, host):
    for path in ("/games", "/", "/static/css/plybook.css"):
        answer = named.get(path, headers={"Host": host})
        assert answer.status_code == 400, path
    told = named.get("/games", headers={"Host": host}).json()
    assert "play.example.org" in told["detail"]


def test_probes_may_call_it_as_they_like(named):
    for path in ("/healthz", "/readyz", "/metrics"):
        assert named.get(path, headers={"Host": "192.0.2.1:8000"}).status_code == 200


def test_without_names_every_name_is_answered(api):
    assert api.get("/games", headers={"Host": "elsewhere.test"}).status_code == 200


@pytest.mark.parametrize("name", ["", "http://a.example", "a.example:80", "a/b", "a b", "a..b"])
def test_a_malformed_host_name_is_refused(name):
    with pytest.raises(Usage, match="no host name"):
        HostNames([name])


def test_pages_take_no_base_and_send_forms_nowhere_else(api):
    for path in ("/", "/games", "/nowhere"):
        policy = api.get(path).headers["content-security-policy"].split("; ")
        assert {"base-uri 'none'", "form-action 'self'"} <= set(policy)
