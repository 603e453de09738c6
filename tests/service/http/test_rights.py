"""Guards: no route without a right, and a caller's right is checked before the body."""

from __future__ import annotations

import litestar
import pytest
from litestar import Litestar
from litestar.exceptions import ImproperlyConfiguredException
from litestar.params import FromPath
from litestar.testing import TestClient

from service.http.access import TheMatchAccess, visit
from service.http.rights import ANYBODY, RightsPlugin
from service.openapi.operations import Route, get
from tests.paths import ROOT


@litestar.get("/matches/{match:str}/secret")
async def without_right(match: FromPath[str]) -> str:
    return match


@get("/matches/{match:str}/secret", {200: str})
async def as_reader_without_visit(match: FromPath[str]) -> str:
    return match


@litestar.get("/open", guards=[ANYBODY])
async def for_anybody() -> str:
    return ""


@get("/matches/{match:str}/read", {200: str})
async def for_readers(visit: TheMatchAccess) -> str:
    return visit.record.id


@pytest.mark.parametrize("handler", [without_right, as_reader_without_visit])
def test_route_without_a_right_does_not_mount(handler):
    with pytest.raises(ImproperlyConfiguredException, match="has no right"):
        Litestar([handler], plugins=[RightsPlugin()])


def test_routes_with_a_right_mount():
    handlers = [for_anybody, for_readers]
    Litestar(handlers, plugins=[RightsPlugin()], dependencies={"visit": visit}, openapi_config=None)


def test_guards_see_the_route_itself():
    seen = []

    @Route("/", http_method="GET", guards=[lambda _, handler: seen.append(handler)])
    async def shown() -> str:
        return ""

    with TestClient(Litestar([shown], openapi_config=None)) as client:
        answers = [client.get("/").status_code for _ in range(2)]
    assert answers == [200, 200]
    assert seen[0] is seen[1]


def test_moves_of_programs_and_phones_go_by_such_routes(api):
    routes = [route for route in api.client.app.routes if route.path.endswith("{match:str}/events")]
    handlers = [route.route_handler_map["POST"][0] for route in routes]
    assert [isinstance(handler, Route) for handler in handlers] == [True, True]


BAD = [
    (b"", "application/json"),
    (b"{", "application/json"),
    (b'{"no": 1}', "application/json"),
    (b"{}", ""),
]


@pytest.mark.parametrize(("body", "kind"), BAD)
def test_caller_without_the_right_learns_nothing_of_the_body(api, body, kind):
    match = api.open()
    sent = {"Content-Type": kind}
    for path in ("events", "takeback", "rulings", "annotations", "invitations", "hooks"):
        url = f"/matches/{match.id}/{path}"
        assert api.post(url, content=body, headers=sent).status_code == 401, path
        asked = api.post(url, content=body, headers=match.host | sent)
        assert asked.status_code == (400 if kind else 415), (path, asked.text)
        assert kind == "" or asked.json()["path"].startswith("$"), (path, asked.text)
    for method, url in (("POST", "/accounts"), ("POST", "/hooks"), ("PATCH", "/account")):
        answer = api.client.request(method, url, content=body, headers=sent)
        assert answer.status_code == 401, url


def test_bodies_are_decoded_in_one_module():
    for path in (ROOT / "service" / "api").glob("*.py"):
        assert "json.Decoder(" not in path.read_text(), path
