/**
 * The moves that are entered and not yet stored: a list per match that survives reloads.
 *
 * An item has
 *   id       never changes, not even if another phone takes the move over, so that the server stores the move once however often it is sent
 *   seat     the seat that moves; `null` where the taps alone decide
 *   text     the move, or `null` while only its taps are known
 *   picks    the taps on it
 *   roll     true where the service rolls
 *   secret   true for a move that must not be shown
 *   apart    true for a move that those of other seats do not put out of date
 *   words    its name on the page
 *   squares  where it is on the board
 *   base     the version it was entered upon; `null` behind another item
 *   turn     the turn it was meant for
 *   late     true once it had to wait: for the network, or for its author
 *   cancelled  true for a move that was undone on its way: it is taken back once it is stored
 *   state    "waiting", "refused" (with `problem`), or "held" behind something that was discarded
 */

import { newKey } from "../shared/http.js";

/** A list in the browser's storage that reports when it changes. */
export class Outbox {
  #key;
  #changed;
  #memory = "[]";

  /**
   * @param {string} match
   * @param {() => void} changed
   */
  constructor(match, changed) {
    this.#key = `plybook-outbox-${match}`;
    this.#changed = changed;
    addEventListener("storage", ({ key }) => key === this.#key && changed());
  }

  /** The items in the order of entry, without items that were undone while they were sent. */
  get items() {
    return this.#all.filter(({ cancelled }) => !cancelled);
  }

  /**
   * All items; read each time, because another tab may have sent some of them.
   *
   * @returns {OutboxItem[]}
   */
  get #all() {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? "[]").map(named);
    } catch {
      return JSON.parse(this.#memory);
    }
  }

  /** The item to be sent next, or `undefined`. */
  get first() {
    return this.#all[0];
  }

  /** @type {(id: string) => boolean} */
  isCancelled(id) {
    return this.#all.some((item) => item.id === id && item.cancelled);
  }

  /**
   * Put a move at the end. The item is stored before this returns.
   *
   * @param {Partial<OutboxItem> & Pick<OutboxItem, "words" | "squares" | "turn" | "base">} entered
   */
  add(entered) {
    const items = this.#all;
    const base = items.length ? null : entered.base;
    /** @type {OutboxItem} */
    const item = { seat: null, text: null, picks: null, id: newKey(), late: items.length > 0, ...entered, base, state: "waiting" };
    this.#store([...items, item]);
    return item;
  }

  /**
   * Change an item, unless it is gone.
   *
   * @type {(id: string, facts: Partial<OutboxItem>) => void}
   */
  change(id, facts) {
    this.#store(this.#all.map((item) => (item.id === id ? { ...item, ...facts } : item)));
  }

  /**
   * Remove an item that was stored at a version; the next item is entered after that version.
   *
   * @type {(id: string, version: number | null) => void}
   */
  done(id, version) {
    const [next, ...rest] = this.#all.filter((item) => item.id !== id);
    if (next && next.base === null) next.base = version;
    this.#store(next ? [next, ...rest] : []);
  }

  /**
   * Give up an item, unless it is gone. The items behind it were meant to follow it, so their
   * author decides.
   *
   * @type {(id: string) => void}
   */
  discard(id) {
    const items = this.#all;
    const place = items.findIndex((item) => item.id === id);
    if (place < 0) return;
    /** @type {(item: OutboxItem) => OutboxItem} */
    const hold = (item) => (item.state === "waiting" ? { ...item, state: "held" } : item);
    this.#store(items.flatMap((item, at) => (at === place ? [] : at > place ? hold(item) : item)));
  }

  /**
   * Send an item again, upon the version that is shown now or behind the items before it.
   *
   * @type {(id: string, base: number, turn: number) => void}
   */
  retry(id, base, turn) {
    this.change(id, { state: "waiting", problem: null, late: true, base: this.first?.id === id ? base : null, turn });
  }

  /** @type {(items: OutboxItem[]) => void} */
  #store(items) {
    this.#memory = JSON.stringify(items);
    try {
      localStorage.setItem(this.#key, this.#memory);
    } catch {
      // A browser without storage still sends the moves of this page.
    }
    this.#changed();
  }
}

/**
 * Return a kept item with its present names: pages of version 0.1 kept the text as `token`. Version
 * 0.3 drops this.
 *
 * @type {(item: OutboxItem & { token?: string | null }) => OutboxItem}
 */
function named({ token, ...item }) {
  return token === undefined ? item : { ...item, text: token };
}
