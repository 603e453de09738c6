"""Explore across matches: the moves played in a position, and statistics."""

from __future__ import annotations

import statistics
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import accumulate, islice
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.canonical import Canonical, canonical
from domain.entry.move_text import write
from domain.events import UNJUDGED, Moved
from domain.game import Game
from domain.match import Match, open_match
from domain.position import Move, winners_of
from domain.position_text import PositionError
from replay import registry
from replay.access import visibility
from replay.access.visibility import ReadScope, Visibility
from replay.book import Book
from replay.errors import Conflict, Usage
from replay.library import match_list
from replay.library.match_list import ListFilter
from replay.record.match_summary import find_canonical, key_of
from replay.store.search_words import folded
from replay.store.types import DOUBTFUL, MetadataItem, MoveCount, NotEqual, Tally
from replay.tags.names import check_name

MANY: Final = 1000
"""From this many lines through a position on, its counts are kept: a thousand take 4 ms."""
MAX_MATCHES: Final = 1000
"""The newest matches of a player that count."""
EVERY: Final = ReadScope(frozenset(visibility.VISIBILITIES.values()))


class SeenMove(Struct, frozen=True):
    """A move that was played: in how many lines, and the results of those matches.

    `won` counts wins by seat; `unfinished` includes abandoned matches. `variations` counts lines of
    analysis, which have no result.
    """

    text: str
    seat: int
    seen: int
    """How many lines have the move."""
    won: dict[int, int]
    """How many of these matches each seat has won."""
    drawn: int
    """How many matches were drawn."""
    unfinished: int
    """How many matches have not ended, or were abandoned."""
    variations: int
    """How many of these lines are variations, which have no result."""


class ExploredPosition(Struct, frozen=True):
    """A position as text, or its key, and the moves played in it, the most frequent first."""

    text: str
    moves: tuple[SeenMove, ...]
    uncounted: int
    """How many matches of the book are not counted yet."""


def explore(
    book: Book,
    match: Match,
    without: MetadataItem | NotEqual | None = None,
    player: str | None = None,
    scope: ReadScope = EVERY,
    *,
    sure: bool = False,
) -> ExploredPosition:
    """Return the moves played in the position of a match, which need not be in the book.

    Matches that are not indexed, matches with the fact `without`, and their variations do not
    count. With `player`, in any case, only moves of that player count, in the newest `MAX_MATCHES`
    of those of their matches that may be listed. Raises `Usage` for a text that is no name. With
    `sure`, doubtful matches do not count.

    Transpositions count as one position, and so do images under the symmetries of the rules. While
    a move is sealed, the last position without sealed moves counts. Raises `Usage` for a position
    that cannot be compared.
    """
    if match.state.unjudged:
        raise Usage(UNJUDGED.message)
    state = unsealed(match).state
    try:
        found = canonical(match.game, state.position)
    except PositionError as error:
        raise Conflict(f"{match.game.name}: {error.words()}, so nothing is counted") from None
    key = key_of(match.game, match.options, match.seats, found)
    if player is not None:
        seen = _moves_of(book, match.game.slug, key, player, scope)
    else:
        seen = book.store.move_counts(key, without)
        if sum(each.lines for each in seen) >= MANY:
            book.store.count_position(key)
    moves: dict[tuple[int, str], list[MoveCount]] = {}
    for each in seen:
        if sure and each.kind.endswith(DOUBTFUL):
            continue
        moves.setdefault((each.seat, each.text), []).append(each)
    explored = [
        _seen_move(_text(match.game, found, seat, written), seat, match.seats, counts)
        for (seat, written), counts in moves.items()
    ]
    explored.sort(key=lambda one: (-one.seen, one.text))
    game, due = match.game, book.store.count_positions_due()
    text = game.write_position(state.position) if game.text else game.write_key(state.position)
    return ExploredPosition(text, tuple(explored), due)


def _moves_of(book: Book, game: str, key: bytes, player: str, scope: ReadScope) -> list[MoveCount]:
    check_name("the name of a player", player)
    wanted = ListFilter(game=game, player=player)
    found = islice(match_list.page_by_page(book, wanted, scope), MAX_MATCHES)
    return book.store.move_counts_of(key, player, [each.stream.id for each in found])


def count_starts(book: Book) -> Iterator[Future[None]]:
    """Keep counts for the starts of much played games before anyone explores them."""
    for game in registry.games().values():
        match = open_match(game, game.options())
        found = find_canonical(game, match.start.position)
        key = found and key_of(game, match.options, match.seats, found)
        if key and sum(each.lines for each in book.store.move_counts(key)) >= MANY:
            yield book.store.count_position(key)


def unsealed(match: Match) -> Match:
    """Return a match up to the last ply in which nothing was sealed."""
    plies = len(match.line)
    while plies and match.line[plies - 1].state.position.sealed:
        plies -= 1
    return replace(match, line=match.line[:plies])


def _seen_move(text: str, seat: int, seats: int, counts: Sequence[MoveCount]) -> SeenMove:
    def lines(kind: str, result: str | None = None) -> int:
        fitting = (each for each in counts if each.kind.removesuffix(DOUBTFUL) == kind)
        return sum(each.lines for each in fitting if result in (None, each.result))

    won = Counter[int]()
    for each in counts:
        if each.kind.removesuffix(DOUBTFUL) == "match":
            won.update(dict.fromkeys(winners_of(each.result), each.lines))

    return SeenMove(
        text,
        seat,
        sum(each.lines for each in counts),
        {number: won[number] for number in range(1, seats + 1)},
        lines("match", "="),
        lines("match", "*"),
        lines("variation"),
    )


def _text(game: Game[Any], found: Canonical, seat: int, text: str) -> str:
    """Map a move of the canonical position back to the original position."""
    move: Move[Any] | None = game.parse(text)
    if move is None:
        return text
    return min(write(game, Moved(seat, image.undo(move))) for image in found.ways)


Counted = defaultdict[str, Counter[str]]
"""The number of each value by its kind, like the tallies of a store."""


class Lengths(Struct, frozen=True):
    """The shortest, the median and the longest match."""

    least: int
    """The smallest count."""
    median: float
    """The median of the counts."""
    most: int
    """The largest count."""


class PlayerResults(Struct, frozen=True, omit_defaults=True):
    """The results of a player; `places` counts how often they were 1st, 2nd …, if it is known."""

    player: str
    """The player's name."""
    matches: int
    """How many matches the player has played."""
    won: int
    """How many matches were won."""
    drawn: int
    """How many matches were drawn."""
    lost: int
    """How many matches were lost."""
    unfinished: int
    """How many matches have not ended, or were abandoned."""
    places: dict[int, int] = {}
    """How often the player was 1st, 2nd …, in matches with `ranks`."""

    @property
    def places_words(self) -> str:
        """The places in words: "1st 2, 4th 1"."""
        endings = {1: "st", 2: "nd", 3: "rd"}
        told = (f"{place}{endings.get(place, 'th')} {n}" for place, n in self.places.items())
        return ", ".join(told)


class Refusals(Struct, frozen=True):
    """The refused tries of a player that broke a clause; the player of a seat without name is `?`.

    `form` is a text in no notation of the game, `hidden` a move from a hidden hand.
    """

    player: str
    """The player's name."""
    clause: str
    times: int
    """How many tries were refused."""


class GameStats(Struct, frozen=True):
    """The statistics of a game. Lengths count ended matches only; `results` are result texts.

    `stood` counts accepted illegal moves by clause, `refused` the tries in matches that count them.
    """

    game: str
    matches: int
    """How many matches of the game the book has."""
    finished: int
    """How many matches have ended."""
    plies: Lengths | None
    """The length of matches in plies."""
    turns: Lengths | None
    """The length of matches in turns."""
    results: dict[str, int]
    """How often each result occurred."""
    clauses: dict[str, int]
    """How often each clause ended a match."""
    stood: dict[str, int]
    """The number of accepted illegal moves by the clause they broke."""
    players: tuple[PlayerResults, ...]
    """The results of each player."""
    refused: tuple[Refusals, ...] = ()
    """The refused tries in matches that count them, by player and clause."""


def stats(
    book: Book,
    game: str | None = None,
    player: str | None = None,
    *,
    among: Collection[Visibility] = ("unlisted", "public", "private"),
    sure: bool = False,
) -> list[GameStats]:
    """Return statistics game by game, over all matches but variations.

    `game` is a slug; with `player`, in any case, only that player's matches count. Only matches
    with a visibility in `among` count, each as its last summary says; with `sure`, no doubtful
    match counts.
    """
    tallies = (
        each
        for each in book.store.tallies(game, player)
        if visibility.read_visibility({visibility.FACT: each.visibility}) in among
    )
    found = _by_game(tallies, sure=sure)
    refused = _refusals(book, game, player, among, sure=sure) if found else {}
    return [_of_game(slug, counts, refused.get(slug, Counter())) for slug, counts in found.items()]


def own_stats(book: Book, scope: ReadScope, *, sure: bool = False) -> list[GameStats]:
    """Return statistics over the matches whose token a caller holds, whatever their visibility.

    Refused tries do not count, nor variations; with `sure`, nor doubtful matches.
    """
    found = _by_game(book.store.tallies_of(scope.token_streams, scope.key), sure=sure)
    return [_of_game(slug, counts, Counter()) for slug, counts in found.items()]


def totals(games: Iterable[GameStats]) -> tuple[PlayerResults, ...]:
    """Return the results of the players over several games, the most wins first.

    Places are left out, as the games have different numbers of seats.
    """
    added: dict[str, PlayerResults] = {}
    for each in (player for game in games for player in game.players):
        sum_ = added.get(each.player) or PlayerResults(each.player, 0, 0, 0, 0, 0)
        added[each.player] = PlayerResults(
            each.player,
            sum_.matches + each.matches,
            sum_.won + each.won,
            sum_.drawn + each.drawn,
            sum_.lost + each.lost,
            sum_.unfinished + each.unfinished,
        )
    return tuple(sorted(added.values(), key=_best))


def _by_game(tallies: Iterable[Tally], *, sure: bool) -> dict[str, Counted]:
    """Return the counts of each game that has any; with `sure`, without doubtful matches."""
    found: dict[str, Counted] = {}
    for each in tallies:
        what = each.what.removesuffix(DOUBTFUL)
        sign = 1 if what == each.what else -sure
        counts = found.setdefault(each.game, defaultdict(Counter))
        counts[what][each.value] += sign * each.times
    for counts in found.values():
        counts.update({what: +values for what, values in counts.items()})  # without zeros
    return {game: counts for game, counts in sorted(found.items()) if counts["result"]}


def _refusals(
    book: Book,
    game: str | None,
    player: str | None,
    among: Collection[Visibility],
    *,
    sure: bool,
) -> dict[str, Counter[tuple[str, str]]]:
    """Return the refused tries by game, counted by player and clause."""
    found = defaultdict[str, Counter[tuple[str, str]]](Counter)
    for each in book.store.refused_tries(game, sure=sure):
        seen = visibility.read_visibility({visibility.FACT: each.visibility}) in among
        if seen and (player is None or folded(player) == folded(each.player)):
            found[each.game][each.player or "?", each.clause] += each.times
    return found


def _of_game(slug: str, counts: Counted, refused: Counter[tuple[str, str]]) -> GameStats:
    results = counts["result"]
    return GameStats(
        slug,
        results.total(),
        results.total() - results["*"],
        _lengths(counts["plies"]),
        _lengths(counts["turns"]),
        dict(sorted(results.items(), key=_seats_first)),
        _by_frequency(counts["clause"]),
        _by_frequency(counts["stood"]),
        tuple(_standings(counts)),
        tuple(Refusals(*who, times) for who, times in sorted(refused.items())),
    )


def _seats_first(counted: tuple[str, int]) -> tuple[bool, bool, str]:
    result = counted[0]
    return result == "*", result == "=", result


def _lengths(counts: Counter[str]) -> Lengths | None:
    if not counts:
        return None
    lengths = sorted((int(value), times) for value, times in counts.items())
    return Lengths(lengths[0][0], _median(lengths), lengths[-1][0])


def _median(counted: Sequence[tuple[int, int]]) -> float:
    """Return the median of numbers, each with its frequency, the least first."""
    ends = list(accumulate(times for _, times in counted))
    middle = {(ends[-1] - 1) // 2, ends[-1] // 2}
    return statistics.median(counted[bisect_right(ends, place)][0] for place in middle)


def _by_frequency(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _places(counts: Counted, player: str) -> dict[int, int]:
    """Return how often a player had each of the nine places."""
    times = {place: counts[f"place {place}"][player] for place in range(1, 10)}
    return {place: number for place, number in times.items() if number}


def _standings(counts: Counted) -> list[PlayerResults]:
    """Return the players, the most wins first."""
    won, drawn, lost, unfinished = ways = [
        counts[way] for way in ("won", "drawn", "lost", "unfinished")
    ]
    standings = [
        PlayerResults(
            name,
            sum(way[name] for way in ways),
            won[name],
            drawn[name],
            lost[name],
            unfinished[name],
            _places(counts, name),
        )
        for name in set().union(*ways)
    ]
    return sorted(standings, key=_best)


def _best(one: PlayerResults) -> tuple[int, int, str]:
    return -one.won, one.lost, one.player
