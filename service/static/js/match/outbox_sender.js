/**
 * Sends the items of the outbox in order, each for the version it was meant for. Sending is
 * repeated until the server has answered, and stops at an item that was refused.
 */

import { addressOf, dataOf } from "../board/frames.js";
import { get, HttpError, post, postMoves } from "../shared/http.js";
import { getHint } from "./refusals.js";

const PAUSES = [1000, 2000, 4000, 8000, 15000, 30000];
const TOO_MANY = 5000;
/**
 * The refusals for a device whose link was replaced, whose account has no seat, or whose match is
 * gone.
 */
const UNSEATED = [401, 403, 404];
/** Milliseconds after which a server that does not answer counts as not reached. */
const SLOW = 4000;
const UNCLEAR = "this can mean several moves";

/**
 * The reports of a sender. `stored`: an item was stored at a version, with its board if the answer
 * has it; `refused`: it was refused; `rested`: the sender went to rest; `advanced`: the match is at
 * a version after an item that was undone; `slow`: no answer has come for a while. `left` finds out
 * whether this device may no longer write; then its items wait for another link.
 *
 * @typedef {{
 *   stored: (item: OutboxItem, version: number, frame?: HTMLElement) => void,
 *   advanced: (version: number, frame?: HTMLElement) => void,
 *   refused: (item: OutboxItem, problem: OutboxProblem) => void,
 *   rested: () => void,
 *   slow: () => void,
 *   left: () => Promise<boolean>,
 * }} Reports
 */

export class OutboxSender {
  #match;
  #outbox;
  #on;
  #busy = false;
  #again = false;
  /** @type {string | null} */
  #sending = null;
  #failures = 0;
  /**
   * The failures since the network was last lost or restored: the pauses grow with their number.
   */
  #pauses = 0;
  #timer = 0;
  #slow = false;

  /**
   * @param {string} match
   * @param {import("./outbox.js").Outbox} outbox
   * @param {Reports} on
   */
  constructor(match, outbox, on) {
    this.#match = match;
    this.#outbox = outbox;
    this.#on = on;
    addEventListener("online", () => ((this.#pauses = 0), this.kick()));
    addEventListener("focus", () => this.kick());
    addEventListener("pageshow", () => this.kick());
    document.addEventListener("visibilitychange", () => document.hidden || this.kick());
  }

  /** Whether the last attempt did not reach the server, or the server is not answering. */
  get unreached() {
    return this.#failures > 0 || this.#slow;
  }

  get busy() {
    return this.#busy;
  }

  /** The id of the item that is on its way; the server may have stored it. */
  get sending() {
    return this.#sending;
  }

  /**
   * Send the waiting items now; if sending is under way, send again afterwards, because it may fail
   * without a network.
   */
  async kick() {
    this.#again = true;
    // A match without an address is opened first.
    if (this.#busy || !this.#match) return;
    this.#busy = true;
    try {
      while (this.#again) {
        this.#again = false;
        clearTimeout(this.#timer);
        for (let { first } = this.#outbox; first?.state === "waiting"; { first } = this.#outbox) {
          if (!(await this.#send(first))) break;
        }
      }
    } finally {
      this.#busy = false;
      this.#on.rested();
    }
  }

  /**
   * Send an item; return whether to continue with the next item.
   *
   * @type {(item: OutboxItem) => Promise<boolean>}
   */
  async #send(item) {
    const watch = setTimeout(() => ((this.#slow = true), this.#on.slow()), SLOW);
    this.#sending = item.id;
    try {
      const named = item.text || item.roll ? item : await this.#name(item);
      if (typeof named === "boolean") return named;
      return await this.#enter(named);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (UNSEATED.includes(error.status) && (await this.#on.left())) return false;
      if (!error.temporary) return this.#refuse(item, { detail: error.message });
      if (!item.late) this.#outbox.change(item.id, { late: true });
      this.#retryLater(error);
      return false;
    } finally {
      clearTimeout(watch);
      this.#sending = null;
      this.#slow = false;
    }
  }

  /**
   * Find out which move the taps without guidance mean. The id is stored, so that a retry is the
   * same request.
   *
   * @type {(item: OutboxItem) => Promise<OutboxItem | boolean>}
   */
  async #name(item) {
    const hint = await getHint(this.#match, item.picks ?? [], item.seat);
    if (item.base !== null && hint.version !== item.base) return this.#refuse(item, { stale: true, missed: [] });
    if (hint.verdict === "illegal") return this.#refuse(item, { detail: hint.message, clause: hint.clause });
    if (hint.verdict === "incomplete") return this.#refuse(item, { detail: UNCLEAR });
    this.#outbox.change(item.id, { text: hint.text, base: hint.version });
    return { ...item, text: hint.text, base: hint.version };
  }

  /** @type {(item: OutboxItem) => Promise<boolean>} */
  async #enter(item) {
    const { id, seat, text, roll, base, unsure } = item;
    const event = roll ? { roll: true, seat, id } : { text: withSeat(text ?? "", seat), id, ...(unsure ? { unsure } : {}) };
    const body = { events: [event], ...(base === null ? {} : { expected: base }) };
    try {
      const frame = await postMoves(this.#match, body);
      const { version } = addressOf(frame);
      this.#failures = this.#pauses = 0;
      if (this.#outbox.isCancelled(id)) return await this.#takeBack(item, frame);
      this.#outbox.done(id, version);
      this.#on.stored(item, version, frame);
      return true;
    } catch (error) {
      if (!(error instanceof HttpError) || error.temporary || UNSEATED.includes(error.status)) throw error;
      this.#failures = this.#pauses = 0;
      if (error.status === 412 && !this.#outbox.isCancelled(id)) return this.#redo(item, error.problem);
      const { clause, squares } = error.problem;
      return this.#refuse(item, { detail: error.message, clause, squares });
    }
  }

  /**
   * Take back a move that was undone on its way. If others have moved since, it stands, and what was
   * entered behind it waits for its author.
   *
   * @type {(item: OutboxItem, frame: HTMLElement) => Promise<boolean>}
   */
  async #takeBack({ id, base }, frame) {
    /** @type {Controls} */
    const { ply, version } = dataOf(frame, "record-controls");
    if (base !== null && version === base + 1) {
      const { version: then } = await post(`/matches/${this.#match}/takeback`, { ply: ply - 1, expected: version });
      this.#outbox.done(id, then);
      this.#on.advanced(then);
    } else {
      this.#outbox.discard(id);
      this.#on.advanced(version, frame);
    }
    return true;
  }

  /**
   * Resolve an item whose version is outdated. The same move counts as sent; any other move stays
   * until its author has seen what happened.
   *
   * @type {(item: OutboxItem, problem: Problem) => Promise<boolean>}
   */
  async #redo(item, { version = 0, missed = [] }) {
    if (missed.length && isSame(item, missed[0])) {
      this.#outbox.done(item.id, version);
      this.#on.stored(item, version);
      return true;
    }
    if ((item.secret || item.apart) && (await this.#sameTurn(item))) {
      this.#outbox.change(item.id, { base: version });
      return true;
    }
    return this.#refuse(item, { stale: true, missed: missed.map(({ what }) => what), seat: missed[0]?.event.seat });
  }

  /**
   * Return whether the seat of an item must still act in the item's turn: then another player's
   * entry does not outdate a secret move or a number on a sheet.
   *
   * @type {(item: OutboxItem) => Promise<boolean>}
   */
  async #sameTurn({ turn, seat }) {
    const { turn: now, awaiting } = await get(`/matches/${this.#match}`);
    return turn === now && awaiting.some((/** @type {{ seat: number, must: boolean }} */ one) => one.seat === seat && one.must);
  }

  /**
   * Stop at a refused item until its author decides. An item that was undone is dropped.
   *
   * @type {(item: OutboxItem, problem: OutboxProblem) => boolean}
   */
  #refuse(item, problem) {
    if (this.#outbox.isCancelled(item.id)) {
      this.#outbox.done(item.id, item.base);
      return true;
    }
    this.#outbox.change(item.id, { state: "refused", problem });
    this.#on.refused(item, problem);
    return false;
  }

  /** @type {(error: HttpError) => void} */
  #retryLater({ status, pause }) {
    const grown = status === 429 ? TOO_MANY : PAUSES[Math.min(this.#pauses, PAUSES.length - 1)];
    this.#failures += 1;
    this.#pauses += 1;
    this.#timer = setTimeout(() => this.kick(), pause ?? grown);
  }
}

/**
 * Put the seat in front of a text, so that the text cannot count for another seat that is awaited
 * by then.
 *
 * @type {(text: string, seat: number | null) => string}
 */
function withSeat(text, seat) {
  return seat && !/^\d:/.test(text) ? `${seat}:${text}` : text;
}

/**
 * Tell whether an event is what an item holds: the same move of the same seat, or a roll. Both were
 * entered upon the same version.
 *
 * @type {(item: OutboxItem, logged: LoggedEvent) => boolean}
 */
function isSame({ seat, text, roll }, { text: stored, event }) {
  if (stored === null) return false;
  if (roll) return stored.startsWith("roll=") && (seat ?? event.seat) === event.seat;
  return [stored, withSeat(stored, event.seat ?? null)].includes(withSeat(text ?? "", seat));
}
