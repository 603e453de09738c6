"""Boards in Portable Bridge Notation: read as matches of one board, and written.

Tags are kept as they are; those that say what the moves say too are compared with the moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from bridge.effects import PassedOut, Scored
from bridge.moves import ORDER, Answer, Bid, Call, Claim, Play, Take
from bridge.table import BridgeOptions, Deal, Table, left_of, side
from plybook import Moved, Record
from plybook.game import Seen, TextFormat

SEATS: Final = "NESW"
NAMES: Final = ("North", "East", "South", "West")
SIDES: Final = {(): "None", (0,): "NS", (1,): "EW", (0, 1): "All"}
VULNERABLE: Final = {"None": (), "Love": (), "-": (), "NS": (0,), "EW": (1,)}
CALLS: Final = {"PASS": "pass", "P": "pass", "X": "double", "XX": "redouble"}
WRITTEN: Final = {"pass": "Pass", "double": "X", "redouble": "XX"}
GLYPHS: Final = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
FIRST: Final = ("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer")
PLAYED: Final = ("Declarer", "Contract", "Result")
ORDERED: Final = (*FIRST, "Vulnerable", "Deal", "Scoring", *PLAYED, "Score")
"""The order of the tags in a file that is written."""
OURS: Final = ("Game", "Rules", "Option", "Position", "Result")
"""Tags that mean something else in a record; it has those of PBN as `PbnResult` and so on."""
TAG: Final = re.compile(r'\s*\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
BEGINS: Final = re.compile(r"^(?:%[ \t]*PBN|[ \t]*\[[ \t]*(?:Deal|Auction)[ \t])", re.MULTILINE)
DATE: Final = re.compile(r"\d{4}\.(?:\d\d|\?\?)\.(?:\d\d|\?\?)")
PART: Final = re.compile(r"\{[^{}]*\}|;.*|=\d+=|\^[A-Z]|[!?]+|\$\d+|[^\s{};!?$=^]+|\S")
NUMBER: Final = re.compile("[0-9]{1,2}")
BID: Final = re.compile("([1-7])([CDHS]|NT?)")
CARD: Final = re.compile("[CDHS][2-9TJQKA]")


def recognises(text: str) -> bool:
    """Return whether a text begins like PBN."""
    return BEGINS.search(text) is not None


def read(lines: Iterable[Any], tally: Any, first: int) -> Iterator[Any]:
    """Read a match of each board, numbered from `first`."""
    from plybook.formats import Reading, read_lexemes

    groups = (_Reader(sections).lexemes() for sections in _boards(lines))
    return read_lexemes(groups, partial(Reading, tally=tally), first)


class _Section:
    """A tag, with the lines that follow it."""

    def __init__(self, line: Any, name: str, value: str) -> None:
        self.line, self.name, self.value = line, name, value
        self.lines: list[tuple[Any, str]] = []

    def parts(self) -> Iterator[tuple[str, int, int]]:
        """Yield the words and comments below the tag, each with its line and column."""
        text, row, begin, last = "\n".join(text for _, text in self.lines), 0, 0, 0
        for found in PART.finditer(text):
            passed = text.count("\n", last, found.start())
            if passed:
                row, begin = row + passed, text.rfind("\n", last, found.start()) + 1
            last = found.start()
            yield found[0], self.lines[row][0].number, found.start() - begin + 1


def _boards(lines: Iterable[Any]) -> Iterator[list[_Section]]:
    """Yield the sections of each board; `#` is the value that the board before has."""
    board, names, before, comment = list[_Section](), dict[str, str](), dict[str, str](), False
    for line in lines:
        found = None if comment else TAG.match(line.text)
        if found is None:
            if board and not line.text.startswith("%"):
                board[-1].lines.append((line, line.text))
                comment = line.text.rfind("{") > line.text.rfind("}") or (
                    comment and "}" not in line.text
                )
            continue
        name, value = found[1], re.sub(r"\\(.)", r"\1", found[2])
        if (name in names and name != "Note") or (name == "Event" and "Deal" in names):
            yield board
            before, board, names = names, [], {}
        names[name] = before.get(name, value) if value == "#" else value
        board.append(_Section(line, name, names[name]))
        if rest := line.text[found.end() :]:
            board[-1].lines.append((line, rest))
    if board:
        yield board


class _Reader:
    """The lexemes of a board; the moves are played to know whose turn it is."""

    def __init__(self, sections: list[_Section]) -> None:
        self.sections = sections
        self.tags = {each.name: each for each in reversed(sections)}
        self.hands = _hands(self.value("Deal"))
        self.lost = False
        self.told: Scored | PassedOut | None = None
        self.comments: list[str] = []
        self.notes = dict[str, str]()
        self.at = sections[0].line.number, 1
        options = BridgeOptions(board=self._number(), hands="known" if self.hands else "unseen")
        self.options = options
        self.position = Deal(Table(options=options, seen=None if self.hands else Seen()))

    def value(self, name: str) -> str:
        return self.tags[name].value if name in self.tags else ""

    def _number(self) -> Any:
        """Return the number of the board, or of one with this dealer and these vulnerable sides."""
        given = self.value("Board")
        number = int(given) if NUMBER.fullmatch(given) and 0 < int(given) <= 36 else 1
        dealer = (self.value("Dealer") or self.value("Auction"))[:1]
        vulnerable = self.value("Vulnerable")
        for each in (number, *range(1, 17)):
            table = Table(options=BridgeOptions(board=each))  # type: ignore[arg-type]
            if dealer in ("", SEATS[table.dealer - 1]) and (
                not vulnerable or _normal("Vulnerable", vulnerable) == table.vulnerable
            ):
                return each
        return number

    def lexemes(self) -> Iterator[Any]:
        """Yield the parts of the board up to the first that cannot be read, and the result."""
        from plybook.formats import LexemeKind

        for lexeme in self._lexemes():
            yield lexeme
            if lexeme.problem:
                break
        outcome = self.position.outcome()
        yield self._at(LexemeKind.RESULT, outcome.result if outcome else "*")

    def _lexemes(self) -> Iterator[Any]:
        """Yield the tags, the hands, the calls, the cards, and a claim."""
        from plybook.formats import LexemeKind

        yield self._at(LexemeKind.HEADING, '[Game "bridge"]')
        yield self._at(LexemeKind.TAG, f'[Option "board={self.options.board}"]')
        yield self._at(LexemeKind.TAG, f'[Option "hands={self.options.hands}"]')
        yield from self._tags()
        for seat, cards in self.hands.items():
            self.at = self.tags["Deal"].line.number, 1
            yield self._text(f"{seat}:hand={''.join(cards)}")
            whole = len(cards) == 13 and {*cards} <= {*ORDER}
            self._do(Take(*cards) if whole else None, seat)
        for section in self.sections:
            if section.name == "Auction":
                yield from self._auction(section)
            elif section.name == "Play":
                yield from self._play(section)
        yield from self._end()

    def _tags(self) -> Iterator[Any]:
        """Yield the tags that are no sections, `?` for a missing player, and the comments."""
        from plybook.formats import LexemeKind

        kind = ""
        for section in self.sections:
            self.at = section.line.number, 1
            if section.line.problem:
                yield self._at(LexemeKind.TAG, "", section.line.problem)
            if section.name == "Note":
                number, _, text = section.value.partition(":")
                self.notes[kind + number] = text
            elif section.name in ("Auction", "Play"):
                kind = section.name
            else:
                yield from self._tag(section)
        unnamed = [seat for seat, name in enumerate(NAMES, 1) if not self.value(name)]
        for seat in unnamed if len(unnamed) < 4 else ():
            yield self._at(LexemeKind.TAG, f'[Seat{seat} "?"]')
        for comment in self.comments:
            yield self._at(LexemeKind.COMMENT, comment)

    def _at(self, kind: Any, text: str, problem: str = "") -> Any:
        from plybook.formats import RecordLexeme

        return RecordLexeme(kind, text, *self.at, problem)

    def _text(self, text: str, problem: str = "") -> Any:
        from plybook.formats import LexemeKind

        return self._at(LexemeKind.WORD, text, problem)

    def _tag(self, section: _Section) -> Iterator[Any]:
        """Yield a tag; the rows of a table below it are a part of its value."""
        from plybook.formats import LexemeKind

        name, value = section.name, section.value
        if name.endswith("Table"):
            value = "|".join((value, *(text for _, text in section.lines if text.strip())))
        else:
            below = " ".join(text.strip("{};") for text, _, _ in section.parts())
            self.comments += [below] if below else []
        if name in NAMES and value:
            name = f"Seat{NAMES.index(name) + 1}"
        elif name in OURS or (name == "Date" and not DATE.fullmatch(value)):
            name = f"Pbn{name}"
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        yield self._at(LexemeKind.TAG, f'[{name} "{escaped}"]')

    def _do(self, move: Any, seat: int) -> None:
        """Play a move, to know the next seat; the referee names the first fault."""
        if self.lost or move is None or move.check(self.position, seat) is not None:
            self.lost = True
            return
        self.position, told = move.evolve(self.position, seat)
        self.told = next((one for one in told if isinstance(one, (Scored, PassedOut))), self.told)

    def _beside(self, section: _Section, part: str) -> Any:
        """Return the lexeme of a comment, a note or a glyph; `None` for another part."""
        from plybook.formats import LexemeKind

        if part[0] in "{;":
            return self._at(LexemeKind.COMMENT, part.strip("{};"))
        if part[0] == "=":
            note = self.notes.get(f"{section.name}{part.strip('=')}", "")
            return self._at(LexemeKind.COMMENT, f"{part} {note}")
        if part[0] == "^":
            return self._text(part, f"{part} is an irregularity, and those are not read")
        return self._text(part) if part[0] in "!?$" else None

    def _auction(self, section: _Section) -> Iterator[Any]:
        for part, *at in section.parts():
            self.at = at[0], at[1]
            beside = self._beside(section, part)
            bid = BID.fullmatch(part.upper())
            if beside is not None:
                yield beside
            elif part.upper() == "AP":
                for _ in range(4):
                    if not (self.position.table.contract or self.told or self.lost):
                        yield from self._call(Call("pass"))
            elif bid:
                strain: Any = bid[2][0] + "T" * (bid[2][0] == "N")
                yield from self._call(Bid(int(bid[1]), strain))  # type: ignore[arg-type]
            elif part.upper() in CALLS:
                yield from self._call(Call(CALLS[part.upper()]))  # type: ignore[arg-type]
            elif part not in "-+*":
                yield self._text(part, f"{part!r} is not a call; write 1NT, Pass, X, XX or AP")

    def _call(self, move: Any) -> Iterator[Any]:
        yield self._text(move.notation.write(move))
        self._do(move, self.position.table.caller)

    def _play(self, section: _Section) -> Iterator[Any]:
        """Yield the cards of each row in the order in which they were played."""
        first = SEATS.find(section.value[:1]) + 1
        cards: list[tuple[str, tuple[int, int], list[tuple[str, tuple[int, int]]]]] = []
        for part, *at in section.parts():
            place = at[0], at[1]
            if part[0] in "{;=^!?$" and cards:
                cards[-1][2].append((part, place))
            elif part not in "+*":
                cards.append((part.upper(), place, []))
        for row in range(0, len(cards), 4):
            left = {
                left_of(first, place): one
                for place, one in enumerate(cards[row : row + 4])
                if one[0] != "-"
            }
            while left:
                seat = self.position.table.seat
                card, self.at, beside = left.pop(seat if seat in left else next(iter(left)))
                if not CARD.fullmatch(card):
                    yield self._text(card, f"{card!r} is not a card; write SA, H9 or DT")
                yield self._text(card[::-1])
                self._do(Play(card[::-1]), self.position.table.player)  # type: ignore[arg-type]
                for part, self.at in beside:
                    yield self._beside(section, part)

    def _end(self) -> Iterator[Any]:
        """Yield a claim for tricks that were not played, and compare the tags with the moves."""
        table, result = self.position.table, self.value("Result")
        if table.contract and not self.lost and NUMBER.fullmatch(result):
            self.at = self.tags["Result"].line.number, 1
            own, left = side(table.contract.declarer), 13 - sum(table.tricks)
            rest = int(result) - table.tricks[own]
            if not 0 <= rest <= left:
                taken = f"declarer has {table.tricks[own]} tricks, and {left} are left"
                yield self._text(result, taken)
            claims = rest if side(table.player) == own else left - rest
            yield self._text(f"claim={claims}")
            self._do(Claim(claims), table.player)  # type: ignore[arg-type]
            seat = self.position.table.answering[0]
            yield self._text(f"{seat}:agree")
            self._do(Answer("agree"), seat)
        if self.told and not self.lost:
            for name, fact in _facts(self.told).items():
                if not _same(name, self.value(name), fact):
                    self.at = self.tags[name].line.number, 1
                    said = f"{name} is {self.value(name)!r}, but the moves give {fact!r}"
                    yield self._text(self.value(name), said)


def _hands(deal: str) -> dict[int, list[str]]:
    """Return the cards of each seat of a Deal, if all four are given: `N:AK.QJ.T9.8 ...`."""
    first, hands = SEATS.find(deal[:1]) + 1, deal[2:].split()
    if not first or len(hands) != 4 or not all("." in hand for hand in hands):
        return {}
    return {
        left_of(first, place): [
            rank + suit
            for suit, ranks in zip("SHDC", hand.split("."), strict=False)
            for rank in ranks
        ]
        for place, hand in enumerate(hands)
    }


def _facts(told: Scored | PassedOut) -> dict[str, str]:
    """Return the tags that follow from a board that was played."""
    if isinstance(told, PassedOut):
        return {"Declarer": "", "Contract": "Pass", "Result": "", "Score": "NS 0"}
    own = side(told.declarer)
    points = told.points if side(told.seat) == own else -told.points
    facts = {"Declarer": SEATS[told.declarer - 1], "Contract": told.contract}
    return facts | {"Result": str(told.tricks), "Score": f"{('NS', 'EW')[own]} {points}"}


def _normal(name: str, value: str) -> object:
    """Return the meaning of a tag's value, whichever way it is written."""
    score = re.fullmatch(r"(NS|EW) (-?\d{1,5})", value) if name == "Score" else None
    if score:
        return int(score[2]) * (-1 if score[1] == "EW" else 1)
    if name == "Vulnerable":
        return VULNERABLE.get(value, (0, 1))
    return value.replace("NT", "N") if name == "Contract" else value


def _same(name: str, given: str, fact: str) -> bool:
    return name == "Board" or given in ("", "?") or _normal(name, given) == _normal(name, fact)


class _Written:
    """A board that is written: its hands, and the words of its two sections."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.hands: dict[int, str] = {}
        self.calls: list[str] = []
        self.cards: list[tuple[int, str]] = []
        self.leader = 0
        self.told: Scored | PassedOut | None = None

    def add(self, move: Any, seat: int, beside: str) -> None:
        """Add a move of a seat, with the words beside it."""
        if isinstance(move, Take):
            cards = sorted(move.cards, key=ORDER.index)
            suits = ("".join(card[0] for card in cards if card[1] == suit) for suit in "SHDC")
            self.hands[seat] = ".".join(suits)
        elif isinstance(move, Play):
            self.leader = self.leader or seat
            self.cards.append((seat, move.card[::-1] + beside))
        elif isinstance(move, (Bid, Call)):
            call = WRITTEN[move.said] if isinstance(move, Call) else f"{move.level}{move.strain}"
            self.calls.append(call + beside)

    def text(self, kept: dict[str, str]) -> str:
        """Return the text of the board; tags that say the same as the moves stay as they are."""
        table = self.table
        first = kept.get("Deal", SEATS[table.dealer - 1])[:1]
        order = [left_of(SEATS.find(first) + 1, place) for place in range(4)]
        deal = f"{first}:" + " ".join(self.hands.get(seat, "-") for seat in order)
        facts = {"Board": str(table.board), "Dealer": SEATS[table.dealer - 1]}
        facts |= {"Vulnerable": SIDES[table.vulnerable]} | ({"Deal": deal} if self.hands else {})
        facts |= _facts(self.told) if self.told else {}
        own = not kept.keys() & {"Board", "Dealer", "Deal"}
        new = {
            name: fact
            for name, fact in facts.items()
            if (name not in kept and own) or not _same(name, kept.get(name, ""), fact)
        }
        tags = {name: value for name, value in (kept | new).items() if name}
        names = sorted(tags, key=lambda name: ORDERED.index(name) if name in ORDERED else 99)
        lines = [line for name in names for line in _tag_lines(name, tags[name])]
        lines += [kept[""]] if kept[""] else []
        end = "*" if self.told else "+"
        if self.calls:
            rows = [" ".join(self.calls[at : at + 4]) for at in range(0, len(self.calls), 4)]
            lines += _section("Auction", SEATS[table.dealer - 1], rows)
            lines += [] if self.leader or self.told else [end]
        if self.cards:
            rows = []
            for at in range(0, len(self.cards), 4):
                row = dict(self.cards[at : at + 4])
                rows.append(" ".join(row.get(left_of(self.leader, n), "-") for n in range(4)))
            lines += _section("Play", SEATS[self.leader - 1], rows)
            lines += [] if len(self.cards) == 52 else [end]
        return "\n".join(lines) + "\n"


def _section(name: str, seat: str, rows: list[str]) -> list[str]:
    """Return the lines of a section; its notes follow it."""
    notes: list[str] = []

    def note(found: re.Match[str]) -> str:
        notes.append(f'[Note "{found[1]}:{found[2]}"]')
        return f"={found[1]}="

    rows = [re.sub(r"\{=(\d+)= ([^{}]*)\}", note, row) for row in rows]
    return [f'[{name} "{seat}"]', *rows, *notes]


def _tag_lines(name: str, value: str) -> list[str]:
    head, *rows = value.split("|") if name.endswith("Table") else [value]
    escaped = head.replace("\\", "\\\\").replace('"', '\\"')
    return [f'[{name} "{escaped}"]', *rows]


def write(record: Record) -> str:
    """Write the boards of a record; variations and offers have no place in PBN."""
    kept = {tag.name.removeprefix("Pbn"): tag.value for tag in record.others}
    kept |= {NAMES[seat - 1]: name for seat, name in record.players.items()}
    kept |= {name: value for name in ("Site", "Date") if (value := record.tag(name))}
    kept |= {"": "".join(f"{{{comment}}}" for comment in record.line.comments)}
    table, texts = record.match.start.position.table, list[str]()
    board = _Written(table)
    for ply, node in zip(record.match.line, record.line.nodes, strict=True):
        seat = getattr(ply.event, "seat", 0)
        beside = "".join(f" {GLYPHS.get(glyph, f'${glyph}')}" for glyph in node.glyphs)
        beside += "".join(f" {{{comment}}}" for comment in node.comments)
        if isinstance(ply.event, Moved):
            played = isinstance(ply.event.move, Play)
            board.add(ply.event.move, table.seat if played else seat, beside)
        table = ply.state.position.table
        for told in ply.effects:
            if isinstance(told, (Scored, PassedOut)):
                board.told = told
                texts.append(board.text(kept))
        if not table.calls and not table.holding and not table.played:
            board = _Written(table)
    more = [board.text(kept)] if board.hands or board.calls or not texts else []
    return "\n".join([*texts, *more])


PBN: Final = TextFormat("pbn", ".pbn", "application/x-pbn", recognises, read, write)
