"""The controls for entering moves as data, for pages that know no game.

A game makes them for a seat (`Game.controls`). A pad is for one kind of secret move: its fields, in
the order of the text, are chosen from labels, or walked on the board.
"""

from __future__ import annotations

from msgspec import Struct

from domain.notation import Label
from domain.scene import Colour


class PadField(Struct, frozen=True, omit_defaults=True):
    """A part of a move text, chosen from `labels` or else from the labels of the pad.

    `text` is the choice at first; `None` means that a person must choose. `before` is written in
    front of a text that is not empty. `needs` names another field; while the text of that field is
    empty, so is this one's.
    """

    name: str
    labels: tuple[Label, ...] = ()
    text: str | None = ""
    before: str = ""
    needs: str = ""


class PadRow(Struct, frozen=True, omit_defaults=True):
    """The fields of one piece, in the order in which the piece follows them.

    `piece` is the piece as moves write it, and `at` its place, if fields are steps on the board.
    """

    words: str
    piece: str
    fields: tuple[str, ...]
    at: str = ""


class PadStep(Struct, frozen=True):
    """The step of the label `text`: from each place of `starts` to its counterpart in `ends`."""

    text: str
    starts: tuple[str, ...]
    ends: tuple[str, ...]


class PadGroup(Struct, frozen=True, omit_defaults=True):
    """Fields with their labels in one line.

    `hint` appears once the first field has a text, `missing` while another field has no text.
    """

    words: str
    fields: tuple[str, ...]
    hint: str = ""
    missing: str = ""


class Pad(Struct, frozen=True, omit_defaults=True):
    """The pad of a kind of secret move, by its tag.

    `prompt` follows the name of the player. Fields outside rows and groups are switches with one
    label. `title` heads the first column of the rows, `heads` the others; `labels` are for the
    fields in rows.

    With `steps` a row can be walked on the board from the place `start`; a label without a step
    stays in place.
    """

    kind: str
    fields: tuple[PadField, ...]
    prompt: str = ""
    rows: tuple[PadRow, ...] = ()
    groups: tuple[PadGroup, ...] = ()
    title: str = ""
    heads: tuple[str, ...] = ()
    labels: tuple[Label, ...] = ()
    steps: tuple[PadStep, ...] = ()
    start: str = ""


class NumberPad(Struct, frozen=True, omit_defaults=True):
    """A kind of move whose text is `before` and a number; `kind` is its tag.

    `words` say what the number means. `chips` are numbers that are offered at a tap. An `unsigned`
    pad has no minus.
    """

    kind: str
    before: str = ""
    words: str = ""
    chips: tuple[int, ...] = ()
    unsigned: bool = False


class CardPad(Struct, frozen=True, omit_defaults=True):
    """A kind of move, by its tag, whose text is `before` and `count` of the `cards`.

    A person taps any card that may have fallen, even one that proves a broken rule. Several cards,
    as of a hand, are tapped in any order and then locked in.
    """

    kind: str
    cards: tuple[str, ...]
    before: str = ""
    count: int = 1


class MoveControls(Struct, frozen=True, omit_defaults=True):
    """The controls of a seat that has to enter a move.

    With `turned` its player sits at the upper side of the board. `dice` are the colours of the dice
    that are due. `note` is a sentence for a player who chooses on the board. `supplier` is the seat
    whose supplies this seat uses, if not its own. With `backward` the person may tap the places of
    a move in any order. If there are several pads of `numbers`, the person chooses one. `cards` are
    the cards that may fall while nobody knows the hands, or those of a secret move. `buttons` are
    the texts of possible moves that are not listed, like a claim; each has a button.
    """

    turned: bool = False
    dice: tuple[Colour, ...] = ()
    note: str = ""
    supplier: int = 0
    backward: bool = False
    pads: tuple[Pad, ...] = ()
    numbers: tuple[NumberPad, ...] = ()
    cards: CardPad | None = None
    buttons: tuple[str, ...] = ()


NO_CONTROLS = MoveControls()
