"""Commands for games and their rules, without a match: games, rules, legal, perft."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import structs

from cli import completion
from cli.match_text import wrapped
from cli.output import (
    Db,
    GameName,
    Json,
    OptionTexts,
    options_of,
    print_answer,
    print_answers,
    print_json,
    print_json_lines,
    print_refusals,
    resolve_place_in,
    write_bytes,
)
from domain.game import Game
from domain.match import Match
from domain.names import UNNAMED, count
from replay.errors import Refused, Usage

Seats = Annotated[int | None, typer.Option(help="The number of players; by default the fewest.")]
GameOrPlace = Annotated[
    str,
    typer.Argument(
        metavar="GAME|MATCH[@PLY]",
        help="A game for its start, or a match at its last or another ply.",
        autocompletion=completion.matches_and_games,
    ),
]
After = Annotated[str, typer.Option(metavar="MOVES", help="The moves made before.")]


def games(
    json: Json = False,
    verbose: Annotated[
        bool, typer.Option(help="Print the whole error of a game that could not be loaded.")
    ] = False,
    add: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Keep a score sheet of your own.")
    ] = None,
    remove: Annotated[
        str | None, typer.Option(metavar="GAME", help="Remove a score sheet of your own.")
    ] = None,
    install: Annotated[
        str | None,
        typer.Option(
            metavar="PLUG-IN",
            help="Install a plug-in of this project: backgammon, bridge, chess, go, hearts, hive,"
            " homeworlds, openspiel or whist.",
        ),
    ] = None,
    index: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The index that has the plug-in, without a checkout."),
    ] = None,
) -> None:
    """List the games, with their seats and options.

    Examples:
        plybook games
        plybook games --json
    """
    from replay import registry

    if (add, remove, install).count(None) < 2:
        raise Usage("--add, --remove and --install exclude each other")
    if index is not None and install is None:
        raise Usage("--index goes with --install")
    if add is not None or remove is not None:
        _change_sheets(add, remove, json)
        return
    if install is not None:
        from cli.plug_ins import install_plug_in

        told = install_plug_in(install, index)
        print_json({"installed": install}) if json else print(told)
        return

    shelved = registry.games().values()
    if json:
        print_json_lines(map(_game_json, shelved))
    else:
        for game in shelved:
            print(f"{game.slug:14} {game.name}, {_seats(game)} seats, rules {game.ruleset}")
            for name, values in game.choices().items():
                default = getattr(game.options(), name)
                print(f"{'':14}   {name}={'|'.join(map(str, values))} (default {default})")
    for broken in registry.broken():
        print(f"plybook: left out {broken.name}: {broken.reason}", file=sys.stderr)
        if verbose and broken.details:
            print(broken.details, file=sys.stderr)


def _change_sheets(add: Path | None, remove: str | None, json: bool) -> None:
    from replay import registry, score_sheets

    if add is not None:
        added = score_sheets.add(add, registry.games())
        told = f"added {added.name}; open a match with `plybook new {added.slug}`"
        about = {"added": added.slug}
    elif remove is not None:
        score_sheets.remove(remove)
        told, about = f"removed {remove}; its matches are kept", {"removed": remove}
    print_answer(about, told, json)


def rules(
    game: GameName,
    clause: Annotated[
        str | None,
        typer.Argument(help="A clause, like POP-2.3.", autocompletion=completion.clauses),
    ] = None,
    card: Annotated[
        bool, typer.Option("--card", help="Print how moves are written, on one page.")
    ] = False,
    html: Annotated[
        bool,
        typer.Option("--html", help="Print the card as a page for the printer, with a picture."),
    ] = False,
    json: Json = False,
) -> None:
    """Print the rules of a game, one clause, or its notation card.

    Examples:
        plybook rules poptrix POP-2.3
        plybook rules poptrix --card
    """
    from replay import registry

    found = registry.find(game)
    if (card and clause is not None) or (html and (json or not card)):
        raise Usage("--card takes no clause, and --html needs --card and excludes --json")
    if card:
        _print_card(found, html, json)
    else:
        _print_rules(found, clause, json)


def _print_card(game: Game[Any], html: bool, json: bool) -> None:
    from replay.games import notation_card

    if html:
        write_bytes(notation_card.write_html(game).encode())
    elif json:
        print_json(notation_card.make_card(game))
    else:
        print(notation_card.write_text(notation_card.make_card(game)))


def _print_rules(game: Game[Any], clause: str | None, json: bool) -> None:
    from replay import rules_text as rulebook

    if clause is None:
        clauses = list(rulebook.clauses(game).values())
        if json:
            print_json_lines(clauses)
        else:
            print(rulebook.text(game), end="")
        return
    one = rulebook.clause(game, clause)
    if json:
        print_json(one)
    else:
        print(wrapped(f"{one.id} ({one.section}) {one.words}"))
        if one.figure:
            print(wrapped(f"\n{one.figure}"))


def rules_diff(
    game: GameName,
    old: Annotated[int, typer.Argument(help="The version of the rules of recorded matches.")],
    new: Annotated[int, typer.Argument(help="The version of the rules that judges them now.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Judge the matches of one version of the rules by another one.

    It names the first move of each match that differs, and changes nothing.

    Examples:
        plybook rules-diff poptrix 1 2
    """
    from cli.books import read_book
    from replay import registry
    from replay.referee.rules_diff import compare_rules

    slug = registry.find(game).slug
    first, second = (registry.find(f"{slug}/{version}") for version in (old, new))
    with read_book(db) as book:
        compared = compare_rules(book, first, second)
        if json:
            print_json_lines(compared)
            return
        alike = 0
        for one in compared:
            found = one.difference
            alike += found is None
            if found is not None:
                clause = f" ({found.clause})" if found.clause else ""
                print(wrapped(f"{one.match}@{found.ply} {found.text} {found.message}{clause}"))
        print(f"{count(alike, 'match', 'matches')} alike")


def legal(
    what: GameOrPlace,
    seats: Seats = None,
    option: OptionTexts = [],  # noqa: B006  # typer reads it as "none given"
    after: After = "",
    begin: Annotated[
        str | None,
        typer.Option(
            metavar="PART", help="List what can follow the beginning of a move, like c1>."
        ),
    ] = None,
    json: Json = False,
    batch: Annotated[
        bool, typer.Option(help="Read one --after text per line; print one JSON list per line.")
    ] = False,
    seat: Annotated[
        int | None, typer.Option(help="The moves of this seat of a match, from its hand too.")
    ] = None,
    db: Db = None,
) -> None:
    """List the legal moves of a game or a match.

    One move a line, sorted. A game's name comes before the beginning of a match's id.

    Examples:
        plybook legal poptrix --after 'M@c1 S@c6'
        plybook legal k7m2@2
    """
    from domain.entry.move_text import legal_texts
    from replay import registry

    game = registry.named(what)
    if game is None:
        if batch or after or begin is not None or seats is not None or option:
            raise Usage(f"{what!r} is not a game; a match takes only --seat and --json")
        _print_legal_of_match(resolve_place_in(what, db), seat, db, json)
        return
    if seat is not None:
        raise Usage("--seat is for a match; the moves of a game's position name their seats")
    match = _open_match(game, seats, option)
    if batch and (begin is not None or after):
        raise Usage("--batch excludes --begin and --after")
    if begin is not None:
        _print_continuations(_play_texts(match, after), begin, json)
        return
    if batch:
        answers = [_legal_line(match, line) for line in sys.stdin]
        if not all(answers):
            raise typer.Exit(1)
        return
    match = _play_texts(match, after)
    texts = legal_texts(match.game, match.state)
    print_answers(texts, texts, json)
    _note_unlisted(match)


def _print_legal_of_match(place: str, seat: int | None, db: str | None, json: bool) -> None:
    """Print the legal moves at a place of a match that a spectator or a seat may know."""
    from cli.books import read_book
    from replay.errors import UnknownMatch
    from replay.reading import hints
    from replay.record.addresses import parse

    with read_book(db) as book:
        try:
            record, ply = book.at(parse(place))
        except UnknownMatch as error:
            raise Usage(f"{error}; nor is it a game of `plybook games`") from None
        if seat is not None and not 1 <= seat <= record.match.seats:
            raise Usage(f"{seat} is not a seat of this match; use 1 to {record.match.seats}")
        match = structs.replace(record.match, line=record.match.line[:ply])
        found = hints.legal_texts(record, match, seat)
    if seat is not None:
        found = [each for each in found if _may_be_of(match, each, seat)]
    print_answers(found, found, json)
    _note_unlisted(match)


def _may_be_of(match: Match, text: str, seat: int) -> bool:
    from domain.entry.move_text import split

    return (split(text).seat or match.state.in_turn) == seat


def _note_unlisted(match: Match) -> None:
    """Print to standard error the patterns of moves too many to list; some may be legal."""
    from domain.entry.completion import unlisted_kinds

    game, seats = match.game, dict.fromkeys(each.seat for each in match.state.awaiting())
    kinds = dict.fromkeys(
        kind for seat in seats for kind in unlisted_kinds(game, match.state, seat)
    )
    if kinds:
        forms = "; ".join(f"{kind.what} {kind.example}" for kind in kinds)
        print(
            f"the moves of {game.name} include some that cannot be listed: {forms}", file=sys.stderr
        )


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=0, help="The number of moves to look ahead.")],
    seats: Seats = None,
    option: OptionTexts = [],  # noqa: B006
    after: After = "",
    divide: Annotated[bool, typer.Option(help="Count each first move separately.")] = False,
    json: Json = False,
) -> None:
    """Count the sequences of moves of a length.

    Equal counts are proof that two programs know the same rules.

    Examples:
        plybook perft poptrix 2
    """
    from domain import perft as counting
    from replay import registry

    found = registry.find(game)
    if not found.lists_all:
        raise Usage(f"the moves of {found.name} include some that cannot be listed")
    state = _play_texts(_open_match(found, seats, option), after).state
    if not divide:
        print_json(0 if state.outcome and depth else counting.perft(found, state.position, depth))
        return
    counts = {} if state.outcome else counting.divide(found, state.position, depth)
    if json:
        print_json(counts)
    else:
        for text, count in counts.items():
            print(text, count)
        print("total", sum(counts.values()))


def played_after(game: Game[Any], seats: int | None, options: list[str], text: str) -> Match:
    """Return an unsaved match after the moves of a text. Raises `Refused`."""
    return _play_texts(_open_match(game, seats, options), text)


def _open_match(game: Game[Any], seats: int | None, options: list[str]) -> Match:
    from replay.referee import dry_run

    return dry_run.start(game, options_of(game, options), seats)


def _play_texts(match: Match, text: str) -> Match:
    from domain.entry.spellings import spell_all
    from replay.referee.entering import judge_texts

    return judge_texts(match, spell_all(match.state, text.split()))


def _legal_after(match: Match, text: str) -> list[str]:
    from domain.entry.move_text import legal_texts

    after = _play_texts(match, text)
    return legal_texts(after.game, after.state)


def _print_continuations(match: Match, begin: str, json: bool) -> None:
    """Print the verdict on the beginning of a move, and its continuations."""
    from domain.entry.completion import entry

    found = entry(match.game, match.state, None, begin)
    with print_refusals((begin,), json, UNNAMED):
        if found.violation is not None:
            raise Refused(found.violation, match)
    if json:
        print_json({"verdict": found.verdict, "continuations": found.continuations})
        return
    for text in (*([begin] if found.event else []), *found.continuations):
        print(text)


def _legal_line(match: Match, line: str) -> bool:
    """Print the answer to a line of a batch, and return whether the line was legal."""
    from replay.referee.referee import describe

    try:
        print_json(_legal_after(match, line))
    except Refused as refused:
        print_json(describe(refused, line.split()[refused.index]))
        return False
    return True


def _seats(game: Game[Any]) -> str:
    first, *others = numbers = sorted(set(game.seats))
    if numbers != [*range(first, numbers[-1] + 1)]:
        return " or ".join(map(str, numbers))
    return f"{first}-{others[-1]}" if others else str(first)


def _game_json(game: Game[Any]) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "name": game.name,
        "rules": game.ruleset,
        "seats": game.seats,
        "options": {
            name: {"values": values, "default": getattr(game.options(), name)}
            for name, values in game.choices().items()
        },
        "moves": [{"what": move.what, "example": move.example} for move in game.moves],
    }
