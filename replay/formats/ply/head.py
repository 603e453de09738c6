"""The tags of a record: its game, rules, options and seats."""

from __future__ import annotations

import re
from typing import Any, Final

from domain.game import Game, OptionError, Options
from domain.match import Match, open_match
from domain.names import Names
from domain.position_text import PositionError
from replay import registry
from replay.formats.ply.lexer import RecordLexeme
from replay.formats.ply.referee import Rejected, rejected, rejecting
from replay.formats.reader_warning import Warnings
from replay.store.people_chain import SEAT, SEAT_TAG, names_among
from replay.tags.match_tags import FIXED, Tag, check_date, clean_tag
from replay.texts import CONTROL

TAG: Final = re.compile(r'\[[ \t]*(\w+)[ \t]+"([^"\\]*(?:\\["\\][^"\\]*)*)"[ \t]*\]', re.ASCII)
ESCAPE: Final = re.compile(r'\\(["\\])')
SINGLE: Final = re.compile("Game|Rules|Date|Site|Result|Position|" + SEAT)


class RecordHead:
    """The parsed tags, each with its place; `match` is the match that they describe."""

    def __init__(self, warnings: Warnings) -> None:
        self._warnings = warnings
        self._tags: list[tuple[Tag, RecordLexeme]] = []
        self._game: Game[Any] | None = None

    @property
    def tags(self) -> tuple[Tag, ...]:
        """The tags of the head, in the order of the text."""
        return tuple(tag for tag, _ in self._tags)

    @property
    def has_game(self) -> bool:
        """Whether the first tag names a game."""
        return self._game is not None

    @property
    def names(self) -> Names:
        """The names of the players in the tags of a text record."""
        return Names(names_among(dict(tag for tag, _ in self._tags)))

    def add(self, at: RecordLexeme) -> None:
        """Parse one tag line. Raises `Rejected`."""
        self.put(self.cleaned(_parse(at), at), at)

    def put(self, tag: Tag, at: RecordLexeme) -> None:
        """Add a tag that is written at a place. Raises `Rejected`."""
        if self._game is None:
            self._game = _game(tag, at)
            tag = tag._replace(value=self._game.slug)
        elif SINGLE.fullmatch(tag.name) and self.find(tag.name):
            raise rejected(at, "tag", f"the tag {tag.name} is given twice")
        if re.fullmatch("Seat[0-9]+", tag.name) and not SEAT_TAG.fullmatch(tag.name):
            raise rejected(at, "tag", f"{tag.name} is not a seat; use Seat1, Seat2 …")
        if tag.name == "Date":
            with rejecting(at, "tag"):
                check_date(tag.value)
        self._tags.append((tag, at))

    def cleaned(self, tag: Tag, at: RecordLexeme) -> Tag:
        """Return a tag without signs that hide or reverse a text, cut at its bound."""
        if tag.name in FIXED:
            return tag
        cleaned, done = clean_tag(tag)
        self._warnings.add(at.line, at.column, done)
        return cleaned

    def find(self, name: str) -> tuple[Tag, RecordLexeme] | None:
        """Return the first tag with a name, and its place."""
        return next((pair for pair in self._tags if pair[0].name == name), None)

    def open(self, end: RecordLexeme) -> Match:
        """Set up the match; `end` is the lexeme after the tags. Raises `Rejected`."""
        if self._game is None:
            raise rejected(
                end, "tag", f'a record must begin with its game: [Game "{registry.EXAMPLE}"]'
            )
        game = self._ruleset(self._game)
        return self._opened(game, self._options(game), self._seats(game))

    def guess(self) -> tuple[Match, bool]:
        """Return a match in spite of a wrong tag, and whether only the tags of seats are wrong."""
        assert self._game is not None
        try:
            game = self._ruleset(self._game)
            return self._opened(game, self._options(game), None), len(game.seats) == 1
        except Rejected:
            return open_match(self._game, self._game.options(), None), False

    def _opened(self, game: Game[Any], options: dict[str, str], seats: int | None) -> Match:
        found = self.find("Position")
        try:
            if found is None:
                return open_match(game, game.read_options(options), seats)
            return self._open_at(game, game.read_options(options), seats, *found)
        except OptionError as error:
            _, at = self.find("Option") or self._tags[0]
            raise rejected(at, "tag", str(error)) from None

    def _open_at(
        self, game: Game[Any], options: Options, seats: int | None, tag: Tag, at: RecordLexeme
    ) -> Match:
        """Begin at the position of a tag, and put the position's canonical text into the tag."""
        try:
            match = open_match(game, options, seats, tag.value)
        except PositionError as error:
            message = f"this is not a position of {game.name}, {error}"
            raise rejected(at, "tag", message) from None
        canonical = tag._replace(value=game.write_position(match.start.position))
        self._tags[self._tags.index((tag, at))] = canonical, at
        return match

    def _ruleset(self, game: Game[Any]) -> Game[Any]:
        found = self.find("Rules")
        if found is None:
            return game
        (_, name), at = found
        if name.partition("/")[0] != game.slug:
            raise rejected(
                at, "tag", f"{name!r} is not a ruleset of {game.name}; use {game.ruleset}"
            )
        ruleset = _find_game(name, at)
        if ruleset.ruleset != name:
            raise rejected(at, "tag", f"{name!r} is not a ruleset; use {ruleset.ruleset}")
        return ruleset

    def _options(self, game: Game[Any]) -> dict[str, str]:
        options: dict[str, str] = {}
        for tag, at in self._tags:
            if tag.name == "Option":
                name, equals, value = tag.value.partition("=")
                if not equals:
                    raise rejected(
                        at, "tag", f'{tag.value!r} is not an option; write [Option "name=value"]'
                    )
                if name in options:
                    raise rejected(at, "tag", f"the option {name} is given twice")
                options[name] = value
                _check_option(game, name, value, at)
        return options

    def _seats(self, game: Game[Any]) -> int | None:
        """Return the number of seats that tags name; `None` if no tag names a seat."""
        seats = {int(tag.name[4:]): at for tag, at in self._tags if SEAT_TAG.fullmatch(tag.name)}
        if not seats:
            return None
        first = next(iter(seats.values()))
        if max(seats) != len(seats):
            gap = next(seat for seat in range(1, 10) if seat not in seats)
            raise rejected(first, "tag", f"the tag Seat{max(seats)} needs a tag Seat{gap}")
        if len(seats) not in game.seats:
            numbers = " or ".join(map(str, game.seats))
            more = f'; add [Seat{len(seats) + 1} "…"]' if len(seats) < min(game.seats) else ""
            raise rejected(
                first,
                "tag",
                f"{game.name} is for {numbers} seats,"
                f" and the record has tags for {len(seats)}{more}",
            )
        return len(seats)


def _parse(at: RecordLexeme) -> Tag:
    found = TAG.fullmatch(at.text)
    if found is None:
        raise rejected(
            at, "tag", f'{at.text!r} is not a tag; write one tag per line, like [Site "Home"]'
        )
    bad = CONTROL.search(found[2]) or re.search("\r", found[2])
    if bad:
        raise rejected(at, "tag", f"a tag cannot hold the control character U+{ord(bad[0]):04X}")
    return Tag(found[1], ESCAPE.sub(r"\1", found[2]))


def _game(tag: Tag, at: RecordLexeme) -> Game[Any]:
    if tag.name != "Game":
        raise rejected(at, "tag", f"the first tag of a record must be Game, not {tag.name}")
    game = registry.named(tag.value)
    if game is None or "/" in tag.value:
        known = _find_game(tag.value, at).slug
        raise rejected(at, "tag", f"{tag.value!r} is not a game; use {known}")
    return game


def _find_game(name: str, at: RecordLexeme) -> Game[Any]:
    with rejecting(at, "tag"):
        return registry.find(name)


def _check_option(game: Game[Any], name: str, value: str, at: RecordLexeme) -> None:
    try:
        game.read_options({name: value})
    except OptionError as error:
        raise rejected(at, "tag", str(error)) from None
