/**
 * The position as it is edited so far. The server draws it from three texts, which are in the
 * address of the page too: `base`, the position it began with if that is not the recorded one;
 * `shifts`, the things moved since, each like "S,stash1,c3"; `turn`, the seat that has the turn.
 */

import { setTabStop, tabStopOf } from "../board/tappable_board.js";
import { dataOf, fetchFrame, swap } from "../board/frames.js";
import { find } from "../shared/elements.js";

/** @typedef {{ base: string, shifts: string[], turn: string }} Edits */

/** @type {Edits} */
const RECORDED = { base: "", shifts: [], turn: "" };

/** The accepted illegal move that leads to this position; empty for an adjustment. */
const STOOD = new URLSearchParams(location.search).get("stood") ?? "";

/** The board of an adjustment, and the steps before. A change that is refused rejects `HttpError`. */
export class EditedPosition {
  #stage;
  #match;
  #version;
  #now = readAddress();
  /**
   * The position that editing begins with: the record, or the proposed position after an accepted
   * illegal move.
   */
  #first = STOOD ? { ...RECORDED, base: this.#now.base } : RECORDED;
  /** @type {Edits[]} */
  #past = [];

  /**
   * @param {HTMLElement} stage
   * @param {string} match
   * @param {string} version
   */
  constructor(stage, match, version) {
    this.#stage = stage;
    this.#match = match;
    this.#version = version;
    setTabStop(this.frame);
  }

  get frame() {
    return find(this.#stage, "article.frame");
  }

  /**
   * The things on each spot, by the name of the spot.
   *
   * @returns {Record<string, { words: string, things: { what: string, words: string }[] }>}
   */
  get things() {
    return dataOf(this.frame, "things");
  }

  /**
   * The facts: the position's `text`; whether it is `fit`, and `differs` from the record; the
   * `told` words.
   */
  get facts() {
    return this.frame.dataset;
  }

  get turn() {
    return this.#now.turn;
  }

  /** Whether there is an edit to take back. */
  get begun() {
    return this.#past.length > 0 || this.#now.shifts.length > 0;
  }

  /**
   * Move a thing from a spot to another.
   *
   * @type {(what: string, start: string, end: string) => Promise<void>}
   */
  move(what, start, end) {
    return this.#advance({ ...this.#now, shifts: [...this.#now.shifts, [what, start, end].join()] });
  }

  /**
   * Give the turn to a seat; without a seat, restore the original turn.
   *
   * @type {(turn: string) => Promise<void>}
   */
  give(turn) {
    return this.#advance({ ...this.#now, turn });
  }

  /**
   * Begin again with a text.
   *
   * @type {(base: string) => Promise<void>}
   */
  write(base) {
    return this.#advance({ ...RECORDED, base });
  }

  /** Discard all edits. */
  startOver() {
    return this.#advance(this.#first);
  }

  /** Go back a step. After a reload only the last moved thing is known. */
  async undo() {
    await this.#show(this.#past.at(-1) ?? { ...this.#now, shifts: this.#now.shifts.slice(0, -1) });
    this.#past.pop();
  }

  /** @type {(wanted: Edits) => Promise<void>} */
  async #advance(wanted) {
    const before = this.#now;
    await this.#show(wanted);
    this.#past.push(before);
  }

  /** @type {(wanted: Edits) => Promise<void>} */
  async #show(wanted) {
    const query = queryOf(this.#version, wanted);
    const frame = await fetchFrame(`/m/${this.#match}/adjust/board?${query}`);
    setTabStop(frame, tabStopOf(this.frame));
    swap(this.#stage, frame);
    this.#now = wanted;
    history.replaceState(null, "", `?${query}`);
  }
}

/** @type {() => Edits} */
function readAddress() {
  const query = new URLSearchParams(location.search);
  return { base: query.get("base") ?? "", shifts: query.getAll("shift"), turn: query.get("turn") ?? "" };
}

/** @type {(version: string, edits: Edits) => URLSearchParams} */
function queryOf(version, { base, shifts, turn }) {
  const query = new URLSearchParams({ version });
  if (base) query.set("base", base);
  for (const shift of shifts) query.append("shift", shift);
  if (turn) query.set("turn", turn);
  if (STOOD) query.set("stood", STOOD);
  return query;
}
