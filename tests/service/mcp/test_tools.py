"""The tools of the MCP server, called by the client of the official SDK in this process."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from random import Random
from typing import Any

import pytest

from domain.entry import move_text
from domain.events import Moved
from domain.games import BUILT_IN
from domain.match import Match
from domain.match import open_match as start_match
from domain.position import Secret
from domain.unseen import Revoked
from plybook import play_texts, read_records
from replay.book import Book
from replay.formats.archive.importer import import_archive
from replay.formats.archive.writer import write_archive
from replay.referee import entering
from replay.referee.opening import open_match
from replay.registry import find
from replay.store import temporary_store
from service.settings import Settings
from tests.conformance import door
from tests.conformance.subjects import SITE
from tests.paths import FIXTURES
from tests.service.api.test_dashes import texts_of
from tests.service.mcp.tool_server import client as connect
from tests.service.mcp.tool_server import create_server
from tests.service.stores import empty_store

Call = Callable[..., Awaitable[Any]]


@asynccontextmanager
async def calling():
    store = empty_store()
    server, app = create_server(Book(store), Settings(requests_per_minute=0, matches_per_hour=0))
    async with app.lifespan(), connect(server) as client:

        async def call(tool: str, **arguments: Any) -> Any:
            answer = await client.call_tool(tool, arguments)
            if answer.is_error:
                return answer.content[0].text.removeprefix(f"Error executing tool {tool}: ")
            return answer.structured_content

        yield call
    store.close()


def run(play: Callable[[Call], Awaitable[None]]) -> None:
    async def within() -> None:
        async with calling() as call:
            await play(call)

    asyncio.run(within())


def shortest(slug: str) -> Match:
    """The shortest recorded match that the game itself ended."""
    records = read_records((FIXTURES / slug / "games.ply").read_text())
    matches = (record.match for record in records)
    return min((one for one in matches if one.state.outcome), key=lambda one: len(one.line))


@pytest.mark.parametrize("slug", BUILT_IN)
def test_tools_play_each_game_to_its_end(slug):
    match = shortest(slug)
    options = match.game.set_options(match.options)

    async def play(call: Call) -> None:
        game = {"game": slug, "seats": match.seats, "options": options, "dice": "table"}
        opened = await call("open", **game)
        match_id, given = opened["match"], opened["tokens"]["seats"]
        for number, ply in enumerate(match.line):
            assert isinstance(ply.event, Moved)
            seat, move = ply.event.seat, move_text.write(match.game, ply.event)
            if number % 8 == 0:
                there = await call("look", match=match_id, token=given[str(seat)])
                assert there["outcome"] is None
                secret = isinstance(ply.event.move, Secret)
                assert secret or move in there["legal"][str(seat)]
            done = await call("play", match=match_id, moves=[move], token=given[str(seat)])
            assert done["ok"], done
        ended = await call("look", match=match_id)
        assert ended["outcome"]["clause"] == match.state.outcome.clause
        assert ended["position"] == match.game.write_position(match.state.position)
        history = await call("history", match=match_id)
        assert [each["text"] for each in history["events"]] == [
            move_text.write(match.game, ply.event) for ply in match.line
        ][: len(history["events"])]

    run(play)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "options"), [("whist", {}), ("whist", {"hands": "unseen"}), ("blockade", {})]
)
def test_listed_moves_lead_to_the_end(slug, options):
    """No listed card proves that its seat broke a rule before."""

    async def play(call: Call) -> None:
        opened = await call("open", game=slug, options=options)
        rng, done, texts = Random(1), None, list[str]()
        match, given = opened["match"], opened["tokens"]["seats"]
        while done is None or done["outcome"] is None:
            awaiting = (done or await call("look", match=match))["awaiting"]
            seat = next(str(one["seat"]) for one in awaiting if one["must"])
            there = await call("look", match=match, token=given[seat])
            offered = there["legal"][seat] or there["secret"][seat][0]["sample"]
            texts.append(rng.choice(offered))
            done = await call("play", match=match, moves=texts[-1:], token=given[seat])
            assert done["ok"], done
        if options:
            game = find(slug)
            line = play_texts(start_match(game, game.read_options(options)), texts).line
            effects = [effect for ply in line for effect in ply.effects]
            assert not any(isinstance(each, Revoked) for each in effects)

    with door.opened(SITE):
        run(play)


def test_service_deals_hands_on_request():
    async def play(call: Call) -> None:
        opened = await call("open", game="whist")
        match, given = opened["match"], opened["tokens"]["seats"]
        there = await call("look", match=match, token=given["1"])
        assert (there["legal"]["1"], there["secret"]["1"]) == (["1:roll"], [])
        assert (await call("play", match=match, moves=["1:roll"], token=given["1"]))["ok"]
        by_hand = await call("open", game="whist", dice="table")
        there = await call("look", match=by_hand["match"], token=by_hand["tokens"]["seats"]["1"])
        assert there["legal"]["1"] == []
        assert there["secret"]["1"][0]["sample"]

    with door.opened(SITE):
        run(play)


def test_games_and_rules_are_read():
    async def play(call: Call) -> None:
        assert {game["slug"] for game in (await call("games"))["games"]} >= set(BUILT_IN)
        assert "POP-2.3" in (await call("rules", game="poptrix"))["text"]
        clause = await call("rules", game="poptrix", clause="POP-2.3")
        assert clause["section"] == "The turn"
        assert "poptrix" in await call("rules", game="chess")
        assert "no clause" in await call("rules", game="poptrix", clause="POP-99.9")

    run(play)


WRONG = [
    ({"game": "poptrix", "visiblity": "private"}, "visiblity is not a valid argument of open; "),
    ({}, "open needs the argument game: A game, like "),
    ({"game": "poptrix", "seats": 10}, "10 is not a valid seats; it must be less than or "),
    ({"game": "poptrix", "visibility": "all"}, "'all' is not a valid visibility; it must be "),
    ({"game": "poptrix", "options": 1}, "1 is not a valid options; it must be a valid dict"),
]


def test_wrong_argument_is_named_in_one_sentence():
    async def play(call: Call) -> None:
        for given, words in WRONG:
            told = await call("open", **given)
            assert told.startswith(words)
            assert "\n" not in told

    run(play)


def test_games_and_clauses_are_found_by_name_or_named_in_a_sentence():
    async def play(call: Call) -> None:
        for name in ("Pyramid Ball", "PYRAMID-BALL", "pyramid_ball", "Pyramid-Ball"):
            assert (await call("open", game=name))["game"] == "pyramid-ball"
            assert (await call("rules", game=name, clause="6.5"))["id"] == "BAL-6.5"
        for clause in ("POP-3.2", "pop-3.2", "3.2"):
            assert (await call("rules", game="Poptrix", clause=clause))["id"] == "POP-3.2"
        for name in ("Popptrix", "../games", "poptrix/9", "poptrix?x", "%00", ""):
            for tool in ("open", "rules"):
                told = await call(tool, game=name)
                assert f"is not a {'ruleset' if '/' in name else 'game'}" in told, name

    run(play)


async def look_at_a_new_match(call: Call) -> None:
    for slug in BUILT_IN:
        opened = await call("open", game=slug, dice="table")
        for who in ("host", "1", "2", ""):
            token = opened["tokens"]["seats"].get(who) or (who and opened["tokens"][who])
            there = await call("look", match=opened["match"], token=token)
            seats = {who} if who in "12" and who else {"1", "2"}
            assert {*there["legal"], *there["secret"]} <= seats, (slug, who)
            assert all(len(k["sample"]) <= 3 for kinds in there["secret"].values() for k in kinds)
            assert len(json.dumps(there, separators=(",", ":"))) <= 4000, (slug, who)


def test_look_is_short_and_shows_the_own_seat():
    run(look_at_a_new_match)


def test_text_of_an_answer_is_compact():
    async def play(client: Any) -> None:
        answer = await client.call_tool("open", {"game": "poptrix"})
        (text,) = (content.text for content in answer.content)
        assert json.loads(text) == answer.structured_content
        assert "\n" not in text
        assert ": " not in text

    async def within() -> None:
        store = empty_store()
        server, app = create_server(Book(store), Settings())
        async with app.lifespan(), connect(server) as client:
            await play(client)
        store.close()

    asyncio.run(within())


def test_schemas_say_which_arguments_are_required():
    store = empty_store()
    server, _ = create_server(Book(store), Settings())
    tools = {tool.name: tool.input_schema for tool in asyncio.run(server.list_tools())}
    store.close()
    assert all(schema["additionalProperties"] is False for schema in tools.values())
    required = {name: set(schema.get("required", ())) for name, schema in tools.items()}
    moving = {"match", "moves", "token"}
    assert required == {
        **{"games": set(), "rules": {"game"}, "open": {"game"}, "look": {"match"}},
        **{"play": moving, "try": moving, "why": {"match", "move", "token"}},
        **{"history": {"match"}, "annotate": {"match", "token"}, "reconstruct": {"scoresheets"}},
        **{"name": {"match", "token"}, "open_evening": {"title", "date"}, "evening": {"evening"}},
    }
    for name, schema in tools.items():
        for argument in schema["properties"]:
            empty = "empty" in schema["properties"][argument].get("description", "")
            assert not (empty and argument in required[name]), (name, argument)


def test_scoresheets_are_reconstructed():
    async def ask(call: Call) -> None:
        head = '[Game "poptrix"]\n\n1. M@c1 '
        found = await call("reconstruct", scoresheets=[f"{head}-- *", f"{head}S@c6 *"])
        assert [ply["text"] for ply in found["plies"]] == ["M@c1", "S@c6"]
        assert (found["complete"], found["questions"]) == (True, 0)

    run(ask)


def test_answers_to_questions_store_a_reconstructed_match():
    async def ask(call: Call) -> None:
        sheets = ['[Game "poptrix"]\n\n1. M@c1 -- *']
        found = await call("reconstruct", scoresheets=sheets)
        assert (found["questions"], found["plies"][1]["certain"]) == (1, False)
        assert "question left open" in await call("reconstruct", scoresheets=sheets, save=True)
        said = {"2": found["plies"][1]["choices"][0]["text"]}
        made = await call("reconstruct", scoresheets=sheets, said=said, save=True)
        log = await call("history", match=made["match"], token=made["tokens"]["host"])
        assert log["events"][1]["text"] == said["2"]

    run(ask)


def test_dash_and_unsure_moves_are_entered():
    async def play(call: Call) -> None:
        opened = await call("open", game="cube-pyramid")
        at = {"match": opened["match"], "token": opened["tokens"]["host"]}
        texts = texts_of("cube-pyramid", 9)
        await call("play", moves=texts[:5], unsure=True, **at)
        log = await call("history", **at)
        assert all("not sure" in event["what"] for event in log["events"])
        done = await call("play", moves=["--", *texts[6:]], **at)
        assert [each["text"] for each in done["reconstructed"]] == [texts[5].partition(":")[2]]
        refused = await call("play", moves=["1:resign"], unsure=True, **at)
        assert (refused["ok"], refused["clause"]) == (False, "form")

    run(play)


def test_refusals_cite_clause_text_and_places():
    async def play(call: Call) -> None:
        opened = await call("open", game="poptrix", players={"1": "Jet"})
        at = {"match": opened["match"], "token": opened["tokens"]["seats"]["1"]}
        tried = await call("try", moves=["M@c3"], **at)
        assert (tried["ok"], tried["clause"], tried["squares"]) == (False, "POP-2.1", ["c3"])
        assert "Jet" in tried["message"]
        refused = await call("play", moves=["M@c3"], **at)
        assert refused == tried
        why = await call("why", move="M@c3", **at)
        assert why["words"] == tried["words"] != ""
        assert why["section"] == "The turn"
        assert (await call("why", move="nonsense", **at))["clause"] == "form"
        for tool, given in (("play", {"moves": ["m@C1"]}), ("why", {"move": "m@C1"})):
            assert (await call(tool, **given, **at))["near"] == ["M@c1"]
        assert (await call("why", move="M@c1", **at))["ok"]
        assert (await call("try", moves=["M@c1"], **at))["position"]
        assert (await call("look", **at))["plies"] == 0

    run(play)


def test_seat_beside_a_move_is_its_seat():
    async def play(call: Call) -> None:
        opened = await call("open", game="poptrix")
        host = {"match": opened["match"], "token": opened["tokens"]["host"]}
        for tool in ("try", "play"):
            assert "of seat 2; leave out seat" in await call(tool, moves=["2:M@c6"], seat=1, **host)
            refused = await call(tool, moves=["S@c6"], seat=2, **host)
            assert (refused["clause"], refused["seat"]) == ("turn", 2)
        assert (await call("why", move="S@c6", seat=2, **host))["clause"] == "turn"
        assert (await call("play", moves=["resign"], seat=2, **host))["events"][0]["seat"] == 2
        own = {"match": opened["match"], "token": opened["tokens"]["seats"]["1"]}
        assert "this token is for seat 1" in await call("play", moves=["S@c6"], seat=2, **own)

    run(play)


def test_history_marks_what_the_host_brought_in():
    async def play(call: Call) -> None:
        opened = await call("open", game="poptrix")
        await call("play", moves=["M@c1"], match=opened["match"], token=opened["tokens"]["host"])
        (entered,) = (await call("history", match=opened["match"]))["events"]
        assert "brought_in" not in entered

    run(play)
    with closing(temporary_store()) as store:
        book = Book(store)
        content = write_archive(
            book, entering.play(book, open_match(book, find("poptrix")), ["M@c1"])
        )

    async def brought() -> None:
        store = empty_store()
        book = Book(store)
        (made,) = import_archive(book, io.BytesIO(content))
        server, app = create_server(book, Settings())
        async with app.lifespan(), connect(server) as client:
            told = await client.call_tool("history", {"match": made.match})
        assert told.structured_content["events"][0]["brought_in"] > 0
        store.close()

    asyncio.run(brought())


def test_seats_comment_names_it_as_author():
    async def play(call: Call) -> None:
        opened = await call("open", game="poptrix")
        at = {"match": opened["match"], "token": opened["tokens"]["seats"]["1"]}
        await call("play", moves=["M@c1"], **at)
        noted = await call("annotate", comment="Centre first.", glyph="!", **at)
        assert [note["author"] for note in noted["annotations"]] == ["seat 1", "seat 1"]
        history = await call("history", match=opened["match"])
        assert history["annotations"] == noted["annotations"]
        assert "empty" in await call("annotate", **at)

    run(play)


def test_names_are_changed_and_seen_in_the_history():
    async def play(call: Call) -> None:
        opened = await call("open", game="poptrix", players={"1": "Jet", "2": "Red"})
        host, seats = opened["tokens"]["host"], opened["tokens"]["seats"]
        at = {"match": opened["match"]}
        await call("play", moves=["M@c1", "2:resign"], token=host, **at)
        assert "its host names" in await call("name", players={"1": "Ann"}, token=seats["1"], **at)
        assert "reason" in await call("name", players={"1": "Ann"}, token=host, **at)
        named = await call("name", players={"1": "Ann"}, reason="a slip", token=host, **at)
        assert named["people"][-1]["words"] == "seat 1 is Ann now after the end: a slip"
        (seen,) = (await call("history", **at))["people"]
        assert seen["words"] == "seat 1 is Ann now after the end"

    run(play)


BAD = [
    ("look", {"match": "zzz"}, "no such match"),
    ("look", {"match": "../games"}, "pattern"),
    ("look", {"ply": 7}, "use 0 to 0"),
    ("look", {"token": "wrong"}, "valid token"),
    ("look", {"token": "ü"}, "must match pattern"),
    ("look", {"token": "€\n"}, "must match pattern"),
    ("look", {"token": "x" * 201}, "must match pattern"),
    ("play", {"moves": ["M@c1"], "token": ""}, "valid token"),
    ("play", {"moves": [], "token": ""}, "at least 1 item"),
    ("play", {"moves": ["x" * 201], "token": ""}, "200 characters"),
    ("play", {"moves": ["2:M@c6"]}, "this token is for seat 1"),
    ("annotate", {"comment": "\u202e"}, "invisible"),
    ("open", {"game": "poptrix", "seats": 5}, "2 seats"),
    ("open", {"game": "poptrix", "options": {"x": 1}}, "no option"),
]


def test_bad_arguments_get_a_clear_error():
    async def play(call: Call) -> None:
        opened = await call("open", game="poptrix")
        known = {"match": opened["match"], "token": opened["tokens"]["seats"]["1"]}
        for tool, arguments, wrong in BAD:
            given = arguments if tool == "open" else known | arguments
            assert wrong in await call(tool, **given), (tool, arguments)

    run(play)


SORTED = sorted(f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA")
HANDS = [SORTED[start::4] for start in range(4)]
SWAPPED = [HANDS[2], HANDS[1], HANDS[0], HANDS[3]]


def dealt(hands: list[list[str]]) -> list[str]:
    return [f"{seat}:hand={''.join(hand)}" for seat, hand in enumerate(hands, 1)]


TWINS = {
    "pyramid-ball": (["1:S=FFF,M=...,L=..."], ["1:S=...,M=LLL,L=FRB"], "S=FFF,M=...,L=..."),
    "whist": (dealt(HANDS), dealt(SWAPPED), HANDS[0][0]),
}
"""Two openings that differ in secrets of seats 1 and 3, and a move of seat 1 to be tried."""


@pytest.mark.parametrize("slug", TWINS)
def test_other_seats_answers_reveal_no_secret(slug):
    first, second, move = TWINS[slug]

    async def play(call: Call) -> None:
        told = [await answers(call, slug, moves, move) for moves in (first, second)]
        assert told[0]["others"] == told[1]["others"]
        assert told[0]["own"] != told[1]["own"]

    with door.opened(SITE):
        run(play)


async def answers(call: Call, slug: str, moves: list[str], move: str) -> dict[str, str]:
    """All that the tools say after some secret moves: to others, and to seat 1."""
    opened = await call("open", game=slug, dice="table")
    match, given = opened["match"], opened["tokens"]
    for each in moves:
        token = given["seats"][move_text.split(each).seat and each[0]]
        assert (await call("play", match=match, moves=[each], token=token))["ok"]
    others = []
    for token in (given["seats"]["2"], given["host"], ""):
        others.append([await call("look", match=match, token=token)])
        others[-1] += [await call("look", match=match, token=token, ply=len(moves))]
        others[-1] += [await call("history", match=match, token=token)]
        for tried in (f"1:{move}", move):
            others[-1] += [await call("try", match=match, moves=[tried], token=token)]
            others[-1] += [await call("why", match=match, move=tried, token=token)]
    own = await call("look", match=match, token=given["seats"]["1"])
    return {"others": json.dumps(list(same(others, match))), "own": json.dumps(own["board"])}


def same(told: list[Any], match: str) -> Iterator[str]:
    """Leave out the id of the match, which differs."""
    for each in told:
        yield json.dumps(each).replace(match, "MATCH")


def test_tables_of_an_evening_are_opened_and_read():
    async def play(call: Call) -> None:
        made = await call("open_evening", title="Tuesday club", date="2026-11-24")
        opened = await call("open", game="poptrix", players={"1": "Anna"}, token=made["token"])
        told = await call("evening", evening=made["evening"])
        (row,) = told["matches"]
        assert (told["title"], row["match"]) == ("Tuesday club", opened["match"])
        assert (row["table"], row["players"]) == (1, {"1": "Anna"})
        assert "at most 100" in await call("open_evening", title="T" * 300, date="2026-11-24")
        assert "date" in await call("open_evening", title="T", date="tomorrow")
        assert "there is no evening" in await call("evening", evening="zzzzzzzzzzzz")
        assert "replaced" in await call("open", game="poptrix", token="evening-revoked")

    run(play)
