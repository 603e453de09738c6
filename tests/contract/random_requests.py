"""Random requests that try to find out a sealed move; all choices follow from a `Random`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from urllib.parse import urlencode

import msgspec

from domain.entry import move_text
from domain.events import LineEvent, Moved, State
from plybook.testing.subjects import random_event
from replay.sampling.moves import random_of, random_secret, secret_kinds
from tests.contract.twin_matches import Request, TwinMatches

EVENTS = "/matches/{match}/events"
READS = (
    "/matches/{match}", EVENTS, "/matches/{match}/legal", "/matches/{match}/tree",
    "/matches/{match}/verify", "/matches/{match}/annotations?history=true", "/stats", "/matches",
    "/matches/{match}/explore", "/m/{match}", "/m/{match}/replay?all=true", "/m/{match}/share",
    "/m/{match}/adjust", "/m/{match}/beside", "/m/{match}/tv", "/m/{match}/ending",
    "/m/{match}/entry", "/m/{match}/frame", "/m/{match}/next", "/m/{match}/replay/moves",
    "/m/{match}/sheet", "/m/{match}/stood", "/m/{match}/unspoiled",
    "/m/{match}/unspoiled/frame?ply=1",
    "/m/{match}/ahead", "/m/{match}/adjust/board", "/matches/{match}/judged?as=poptrix",
    "/matches/{match}/judgement", "/matches/{match}/compare?with={match}", "/search?q=hearts",
    "/records?tag=Event:Cup", "/stats?game=hearts", "/library", "/library/stats",
    "/account/matches", "/account/invitations",
)  # fmt: skip
FORMATS = ("ply", "archive", "html", "sheet", "svg")
OVER = ("{seat}:resign", "{seat}:offer-draw", "{seat}:accept-draw", "{seat}:flag", "ruled=*")
WRONG = ("nonsense", "", "9:resign", "roll", "\u00e9", "1:" * 40)


class RandomRequests:
    """Draws requests about twin matches as an attacker who knows both secrets."""

    def __init__(self, pair: TwinMatches, rng: Random) -> None:
        self.pair = pair
        self.rng = rng
        self.game = pair.subject.game
        self.keys = ["a-key-that-nobody-guesses-1"]
        self.kinds: tuple[tuple[Callable[[str], Request], int], ...] = (
            (self.batch, 50),
            (self.amendment, 8),
            (self.adjustment, 4),
            (self.takeback, 5),
            (self.ruling, 2),
            (self.hint, 8),
            (self.gap, 2),
            (self.record, 2),
            (self.place, 6),
            (self.read, 9),
            (self.annotation, 2),
            (self.fork, 5),
        )

    def some(self, count: int) -> Iterator[tuple[str, Request]]:
        """Yield `count` requests, each with its sender."""
        draw, weights = zip(*self.kinds, strict=True)
        for _ in range(count):
            who = self.rng.choice(sorted(self.pair.sides[0].people))
            yield who, self.rng.choices(draw, weights)[0](who)

    def batch(self, who: str) -> Request:
        """Draw a batch of events: up to one that reveals the secret, and beyond."""
        events = [self._entry(token) for token in self._tokens(self._seat(who))]
        body: dict[str, Any] = {"events": events} | self._expected()
        headers = {}
        if self.rng.random() < 0.2:
            headers["Idempotency-Key"] = self._key()
        elif self.rng.random() < 0.1:
            for event in events:
                event["id"] = f"{self._key()}-{self.rng.randrange(3)}"
        # Single events would soon reveal every secret.
        dry = self.rng.random() < (0.97 if len(events) == 1 else 0.3)
        # A legal entry of the host for a guarded seat is stored, and everybody sees it.
        dry = dry or (who == "the host" and self._is_guarded())
        return Request("batch", "POST", EVENTS + "?dry_run=true" * dry, body, headers)

    def amendment(self, who: str) -> Request:
        how = self.rng.choice(("replaced", "inserted", "deleted"))
        written = () if how == "deleted" else self._tokens(None)[:3]
        body = {"ply": self._ply() + 1, "how": how, "texts": written} | self._expected()
        dry = "?dry_run=true" if self.rng.random() < 0.7 else ""
        return Request("amend", "POST", f"/matches/{{match}}/amendments{dry}", body, self._once())

    def adjustment(self, who: str) -> Request:
        line = self._line()
        state = self.rng.choice((line[self._ply()], *self._after()))
        written = self._written(state)
        text = self.rng.choice((written, written, "no position"))
        body = {"position": text, "reason": "the cat"} | self._expected()
        return Request("adjust", "POST", "/matches/{match}/adjustments", body, self._once())

    def takeback(self, who: str) -> Request:
        if self.rng.random() < 0.6:
            body = {"grant": self.rng.random() < 0.5} | self._expected()
            path = "/matches/{match}/takeback/answer"
            return Request("answer a takeback", "POST", path, body, self._once())
        body = {"ply": self._ply() + self.rng.choice((0, 0, 200))} | self._expected()
        return Request("takeback", "POST", "/matches/{match}/takeback", body, self._once())

    def ruling(self, who: str) -> Request:
        body = {"result": self.rng.choice(("won", "drawn")), "expected": self._ply()}
        return Request("rule", "POST", "/matches/{match}/rulings", body, self._once())

    def hint(self, who: str) -> Request:
        token = self.rng.choice(self._tokens(None))
        begun = token[: self.rng.randrange(len(token) + 1)]
        name = self.rng.choice(("prefix", "picks"))
        query = urlencode({name: begun[:100], "seat": self.rng.choice((1, 2, 3))})
        return Request("hint", "GET", f"/matches/{{match}}/hints?{query}")

    def gap(self, who: str) -> Request:
        state = self.rng.choice((self._line()[self._ply()], *self._after()))
        query = urlencode({"to": self._written(state), "ply": self._ply()})
        return Request("gap", "GET", f"/matches/{{match}}/gap?{query}")

    def record(self, who: str) -> Request:
        form, ply = self.rng.choice(FORMATS), self._ply()
        placed = f"&ply={ply}" if form == "svg" else ""
        return Request("record", "GET", f"/matches/{{match}}/record?format={form}{placed}")

    def place(self, who: str) -> Request:
        version, ply = self.rng.randrange(self._version() + 1), self._ply()
        paths = (
            f"?ply={ply}",
            f"?version={version}",
            f"/position?ply={ply}&version={version}",
            f"/board/{version}/{ply}.svg",
            f"/events?after={version}",
        )
        return Request("address", "GET", "/matches/{match}" + self.rng.choice(paths))

    def read(self, who: str) -> Request:
        return Request("read", "GET", self.rng.choice(READS))

    def annotation(self, who: str) -> Request:
        body = {"ply": self._ply(), "comment": f"well, {self.rng.random()}"}
        return Request("annotate", "POST", "/matches/{match}/annotations", body, self._once())

    def fork(self, who: str) -> Request:
        body: dict[str, Any] = {"ply": self._ply(), "kind": self.rng.choice(("variation", "match"))}
        if self.rng.random() < 0.3:
            body["version"] = self.rng.randrange(self._version() + 1)
        return Request("fork", "POST", "/matches/{match}/forks", body)

    def _tokens(self, seat: int | None) -> list[str]:
        """Draw move texts: often revealing ones, then a continuation."""
        side = self.rng.choice(self.pair.sides)
        state, written = side.record.state, list[str]()
        if self.rng.random() < 0.15:
            return [self.rng.choice(OVER).format(seat=seat or self.rng.choice((1, 2, 3)))]
        for event in self._played(state, seat):
            written.append(move_text.write(self.game, event))
        more = (self.rng.choice(WRONG), move_text.write(self.game, self._any_move()))
        return [*written, *self.rng.sample(more, self.rng.choice((0, 0, 1, 2)))] or [more[1]]

    def _played(self, state: State, seat: int | None) -> Iterator[LineEvent]:
        for _ in range(self.rng.choice((1, 1, 2, 3, 4))):
            if state.outcome is not None:
                return
            event = self._answer(state, seat) or random_event(self.game, state, self.rng)
            yield event
            state = event.evolve(state)[0]

    def _answer(self, state: State, seat: int | None) -> LineEvent | None:
        """Return a secret move of an awaited seat, if it is awaited with one."""
        for one in state.position.awaiting():
            for kind in secret_kinds(self.game, state.position, one.seat):
                if seat in (None, one.seat) and self.rng.random() < 0.8:
                    move = random_secret(kind, state.position, one.seat, self.rng)
                    return None if move is None else Moved(one.seat, move)
        return None

    def _any_move(self) -> Moved:
        seat = self.rng.randrange(1, self.pair.subject.seats + 1)
        return Moved(seat, random_of(self.rng.choice(self.game.moves), self.rng))

    def _after(self) -> list[State]:
        found = []
        for side in self.pair.sides:
            state = side.record.state
            for event in self._played(state, None):
                state = event.evolve(state)[0]
            found.append(state)
        return found

    def _entry(self, token: str) -> dict[str, Any]:
        seat, body = move_text.split(token)
        move = self.game.parse(body)
        if move is None or seat is None or self.rng.random() < 0.8:
            return {"text": token}
        return {"move": msgspec.to_builtins(move), "seat": seat}

    def _is_guarded(self) -> bool:
        guarded = (side.record.state.position.guarded for side in self.pair.sides)
        return any(self.pair.world.seat in seats for seats in guarded)

    def _written(self, state: State) -> str:
        """Write a position; "no position" in a game without such texts."""
        known = self.game.text is not None
        return self.game.write_position(state.position) if known else "no position"

    def _seat(self, who: str) -> int | None:
        return int(who[-1]) if who.startswith("seat ") else None

    def _line(self) -> list[State]:
        match = self.pair.sides[0].record.match
        return [match.start, *(ply.state for ply in match.line)]

    def _ply(self) -> int:
        last = len(self._line()) - 1
        return self.rng.choice((last, max(0, last - 1), self.rng.randrange(last + 1)))

    def _version(self) -> int:
        return self.pair.sides[0].record.match.version

    def _expected(self) -> dict[str, int]:
        version = self._version()
        drawn = self.rng.choice((None, None, None, version, version, max(0, version - 1), 999))
        return {} if drawn is None else {"expected": drawn}

    def _key(self) -> str:
        """Draw the key of an earlier request, or a new one."""
        if self.rng.random() < 0.5:
            self.keys.append(f"a-key-that-nobody-guesses-{len(self.keys) + 1}")
        return self.rng.choice(self.keys)

    def _once(self) -> dict[str, str]:
        return {"Idempotency-Key": self._key()} if self.rng.random() < 0.3 else {}
