"""The parts of a plug-in: positions, moves, effects, notation, controls, symmetries."""

from __future__ import annotations

from domain.board import Board
from domain.cards import CARD, PACK, RANKS, SUIT_NAMES, Card, card_words, highest
from domain.chance import weighted
from domain.controls import MoveControls, NumberPad, Pad, PadField, PadGroup, PadRow, PadStep
from domain.editor import Editor, Location, Misplaced, Thing, occupied
from domain.effects import Effect, Irregularity, Skipped
from domain.game import Game, OptionError, Options
from domain.names import UNNAMED, Names, Player, Sentence
from domain.notation import Label, Lexeme, Notation, Pick, Script, TextFormat, template
from domain.position import Awaited, Move, Outcome, Position, Secret, View, Violation, rank
from domain.position_text import (
    Field,
    PositionError,
    Rows,
    TextCodec,
    board_rows,
    fields,
    read_seat,
    read_turn,
)
from domain.symmetry import Symmetry, board_squares, mirror, turn_squares, turned

__all__ = [
    "CARD",
    "PACK",
    "RANKS",
    "SUIT_NAMES",
    "UNNAMED",
    "Awaited",
    "Board",
    "Card",
    "Editor",
    "Effect",
    "Field",
    "Game",
    "Irregularity",
    "Label",
    "Lexeme",
    "Location",
    "Misplaced",
    "Move",
    "MoveControls",
    "Names",
    "Notation",
    "NumberPad",
    "OptionError",
    "Options",
    "Outcome",
    "Pad",
    "PadField",
    "PadGroup",
    "PadRow",
    "PadStep",
    "Pick",
    "Player",
    "Position",
    "PositionError",
    "Rows",
    "Script",
    "Secret",
    "Sentence",
    "Skipped",
    "Symmetry",
    "TextCodec",
    "TextFormat",
    "Thing",
    "View",
    "Violation",
    "board_rows",
    "board_squares",
    "card_words",
    "fields",
    "highest",
    "mirror",
    "occupied",
    "rank",
    "read_seat",
    "read_turn",
    "template",
    "turn_squares",
    "turned",
    "weighted",
]
