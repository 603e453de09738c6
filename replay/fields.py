"""The types of fields that answers and records share, with their descriptions for a schema."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from domain.position import OutcomeValue

Version = Annotated[int, Meta(ge=0, description="The number of events in the log.")]
Ply = Annotated[int, Meta(ge=0, description="A place in the current line; 0 is the start.")]
EventVersion = Annotated[int, Meta(ge=0, description="The version of the match after the event.")]
Plies = Annotated[int, Meta(ge=0, description="The number of plies in the line.")]
Seat = Annotated[int, Meta(ge=1, le=9)]
Milliseconds = Annotated[int, Meta(description="Milliseconds since 1970.")]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Typed = Annotated[
    Any,
    Meta(
        title="Typed",
        extra_json_schema={
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"type": "string", "description": "The kind of object."}},
        },
    ),
]
"""An object whose `type` names its kind, as the game defines it."""
MatchKind = Literal["match", "variation"]
"""A match is played; a variation is analysis."""
DiceSource = Literal["table", "service"]
"""The roller of a match's dice: the players at the table, or the service."""
Derivation = Literal[1, 2]
"""How rolls follow from a seed: `dice/1` or `dice/2` of `replay.record.dice`."""
LegalMoves = Literal["listed", "withheld"]
"""Whether the legal moves of a match are listed before its end."""
CommentsShown = Literal["now", "end"]
"""When others may read the scorekeeper's annotations: at once, or at the end of the match."""
ScoresheetsKept = Literal["one", "each"]
"""Whether a match has one scoresheet, or each of two players keeps one."""
MAX_TRIES: Final = 100
Tries = Annotated[int, Meta(ge=1, le=MAX_TRIES)]
"""The refused tries in a turn after which a seat forfeits."""
EventText = Annotated[str, Meta(description="An event in the notation of the game.")]
TextKind = Annotated[str, Meta(extra_json_schema={"enum": ["comment", "player", "tag"]})]
"""The kinds of texts that are searched."""
Outcome = Annotated[
    dict[str, OutcomeValue],
    Meta(
        title="Outcome",
        description="How it ended: `winner` (a seat), `winners` (several), `draw` or `abandoned`,"
        " by which `clause`, and with which `scores` and `ranks`.",
        extra_json_schema={
            "properties": {
                "clause": {"type": "string", "description": "The clause of the rules."},
                "winner": {"type": "integer", "description": "The seat that has won."},
                "winners": {
                    "type": "array",
                    "items": {"type": "integer"},
                    "description": "The seats that have won, if there are several.",
                },
                "scores": {
                    "type": "array",
                    "items": {"type": "integer"},
                    "description": "The points of seats 1, 2 …, if the game counts any.",
                },
                "ranks": {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": "integer"}},
                    "description": "All seats from best to worst, equal ones together, if more is"
                    " known than who has won.",
                },
                "draw": {"type": "boolean", "description": "The match is drawn."},
                "abandoned": {"type": "boolean", "description": "The match was given up."},
            },
            "required": ["clause"],
        },
    ),
]
