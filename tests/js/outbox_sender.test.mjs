import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { clear, fire } from "./page.mjs";
import { Outbox } from "../../service/static/js/match/outbox.js";
import { OutboxSender } from "../../service/static/js/match/outbox_sender.js";

const REPORTS = { stored: () => {}, advanced: () => {}, refused: () => {}, rested: () => {}, slow: () => {} };
let sent;

beforeEach(() => {
  clear();
  sent = [];
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.fetch = () => new Promise((_, fail) => sent.push(fail));
});

const settle = async () => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

test("a network that is back while a move fails is tried at once", async (context) => {
  context.after(() => mock.timers.reset());
  const outbox = new Outbox("k7m2c4x9q0ab", () => {});
  outbox.add({ words: "c1>L@c3", base: 2, turn: 1, squares: [], text: "c1>L@c3" });
  new OutboxSender("k7m2c4x9q0ab", outbox, REPORTS).kick();
  await settle();
  fire("online");
  sent[0](new TypeError("no network"));
  await settle();
  assert.equal(sent.length, 2);
});

test("without news the next try waits", async (context) => {
  context.after(() => mock.timers.reset());
  const outbox = new Outbox("m2k7c4x9q0ab", () => {});
  outbox.add({ words: "c1>L@c3", base: 2, turn: 1, squares: [], text: "c1>L@c3" });
  new OutboxSender("m2k7c4x9q0ab", outbox, REPORTS).kick();
  await settle();
  sent[0](new TypeError("no network"));
  await settle();
  assert.equal(sent.length, 1);
  mock.timers.tick(1000);
  await settle();
  assert.equal(sent.length, 2);
});

test("the pauses begin anew when the network is back", async (context) => {
  context.after(() => mock.timers.reset());
  const outbox = new Outbox("x9q0abm2k7c4", () => {});
  outbox.add({ words: "c1>L@c3", base: 2, turn: 1, squares: [], text: "c1>L@c3" });
  const sender = new OutboxSender("x9q0abm2k7c4", outbox, REPORTS);
  for (let failed = 0; failed < 8; failed += 1) {
    if (failed === 6) fire("online");
    else if (failed === 7) mock.timers.tick(1000);
    else sender.kick();
    await settle();
    assert.equal(sent.length, failed + 1);
    sent[failed](new TypeError("no network"));
    await settle();
  }
});
