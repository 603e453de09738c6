"""Pages to invite and share, and error pages for browsers."""

from __future__ import annotations

import re
from random import Random

from replay.formats import record_link
from tests.service.pages.test_start import join

BROWSER = {"Accept": "text/html,*/*;q=0.8"}


def test_only_the_host_sees_invite_page(api):
    match = api.open(players={"1": "Jet"})
    page = api.get(f"/m/{match.id}/invite", headers=match.host)
    assert page.status_code == 200
    assert "Jet scans this" in page.text
    assert 'data-whom="2"' in page.text
    for who in ({}, match.seats["1"]):
        assert api.get(f"/m/{match.id}/invite", headers=who).status_code == 403


def test_no_page_holds_a_token(api):
    match = api.open()
    tokens = [each["Authorization"].split()[1] for each in (match.host, *match.seats.values())]
    for path in ("", "/invite", "/share", "/replay"):
        page = api.get(f"/m/{match.id}{path}", headers=match.host).text
        assert not any(token in page for token in tokens)


def test_links_and_codes_have_the_requested_address(served):
    api = served(host_names=("192.168.7.7",))
    match = api.open()
    there = match.host | {"Host": "192.168.7.7:8000"}
    page = api.get(f"/m/{match.id}/invite", headers=there).text
    assert f'value="http://192.168.7.7:8000/m/{match.id}"' in page
    assert "--lan" not in page
    local = api.get(f"/m/{match.id}/invite", headers=match.host | {"Host": "localhost:8000"}).text
    assert "--lan" in local


def test_private_match_has_no_public_link(api):
    match = api.open(visibility="private")
    page = api.get(f"/m/{match.id}/invite", headers=match.host).text
    assert "code.svg" not in page


def test_code_is_drawn_for_host_while_invitation_lasts(api):
    match = api.open()
    made = api.post(
        f"/matches/{match.id}/invitations", json={"role": "seat", "seat": 2}, headers=match.host
    ).json()
    path = f"/m/{match.id}/code/{made['token']}"
    drawn = api.get(path, headers=match.host)
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert "style=" not in drawn.text
    assert drawn.headers["cache-control"] == "no-store"
    assert api.get(path, headers=match.seats["2"]).status_code == 403
    api.client.delete(f"/matches/{match.id}/invitations/{made['id']}", headers=match.host)
    assert api.get(path, headers=match.host).status_code == 404


def test_only_the_host_chooses_who_may_read(api):
    match = api.open(visibility="public")
    own = api.get(f"/m/{match.id}/share", headers=match.host).text
    assert re.search(r'value="public" checked', own)
    assert "Delete the match" in own
    other = api.get(f"/m/{match.id}/share").text
    assert "Delete the match" not in other
    assert f"/matches/{match.id}/record?format=html" in other


def test_browser_gets_page_and_program_gets_problem(api):
    for path, status in (("/m/nonsense", 404), ("/library?game=chess", 400), ("/nowhere", 404)):
        page = api.get(path, headers=BROWSER)
        assert page.status_code == status
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["cache-control"] == "no-store"
        problem = api.get(path, headers={"Accept": "*/*"})
        assert problem.status_code == status
        assert problem.headers["content-type"] == "application/problem+json"


def test_script_of_a_page_gets_problem_json(api):
    answer = api.post("/matches", json={"game": "chess"}, headers=BROWSER)
    assert answer.headers["content-type"] == "application/problem+json"


def test_page_of_stopped_invitation_explains_it(api):
    match = api.open()
    page = api.get(f"/join/{match.id}/stopped", headers=BROWSER)
    assert page.status_code == 404
    assert "no longer valid" in page.text


def test_page_of_private_match_explains_it(api):
    match = api.open(visibility="private", players={"1": "Jet"})
    page = api.get(f"/m/{match.id}", headers=BROWSER)
    assert page.status_code == 401
    assert "This match is private" in page.text
    assert "Jet" not in page.text


def test_code_holds_the_whole_match(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    page = api.get(f"/m/{match.id}/share").text
    (link,) = re.findall(r'value="(http[^"]*#r=[^"]*)"', page)
    assert b"1. M@c1 2. S@c6" in record_link.record(link)
    code = api.get(f"/m/{match.id}/record-code.svg")
    assert (code.status_code, code.headers["content-type"]) == (200, "image/svg+xml")


def with_comment(api, words):
    match = api.open()
    api.play(match.id, match.host, "M@c1")
    said = {"ply": 1, "comment": words}
    assert api.post(f"/matches/{match.id}/annotations", json=said, headers=match.host).is_success
    return match


def test_long_match_is_a_chain_of_codes(api):
    match = with_comment(api, Random(1).randbytes(4000).hex())
    page = api.get(f"/m/{match.id}/share").text
    (count,) = re.findall(r"scans these (\d+) codes", page)
    assert f"Code {count} of {count}" in page
    codes = [
        api.get(f"/m/{match.id}/record-code.svg?number={each}") for each in range(int(count) + 2)
    ]
    assert [each.status_code for each in codes] == [404, *[200] * int(count), 404]
    assert len({each.content for each in codes[1:-1]}) == int(count) > 1
    (link,) = re.findall(r'value="(http[^"]*#r=[^"]*)"', page)
    assert b"1. M@c1" in record_link.record(link)


def test_match_too_long_for_codes_is_explained(api):
    match = with_comment(api, "".join(map(chr, Random(1).choices(range(0x4E00, 0x9FFF), k=10_000))))
    assert "too long for codes" in api.get(f"/m/{match.id}/share").text
    assert api.get(f"/m/{match.id}/record-code.svg").status_code == 404


def test_share_page_has_a_code_of_its_link(api):
    match = api.open()
    page = api.get(f"/m/{match.id}/share").text
    assert f'src="/m/{match.id}/code.svg?replay=true"' in page
    one, other = (api.get(f"/m/{match.id}/code.svg{of}").text for of in ("?replay=true", ""))
    assert one != other


def test_share_page_offers_other_boards_of_device(api):
    match, other, closed = (api.open(visibility="private", players={"1": name}) for name in "ABC")
    api.play(closed.id, closed.host, "1:resign")
    for each in (match, other, closed):
        join(api, each)
    page = api.get(f"/m/{match.id}/share").text
    assert re.findall('name="with" value="([^"]*)"', page) == [other.id]
