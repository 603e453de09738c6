"""Effects of a move: typed facts for the log, the pictures and the sentences."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from domain.board import PIPS, SIZE_WORD
from domain.names import UNNAMED, Names, count


def written(field: str) -> str:
    """Return the name of a field without the underscore that a word of Python needs."""
    return field.removesuffix("_")


class Effect(Struct, frozen=True, tag_field="type", tag=str.lower, rename=written):
    """A fact that follows from a move. Effects are public: no effect contains a secret.

    `template` is its sentence, a clause without capital or full stop. Names of fields in braces are
    replaced: fields in `seats` by the names of these seats, `size` by a word, `{its}` by the
    possessive of `seat`, and `{scored}` by `points` with their noun.

    A `notable` effect makes its event a highlight. `deed` is a template of what people still have
    to do at the table for it: "put a {size} black on {at}".
    """

    template: ClassVar[str]
    deed: ClassVar[str] = ""
    seats: ClassVar[tuple[str, ...]] = ("seat",)
    notable: ClassVar[bool] = False

    def words(self, names: Names = UNNAMED) -> str:
        """Return the sentence of the effect."""
        return self.template.format_map(self.terms(names))

    def task(self, names: Names = UNNAMED) -> str:
        """Return what people at the table must do because of the effect; empty if nothing."""
        return self.deed.format_map(self.terms(names))

    def terms(self, names: Names) -> dict[str, Any]:
        """Return the replacements for the names in braces."""
        terms = {name: getattr(self, name) for name in self.__struct_fields__}
        if "seat" in terms:
            terms["its"] = names.its(terms["seat"])
        if "points" in terms:
            terms["scored"] = count(terms["points"], "point")
        if "size" in terms:
            terms["size"] = SIZE_WORD[PIPS[terms["size"]]]
        terms |= {role: names[terms[role]] for role in self.seats if role in terms}
        return terms


class Skipped(Effect, frozen=True):
    """The referee skipped a seat that had no legal move."""

    seat: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} can do nothing and is skipped"


class Irregularity(Effect, frozen=True):
    """The players accepted a move that breaks `clause` of the rules, `turn` or `over`."""

    seat: int
    text: str
    clause: str

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} played {text} {against}, and it stood"

    def terms(self, names: Names) -> dict[str, Any]:
        """Name the broken rule."""
        against = {"turn": "out of turn", "over": "after the end of the game"}
        return {
            **super().terms(names),
            "against": against.get(self.clause, f"against {self.clause}"),
        }


class Breach(Effect, frozen=True):
    """A rule was broken earlier, as the move proves; play goes on as it lies on the table."""

    notable: ClassVar[bool] = True
