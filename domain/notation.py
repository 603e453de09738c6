"""Texts of moves: one template per kind of move gives parser, formatter and prefixes."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec import Struct

MAX_TEXTS: Final = 1000
"""The most texts that are listed for a pattern."""

ATOM: Final = re.compile(r"(?:\[([^]\\^]+)\]|\\(\W)|([^][\\(){}|*+?.^$]))(?:\{(\d+)\})?")
"""A class, an escaped character or a plain one, and its number of repetitions."""

BETWEEN: Final = re.compile(r"(?<!\\)\|")


@functools.cache
def list_texts(pattern: str) -> tuple[str, ...]:
    """Return every text that a simple pattern matches; none for other patterns.

    A simple pattern consists of characters and classes like `[a-e.]`, each perhaps followed by
    `{3}`, and `|` between alternatives.

    >>> list_texts("[ab][12]|ko")
    ('a1', 'a2', 'b1', 'b2', 'ko')
    """
    alternatives = [_alternative(part) for part in BETWEEN.split(pattern)]
    if not all(alternatives):
        return ()
    return tuple(dict.fromkeys(itertools.chain.from_iterable(alternatives)))


def _alternative(pattern: str) -> tuple[str, ...]:
    atoms = list(ATOM.finditer(pattern))
    if "".join(atom[0] for atom in atoms) != pattern:
        return ()
    signs = [_signs(*atom.group(1, 2, 3)) for atom in atoms for _ in range(int(atom[4] or 1))]
    if math.prod(map(len, signs)) > MAX_TEXTS:
        return ()
    return tuple(map("".join, itertools.product(*signs)))


def _signs(among: str | None, escaped: str | None, plain: str | None) -> str:
    """Return the characters of an atom as a single text."""
    if among is None:
        return escaped or plain or ""
    ranges = re.findall(r"(.)-(.)|(.)", among, re.DOTALL)
    return "".join(
        sign or "".join(map(chr, range(ord(low), ord(high) + 1))) for low, high, sign in ranges
    )


class Unfinished(NamedTuple):
    """For each part of a move text its possible texts; one text if the part is decided.

    A part without texts cannot be listed.
    """

    parts: tuple[tuple[str, ...], ...]

    @property
    def size(self) -> int:
        """The number of these move texts, without parts that cannot be listed."""
        return math.prod(map(len, self.parts))

    @property
    def plain(self) -> Unfinished:
        """The move texts without their optional parts."""
        return Unfinished(tuple(("",) if "" in texts else texts for texts in self.parts))

    def within(self, known: Sequence[Container[str]]) -> Unfinished:
        """Restrict each part to its known texts, where they occur."""
        pairs = zip(self.parts, known, strict=True)
        return Unfinished(
            tuple(tuple(text for text in texts if text in some) or texts for texts, some in pairs)
        )

    def some(self, most: int) -> Iterator[str]:
        """Yield the move texts, or if there are more than `most`, an evenly spread sample."""
        size = self.size
        if size <= most:
            return (self._text(number) for number in range(size))
        # Multiples of about the golden section are spread evenly; coprime steps never repeat.
        step = next(each for each in range(int(size * 0.618), size) if math.gcd(each, size) == 1)
        return (self._text(number * step % size) for number in range(most))

    def grown(self, length: int) -> Iterator[tuple[str, bool]]:
        """Yield beginnings up to the first part beyond `length`, and whether each is complete.

        The first `length` characters of the move texts must be decided.
        """
        heads = [""]
        for number, texts in enumerate(self.parts, 1):
            reached, heads = [head + text for head in heads for text in texts], []
            for head in reached:
                if len(head) > length:
                    yield head, number == len(self.parts)
                else:
                    heads.append(head)

    def _text(self, number: int) -> str:
        texts = []
        for part in reversed(self.parts):
            number, place = divmod(number, len(part))
            texts.append(part[place])
        return "".join(reversed(texts))


class Label(Struct, frozen=True, omit_defaults=True):
    """The label of a text in a move text: its words, and a sign for a place with little room.

    `keys` of a keyboard choose it; it is offered only if the field `needs` has a text.
    """

    text: str
    words: str
    sign: str = ""
    keys: tuple[str, ...] = ()
    needs: str = ""


class Pick(Struct, frozen=True, omit_defaults=True):
    """A tap for a move: the name of a place of the picture, or a choice next to it.

    Picks with one `name` are tapped in their order, picks with different names in any order.
    Choices are shown together under their name; `words` are on the button. A `text` has no comma.
    The page asks for the next picks by their `prompt`, like "take a man".
    """

    name: str
    """The part of the move; picks of one part are tapped in their order."""
    text: str
    """The name of a place of the picture, or of a choice next to it."""
    words: str = ""
    """The words of the choice's button; empty without a button."""
    prompt: str = ""
    """The page's prompt until the pick is tapped; may be empty."""


class Script(NamedTuple):
    """The way in which people write moves, if it depends on the position: `Nf3` for `g1f3`.

    `write` returns the text of a legal move in a position. `read` returns the move of a text, an
    error for an invalid move, or `None` for a text that does not look like a move. Records, hashes
    and programs have the move text, which needs no position.
    """

    write: Callable[[Any, Any], str]
    read: Callable[[Any, str], Any]


ReadText = Callable[[Iterable[Any], Any, int], Iterator[Any]]


class TextFormat(NamedTuple):
    """A text format of other programs for the records of a game, like PGN.

    `recognises` says whether a text begins like one in this format. `read` reads decoded lines, and
    yields a `Record`, or a list of faults, for each record; it adds them to a tally and numbers
    them from its third argument. `write` returns the text of a `Record`. `transcribe` reads as
    `read` does, but yields scoresheets, whose moves are not judged. `languages` have a `read` for
    files whose letters of pieces are of another language, by its code.
    """

    name: str
    ending: str
    media_type: str
    recognises: Callable[[str], bool]
    read: ReadText
    write: Callable[[Any], str]
    transcribe: ReadText | None = None
    languages: Mapping[str, ReadText] = MappingProxyType({})


class Lexeme(NamedTuple):
    """The notation of a field: a pattern, and functions to parse and format its text.

    `texts` are offered to people, by default everything that the pattern matches; a function
    finds them when they are needed. A field that is not picked on the board has `labels` for its
    texts, and a `noun`: "size".
    """

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str
    texts: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()
    labels: tuple[Label, ...] = ()
    noun: str = ""

    @property
    def offered(self) -> tuple[str, ...]:
        """The texts to choose from; none if they cannot be listed."""
        known = self.texts() if callable(self.texts) else self.texts
        return known or list_texts(self.pattern)


def words(names: Mapping[str, str], labels: tuple[Label, ...] = (), noun: str = "") -> Lexeme:
    """Return the lexeme of a field whose values have words: `{"l": "light"}`.

    >>> size = words({"l": "light", "h": "heavy"})
    >>> template("{size}@{at}", size=size, at=square("a-e", "1-6")).read("l@c1")
    ('light', 'c1')
    """
    texts = {value: text for text, value in names.items()}
    pattern = "|".join(map(re.escape, names))
    return Lexeme(pattern, names.__getitem__, texts.__getitem__, labels=labels, noun=noun)


SIZE_LABELS = (Label("S", "small"), Label("M", "medium"), Label("L", "large"))
SIZE = Lexeme("[SML]", labels=SIZE_LABELS, noun="size")
"""Small, medium or large."""


def square(columns: str, rows: str) -> Lexeme:
    """Return the lexeme of a square, from two character ranges: `square("a-e", "1-6")`."""
    return Lexeme(f"[{columns}][{rows}]")


class Part(NamedTuple):
    """A field of a move text with the literals before and after it."""

    before: str
    lexeme: Lexeme
    after: str

    def written(self, text: str) -> str:
        """Return a text of the field with its literals."""
        return f"{self.before}{text}{self.after}"

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the part; none if they cannot be listed."""
        return tuple(map(self.written, self.lexeme.offered))

    def towards(self, prefix: str) -> tuple[str, ...]:
        """Return the texts of the part that are compatible with a prefix."""
        if self.lexeme.offered or not prefix.startswith(self.before):
            return self.texts
        found = re.match(self.lexeme.pattern, prefix[len(self.before) :])
        return (self.written(found[0]),) if found and found[0] else ()


class Notation(NamedTuple):
    """The notation of one kind of move, as a sequence of parts.

    `read` returns a move's fields in order, or `None`. A kind of move without fields has one part,
    which is its whole move text.
    """

    read: Callable[[str], tuple[Any, ...] | None]
    write: Callable[[Any], str]
    pattern: re.Pattern[str]
    parts: tuple[Part, ...]

    def split(self, text: str) -> tuple[str, ...]:
        """Return the text of each field of a move text; without fields, the move text itself."""
        return self._found(text).groups() or (text,)

    def step(self, text: str, length: int) -> str:
        """Return a move text up to the end of the first part that ends beyond `length`."""
        found = self._found(text)
        fields = enumerate(self.parts[: self.pattern.groups], 1)
        ends = (found.end(number) + len(part.after) for number, part in fields)
        return text[: next((end for end in ends if end > length), None)]

    def beginning(self, prefix: str) -> Iterator[Unfinished]:
        """Yield the move texts with a prefix, grouped by the part that the prefix ends in."""
        yield from map(Unfinished, _beginning(self.parts, prefix))

    def _found(self, text: str) -> re.Match[str]:
        found = self.pattern.fullmatch(text)
        assert found is not None
        return found


def template(text: str, **lexemes: Lexeme) -> Notation:
    """Build a notation from `"{from_}x{to}"` and a lexeme per field, in the fields' order.

    >>> template("{size}@{at}", size=SIZE, at=square("a-e", "1-6")).read("M@c1")
    ('M', 'c1')
    """
    parts = re.split(r"\{(\w+)\}", text)
    pattern = re.compile("".join(_pattern(parts, lexemes)))
    order = parts[1::2]
    if order != list(lexemes):
        raise ValueError(f"template {text!r} does not name the fields {list(lexemes)} in order")
    readers = [(at, each.read) for at, each in enumerate(lexemes.values()) if each.read is not str]

    def read(text: str) -> tuple[Any, ...] | None:
        found = pattern.fullmatch(text)
        if found is None:
            return None
        if not readers:
            return found.groups()
        fields: list[Any] = [*found.groups()]
        try:
            for at, read in readers:
                fields[at] = read(fields[at])
        except ValueError:  # int() refuses more than 4,300 digits
            return None
        return tuple(fields)

    def write(move: Any) -> str:
        return text.format_map(
            {name: lexeme.write(getattr(move, name)) for name, lexeme in lexemes.items()}
        )

    return Notation(read, write, pattern, _parts(parts, lexemes))


def _parts(parts: list[str], lexemes: Mapping[str, Lexeme]) -> tuple[Part, ...]:
    """Attach each literal to the field before it, and the first literal to the first field."""
    if not lexemes:
        return (Part("", Lexeme(re.escape(parts[0])), ""),)
    befores = [parts[0], *[""] * (len(lexemes) - 1)]
    return tuple(map(Part, befores, lexemes.values(), parts[2::2]))


def _beginning(parts: tuple[Part, ...], prefix: str) -> Iterator[tuple[tuple[str, ...], ...]]:
    if not parts:
        return
    first, later = parts[0], parts[1:]
    texts = first.towards(prefix)
    reaching = tuple(text for text in texts if text.startswith(prefix))
    if reaching or (not first.lexeme.offered and first.before.startswith(prefix)):
        yield reaching, *(part.texts for part in later)
    for text in texts:
        if prefix.startswith(text) and text != prefix:
            for rest in _beginning(later, prefix[len(text) :]):
                yield (text,), *rest


def _pattern(parts: list[str], lexemes: Mapping[str, Lexeme]) -> Iterable[str]:
    for index, part in enumerate(parts):
        yield f"({lexemes[part].pattern})" if index % 2 else re.escape(part)
