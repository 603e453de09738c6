import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.mjs";
import { choiceWords } from "../../service/static/js/shared/words.js";

const field = (name, text) => ({ name, text });
const controls = { pickers: [{ field: "promotion", noun: "promotion", labels: [{ text: "q", words: "queen" }] }] };

for (const [fields, words] of [
  [[field("at", "f1"), field("at", "c4")], "f1 to c4"],
  [[field("at", "e7"), field("at", "e8"), field("promotion", "q")], "e7 to e8 queen"],
  [[field("at", "a3"), field("at", "c5"), field("at", "e7")], "a3 to c5 to e7"],
  [[field("at", "d5")], "on d5"],
  [[field("from", "c1"), field("to", "c3")], "c1 to c3"],
]) {
  test(`a move is called ${words}`, () => assert.equal(choiceWords({ fields, text: "" }, controls), words));
}
