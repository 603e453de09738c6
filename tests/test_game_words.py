"""No word of a game occurs in the code of `replay` and `service`: games bring them as data."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.entry.taps import controls_of
from domain.events import State
from domain.game import Game, OptionError
from domain.match import open_match
from domain.notation import Label
from domain.scene import Grid, Scene
from replay import registry, rules_text
from replay.formats.ply.reader import read_records
from tests.conformance.door import SIXTH, install, opened

ROOT = Path(__file__).parents[1]

COMMENTS = {
    ".js": r"/\*.*?\*/|(?<!:)//[^\n]*",
    ".css": r"/\*.*?\*/",
    ".html": r"\{#.*?#\}",
}
"""The kinds of files besides Python, with the pattern of their comments."""

EVERYDAY = frozenset(
    """
    attack back dash draw end enter flip forward jump large left medium move none pass pick place
    program put quick remove return right roll shift small stack start step take
    """.split()  # noqa: SIM905  # a list of words is read as one
)
"""Words of games that code also uses in another sense, like `start` and the element `small`."""

KNOWN = frozenset({"score sheet", "score-sheet", "free board"})
"""The sheet of any match has that name too, `replay` loads sheets from files, and judges a match of
the free board as one of another game.
"""

SHOWN = {"words", "hint", "missing", "prompt", "title", "note", "group", "ground_word"}
"""The members of controls and cells that people read."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Game[Any]]]:
    """All games, with a plug-in among them."""
    site = tmp_path_factory.mktemp("installed")
    install(SIXTH, site)
    with opened(site):
        yield registry.games()


def test_plugged_in_game_is_among_the_games(games):
    assert "hidden-bid" in games


def test_replay_and_service_avoid_game_words(games):
    shared = set(re.findall("[a-z]+", (ROOT / "domain/scene.py").read_text()))
    found = [
        f"{word} ({slug}): {', '.join(files)}"
        for slug, game in games.items()
        for word in sorted(words_of(game) - EVERYDAY - KNOWN - shared)
        if (files := files_with(word))
    ]
    assert found == []


def test_page_files_avoid_field_labels(games):
    """Words that are everyday each are a game's together: small, medium and large."""
    found = [
        f"{', '.join(words)}: {name}"
        for words in {each for game in games.values() for each in label_sets(game)}
        for name, text in sources().items()
        if name.startswith("service/") and all(has(text, word) for word in words)
    ]
    assert found == []


def test_game_words_are_found_outside_comments():
    assert has(code_of(".js", 'make("p", {}, "Take the Quick Pass")'), "quick pass")
    assert has(code_of(".js", "const blockadeRows = 2;"), "blockade")
    assert has(code_of(".py", "def draw_nest(): pass"), "nest")
    assert not has(code_of(".js", "/* a blockade */ // nest"), "blockade")
    assert not has(code_of(".py", '"""A nest."""'), "nest")


@pytest.mark.parametrize(
    ("slug", "word"),
    [("blockade", "blockade"), ("power-play", "power piece"), ("pyramid-ball", "stand still"),
     ("pyramid-ball", "foul"), ("cube-pyramid", "light cube"), ("hidden-bid", "bid")],
)  # fmt: skip
def test_the_words_of_a_game_are_collected(games, slug, word):
    assert any(word in each for each in words_of(games[slug]))


@cache
def words_of(game: Game[Any]) -> frozenset[str]:
    """The names of a game, the words of its tokens, its controls and its pictures."""
    found = {game.slug, game.slug.replace("-", " "), game.name}
    for move in game.moves:
        found.add(str(move.__struct_config__.tag))
        for part in move.notation.parts:
            literals = re.sub(r"\[.*?\]|\{.*?\}", " ", part.lexeme.pattern)
            found |= set(re.findall("[A-Za-z]+", f"{part.before} {literals} {part.after}"))
            found |= {label.words for label in part.lexeme.labels}
    for state in states(game):
        found |= set(shown(controls(state)))
        found |= set(words_in(game.scene(state.position.view(None))))
    return frozenset(word.lower() for word in found if len(word) > 1)


def states(game: Game[Any]) -> Iterator[State]:
    """The states of the demonstration match, and the starts with each option."""
    for record in read_records(rules_text.demo(game)):
        yield from (record.match.at(ply) for ply in range(len(record.match.line) + 1))
    for name, values in game.choices().items():
        for value in values:
            with contextlib.suppress(OptionError):
                yield open_match(game, game.read_options({name: str(value)})).state


def controls(state: State) -> list[Any]:
    seats = {one.seat for one in state.awaiting()}
    return [msgspec.to_builtins(controls_of(state, seat)) for seat in seats]


def shown(data: Any) -> Iterator[str]:
    """The texts in controls that people read, up to a number in them."""
    if isinstance(data, dict):
        texts = (re.split(r" ?\d", value)[0] for key, value in data.items() if key in SHOWN)
        yield from (text for text in texts if len(text) > len("in"))
        data = tuple(data.values())
    if isinstance(data, list | tuple):
        for each in data:
            yield from shown(each)


def words_in(scene: Scene) -> Iterator[str]:
    for panel in scene.panels:
        for cell in panel.cells if isinstance(panel, Grid) else ():
            yield from (cell.group.partition(" of ")[0], cell.ground_word, cell.note)


def label_sets(game: Game[Any]) -> Iterator[tuple[str, ...]]:
    """The labels of each field that has three or more of them."""
    lexemes = [part.lexeme.labels for move in game.moves for part in move.notation.parts]
    pads = [
        pad for state in states(game) for each in controls(state) for pad in each.get("pads", ())
    ]
    fields = [field.get("labels", ()) for pad in pads for field in (pad, *pad["fields"])]
    labels = [*lexemes, *(msgspec.convert(each, tuple[Label, ...]) for each in fields)]
    words = (tuple(one.words.lower() for one in each) for each in labels if len(each) > 2)
    return (each for each in words if re.search("[a-z]", each[0]))


@cache
def sources() -> dict[str, str]:
    """The code of `replay` and `service` by file."""
    paths = [path for layer in ("replay", "service") for path in (ROOT / layer).rglob("*")]
    files = {str(path.relative_to(ROOT)): path for path in sorted(paths)}
    return {name: code(path) for name, path in files.items() if path.suffix in (".py", *COMMENTS)}


def code(path: Path) -> str:
    return code_of(path.suffix, path.read_text(encoding="utf-8"))


def code_of(suffix: str, text: str) -> str:
    """The code without comments and docstrings, in small letters: `pickPad` is `pick pad`."""
    if suffix == ".py":
        text = "\n".join(python_words(ast.parse(text)))
    else:
        text = re.sub(COMMENTS[suffix], " ", text, flags=re.DOTALL)
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text).lower()


def python_words(tree: ast.Module) -> Iterator[str]:
    """The names and texts of a module."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docs:
                yield text
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.arg(arg=text):
                yield text
            case (
                ast.FunctionDef(name=text)
                | ast.AsyncFunctionDef(name=text)
                | ast.ClassDef(name=text)
            ):
                yield text


def has(text: str, word: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text) is not None


@cache
def files_with(word: str) -> list[str]:
    return [name for name, text in sources().items() if has(text, word)]
