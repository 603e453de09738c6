/**
 * What is shown by hand so far. The server draws it from three things, which are in the address of
 * the page too: `base`, the text it began with if that is not the record; `shifts`, what was moved
 * since, each like "S,stash1,c3"; `turn`, the seat that the turn was given to. All are texts.
 */

import { settle, stopOf } from "./board.js";
import { dataOf, swap } from "./frames.js";
import { Failed, NO_NETWORK } from "./requests.js";

const RECORDED = { base: "", shifts: [], turn: "" };

/** The board of an adjustment, and how it was before. What changes it rejects `Failed`. */
export class Arrangement {
  #stage;
  #match;
  #version;
  #now = readAddress();
  #past = [];

  constructor(stage, match, version) {
    this.#stage = stage;
    this.#match = match;
    this.#version = version;
    settle(this.frame);
  }

  get frame() {
    return this.#stage.querySelector("article.frame");
  }

  /** What lies on each spot: `{ words, things: [{ what, words }] }` by its name. */
  get things() {
    return dataOf(this.frame, "things");
  }

  /** How it stands: its `text`; whether it is `fit`, and `differs` from the record; what is `told`. */
  get facts() {
    return this.frame.dataset;
  }

  get turn() {
    return this.#now.turn;
  }

  /** Whether anything can be taken back. */
  get begun() {
    return this.#past.length > 0 || this.#now.shifts.length > 0;
  }

  /** Move a thing from a spot to another. */
  move(what, start, end) {
    return this.#onward({ ...this.#now, shifts: [...this.#now.shifts, [what, start, end].join()] });
  }

  /** Let it be the turn of a seat; of none, as it was. */
  give(turn) {
    return this.#onward({ ...this.#now, turn });
  }

  /** Begin anew with a text. */
  write(base) {
    return this.#onward({ ...RECORDED, base });
  }

  /** Begin anew with the record. */
  startOver() {
    return this.#onward(RECORDED);
  }

  /** Go back a step. After the page was loaded again the last thing moved is all that is known. */
  async undo() {
    await this.#show(this.#past.at(-1) ?? { ...this.#now, shifts: this.#now.shifts.slice(0, -1) });
    this.#past.pop();
  }

  async #onward(wanted) {
    const before = this.#now;
    await this.#show(wanted);
    this.#past.push(before);
  }

  async #show(wanted) {
    const query = queryOf(this.#version, wanted);
    const frame = await fetched(`/m/${this.#match}/adjust/board?${query}`);
    settle(frame, stopOf(this.frame));
    swap(this.#stage, frame);
    this.#now = wanted;
    history.replaceState(null, "", `?${query}`);
  }
}

function readAddress() {
  const query = new URLSearchParams(location.search);
  return { base: query.get("base") ?? "", shifts: query.getAll("shift"), turn: query.get("turn") ?? "" };
}

function queryOf(version, { base, shifts, turn }) {
  const query = new URLSearchParams({ version });
  if (base) query.set("base", base);
  for (const shift of shifts) query.append("shift", shift);
  if (turn) query.set("turn", turn);
  return query;
}

async function fetched(address) {
  const answer = await fetch(address).catch(() => {
    throw new Failed(NO_NETWORK);
  });
  if (!answer.ok) {
    const facts = await answer.json().catch(() => ({}));
    throw new Failed(facts.detail ?? `The server answers ${answer.status}`, null, answer.status);
  }
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  return document.adoptNode(parsed.querySelector("article.frame"));
}
