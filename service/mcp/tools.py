"""The tools for games, matches and evenings, and a tool that reconstructs a match.

Each tool calls routes of the HTTP API, so access, limits and refusals are the same. The names of
parameters and the docstrings are read by the programs that call the tools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Final, Literal

import httpx
import msgspec
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import AfterValidator, Field
from starlette.requests import Request

from domain.scene import Scene
from replay.drawing.text import draw
from replay.errors import Usage
from replay.fields import CommentsShown, LegalMoves
from replay.registry import EXAMPLE, find, named
from service.http.head_requests import Service

Caller = Context[Any, Any]
Answer = dict[str, Any]

MAX_MOVES: Final = 100
"""The most moves in a call."""

MAX_EVENTS: Final = 200
"""The most events in an answer."""

SAMPLES: Final = 3
"""The most examples of a kind of secret moves."""


def _slug(name: str) -> str:
    """Return the slug of a game by its slug or name: `Pyramid Ball`. Raises `ValueError`."""
    try:
        return (named(name) or find(name)).slug
    except Usage as unknown:
        raise ValueError(str(unknown)) from None


Slug = Annotated[
    str, Field(description=f"A game, like {EXAMPLE}.", max_length=60), AfterValidator(_slug)
]
MatchId = Annotated[str, Field(description="The id of a match.", pattern="^[0-9a-z]{1,40}$")]
EventText = Annotated[
    str,
    Field(description="The token of a seat or of the host.", pattern="^[!-~]{1,200}$"),
]
Onlooker = Annotated[
    str,
    Field(
        description="The token of a seat or of the host; empty to look on.",
        pattern="^[!-~]{0,200}$",
    ),
]
Moves = Annotated[
    list[Annotated[str, Field(max_length=200)]],
    Field(description="Moves like c1>S@c3, played in order.", min_length=1, max_length=MAX_MOVES),
]
OneMove = Annotated[str, Field(description="A move, like c1>S@c3.", max_length=200)]
Clause = Annotated[
    str,
    Field(
        description="A clause, like POP-2.3 or 2.3; empty for all.",
        pattern=r"^(([A-Za-z]{2,5}-)?\d[\d.]{0,20})?$",
    ),
]
OfSeat = Annotated[
    int | None, Field(description="Whose moves they are, if the text does not say.", ge=1, le=9)
]
AtPly = Annotated[int | None, Field(description="The number of plies before it.", ge=0)]


class Tools:
    """The tools over the API. A token grants its caller the right to read and write."""

    def __init__(self, app: Service) -> None:
        self._app = app

    def by_name(self) -> dict[str, Callable[..., Any]]:
        """Return the tools by name: the names of the methods, except `try`, a keyword of Python."""
        methods = (name for name in vars(Tools) if not name.startswith("_") and name != "by_name")
        return {"try" if name == "attempt" else name: getattr(self, name) for name in methods}

    def _api(self, caller: Caller, token: str = "") -> ApiClient:
        return ApiClient(self._app, _address(caller.request_context.request), token)

    async def games(self, caller: Caller) -> Answer:
        """List the games with their seats and options."""
        return await self._api(caller).get("/games")

    async def rules(self, caller: Caller, game: Slug, clause: Clause = "") -> Answer:
        """Read the rules of a game, with the notation of its moves, or one clause."""
        part = f"/{clause}" if clause else ""
        found = await self._api(caller).get(f"/games/{game}/rules{part}")
        return found if clause else {name: found[name] for name in ("game", "rules", "text")}

    async def open(
        self,
        caller: Caller,
        game: Slug,
        seats: Annotated[int | None, Field(description="How many play.", ge=1, le=9)] = None,
        options: Annotated[
            dict[str, str | int] | None, Field(description="Options of the game by name.")
        ] = None,
        players: Annotated[
            dict[str, str] | None, Field(description='Names by seat: {"1": "Jet"}.')
        ] = None,
        dice: Annotated[
            Literal["table", "service"] | None,
            Field(description="Who rolls dice: Plybook (service, the default), or you (table)."),
        ] = None,
        visibility: Annotated[
            Literal["unlisted", "public", "private"], Field(description="Who may read the match.")
        ] = "unlisted",
        legal: Annotated[
            LegalMoves, Field(description="Whether the tools list the legal moves.")
        ] = "listed",
        tries: Annotated[
            int | None,
            Field(description="Refused moves in a turn after which a seat forfeits.", ge=1, le=100),
        ] = None,
        comments: Annotated[
            CommentsShown, Field(description="When others read the host's annotations.")
        ] = "now",
        token: Annotated[
            str, Field(description="That of an evening, to open a table.", pattern="^[!-~]{0,200}$")
        ] = "",
    ) -> Answer:
        """Open a match. The answer has its id, and the tokens of the host and of each seat."""
        api = self._api(caller, token)
        if dice is None:
            kinds = (await api.get(f"/games/{game}"))["moves"]
            dice = "service" if any(kind["chance"] for kind in kinds) else "table"
        chosen: Answer = {"seats": seats, "options": options, "players": players, "tries": tries}
        given = {name: value for name, value in chosen.items() if value is not None}
        given |= {"game": game, "dice": dice, "visibility": visibility, "legal": legal}
        given["comments"] = comments
        made = await api.post("/matches", given)
        return {name: made[name] for name in ("match", "game", "seats", "standing", "tokens")}

    async def open_evening(
        self,
        caller: Caller,
        title: Annotated[str, Field(description="Its title.", max_length=300)],
        date: Annotated[str, Field(description="Its date, like 2026-11-24.", max_length=10)],
    ) -> Answer:
        """Open an evening of several matches.

        With its token, `open` opens a table of this evening.
        """
        made = await self._api(caller).post("/evenings", {"title": title, "date": date})
        return {name: made[name] for name in ("evening", "token")}

    async def evening(
        self,
        caller: Caller,
        evening: Annotated[str, Field(description="Its id.", pattern="^[0-9a-z]{1,40}$")],
        token: Onlooker = "",
        cursor: Annotated[
            str | None, Field(description="The `next` of the page before.", max_length=40)
        ] = None,
    ) -> Answer:
        """Read the matches of an evening with their tables, players, results and points."""
        return await self._api(caller, token).get(f"/evenings/{evening}", cursor=cursor)

    async def look(
        self, caller: Caller, match: MatchId, token: Onlooker = "", ply: AtPly = None
    ) -> Answer:
        """Look at a match: the board as text, the position, who acts, and the legal moves.

        With the token of a seat, the answer includes its secrets, and only its legal moves. Secret
        moves are too many to list: `secret` has their pattern and examples. Enter `roll` where
        Plybook rolls the dice.
        """
        path, api = f"/matches/{match}", self._api(caller, token)
        here = await api.get(path, ply=ply, scene="true")
        shown = {name: here[name] for name in LOOKED}
        shown["board"] = draw(msgspec.convert(here["scene"], Scene))
        with suppress(ToolError):  # while a move is sealed, or in a game without position texts
            shown["position"] = (await api.get(f"{path}/position", ply=here["ply"]))["position"]
        if here["ply"] == here["plies"]:
            seat = here["you"]["seat"]
            legal = await api.get(f"{path}/legal", all="true", seat=seat)
            shown |= {"legal": legal["legal"], "secret": _with_few_samples(legal["secret"])}
        return shown

    async def play(
        self,
        caller: Caller,
        match: MatchId,
        moves: Moves,
        token: EventText,
        seat: OfSeat = None,
        unsure: Annotated[
            bool, Field(description="Whether their writer is not sure of them.")
        ] = False,
    ) -> Answer:
        """Enter moves, all or none, with the token of their seat or of the host.

        A dash, --, is a move that nobody wrote down. The answer says what happened, which moves a
        dash must have been, and who acts next; or "ok": false with the clause that a move breaks,
        its text and the places.
        """
        done = await self._enter(caller, match, moves, token, seat, unsure=unsure)
        return _refused(done) or {
            "ok": True,
            "ply": done["ply"],
            "events": _chosen(done["events"], TOLD),
            **{name: done[name] for name in PLAYED if name in done},
        }

    async def attempt(
        self, caller: Caller, match: MatchId, moves: Moves, token: EventText, seat: OfSeat = None
    ) -> Answer:
        """Judge moves like `play`, but enter nothing."""
        done = await self._enter(caller, match, moves, token, seat, dry_run="true")
        return _refused(done) or {
            "ok": True,
            "events": _chosen(done["events"], TOLD),
            **{name: done[name] for name in ("awaiting", "outcome", "position")},
        }

    async def why(
        self, caller: Caller, match: MatchId, move: OneMove, token: EventText, seat: OfSeat = None
    ) -> Answer:
        """Explain why a move is refused: the clause with its whole text, and the places."""
        done = await self._enter(caller, match, [move], token, seat, dry_run="true")
        refused = _refused(done)
        if refused is None:
            return {"ok": True, "message": f"{move} is legal"}
        if refused["words"] is None:
            return refused
        here = await self._api(caller, token).get(f"/matches/{match}")
        clause = await self.rules(caller, here["game"], refused["clause"])
        return {**refused, "section": clause["section"], "figure": clause["figure"]}

    async def history(
        self,
        caller: Caller,
        match: MatchId,
        token: Onlooker = "",
        after: Annotated[int, Field(description="Only later versions.", ge=0)] = 0,
    ) -> Answer:
        """Read the log of a match with moves that were taken back, and the comments on it."""
        path, api = f"/matches/{match}", self._api(caller, token)
        log = await api.get(f"{path}/events", after=after)
        notes = await api.get(f"{path}/annotations")
        events = _chosen(log["events"], LOGGED)
        return {
            "version": log["version"],
            "events": events[:MAX_EVENTS],
            "more": len(events) > MAX_EVENTS,
            "people": _chosen(log["people"], CHANGED),
            "annotations": _chosen(notes["annotations"], NOTED),
        }

    async def annotate(
        self,
        caller: Caller,
        match: MatchId,
        token: EventText,
        comment: Annotated[str | None, Field(description="What to say.")] = None,
        glyph: Annotated[str | None, Field(description="A sign for the move, like !?.")] = None,
        ply: AtPly = None,
    ) -> Answer:
        """Comment on an event, by default the last one, as the seat of a token."""
        path, api = f"/matches/{match}", self._api(caller, token)
        if ply is None:
            ply = (await api.get(path))["plies"]
        body = {"ply": ply, "comment": comment, "glyph": glyph}
        made = await api.post(f"{path}/annotations", body)
        return {"annotations": _chosen(made["annotations"], NOTED)}

    async def name(
        self,
        caller: Caller,
        match: MatchId,
        token: EventText,
        players: Annotated[
            dict[str, str], Field(description='Names by seat: {"1": "Jet"}; an empty one erases.')
        ] = {},  # noqa: B006
        swap: Annotated[
            list[int] | None, Field(description="Two seats whose players swap.")
        ] = None,
        reason: Annotated[str, Field(description="Why; needed after the end.")] = "",
    ) -> Answer:
        """Name players, or let two swap their seats; after the end only the host may."""
        body = {"players": players, "swap": swap, "reason": reason}
        made = await self._api(caller, token).patch(f"/matches/{match}/people", body)
        return {"people": _chosen(made["people"], CHANGED)}

    async def reconstruct(
        self,
        caller: Caller,
        scoresheets: Annotated[
            list[Annotated[str, Field(max_length=100_000)]],
            Field(
                description="One or two text records of a match; -- is a move nobody wrote down.",
                min_length=1,
                max_length=2,
            ),
        ],
        result: Annotated[
            str | None, Field(description="The result, if known: +1, = or *.", max_length=20)
        ] = None,
        said: Annotated[
            dict[str, str], Field(description='Answers by ply: {"7": "a1>M@a3"}.')
        ] = {},  # noqa: B006
        save: Annotated[
            bool, Field(description="Whether to store the match, if no question is left.")
        ] = False,
    ) -> Answer:
        """Find the match that fits scoresheets with errors and gaps, and what is left to ask.

        A ply that is not certain has choices: ask people, and call this again with what they said.
        A match that was stored has its id and tokens in the answer.
        """
        body = {"scoresheets": scoresheets, "result": result, "said": said, "save": save}
        return await self._api(caller).post("/records/reconstruct", body)

    async def _enter(
        self,
        caller: Caller,
        match: str,
        moves: list[str],
        token: str,
        seat: int | None,
        *,
        unsure: bool = False,
        **query: str,
    ) -> Answer:
        body = {"events": [{"text": move, "seat": seat, "unsure": unsure} for move in moves]}
        return await self._api(caller, token).post(f"/matches/{match}/events", body, **query)


def _with_few_samples(secret: Mapping[str, list[Answer]]) -> dict[str, list[Answer]]:
    """Return the kinds of secret moves by seat, each with a few examples."""
    return {
        seat: [{**kind, "sample": kind["sample"][:SAMPLES]} for kind in kinds]
        for seat, kinds in secret.items()
    }


LOOKED: Final = (
    *("match", "game", "name", "rules", "kind", "fork", "seats", "players", "options", "dice"),
    *("version", "ply", "plies", "turn", "standing", "awaiting", "unjudged", "offered", "outcome"),
    *("result", "ended", "tries", "you"),
)
LOGGED: Final = ("version", "actor", "author", "text", "what", "stands", "brought_in")
TOLD: Final = ("text", "seat", "words")
PLAYED: Final = ("reconstructed", "standing", "awaiting", "outcome")
CHANGED: Final = ("after_version", "seat", "name", "author", "words")
NOTED: Final = ("id", "ply", "kind", "text", "author")


def _chosen(answers: list[Answer], names: Sequence[str]) -> list[Answer]:
    """Return the named members of each answer; members that an answer lacks are left out."""
    return [{name: each[name] for name in names if name in each} for each in answers]


def _refused(answer: Answer) -> Answer | None:
    """Return the refusal in an answer; `None` if the answer is no refusal."""
    if "clause" not in answer:
        return None
    told = {name: answer[name] for name in ("event", "text", "seat", "clause", "words", "squares")}
    told |= {name: answer[name] for name in ("tries_left", "near") if name in answer}
    return {"ok": False, "message": answer["detail"], **told}


BASE: Final = "http://localhost"

NO_TOKEN: Final = "this needs a valid token of the match: that of a seat, or of its host"


class ApiClient:
    """Calls the API for the caller of a tool: from an address, with a token or without."""

    def __init__(self, app: Service, address: tuple[str, int], token: str) -> None:
        self._transport = httpx.ASGITransport(app, client=address)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def get(self, path: str, **query: Any) -> Answer:
        """Return the answer to a `GET`. Raises `ToolError`."""
        return await self._call("GET", path, query)

    async def post(self, path: str, body: Answer, **query: Any) -> Answer:
        """Return the answer to a `POST`, even a refusal. Raises `ToolError`."""
        return await self._call("POST", path, query, body)

    async def patch(self, path: str, body: Answer) -> Answer:
        """Return the answer to a `PATCH`. Raises `ToolError`."""
        return await self._call("PATCH", path, {}, body)

    async def _call(
        self, method: str, path: str, query: Answer, body: Answer | None = None
    ) -> Answer:
        sent = {name: value for name, value in query.items() if value is not None}
        there = httpx.AsyncClient(
            transport=self._transport, base_url=BASE, headers=self._headers, trust_env=False
        )
        async with there as client:
            answer = await client.request(method, path, params=sent, json=body)
        told: Answer = answer.json()
        if answer.is_success or (answer.status_code == 409 and "clause" in told):
            return told
        of_match = path.startswith("/matches/") and answer.status_code == 401
        raise ToolError(NO_TOKEN if of_match else told["detail"])


def _address(origin: object) -> tuple[str, int]:
    """Return the address of the caller, for the limits; a local address without a network."""
    client = origin.client if isinstance(origin, Request) else None
    return (client.host, client.port) if client else ("127.0.0.1", 0)
