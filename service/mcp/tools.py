"""The tools: games, rules, open, look, play, try, why, history, annotate, reconstruct.

Each calls routes of the HTTP API, so access, limits and refusals are the same. The names
of parameters and the docstrings are read by the programs that call the tools.
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
from replay.fields import LegalMoves
from replay.registry import EXAMPLE, find, named
from service.http.head_requests import Service

Caller = Context[Any, Any]
Answer = dict[str, Any]

MAX_MOVES: Final = 100
"""The most moves of one call."""

MAX_EVENTS: Final = 200
"""The most events of one answer."""

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
Token = Annotated[
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
    """The tools over the API."""

    def __init__(self, api: ApiClient) -> None:
        self._api = api

    def by_name(self) -> dict[str, Callable[..., Any]]:
        """Return the tools by their names."""
        return {
            "games": self.games,
            "rules": self.rules,
            "open": self.open,
            "look": self.look,
            "play": self.play,
            "try": self.attempt,
            "why": self.why,
            "history": self.history,
            "annotate": self.annotate,
            "reconstruct": self.reconstruct,
        }

    async def games(self, caller: Caller) -> Answer:
        """List the games with their seats and options."""
        found: Answer = await self._api.get("/games", origin=_origin(caller))
        return found

    async def rules(self, caller: Caller, game: Slug, clause: Clause = "") -> Answer:
        """Read the rules of a game, with the notation of its moves, or one clause."""
        part = f"/{clause}" if clause else ""
        found: Answer = await self._api.get(f"/games/{game}/rules{part}", origin=_origin(caller))
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
    ) -> Answer:
        """Open a match. The answer has its id, and the tokens of the host and of each seat."""
        origin = _origin(caller)
        if dice is None:
            kinds = (await self._api.get(f"/games/{game}", origin=origin))["moves"]
            dice = "service" if any(kind["chance"] for kind in kinds) else "table"
        chosen: Answer = {"seats": seats, "options": options, "players": players, "tries": tries}
        given = {name: value for name, value in chosen.items() if value is not None}
        given |= {"game": game, "dice": dice, "visibility": visibility, "legal": legal}
        made = await self._api.post("/matches", given, "", origin)
        return {name: made[name] for name in ("match", "game", "seats", "standing", "tokens")}

    async def look(
        self, caller: Caller, match: MatchId, token: Onlooker = "", ply: AtPly = None
    ) -> Answer:
        """Look at a match: the board as text, the position, who acts, and the legal moves.

        With the token of a seat, the answer includes its secrets, and only its legal moves. Secret
        moves are too many to list: `secret` has their pattern and examples. Enter `roll` where
        Plybook rolls the dice.
        """
        path, origin = f"/matches/{match}", _origin(caller)
        here = await self._api.get(path, token, origin, ply=ply, scene="true")
        shown = {name: here[name] for name in LOOKED}
        shown["board"] = draw(msgspec.convert(here["scene"], Scene))
        with suppress(ToolError):  # while a move is sealed, and in a game without such texts
            there = await self._api.get(f"{path}/position", token, origin, ply=here["ply"])
            shown["position"] = there["position"]
        if here["ply"] == here["plies"]:
            seat = here["you"]["seat"]
            legal = await self._api.get(f"{path}/legal", token, origin, all="true", seat=seat)
            shown |= {"legal": legal["legal"], "secret": _with_few_samples(legal["secret"])}
        return shown

    async def play(
        self, caller: Caller, match: MatchId, moves: Moves, token: Token, seat: OfSeat = None
    ) -> Answer:
        """Enter moves, all or none, with the token of their seat or of the host.

        The answer says what happened and who acts next; or "ok": false with the clause that a
        move breaks, its text and the places.
        """
        body = {"events": _entries(moves, seat)}
        done = await self._api.post(f"/matches/{match}/events", body, token, _origin(caller))
        return _refused(done) or {
            "ok": True,
            "ply": done["ply"],
            "events": _chosen(done["events"], TOLD),
            **{name: done[name] for name in ("standing", "awaiting", "outcome")},
        }

    async def attempt(
        self, caller: Caller, match: MatchId, moves: Moves, token: Token, seat: OfSeat = None
    ) -> Answer:
        """Judge moves like `play`, but enter nothing."""
        done = await self._dry_run(caller, match, moves, token, seat)
        return _refused(done) or {
            "ok": True,
            "events": _chosen(done["events"], TOLD),
            **{name: done[name] for name in ("awaiting", "outcome", "position")},
        }

    async def why(
        self, caller: Caller, match: MatchId, move: OneMove, token: Token, seat: OfSeat = None
    ) -> Answer:
        """Explain why a move is refused: the clause with its whole text, and the places."""
        done = await self._dry_run(caller, match, [move], token, seat)
        refused = _refused(done)
        if refused is None:
            return {"ok": True, "message": f"{move} is legal"}
        if refused["words"] is None:
            return refused
        here = await self._api.get(f"/matches/{match}", token, _origin(caller))
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
        path, origin = f"/matches/{match}", _origin(caller)
        log = await self._api.get(f"{path}/events", token, origin, after=after)
        notes = await self._api.get(f"{path}/annotations", token, origin)
        events = _chosen(log["events"], LOGGED)
        return {
            "version": log["version"],
            "events": events[:MAX_EVENTS],
            "more": len(events) > MAX_EVENTS,
            "annotations": _chosen(notes["annotations"], NOTED),
        }

    async def annotate(
        self,
        caller: Caller,
        match: MatchId,
        token: Token,
        comment: Annotated[str | None, Field(description="What to say.")] = None,
        glyph: Annotated[str | None, Field(description="A sign for the move, like !?.")] = None,
        ply: AtPly = None,
    ) -> Answer:
        """Comment on an event, by default the last one, as the seat of a token."""
        path, origin = f"/matches/{match}", _origin(caller)
        if ply is None:
            ply = (await self._api.get(path, token, origin))["plies"]
        body = {"ply": ply, "comment": comment, "glyph": glyph}
        made = await self._api.post(f"{path}/annotations", body, token, origin)
        return {"annotations": _chosen(made["annotations"], NOTED)}

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
    ) -> Answer:
        """Find the match that fits scoresheets with errors and gaps, and what is left to ask."""
        body = {"scoresheets": scoresheets, "result": result}
        found: Answer = await self._api.post("/records/reconstruct", body, "", _origin(caller))
        return found

    async def _dry_run(
        self, caller: Caller, match: str, moves: list[str], token: str, seat: int | None
    ) -> Answer:
        body = {"events": _entries(moves, seat)}
        path = f"/matches/{match}/events"
        done: Answer = await self._api.post(path, body, token, _origin(caller), dry_run="true")
        return done


def _entries(moves: Sequence[str], seat: int | None) -> list[Answer]:
    return [{"text": move, "seat": seat} for move in moves]


def _with_few_samples(secret: Mapping[str, list[Answer]]) -> dict[str, list[Answer]]:
    """Return the kinds of secret moves by seat, each with a few examples."""
    return {
        seat: [{**kind, "sample": kind["sample"][:SAMPLES]} for kind in kinds]
        for seat, kinds in secret.items()
    }


LOOKED: Final = (
    *("match", "game", "name", "rules", "kind", "fork", "seats", "players", "options", "dice"),
    *("version", "ply", "plies", "turn", "standing", "awaiting", "quiet", "offered", "outcome"),
    *("result", "ended", "tries", "you"),
)
LOGGED: Final = ("version", "actor", "text", "what", "stands", "brought_in")
TOLD: Final = ("text", "seat", "words")
NOTED: Final = ("id", "ply", "kind", "text", "author")


def _origin(caller: Caller) -> object:
    """Return the request that called a tool over HTTP, or `None`."""
    return caller.request_context.request


def _chosen(answers: list[Answer], names: Sequence[str]) -> list[Answer]:
    """Return some members of each answer, those that it has."""
    return [{name: each[name] for name in names if name in each} for each in answers]


def _refused(answer: Answer) -> Answer | None:
    """Return an answer as a refusal, if it is one."""
    if "clause" not in answer:
        return None
    told = {name: answer[name] for name in ("event", "text", "seat", "clause", "words", "squares")}
    told |= {name: answer[name] for name in ("tries_left", "near") if name in answer}
    return {"ok": False, "message": answer["detail"], **told}


BASE: Final = "http://localhost"

NO_TOKEN: Final = "this needs a valid token of the match: that of a seat, or of its host"


class ApiClient:
    """Calls the API for tools. A token grants its caller the right to read and write."""

    def __init__(self, app: Service) -> None:
        self._app = app

    async def get(self, path: str, token: str = "", origin: object = None, **query: Any) -> Any:
        """Return the answer to a `GET`. Raises `ToolError`."""
        return await self._call("GET", path, token, origin, query, None)

    async def post(
        self,
        path: str,
        body: Mapping[str, Any],
        token: str = "",
        origin: object = None,
        **query: Any,
    ) -> Any:
        """Return the answer to a `POST`, even a refusal. Raises `ToolError`."""
        return await self._call("POST", path, token, origin, query, body)

    async def _call(
        self,
        method: str,
        path: str,
        token: str,
        origin: object,
        query: Mapping[str, Any],
        body: Mapping[str, Any] | None,
    ) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx.ASGITransport(self._app, client=_address(origin))
        there = httpx.AsyncClient(transport=transport, base_url=BASE, trust_env=False)
        async with there as client:
            sent = {name: value for name, value in query.items() if value is not None}
            answer = await client.request(method, path, params=sent, headers=headers, json=body)
        told = answer.json()
        if answer.is_success or (answer.status_code == 409 and "clause" in told):
            return told
        raise ToolError(NO_TOKEN if answer.status_code == 401 else told["detail"])


def _address(origin: object) -> tuple[str, int]:
    """Return the address of the caller, for the limits; a local one without a network."""
    client = origin.client if isinstance(origin, Request) else None
    return (client.host, client.port) if client else ("127.0.0.1", 0)
