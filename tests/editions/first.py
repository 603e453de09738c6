"""Make `fixtures/first-edition`: `python -m tests.editions.first NEW_FOLDER`.

The folder in `fixtures` was made by version 0.1.0 of Plybook and stays as it is: it proves that
what version 0.1.0 stored can still be read. Run this again only for the fixture of a later version.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from litestar.testing import TestClient

from replay.access import web_hooks
from replay.book import Book
from replay.store import open_store
from service.app import create_app
from tests.editions.story import Run, runner, story

FIRST = "1:S=FR.,M=..F,L=LLF,pass=2L"
SECOND = "2:S=LFF,M=RFF,L=RFB"
ARCHIVED = ("corrected", "dice-ended", "pyramid-ball-1", "played-on", "revealed")
HOOK = "https://127.0.0.1:9/hook"  # never called: this network is not in the public internet
PRIVATE = {
    "game": "pyramid-ball",
    "players": {"1": "One", "2": "Two"},
    "visibility": "private",
    "clock": {"programming": 60},
}
SET_UP = """\
[Game "poptrix"]
[Rules "poptrix/1"]
[Seat1 "Jet"]
[Seat2 "Red"]
[Result "+1"]
[Position "2s2/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"]

{From the middle} 6. c6xc5 +1
"""


class Maker:
    """A book that is filled by commands and by requests, and the names of its matches."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.book = folder / "making.db"
        self.run: Run = runner(self.book)
        self.matches: dict[str, str] = {}
        self.tokens: dict[str, dict[str, Any]] = {}

    def new(self, name: str, *arguments: str, command: str = "new") -> str:
        self.matches[name] = json.loads(self.run(command, *arguments, "--json"))["match"]
        return self.matches[name]

    def poptrix(self) -> None:
        match = self.new("corrected", "poptrix", "--seat", "1=Jet", "--seat", "2=Ré ♟")
        self.run("play", match, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
        self.run("takeback", f"{match}@2")
        self.run("play", match, "c1>L@c3", "c6>L@b6", "c3>M@c4")
        self.run("amend", f"{match}@3", "c1>L@c2")
        self.run("play", match, "c1>S@b1")
        self.run("amend", f"{match}@5", "--delete")
        self.run("play", match, "c1>S@d1")
        self.run("adjust", match, self.run("position", f"{match}@3").strip(), "--reason", "the cat")
        self.run("tag", match, "Event=Second evening", "Site=Kitchen", "Round=3", "Mood=good")
        self.run("tag", match, "Mood=")
        self.annotate(match)
        self.forks(match)
        asked = self.new("asked", "poptrix", "--seat", "1=Jet")
        self.run("play", asked, "M@c1", "S@c6", "1:offer-draw", "2:decline-draw")
        self.run("takeback", f"{asked}@1", "--seat", "1")
        self.run("takeback", asked, "--seat", "2", "--decline")
        self.run("takeback", f"{asked}@1", "--seat", "2")
        resigned = self.new("trashed", "poptrix")
        self.run("play", resigned, "M@c1", "2:resign")
        self.run("delete", resigned)

    def annotate(self, match: str) -> None:
        said = ["Far from home", "--glyph", "!?", "--arrow", "a1-c3", "--circle", "c2"]
        said += ["--author", "Jet", "--label", "d4=A", "--json"]
        notes = [
            json.loads(line) for line in self.run("annotate", f"{match}@2", *said).splitlines()
        ]
        self.run("annotate", match, "Not so far", "--edit", notes[0]["id"])
        self.run("annotate", match, "--retract", notes[-1]["id"])
        self.run("annotate", f"{match}@0", "Said of the start é")

    def forks(self, match: str) -> None:
        wide = self.new("wide", f"{match}@2", "--name", "wide", command="fork")
        self.run("play", wide, "c1>L@d1", "c6>M@a6", "c1>S@b1")
        deep = self.new("deep", f"{wide}@4", command="fork")
        self.run("play", deep, "c1>S@e1")
        self.run("takeback", deep)
        deeper = self.new("deeper", f"{deep}@4", "--name", "deeper", command="fork")
        self.run("play", deeper, "c1>S@a1")
        old = self.new("from-an-old-version", f"{match}@4v4", command="fork")
        self.run("play", old, "c3xc4")
        again = self.new("played-on", f"{match}@1", "--match", "--seat", "2=Ida", command="fork")
        self.run("play", again, "M@e6", "2:resign")
        self.run("promote", wide)
        self.run("hide", deep)

    def dice(self) -> None:
        clock = ("--dice", "service", "--clock", "total=600,increment=5")
        running = self.new("dice-running", "blockade", *clock, "--seat", "1=Warm")
        self.run("play", running, "roll")
        ended = self.new("dice-ended", "blockade", "--dice", "service", "--option", "cool=2")
        self.run("play", ended, "roll")
        self.run("play", ended, ".", "roll")
        self.run("takeback", f"{ended}@1")
        self.run("play", ended, ".", "roll")
        self.run("play", ended, "ruled=+2")
        forked = self.new("dice-forked", f"{running}@0", "--match", command="fork")
        self.run("play", forked, "roll")

    def records(self, name: str, path: Path) -> None:
        made = [json.loads(line) for line in self.run("import", path, "--json").splitlines()]
        self.matches |= {f"{name}-{number}": one["match"] for number, one in enumerate(made, 1)}

    def adjusted(self, name: str, ply: int) -> None:
        match = self.matches[name]
        copy = self.new(f"{name}-adjusted", f"{match}@{ply}", "--match", command="fork")
        self.run(
            "adjust",
            copy,
            self.run("position", f"{match}@{ply - 2}").strip(),
            "--reason",
            "pieces fell over",
        )

    def secrets(self) -> None:
        store = open_store(self.book)
        with TestClient(create_app(Book(store))) as client:
            for name, tokens in {"pending": [FIRST], "revealed": [FIRST, SECOND]}.items():
                opened = post(client, "/matches", PRIVATE)
                self.matches[name], self.tokens[name] = opened["match"], opened["tokens"]
                for token in tokens:
                    seat = opened["tokens"]["seats"][token[0]]
                    body = {"events": [{"text": token, "id": f"seat-{token[0]}"}]}
                    post(client, f"/matches/{opened['match']}/events", body, seat)
                where = f"/matches/{opened['match']}/invitations"
                invited = post(client, where, {"role": "viewer"}, opened["tokens"]["host"])
                self.tokens[name]["viewer"] = invited["token"]
        book = Book(store)
        web_hooks.register(book, book.open(self.matches["pending"]), HOOK, "s" * 32)
        store.close()

    def write(self) -> None:
        told = {
            "names": self.matches,
            "tokens": self.tokens,
            **story(self.run, [self.matches[name] for name in self.matches if name != "trashed"]),
        }
        lines = [f"{json.dumps(k)}: {dumped(v)}" for k, v in told.items() if k != "matches"]
        matches = [f"{json.dumps(k)}: {dumped(v)}" for k, v in told["matches"].items()]
        lines.append('"matches": {\n' + ",\n".join(matches) + "}")
        text = "{" + ",\n".join(lines) + "}\n"
        (self.folder / "expected.json").write_text(text, encoding="utf-8")
        for name in ARCHIVED:
            where = ("--format", "archive", "-o", self.folder / f"{name}.plybook")
            self.run("export", self.matches[name], *where)
            self.run("export", self.matches[name], "-o", self.folder / f"{name}.ply")
        self.run("backup", self.folder / "book.db")  # no write-ahead log is needed
        for leftover in self.folder.glob("making.db*"):
            leftover.unlink()


def post(client: TestClient[Any], path: str, body: dict[str, Any], token: str = "") -> Any:
    """Send a request, and return the answer."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return client.post(path, json=body, headers=headers).raise_for_status().json()


def dumped(value: Any) -> str:
    """Write JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main(folder: Path) -> None:
    """Write a book, archives, text records and the expected output into a new folder."""
    folder.mkdir(parents=True)
    maker = Maker(folder)
    maker.poptrix()
    maker.dice()
    for game in ("blockade", "cube-pyramid", "poptrix", "power-play", "pyramid-ball"):
        maker.records(game, Path(f"seeds/{game}/demo.ply"))
        maker.adjusted(f"{game}-1", 7) if game != "pyramid-ball" else None
    middle = folder / "set-up.ply"
    middle.write_text(SET_UP, encoding="utf-8")
    maker.records("set-up", middle)
    maker.secrets()
    maker.write()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
