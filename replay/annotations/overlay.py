"""Draw annotations into a scene: arrows, circles and labels."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from domain.scene import Arrow, Mark, Scene
from replay.annotations.current import Remark
from replay.annotations.events import Arrowed, Circled, Labelled


def annotated(scene: Scene, remarks: Iterable[Remark]) -> Scene:
    """Return a scene with the marks of annotations on the places that it has."""
    known = frozenset(scene.places)
    marks, arrows = list(scene.marks), list(scene.arrows)
    for remark in remarks:
        match remark.said:
            case Arrowed(start=start, end=end) if {start, end} <= known:
                arrows.append(Arrow(start, end, "note"))
            case Circled(at=at) if at in known:
                marks.append(Mark(at, "circle"))
            case Labelled(at=at, text=text) if at in known:
                marks.append(Mark(at, "label", text))
    return replace(scene, marks=tuple(marks), arrows=tuple(arrows))
