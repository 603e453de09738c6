"""SGF, the format of records of Go (FF[1] to FF[4]): game trees of nodes with properties.

The first child of a node continues its line; the others are variations. Of the set-up only stones
before the first move are read. Properties of a record that have no other place are plain tags.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

from plybook import Moved, Record
from plybook.game import TextFormat
from plybook_go.board import EMPTY, SIZES, names, numbers
from plybook_go.moves import TEXT, Pass, Play
from plybook_go.position import Go, GoOptions, Komi, start

if TYPE_CHECKING:
    from plybook.formats import RecordLexeme

BEGINNING: Final = re.compile(r"\s*\(\s*;")
VALUES: Final = r"(?:\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\]\s*+)*+"
PART: Final = re.compile(rf"([A-Za-z]++)\s*+({VALUES})|\S", re.DOTALL)
VALUE: Final = re.compile(r"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
ALPHABET: Final = "abcdefghijklmnopqrs"
TAGS: Final = {"PB": "Seat1", "PW": "Seat2", "EV": "Event", "RO": "Round", "PC": "Site"}
OWN: Final = frozenset(
    ("GM", "FF", "CA", "AP", "SZ", "HA", "AB", "AW", "AE", "PL", "ST", "KM", "GC")
)
"""The properties that say how a record is played or written."""
SETUP: Final = ("AB", "AW", "AE")
GLYPHS: Final = {("TE", 1): 1, ("BM", 1): 2, ("TE", 2): 3, ("BM", 2): 4, ("IT", 1): 5, ("DO", 1): 6}
MARKS: Final = re.compile(r"\[%(csl|cal|label) ([^\s\]]+)\]")


class Node(NamedTuple):
    """A node: its properties, its place in the text, and the nodes that may come next."""

    at: int
    values: dict[str, list[str]]
    next: list[Node]

    def value(self, name: str) -> str:
        """Return the only value of a property, or an empty text."""
        return self.values.get(name, [""])[0]

    @property
    def moves(self) -> list[tuple[int, str]]:
        """The moves of a node, each with its seat; a node has one, or none."""
        return [
            (s, value) for s, name in ((1, "B"), (2, "W")) for value in self.values.get(name, ())
        ]


class Tree(NamedTuple):
    """A game: the place where it begins and its first node, and a fault of the text."""

    root: Node
    fault: str = ""
    fault_at: int = 0


def trees(text: str) -> Iterator[Tree]:
    """Yield the games of a text; what is between them is no part of any."""
    opened, at = list[Node](), text.find("(")
    while at >= 0 and (found := PART.search(text, at)):
        here, sign, node = found.start(), found[0], Node(found.start(), {}, [])
        if sign == "(":
            if not opened:
                root = last = node
            opened.append(last)
        elif sign == ")":
            last = opened.pop()
        elif sign == ";":
            last.next.append(node)
            last = node
        elif found[2]:
            name = re.sub("[a-z]", "", found[1])
            last.values.setdefault(name, []).extend(map(_read, VALUE.findall(found[2])))
        else:
            shown = text[here : here + 20]
            yield Tree(root, f"{shown!r} is not a part of SGF; write properties like B[pd]", here)
            return
        if not opened and root.next:
            yield Tree(root)
        at = found.end() if opened else text.find("(", found.end())
    if opened:
        yield Tree(root, "this game tree is not closed; end it with )", root.at)


def _read(value: str) -> str:
    return re.sub(r"\\(\n|.)", lambda found: found[1].strip("\n"), value, flags=re.DOTALL)


def read(lines: Iterable[Any], tally: Any, first: int) -> Iterator[Any]:
    """Read a record of each game tree, numbered from `first`."""
    from plybook.formats import Reading, read_lexemes

    known = list(lines)
    text = "\n".join(line.text for line in known)
    starts = [0]
    for line in known:
        starts.append(starts[-1] + len(line.text) + 1)

    def place(at: int) -> tuple[int, int]:
        row = bisect_right(starts, at) - 1
        return known[row].number, at - starts[row] + 1

    broken = next((line for line in known if line.problem), None)
    groups = ([*_lexemes(tree, place, broken)] for tree in trees(text))
    return read_lexemes(groups, partial(Reading, tally=tally), first)


def _lexemes(tree: Tree, place: Any, broken: Any) -> Iterator[RecordLexeme]:
    """Yield the tags, the moves with comments and variations, and the result of a game."""
    from plybook.formats import LexemeKind, RecordLexeme

    def at(where: int, kind: str, text: str = "", problem: str = "") -> RecordLexeme:
        line, column = place(where)
        return RecordLexeme(LexemeKind[kind], text, line, column, problem)

    root = tree.root.next[0] if tree.root.next else tree.root
    yield at(root.at, "HEADING", '[Game "go"]')
    size, game, fault = root.value("SZ").partition(":")[0] or "19", root.value("GM"), tree.fault
    if broken:
        fault = broken.problem
    elif not fault and game not in ("", "1"):
        fault = f"GM[{game}] is another game than Go and is not played here"
    elif not fault and size not in map(str, SIZES):
        fault = f"SZ[{size}] is not a board of this game, which has 5, 7, 9 … or 19 lines"
    if fault:
        yield at(tree.fault_at or root.at, "WORD", "", fault)
        return
    for name, value in _tags(root, int(size)):
        escaped = value.replace("\\", r"\\").replace('"', r"\"")
        yield at(root.at, "TAG", f'[{name} "{escaped}"]')
    yield from _played(root, int(size), at)
    yield from _result(root.value("RE"), partial(at, root.at))


def _tags(root: Node, size: int) -> Iterator[tuple[str, str]]:
    """Yield the options, the position if it is not a usual first one, and the other tags."""
    komi = _komi(root.value("KM"))
    handicap = root.value("HA") if root.value("HA") in "23456789" else ""
    rules = root.value("RU").lower()
    again = "superko" if rules.startswith(("chin", "aga", "nz", "goe")) else "ko"
    texts = {
        "size": str(size),
        "komi": komi or "0",
        "handicap": handicap or "0",
        "repetition": again,
    }
    yield from (("Option", f"{name}={value}") for name, value in texts.items())
    options = GoOptions(size, komi or "0", int(handicap or 0), again)  # type: ignore[arg-type]
    usual, board = start(options, 2), [EMPTY] * size * size
    for name, stone in zip(SETUP, ("X", "O", EMPTY), strict=True):
        for point in _points(root.values.get(name, ()), size):
            board[numbers(size)[point]] = stone
    begun = usual.seat if "".join(board) == usual.board else 1
    first = next((seat for node in _main(root) for seat, _ in node.moves), begun)
    seat = {"b": 1, "1": 1, "w": 2, "2": 2}.get(root.value("PL")[:1].lower(), first)
    if (seat, "".join(board)) != (usual.seat, usual.board):
        yield "Position", TEXT.write(Go(options, "".join(board), seat))
    yield from _plain(root, komi)


def _plain(root: Node, komi: str) -> Iterator[tuple[str, str]]:
    seated = {name: root.value(name) or "?" for name in ("PB", "PW")}
    seated = seated if set(seated.values()) != {"?"} else {}
    for name, value in {**{each: root.value(each) for each in root.values}, **seated}.items():
        said = " ".join(value.split())
        if name == "RE" and said[1:3].upper() == "+R":
            continue
        if name == "DT" and re.fullmatch(r"\d{4}-\d\d-\d\d", said):
            yield "Date", said.replace("-", ".")
        elif name in TAGS and said:
            yield TAGS[name], said
        elif (name == "KM" and said != komi) or (name not in OWN and len(name) == 2 and said):
            yield name, said


def _komi(text: str) -> str:
    """Return the option for a komi; nothing if there is none. China counts half of the points."""
    try:
        points = float(text or 0)
    except ValueError:
        return ""
    found = f"{points * 2 if points % 0.5 else points:g}"
    return found if found in get_args(Komi) else ""


def _main(root: Node) -> Iterator[Node]:
    """Yield the nodes of the first line."""
    yield root
    while root.next:
        root = root.next[0]
        yield root


def _points(values: Iterable[str], size: int) -> Iterator[str]:
    """Yield the names of points, and of the points of rectangles like `aa:cc`."""
    letters = ALPHABET[:size]
    for value in values:
        ends = [
            (letters.find(each[0]), letters.find(each[1]))
            for each in value.split(":")
            if len(each) == 2
        ]
        columns, rows = zip(*ends, strict=True) if ends else ((-1,), (-1,))
        if min(*columns, *rows) >= 0:
            for y, x in product(
                range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)
            ):
                yield names(size)[(size - 1 - y) * size + x]


def _played(root: Node, size: int, at: Any) -> Iterator[RecordLexeme]:
    """Yield the moves of a game with their comments and variations.

    Nodes without moves are joined with the next one. A move after two passes resumes the play.
    """
    moving, todo = _moving(root), list[Any]([(root, [], 0)])
    while todo:
        if not isinstance(todo[-1][0], Node):
            yield todo.pop()
            continue
        node, others, passes = todo.pop()
        following = [each for each in node.next if id(each) in moving]
        if node is not root and any(name in node.values for name in SETUP):
            yield at(node.at, "WORD", "", "stones are set up after the first move; leave that out")
        if node.moves and passes == 2:
            yield at(node.at, "WORD", f"{node.moves[0][0]}:resume")
            passes = 0
        texts = [_text(seat, value, size) for seat, value in node.moves]
        yield from (at(node.at, "WORD", text) for text in texts)
        yield from _remarks(node, size, at)
        if not texts:
            following, others = [*following, *others], []
        following = following or node.next[:1]
        after = passes if not texts else passes + 1 if texts[-1].endswith("pass") else 0
        todo.extend([(following[0], following[1:], after)] if following else [])
        for other in reversed(others):
            todo += [at(other.at, "CLOSE"), (other, [], passes), at(other.at, "OPEN")]


def _moving(root: Node) -> set[int]:
    """Return the ids of the nodes at or below which there is a move."""
    order, found = [root], set[int]()
    for node in order:
        order.extend(node.next)
    for node in reversed(order):
        if node.moves or any(id(each) in found for each in node.next):
            found.add(id(node))
    return found


def _text(seat: int, value: str, size: int) -> str:
    """Return a move as a text record has it."""
    return f"{seat}:{'pass' if value in ('', 'tt') else next(_points([value], size), value)}"


def _remarks(node: Node, size: int, at: Any) -> Iterator[RecordLexeme]:
    """Yield the glyphs, comments and marks of a node."""
    for (name, value), glyph in GLYPHS.items() if node.moves else ():
        if name in node.values and (node.value(name) or "1") == str(value):
            yield at(node.at, "WORD", f"${glyph}")
    for name in ("GC", "N", "C"):
        if node.value(name):
            yield at(node.at, "COMMENT", node.value(name))
    circles = [each for name in ("CR", "TR", "SQ", "MA") for each in node.values.get(name, ())]
    arrows = (each.split(":") for each in node.values.get("AR", ()))
    labels = (each.split(":", 1) for each in node.values.get("LB", ()) if ":" in each)
    marks = {
        "csl": [f"G{point}" for point in dict.fromkeys(_points(circles, size))],
        "cal": [f"G{''.join(ends)}" for each in arrows if len(ends := [*_points(each, size)]) == 2],
        "label": [
            f"{point}={said}"
            for where, said in labels
            for point in _points([where], size)
            if len(said) < 4 and said.isalnum()
        ],
    }
    text = "".join(f"[%{name} {','.join(each)}]" for name, each in marks.items() if each)
    if text:
        yield at(node.at, "COMMENT", text)


def _result(said: str, at: Any) -> Iterator[RecordLexeme]:
    """Yield the end: a seat that resigns, or a ruling."""
    won = {"B+": 1, "W+": 2}.get(said[:2].upper())
    if won and said[2:3].upper() == "R":
        yield at("WORD", f"{3 - won}:resign")
    drawn = said.lower() in ("0", "draw", "jigo")
    yield at("RESULT", f"+{won}" if won else "=" if drawn else "*")


def write(record: Record) -> str:
    """Write a record with its comments, glyphs, marks and variations."""
    begun: Any = record.match.start.position
    known = {ours: name for name, ours in TAGS.items()}
    own = {"GM": "1", "FF": "4", "CA": "UTF-8", "AP": "Plybook", "SZ": str(begun.options.size)}
    own["KM"] = begun.options.komi
    own |= {"HA": str(begun.options.handicap)} if begun.options.handicap else {}
    own |= {"RU": "Chinese"} if begun.options.repetition == "superko" else {}
    for tag in record.tags:
        if tag.name == "Date":
            own["DT"] = re.sub(r"(\.\?\?)+$", "", tag.value).replace(".", "-")
        elif name := known.get(tag.name, tag.name if re.fullmatch("[A-Z]{2}", tag.name) else ""):
            own[name] = tag.value
    own["RE"] = _score(record, own.get("RE", ""))
    head = "".join(_property(name, value) for name, value in own.items() if value)
    for name, stone in (("AB", "X"), ("AW", "O")):
        stones = [p for p, each in enumerate(begun.board) if each == stone]
        head += name * bool(stones) + "".join(f"[{_sgf(p, begun.options.size)}]" for p in stones)
    head += f"PL[{'BW'[begun.seat - 1]}]" if "AB[" in head or "AW[" in head else ""
    line, size = record.line, begun.options.size
    return f"(;{head}{_said(line.comments, size)}{_nodes(line, size)})\n"


def _score(record: Record, said: str) -> str:
    """Return the value of RE; `said` is what a file had, which counts if it does not contradict."""
    end = record.match.state.outcome
    if end is None:
        return said if said[1:2] != "+" else ""
    if not end.winners:
        return said if said and said[1:2] != "+" else "0"
    last: Any = record.match.state.position
    black, white = last.points
    how = {"resigned": "R", "flagged": "T", "forfeited": "F", "GO-6.4": f"{abs(black - white):g}"}
    won = f"{'BW'[end.winners[0] - 1]}+"
    return won + how[end.clause] if end.clause in how else said if said[:2] == won else won


def _nodes(line: Any, size: int) -> str:
    """Write a line; a variation stands beside the rest of the line that it leaves."""
    out, closing = list[str](), list[str]()
    for node in line.nodes:
        if node.variations:
            out.append("(")
            closing.append(f"){''.join([_variation(each, size) for each in node.variations])}")
        move = node.event.move if isinstance(node.event, Moved) else None
        colour = "BW"[getattr(node.event, "seat", 1) - 1]
        text = ""
        if isinstance(move, Play):
            text = f"{colour}[{_sgf(numbers(size)[move.at], size)}]"
        elif isinstance(move, Pass):
            text = f"{colour}[]"
        if node.left is not None:
            text += f"{colour}L[{node.left / 1000:g}]"
        text += "".join(
            f"{name}[{value}]" for (name, value), g in GLYPHS.items() if g in node.glyphs
        )
        text += _said(node.comments, size)
        out += [f"\n;{text}"] if text or node.variations else []
    return "".join([*out, *reversed(closing)])


def _variation(line: Any, size: int) -> str:
    said = _said(line.comments, size)
    return f"({f';{said}' if said else ''}{_nodes(line, size)})"


def _said(comments: Sequence[str], size: int) -> str:
    """Write comments, and the marks that a comment encodes."""
    texts, marks = list[str](), list[str]()
    for comment in comments:
        if MARKS.sub("", comment):
            texts.append(comment)
        for kind, values in MARKS.findall(comment) if not MARKS.sub("", comment) else ():
            marks += [_mark(kind, value, size) for value in values.split(",")]
    return _property("C", "\n".join(texts)) * bool(texts) + "".join(marks)


def _mark(kind: str, value: str, size: int) -> str:
    at = [
        _sgf(numbers(size)[each], size)
        for each in re.findall("[A-HJ-T][0-9]+", value.partition("=")[0])
    ]
    if kind == "label":
        return _property("LB", f"{at[0]}:{value.partition('=')[2]}")
    return f"{'CR' if kind == 'csl' else 'AR'}[{':'.join(at)}]"


def _property(name: str, value: str) -> str:
    escaped = re.sub(r"([]\\])", r"\\\1", value)
    return f"{name}[{escaped}]"


def _sgf(point: int, size: int) -> str:
    row, column = divmod(point, size)
    return ALPHABET[column] + ALPHABET[size - 1 - row]


SGF: Final = TextFormat(
    "sgf", ".sgf", "application/x-go-sgf", lambda text: bool(BEGINNING.match(text)), read, write
)
