import assert from "node:assert/strict";
import { test } from "node:test";

import { choicesOf, inAnyOrder, left, meant, tapped } from "../../service/static/js/board/move_choice.js";

const PLACES = new Set(["green", "white", "red", "blue"]);

/** A move that takes these places, which all have one name. */
function taking(...places) {
  return { text: places.join("-"), fields: places.map((text) => ({ name: "at", text })) };
}

test("places of one name are tapped in any order where the game says so", () => {
  const moves = [taking("green", "white", "red"), taking("green", "white", "blue")];
  const choices = choicesOf([{ seat: 1, choices: moves }], PLACES).map(inAnyOrder);
  let picks = [];
  for (const text of ["red", "green", "white"]) {
    picks = tapped(choices, picks, text);
    assert.ok(picks, text);
  }
  assert.deepEqual(picks, ["red", "green", "white"]);
  assert.equal(meant(choices, picks).text, "green-white-red");
  assert.equal(left(choices, ["white", "green"]).length, 2);
});
