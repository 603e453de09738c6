import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "./page.mjs";
import { PadDraft } from "../../service/static/js/match/pad_draft.js";
import { Walks } from "../../service/static/js/match/walks.js";

const FILES = "abcdefgh";

/** The steps of a label over a board of eight by eight. */
function step(text, dx, dy) {
  const starts = [];
  const ends = [];
  for (let x = 0; x < 8; x++) {
    for (let y = 1; y <= 8; y++) {
      if (!FILES[x + dx] || y + dy < 1 || y + dy > 8) continue;
      starts.push(`${FILES[x]}${y}`);
      ends.push(`${FILES[x + dx]}${y + dy}`);
    }
  }
  return { text, starts, ends };
}

const STEPS = [step("F", 0, 1), step("B", 0, -1), step("L", -1, 0), step("R", 1, 0)];
const fields = (piece) => [1, 2, 3].map((n) => ({ name: `${piece}${n}`, text: ".", ...(n === 1 && { before: `${piece}=` }) }));
const row = (piece, at) => ({ piece, at, fields: [1, 2, 3].map((n) => `${piece}${n}`) });

let draft;
let walks;

beforeEach(() => {
  draft = new PadDraft({
    fields: [...fields("S"), ...fields("M")],
    labels: ["F", "B", "L", "R", "."].map((text) => ({ text, words: text })),
    steps: STEPS,
    rows: [row("S", "f3"), row("M", "d3")],
    start: "S",
  });
  walks = new Walks(draft, 1);
});

test("a tap walks the shortest way, and what is left stays", () => {
  assert.equal(walks.tap("g4"), true);
  assert.equal(draft.written, "S=FR.M=...");
  assert.deepEqual([walks.left, draft.places(walks.row)], [1, ["f3", "f4", "g4"]]);
});

test("a tap goes on from the end of the way, and the last step gives the next piece its turn", () => {
  walks.tap("f4");
  walks.tap("f5");
  assert.equal(walks.row.piece, "S");
  walks.tap("e5");
  assert.equal(draft.written, "S=FFLM=...");
  assert.equal(walks.row.piece, "M");
});

test("a tap beyond the steps that are left walks anew", () => {
  walks.tap("f5");
  walks.tap("f1");
  assert.equal(draft.written, "S=BB.M=...");
});

test("a tap too far away says so, and changes nothing", () => {
  walks.tap("f4");
  assert.equal(walks.tap("a8"), false);
  assert.equal(walks.trouble, "a8 is too far from f3 for 3 steps.");
  assert.equal(draft.written, "S=F..M=...");
  walks.clear();
  assert.deepEqual([walks.trouble, draft.written], [null, "S=...M=..."]);
});

test("a tap on a piece, or on the end of its way, selects it", () => {
  walks.tap("d3");
  walks.tap("d5");
  walks.tap("f3");
  assert.equal(walks.row.piece, "S");
  walks.tap("d5");
  assert.equal(walks.row.piece, "M");
  assert.equal(draft.written, "S=...M=FF.");
});

test("a pause is a step", () => {
  walks.stay();
  walks.tap("f4");
  walks.tap("f5");
  assert.equal(draft.written, "S=.FFM=...");
  walks.select(walks.row);
  assert.deepEqual(draft.places(draft.pad.rows[0]), ["f3", "f3", "f4", "f5"]);
});

test("the places that a piece can reach are targets, and other pieces are open", () => {
  const { chosen, open, target } = walks.states;
  assert.deepEqual([[...chosen], [...open]], [["f3"], ["d3"]]);
  assert.ok(target.has("f6") && target.has("g5") && !target.has("f7") && !target.has("d3"));
});

test("a field that needs another is idle until that is chosen", () => {
  const pad = {
    fields: [{ name: "row", before: ",pass=", text: null }, { name: "to", needs: "row", text: null }],
    labels: [{ text: "1", words: "1" }, { text: "S", words: "small", needs: "row" }],
  };
  const passing = new PadDraft(pad);
  assert.deepEqual([passing.text("to"), passing.missing.name], ["", "row"]);
  passing.set("row", "1");
  assert.equal(passing.missing.name, "to");
  passing.set("to", "S");
  assert.deepEqual([passing.written, passing.missing], [",pass=1S", null]);
});

test("a label that can no longer be chosen is dropped", () => {
  const labels = [{ text: "blitz", words: "blitz", needs: "card" }];
  const pad = { fields: [{ name: "card", text: "" }, { name: "special", text: "", labels }] };
  const held = new PadDraft(pad);
  held.set("card", "c2");
  held.set("special", "blitz");
  assert.equal(held.written, "c2blitz");
  held.set("card", "");
  assert.equal(held.written, "");
  assert.throws(() => held.field("other"), /the pad has no other/);
});
