"""Make `fixtures/third-edition`: `python -m tests.editions.third NEW_FOLDER POSTGRESQL_URL`.

The folder in `fixtures` was made by commit 3c7793a and stays as it is, as `tests.editions.first`
says of the first edition. The URL names an empty database, for `book.sql`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

from litestar.testing import TestClient

from replay.access import accounts, web_hooks
from replay.book import Book
from replay.store import open_store
from service.app import create_app
from tests.conformance import door
from tests.editions import story
from tests.editions.first import FIRST, HOOK, PRIVATE, SECOND, Maker, dumped, post

ODD: Final = {
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # with a non-joiner
    "emoji": "\U0001f469\U0001f3fd\u200d\U0001f680 & \U0001f3f4",
    "combining": "Zoe\u0308 \u1e9e\u0323",
    "odd": '<b>"O\'Brien\\" \u05d0\u05d1 & co;',
}
FOR_EVER: Final = 4_000_000_000_000
SLIP: Final = ("M@c1", "S@c6", "c1>L@c3")
FORKED: Final = ("adjusted", "stood", "judged", "whist-dealt-out", "taken-back")
"""Matches that a variation leaves."""


@contextmanager
def plugged(site: Path) -> Iterator[None]:
    """Install Whist and Hearts into a folder, and let the registry find them meanwhile."""
    for name in ("whist", "hearts"):
        door.install(Path("plugins") / name, site)
    with door.opened(site):
        yield


class ThirdMaker(Maker):
    """A book with everything that this version stores."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.store = open_store(self.book)

    @contextmanager
    def client(self) -> Iterator[TestClient[Any]]:
        with TestClient(create_app(Book(self.store))) as made:
            yield made

    def poptrix(self) -> None:
        """Stood moves, corrections, annotations of each kind, odd names, offers, the trash."""
        names = [f"{seat}={ODD[name]}" for seat, name in enumerate(("Persian", "emoji"), 1)]
        stood = self.new("stood", "poptrix", "--seat", names[0], "--seat", names[1])
        self.run("play", stood, *SLIP)
        self.run("play", stood, "c6>S@c5", "--stood")
        self.run("play", stood, "c3>M@c4")
        self.run("tag", stood, f"Event={ODD['odd']}", f"Site={ODD['combining']}")
        slip = self.new("stood-amended", "poptrix")
        self.run("play", slip, *SLIP)
        self.run("play", slip, "c6>S@c5", "--stood")
        self.run("amend", f"{slip}@3", "c1>L@c2")
        placed = self.new("stood-placed", "poptrix")
        self.run("play", placed, *SLIP)
        position = "2s2/1s3/5/2L2/5/2M2 5S4M4L 3s5m5l 1 5"
        self.run("play", placed, "c6>S@e2", "--stood", "--position", position)
        adjusted = self.new("adjusted", "poptrix", "--seat", f"2={ODD['combining']}")
        self.run("play", adjusted, *SLIP, "c6>M@c4")
        self.run("takeback", f"{adjusted}@2")
        self.run("play", adjusted, *SLIP[2:], "c6>L@b6", "c3>M@c4")
        self.run("amend", f"{adjusted}@4", "--delete")
        at = self.run("position", f"{adjusted}@3").strip()
        self.run("adjust", adjusted, at, "--reason", ODD["odd"])
        self.kinds_of_notes(adjusted)
        asked = self.new("asked", "poptrix", "--seat", "1=Jet")
        self.run("play", asked, "M@c1", "S@c6", "1:offer-draw", "2:decline-draw")
        self.run("takeback", f"{asked}@1", "--seat", "1")
        trashed = self.new("trashed", "poptrix", "--seat", f"1={ODD['odd']}")
        self.run("play", trashed, "M@c1", "2:resign")
        self.run("tag", trashed, "Event=Put away")
        self.run("delete", trashed)

    def kinds_of_notes(self, match: str) -> None:
        """Annotate with each kind, and edit, retract and erase."""
        every = [
            "\u0645\u06cc\u200c\u0631\u0648\u0645 e\u0301 \U0001f469\u200d\U0001f680",
            "--glyph",
            "!?",
        ]
        every += ["--glyph", "$10", "--arrow", "a1-c3", "--circle", "c2", "--label", "d4=A"]
        said = self.run("annotate", f"{match}@2", *every, "--author", ODD["emoji"], "--json")
        notes = [json.loads(line)["id"] for line in said.splitlines()]
        self.run("annotate", match, "In other words", "--edit", notes[0])
        self.run("annotate", match, "--retract", notes[-1])
        erased = self.run("annotate", f"{match}@1", "Erased soon", "--json")
        self.run("annotate", match, "--erase", json.loads(erased)["id"])
        self.run("annotate", f"{match}@3", "--bookmark")
        self.run("annotate", f"{match}@0", "Said of the start")

    def unjudged(self) -> None:
        """A match that nobody has judged, and one that was judged later, with a wrong move."""
        for name in ("unjudged", "judged"):
            match = self.new(name, "poptrix", "--unjudged", "--seat", "1=Jet")
            self.run("play", match, *SLIP, "c6>S@c5", "c3>M@c4")
        with self.client() as client:
            host = {"Authorization": f"Bearer {self.run('token', match).strip().split()[-1]}"}
            client.post(f"/matches/{match}/judgement", headers=host, json={}).raise_for_status()

    def demos(self) -> None:
        """The first plies of a match of each built-in game."""
        scratch = story.runner(self.folder / "borrowing.db")
        for record in sorted(Path("seeds").glob("*/demo.ply")):
            demo = json.loads(scratch("import", record, "--json"))["match"]
            shown = json.loads(scratch("show", demo, "--json"))
            log = map(json.loads, scratch("log", demo, "--json").splitlines())
            game, seats = record.parent.name, str(len(shown["players"]))
            chosen = (f"--option={name}={value}" for name, value in shown["options"].items())
            match = self.new(game, game, "--seats", seats, *chosen)
            self.run("play", match, *(event["text"] for event in islice(log, 14)))

    def dice(self) -> None:
        """Rolls by the service: taken back and rolled again, in a fork, and revealed at the end."""
        clock = ("--dice", "service", "--clock", "total=600,increment=5")
        back = self.new("taken-back", "blockade", *clock)
        self.run("play", back, "roll")
        self.run("takeback", back)
        self.run("play", back, "roll")
        self.run("play", back, ".", "roll")
        self.run("takeback", f"{back}@1")
        self.run("play", back, ".", "roll")
        ended = self.new("dice-ended", "blockade", "--dice", "service", "--option", "cool=2")
        self.run("play", ended, "roll")
        self.run("play", ended, "ruled=+2")
        on = self.new("played-on", f"{back}@1", "--match", "--seat", "2=Ida", command="fork")
        self.run("play", on, ".")

    def forks(self) -> None:
        for name in FORKED:
            variation = self.new(
                f"{name}-fork",
                f"{self.matches[name]}@1",
                "--name",
                ODD["combining"],
                command="fork",
            )
            if name == "adjusted":
                self.run("play", variation, "S@b6", "c1>L@c3")
                self.run("promote", variation)
                deep = self.new("deep", f"{variation}@3", command="fork")
                self.run("play", deep, "b6>L@b4")
                self.run("hide", deep)

    def merged(self) -> None:
        """A match that was continued in another book, and came back as an archive."""
        match = self.new("merged", "poptrix", "--seat", "1=Jet")
        self.run("play", match, "M@c1")
        archive, other = self.folder / "merged.plybook", story.runner(self.folder / "borrowing.db")
        self.run("export", match, "-o", archive)
        other("import", archive)
        other("play", match, "S@c6", "c1>L@c3")
        other("annotate", f"{match}@2", "Said elsewhere", "--author", ODD["Persian"])
        other("export", match, "-o", archive, "--force")
        token = self.run("token", match).strip().split()[-1]
        headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/x-plybook-archive",
        }
        with self.client() as client:
            sent = client.post("/records?merge=true", content=archive.read_bytes(), headers=headers)
            sent.raise_for_status()
        archive.unlink()

    def hands(self) -> None:
        """Whist and Hearts that the service deals, and Whist with typed hands."""
        record = Path("plugins/whist/whist/seeds/whist/demo.ply").read_text(encoding="utf-8")
        typed = [word for word in record.split() if ":hand=" in word]
        with self.client() as client:
            for name, game, plies in (
                ("whist", "whist", 11),
                ("hearts", "hearts", 14),
                ("whist-dealt-out", "whist", 56),
            ):
                self.open(
                    client,
                    name,
                    game=game,
                    seats=4,
                    dice="service",
                    players={"1": ODD["emoji"], "3": ODD["odd"]},
                )
                self.play_any(client, name, plies)
            self.open(client, "dealt-again", game="whist", seats=4, dice="service")
            for seat in ("3", "1", "4"):
                self.enter(client, "dealt-again", seat, {"roll": True})
                if seat == "1":
                    where = f"/matches/{self.matches['dealt-again']}/takeback"
                    post(client, where, {"ply": 1}, self.tokens["dealt-again"]["host"])
            self.open(client, "typed", game="whist", seats=4)
            for token in typed:
                self.enter(client, "typed", token[0], {"text": token})
            self.play_any(client, "typed", 3)

    def play_any(self, client: TestClient[Any], name: str, plies: int) -> None:
        """Let the service roll, or play the first legal move."""
        for _ in range(plies):
            asked = client.get(f"/matches/{self.matches[name]}", headers=self.bearer(name, "1"))
            seat = str(asked.json()["awaiting"][0]["seat"])
            path = f"/matches/{self.matches[name]}/legal"
            legal = client.get(path, headers=self.bearer(name, seat)).json()["legal"][seat]
            entry = {"roll": True} if legal[0].endswith("roll") else {"text": legal[0]}
            self.enter(client, name, seat, entry)

    def bearer(self, name: str, seat: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]['seats'][seat]}"}

    def enter(self, client: TestClient[Any], name: str, seat: str, entry: dict[str, Any]) -> None:
        post(
            client,
            f"/matches/{self.matches[name]}/events",
            {"events": [entry]},
            self.tokens[name]["seats"][seat],
        )

    def open(self, client: TestClient[Any], name: str, token: str = "", **body: Any) -> None:
        opened = post(client, "/matches", body, token)
        self.matches[name], self.tokens[name] = opened["match"], opened["tokens"]

    def secrets(self) -> None:
        """Sealed programs, an invitation, and hooks, with their tokens."""
        with self.client() as client:
            for name, tokens in {"pending": [FIRST], "revealed": [FIRST, SECOND]}.items():
                self.open(client, name, **PRIVATE)
                for token in tokens:
                    self.enter(client, name, token[0], {"text": token, "id": f"seat-{token[0]}"})
                where = f"/matches/{self.matches[name]}/invitations"
                invited = post(client, where, {"role": "viewer"}, self.tokens[name]["host"])
                self.tokens[name]["viewer"] = invited["token"]
        book = Book(self.store)
        web_hooks.register(book, book.open(self.matches["pending"]), HOOK, "s" * 32)
        web_hooks.register(book, None, HOOK, "b" * 32)

    def people(self) -> None:
        """An operator with a hook, accounts with matches and challenges, a rematch."""
        operator = self.run("token", "--operator").strip().split()[-1]
        ann, bob = (self.run("account", "add", name).strip().split()[-1] for name in ("ann", "bob"))
        self.tokens["people"] = {"operator": operator, "ann": ann, "bob": bob}
        from replay.referee.challenges import Offer, challenge  # of 3c7793a; gone since

        book = Book(self.store, now=lambda: FOR_EVER)  # a challenge expires within days
        challenge(book, accounts.find(book, "ann"), "bob", Offer("poptrix"))
        challenge(book, accounts.find(book, "bob"), None, Offer("blockade", {"cool": "2"}))
        with self.client() as client:
            offer = {"game": "poptrix", "seat": 1, "to": "ann", "clock": {"move": 86400}}
            taken = post(client, "/challenges", offer, bob)
            accepted = post(client, f"/challenges/{taken['challenge']}/accept", {}, ann)
            self.matches["challenged"] = match = accepted["match"]
            post(client, f"/matches/{match}/events", {"events": [{"text": "M@c1"}]}, bob)
            post(
                client,
                f"/matches/{match}/events",
                {"events": [{"text": "2:resign"}]},
                ann,
            )
            self.matches["rematch"] = post(client, f"/matches/{match}/rematch", {}, bob)["match"]
            self.open(
                client, "given", ann, game="power-play", seats=3, tags={"Event": "Cup"}, tries=3
            )
            seat = {"role": "seat", "seat": 2}
            where = f"/matches/{self.matches['given']}/accounts/bob"
            client.put(
                where, json=seat, headers={"Authorization": f"Bearer {ann}"}
            ).raise_for_status()

    def write(self) -> None:
        """Write what each surface says, the exports of each match, and the book."""
        told = [self.matches[name] for name in self.matches if name != "trashed"]
        expected = {"names": self.matches, "tokens": self.tokens, **story.story(self.run, told)}
        with self.client() as client:
            expected["http"] = story.answers(client, self.matches, self.tokens)
        lines = (f"{dumped(key)}: {laid_out(value)}" for key, value in expected.items())
        text = "{" + ",\n".join(lines) + "}\n"
        (self.folder / "expected.json").write_text(text, encoding="utf-8")
        for name, match in self.matches.items():
            for ending in ("ply", "plybook"):
                with suppress(story.Failed):  # a move that is sealed cannot be exported
                    self.run("export", match, "-o", self.folder / f"{name}.{ending}")

    def close(self, url: str) -> None:
        """Write the book and its dump, and leave nothing else."""
        self.store.close()
        self.run("backup", self.folder / "book.db")
        self.run("copy", "--to", url)
        dump = ("pg_dump", "--inserts", "--no-owner", "--no-privileges", url)
        done = subprocess.run(dump, check=True, capture_output=True, text=True)
        lines = [one for one in done.stdout.splitlines() if not one.startswith(("--", "\\"))]
        text = "\n".join(one for one in lines if one)
        (self.folder / "book.sql").write_text(text + "\n", encoding="utf-8")
        for leftover in self.folder.glob("*ing.db*"):
            leftover.unlink()


def laid_out(value: Any) -> str:
    """Write an object with one line for each of its parts."""
    if not isinstance(value, dict):
        return dumped(value)
    return "{\n" + ",\n".join(f"{dumped(k)}: {dumped(v)}" for k, v in value.items()) + "}"


def main(folder: Path, url: str) -> None:
    """Write a book, its dump, archives, text records and the expected output into a new folder."""
    folder.mkdir(parents=True)
    with plugged(Path(tempfile.mkdtemp())):
        maker = ThirdMaker(folder)
        maker.poptrix()
        maker.unjudged()
        maker.demos()
        maker.dice()
        maker.merged()
        maker.secrets()
        maker.people()
        maker.hands()
        maker.forks()
        maker.write()
        maker.close(url)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
