"""Compare a match with the other scoresheet on a page: one question at a time, on two boards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, reduce
from typing import Final

from litestar import get, post
from litestar.params import JSONBody
from litestar.response import Template
from msgspec import Struct
from msgspec.structs import replace

from domain.events import DASH, LineEvent, State
from domain.names import Names, cut
from domain.position import Violation
from domain.reconstruction.answer import FoundPly, Misfit, PossibleEvent
from domain.reconstruction.steps import read_entry
from domain.scene import Scene
from replay.formats.reconstructing import FoundMatch
from replay.record.match_summary import describe_standing_briefly
from replay.referee.scoresheet_pairs import scoresheet_state
from replay.store.people_chain import names_among
from service.app_state import TheAppState
from service.http.access import AnyRequest, TheBook, TheMatchAccess
from service.http.book_reads import in_thread
from service.http.caching import NO_STORE
from service.pages.layout import fragment, page
from service.pages.replay import title
from service.workers.reconstructions import ReconstructionRequest, in_worker, visit_scoresheets

MAX_SHOWN: Final = 60
"""The most characters of an entry that are shown."""
PERSON: Final = "a person"
DECIDERS: Final[dict[object, str]] = {"rules": "the rules", "scoresheet": "a scoresheet"}


class ShownChoice(Struct, frozen=True):
    """A move that may have been played, with the board after it, or before it if it is illegal."""

    text: str
    by: str
    clause: str | None
    scene: Scene


class ComparedSheets(Struct, frozen=True):
    """The state of a comparison: the next question, or the whole match with all that was decided.

    `said` is a sentence on what the scoresheets have at the `ply`, and the rules that it breaks.
    Without a question, `scene` is the board after the last move.
    """

    plies: int
    left: int
    fault: Misfit | None
    ply: int
    said: str
    choices: tuple[ShownChoice, ...]
    decided: tuple[str, ...]
    names: Names
    standing: str = ""
    scene: Scene | None = None


@get("/m/{match:str}/scoresheets")
@in_thread
def scoresheets_page(book: TheBook, visit: TheMatchAccess) -> Template:
    """Show the form for the other scoresheet of a match."""
    name = title(book, visit.record)
    sheet = scoresheet_state(book, visit.record)
    data = {"match": visit.record.id, "name": name, "other": sheet and sheet.other}
    return page("scoresheets.html", f"Compare scoresheets · {name}", data)


@post("/m/{match:str}/scoresheets", status_code=200)
async def next_question(
    request: AnyRequest,
    visit: TheMatchAccess,
    data: JSONBody[ReconstructionRequest],
    live: TheAppState,
) -> Template:
    """Answer the next question of a comparison, or its result, as a fragment of the page."""
    await visit_scoresheets(request, live.book, data)
    compared = await in_worker(request, live.workers, live.settings, data, compare)
    game = visit.record.game
    return fragment("scoresheet_question.html", {"found": compared, "game": game}, NO_STORE)


def compare(found: FoundMatch) -> ComparedSheets:
    """Return the first question of a reconstruction, with a board for each choice."""
    answer, names = found.answer, Names(names_among(dict(found.written[0].tags)))
    asked = next((ply for ply in answer.plies if not ply.certain), None)
    told = partial(_said, found)
    choices, said, done = tuple[ShownChoice, ...](), "", tuple[str, ...]()
    if asked and not answer.fault:
        before = _before(found, asked.ply)
        choices = tuple(_choice(found, before, each, names) for each in asked.choices)
        said = " ".join([told(asked), *_reasons(before, asked, names)])
    elif not answer.fault:
        decided = found.decided()
        done = tuple(
            f"{ply.ply}. {ply.text}, by {DECIDERS.get(decided[ply.ply], PERSON)}: {told(ply)}"
            for ply in answer.plies
            if ply.ply in decided
        )
    ply = asked.ply if asked else 0
    plies, left = len(answer.plies), answer.questions
    compared = ComparedSheets(plies, left, answer.fault, ply, said, choices, done, names)
    if asked or answer.fault:
        return compared
    end = _before(found, plies + 1)
    scene = end.game.scene(end.position.view(None), (), names)
    return replace(compared, standing=describe_standing_briefly(end, names), scene=scene)


def _before(found: FoundMatch, ply: int) -> State:
    events: tuple[LineEvent, ...] = found.found.events[: ply - 1]
    return reduce(lambda state, event: event.evolve(state)[0], events, found.match.start)


def _said(found: FoundMatch, ply: FoundPly) -> str:
    """Say what each scoresheet has for a ply: "Jet wrote c1>L@c3, Red wrote nothing."."""
    words = (
        f"{written.writer(number)} {_wrote(entry)}"
        for number, (written, entry) in enumerate(zip(found.written, ply.entries, strict=True), 1)
    )
    return f"{', '.join(words)}."


def _wrote(entry: str | None) -> str:
    if entry is None:
        return "wrote nothing"
    return "left a dash" if entry.endswith(DASH) else f"wrote {cut(entry, MAX_SHOWN)}"


def _reasons(before: State, ply: FoundPly, names: Names) -> Iterator[str]:
    """Yield the rules that entries of a ply break, as sentences with their clauses."""
    for choice in ply.choices:
        broken = read_entry(before, choice.text) if choice.clause else None
        if isinstance(broken, Violation):
            words = broken.words(names)
            yield f"{words[:1].upper()}{words[1:]} ({broken.clause})."


def _choice(found: FoundMatch, before: State, choice: PossibleEvent, names: Names) -> ShownChoice:
    event = read_entry(before, choice.text)
    state, effects = (before, ()) if isinstance(event, Violation) else event.evolve(before)
    scene = state.game.scene(state.position.view(None), effects, names)
    by = " and ".join(found.written[number - 1].writer(number) for number in choice.by)
    return ShownChoice(cut(choice.text, MAX_SHOWN), by, choice.clause, scene)
