"""The page and `plybook.testing.taps` offer and enter the same moves."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from domain.entry.taps import Choice, Picker, choices, dice_counts, pickers
from domain.events import State
from domain.notation import Label, Pick
from plybook.testing.subjects import Subject
from plybook.testing.taps import Page
from tests.conformance.subjects import SUBJECTS
from tests.js.node import run

SCRIPT = """
  import { readFileSync } from "node:fs";
  const page = await import("./service/static/js/board/move_choice.js");
  const asked = JSON.parse(readFileSync(0, "utf-8"));
  const answers = asked.map(({ choices, places, controls, picks, text }) => {
    const known = page.choicesOf([{ seat: 1, choices }], new Set(places));
    const fields = page.byFields(known, controls);
    const { done, groups, spoken, rolls, typed } = page.offered(known, picks, controls);
    return {
      tapped: page.tapped(fields, picks, text),
      meant: page.meant(fields, picks)?.text ?? null,
      done: done.map(({ text }) => text),
      groups: groups.map(({ name, labels, goes }) =>
        [name, labels.map((one) => one.text), [...goes].sort()]),
      spoken: spoken.map(({ text }) => text),
      rolls: rolls.map(({ text }) => text),
      typed,
    };
  });
  console.log(JSON.stringify(answers));
"""


def answered(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the module of the page answers."""
    asked = msgspec.json.encode(questions).decode()
    return json.loads(run("--input-type=module", "--eval", SCRIPT, stdin=asked))


def asked(subject: Subject, state: State, rng: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return picks on a page, sometimes unlikely ones, and what the model answers."""
    game = subject.game
    seat = rng.choice(state.position.playing)
    listed = choices(game, state, seat)
    places = game.scene(state.position.view(seat)).places
    page = Page.of(listed, places, pickers(game), dice_counts(game, state.position))
    texts = [field.text for one in listed for field in one.fields] or ["c3"]
    meant = [field.text for field in rng.choice(page.by_fields).fields] if page.by_fields else []
    picks, text = meant[: rng.randint(0, len(meant))], rng.choice(texts)
    offered = page.offered(picks)
    meaning = page.meant(picks)
    answer = {
        "tapped": page.tapped(picks, text),
        "meant": meaning.text if meaning else None,
        "done": [one.text for one in offered.done],
        "groups": [
            [name, group.texts, sorted(group.goes)] for name, group in offered.groups.items()
        ],
        "spoken": [one.text for one in offered.spoken],
        "rolls": [one.text for one in offered.rolls],
        "typed": offered.typed,
    }
    controls = {"rolls": dice_counts(game, state.position), "pickers": pickers(game)}
    question = {
        "choices": listed, "places": places, "controls": controls, "picks": picks, "text": text,
    }  # fmt: skip
    return question, answer


@pytest.mark.parametrize("slug", sorted({subject.game.slug for subject in SUBJECTS}))
def test_page_offers_the_same_choices_as_model(slug):
    rng = Random(1)
    subjects = [subject for subject in SUBJECTS if subject.game.slug == slug]
    pairs = [asked(one, state, rng) for one in subjects[:4] for state in one.some(12)]
    answers = answered([question for question, _ in pairs])
    assert answers == [answer for _, answer in pairs]
    assert any(answer["tapped"] or answer["spoken"] for answer in answers)


def test_picks_may_share_name_of_a_labelled_picker():
    faces = tuple(Label(face, f"{face} pips") for face in "123456")
    bids = tuple(
        Choice(f"{count}x{face}", (Pick("number", count), Pick("face", f"x{face}", f"{face} pips")))
        for count, face in product("12345", "123456")
    )
    labelled = (Picker("face", "face", faces),)
    offered = Page.of(bids, (), labelled).offered(["2"])
    groups = [[name, group.texts, sorted(group.goes)] for name, group in offered.groups.items()]
    assert groups[1] == ["face", *[["x1", "x2", "x3", "x4", "x5", "x6"]] * 2]
    controls = {"rolls": {}, "pickers": labelled}
    question = {"choices": bids, "places": [], "controls": controls, "picks": ["2"], "text": "x1"}
    (answer,) = answered([question])
    assert (answer["groups"], answer["tapped"]) == (groups, ["2", "x1"])
