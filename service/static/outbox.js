/**
 * What was entered and is not yet stored: a list per match that survives reloads.
 *
 * An item is
 *   id       its own for ever, so that the server stores it once however often it is sent
 *   seat     whose it is; `null` where the taps alone decide
 *   token    the move, or `null` while only `picks` are known, what was tapped without guidance
 *   roll     true where the service rolls
 *   secret   true for what must not be shown
 *   words    how it is called on the page
 *   squares  where it is on the board
 *   base     the version it was entered upon; `null` behind another item
 *   turn     the turn it was meant for
 *   late     true once it had to wait: for the network, or for its author
 *   state    "waiting", "refused" (with `problem`), or "held" behind something that was discarded
 */

/** A list that is kept in the browser and tells when it changes. */
export class Outbox {
  #key;
  #changed;
  #memory = "[]";

  constructor(match, changed) {
    this.#key = `plybook-outbox-${match}`;
    this.#changed = changed;
    addEventListener("storage", ({ key }) => key === this.#key && changed());
  }

  /** The items in the order they were entered; read anew, as another tab may have sent some. */
  get items() {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? "[]");
    } catch {
      return JSON.parse(this.#memory);
    }
  }

  /** The one to be sent next, or `undefined`. */
  get first() {
    return this.items[0];
  }

  /** Put something at the end. It is kept before this returns. */
  add(entered) {
    const { items } = this;
    const base = items.length ? null : entered.base;
    const item = { seat: null, token: null, picks: null, ...entered, base, id: newId(), late: items.length > 0, state: "waiting" };
    this.#keep([...items, item]);
    return item;
  }

  /** Change an item; nothing if it is gone. */
  change(id, facts) {
    this.#keep(this.items.map((item) => (item.id === id ? { ...item, ...facts } : item)));
  }

  /** Take out what is stored now at a version; what was entered behind it goes upon that. */
  done(id, version) {
    const [next, ...rest] = this.items.filter((item) => item.id !== id);
    if (next && next.base === null) next.base = version;
    this.#keep(next ? [next, ...rest] : []);
  }

  /** Give an item up. What was entered behind it was meant to follow it, so it waits for a word. */
  discard(id) {
    const { items } = this;
    const place = items.findIndex((item) => item.id === id);
    const hold = (item) => (item.state === "waiting" ? { ...item, state: "held" } : item);
    this.#keep(items.flatMap((item, at) => (at === place ? [] : at > place ? hold(item) : item)));
  }

  /** Send an item again, upon the version that is shown now. */
  retry(id, base, turn) {
    this.change(id, { state: "waiting", problem: null, late: true, base, turn });
  }

  #keep(items) {
    this.#memory = JSON.stringify(items);
    try {
      localStorage.setItem(this.#key, this.#memory);
    } catch {
      // A browser that keeps nothing still sends what is in this page.
    }
    this.#changed();
  }
}

/** An id nobody else has. Pages on plain http have no `crypto.randomUUID`. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
