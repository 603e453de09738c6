import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { clear } from "./page.mjs";
import { Outbox } from "../../service/static/js/match/outbox.js";

let changes;
let outbox;

beforeEach(() => {
  clear();
  changes = 0;
  outbox = new Outbox("k7m2c4x9q0ab", () => (changes += 1));
});

const enter = (words, base = 2) => outbox.add({ words, base, turn: 1, squares: [], text: words });
const told = () => outbox.items.map(({ words, base, state, late }) => [words, base, state, late]);

test("only the first move is entered upon a version", () => {
  enter("c1>L@c3");
  enter("c6>M@c4");
  assert.deepEqual(told(), [["c1>L@c3", 2, "waiting", false], ["c6>M@c4", null, "waiting", true]]);
  assert.equal(changes, 2);
});

test("a move of another phone keeps its id, so that it is stored once", () => {
  outbox.add({ id: "5f", words: "c6", text: "M@c6", base: 2, turn: 1, squares: [], late: true });
  assert.equal(outbox.first.id, "5f");
  assert.deepEqual(told(), [["c6", 2, "waiting", true]]);
});

test("moves outlive the page", () => {
  const { id } = enter("c1>L@c3");
  const reloaded = new Outbox("k7m2c4x9q0ab", () => {});
  assert.equal(reloaded.first.id, id);
  assert.deepEqual(new Outbox("another", () => {}).items, []);
});

test("the next move is entered upon the version of the stored one", () => {
  const { id } = enter("c1>L@c3");
  enter("c6>M@c4");
  outbox.done(id, 3);
  assert.deepEqual(told(), [["c6>M@c4", 3, "waiting", true]]);
  outbox.done(outbox.first.id, 4);
  assert.equal(outbox.first, undefined);
});

test("moves alike have ids of their own", () => {
  const [first, second] = [enter("1:5"), enter("1:5")];
  assert.notEqual(first.id, second.id);
  outbox.done(second.id, 3);
  assert.deepEqual(outbox.items.map(({ id }) => id), [first.id]);
});

test("moves behind a discarded one are held, and sent again one by one", () => {
  enter("a");
  const refused = enter("b");
  const held = enter("c");
  const last = enter("d");
  outbox.change(refused.id, { state: "refused" });
  outbox.discard(refused.id);
  assert.deepEqual(outbox.items.map(({ state }) => state), ["waiting", "held", "held"]);
  outbox.retry(held.id, 7, 2);
  assert.deepEqual([outbox.items[1].state, outbox.items[1].base], ["waiting", null]);
  outbox.done(outbox.first.id, 3);
  outbox.discard(held.id);
  outbox.retry(last.id, 7, 2);
  assert.deepEqual([outbox.first.state, outbox.first.base, outbox.first.late], ["waiting", 7, true]);
});

test("a refused move behind a discarded one stays refused", () => {
  const first = enter("a");
  const second = enter("b");
  outbox.change(second.id, { state: "refused" });
  outbox.discard(first.id);
  assert.equal(outbox.first.state, "refused");
});

test("a move undone on its way is not shown, but sent", () => {
  const { id } = enter("a");
  outbox.change(id, { cancelled: true });
  assert.deepEqual(outbox.items, []);
  assert.equal(outbox.first.id, id);
  assert.equal(outbox.isCancelled(id), true);
  outbox.done(id, 3);
  assert.equal(outbox.isCancelled(id), false);
});

test("a change of what is gone changes nothing", () => {
  enter("a");
  outbox.change("another", { state: "refused" });
  outbox.discard("another");
  assert.deepEqual(told(), [["a", 2, "waiting", false]]);
});

test("a browser without storage keeps the moves of its page", () => {
  const refuse = () => {
    throw new Error("the storage is off");
  };
  const { getItem, setItem } = localStorage;
  Object.assign(localStorage, { getItem: refuse, setItem: refuse });
  enter("a");
  enter("b");
  assert.equal(outbox.items.length, 2);
  Object.assign(localStorage, { getItem, setItem });
});

test("a move that an earlier version kept is sent with its present names", () => {
  localStorage.setItem("plybook-outbox-k7m2c4x9q0ab", JSON.stringify([{ id: "1", token: "M@c1" }]));
  assert.deepEqual(outbox.first, { id: "1", text: "M@c1" });
});
