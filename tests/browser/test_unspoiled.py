"""The replay without spoilers: moves come one by one, and can be guessed by taps."""

from __future__ import annotations

from tests.browser.replay_page import PLAYERS


def test_moves_are_guessed_and_revealed_one_by_one(phone, server):
    opened = server.open("poptrix", players=PLAYERS)
    server.play(opened, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "2:resign")
    page = phone()
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(server.url)))

    def says(words):
        page.wait_for_function(
            "words => document.querySelector('.desk').innerText.includes(words)", arg=words
        )

    def stands(ply):
        page.locator(f'.frame[data-ply="{ply}"]').wait_for()

    page.goto(f"{server.url}/m/{opened.id}/unspoiled")
    page.locator("[data-choose=M]").tap()
    page.locator('.board .pb-cell[data-at="a1"]').tap()
    says("Legal, but not what was played")
    says("0 of 1 guessed")
    page.locator("[data-next]").tap()
    stands(1)
    page.locator("[data-next]").tap()
    stands(2)
    page.locator('.board .pb-cell[data-at="a3"]').tap()
    says("POP-")
    for at in ("c1", "c3"):
        page.locator(f'.board .pb-cell[data-at="{at}"]').tap()
        if at == "c1":
            page.locator("[data-choose=L]").tap()
    stands(3)
    says("Right")
    says("1 of 2 guessed")
    assert page.url.endswith("?ply=3")
    sent = [path for path in asked if path.startswith(("/m/", "/matches/"))]
    assert sent
    assert all(path.startswith(f"/m/{opened.id}/unspoiled") for path in sent)
    assert not any(f"ply={later}" in path for path in sent for later in (4, 5))
    page.reload()
    says("1 of 2 guessed")
    for ply in (4, 5):
        page.locator("[data-next]").tap()
        stands(ply)
    assert "resign" in page.locator(".frame .said").inner_text()
    assert page.locator("[data-next]").is_disabled()
    page.keyboard.press("ArrowLeft")
    stands(4)
