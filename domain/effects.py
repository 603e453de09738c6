"""What follows from a move: typed facts that feed the log, the pictures and the words."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from domain.names import UNNAMED, Names
from domain.pyramids import PIPS, SIZE_WORD


class Effect(Struct, frozen=True, tag_field="type", tag=str.lower):
    """A fact that followed from a move. Public by construction: no effect holds a secret.

    `template` is its sentence, a clause without capital or full stop. Fields of the effect stand
    in it in braces: the fields in `seats` become what these seats are called, `size` a word, and
    `{its}` is the possessive of `seat`.

    A `notable` effect makes its event one that a reader in a hurry wants to see.
    """

    template: ClassVar[str]
    seats: ClassVar[tuple[str, ...]] = ("seat",)
    notable: ClassVar[bool] = False

    def words(self, names: Names = UNNAMED) -> str:
        """Say it to a person."""
        return self.template.format_map(self.terms(names))

    def terms(self, names: Names) -> dict[str, Any]:
        """Return what the words in braces stand for."""
        terms = {name: getattr(self, name) for name in self.__struct_fields__}
        if "seat" in terms:
            terms["its"] = names.its(terms["seat"])
        if "size" in terms:
            terms["size"] = SIZE_WORD[PIPS[terms["size"]]]
        terms.update((role, names[terms[role]]) for role in self.seats if role in terms)
        return terms


class Skipped(Effect, frozen=True):
    """A seat that could do nothing was passed over by the referee."""

    seat: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} can do nothing and is skipped"
