/**
 * Sends what is in the outbox: one after the other, each upon the version it was meant for, again
 * and again until the server has answered, and never past something that was refused.
 */

const PAUSES = [1000, 2000, 4000, 8000, 15000, 30000];

/** Something that tells how it goes by `told(event, facts)`: "stored", "refused" or "state". */
export class Sender {
  #match;
  #outbox;
  #told;
  #busy = false;
  #failures = 0;
  #timer = 0;

  constructor(match, outbox, told) {
    this.#match = match;
    this.#outbox = outbox;
    this.#told = told;
    addEventListener("online", () => this.kick());
    addEventListener("focus", () => this.kick());
    addEventListener("pageshow", () => this.kick());
    document.addEventListener("visibilitychange", () => document.hidden || this.kick());
  }

  /** Whether the server could not be reached the last time. */
  get unreached() {
    return this.#failures > 0;
  }

  get busy() {
    return this.#busy;
  }

  /** Send now what waits, unless that is under way. */
  async kick() {
    clearTimeout(this.#timer);
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#outbox.first?.state === "waiting" && (await this.#send(this.#outbox.first)));
    } finally {
      this.#busy = false;
      this.#told("state");
    }
  }

  /** Send an item; tells whether to go on with the next. */
  async #send(item) {
    try {
      const named = item.token || item.roll ? item : await this.#named(item);
      if (!named) return false;
      return await this.#entered(named);
    } catch (error) {
      if (!(error instanceof Later)) throw error;
      if (!item.late) this.#outbox.change(item.id, { late: true });
      this.#later(error.pause);
      return false;
    }
  }

  /** Find out which move taps without guidance mean. It is kept, so that a retry is the same. */
  async #named(item) {
    const query = new URLSearchParams({ picks: item.picks.join(","), ...(item.seat ? { seat: item.seat } : {}) });
    const answer = await reach(`/matches/${this.#match}/hints?${query}`);
    const hint = await answer.json();
    if (!answer.ok) return this.#refused(item, { detail: hint.detail });
    if (item.base !== null && hint.version !== item.base) return this.#stale(item, hint.version);
    if (hint.verdict === "illegal") return this.#refused(item, { detail: hint.message, clause: hint.clause });
    if (hint.verdict === "incomplete") return this.#refused(item, { detail: UNCLEAR });
    this.#outbox.change(item.id, { token: hint.token, base: hint.version });
    return { ...item, token: hint.token, base: hint.version };
  }

  async #entered(item) {
    const { id, seat, token, roll, base } = item;
    const event = roll ? { roll: true, seat, id } : { token: withSeat(token, seat), id };
    const body = { events: [event], ...(base === null ? {} : { expected: base }) };
    const answer = await reach(`/matches/${this.#match}/events`, body);
    const facts = await answer.json();
    this.#failures = 0;
    if (answer.ok) {
      this.#outbox.done(id, facts.version);
      this.#told("stored", facts);
      return true;
    }
    if (answer.status === 412) return this.#stale(item, facts.version, facts.missed);
    return this.#refused(item, { detail: facts.detail, clause: facts.clause, squares: facts.squares });
  }

  /** Somebody else was quicker: the item stays until its author has looked at what happened. */
  async #stale(item, version, missed) {
    if (item.secret && (await this.#sameTurn(item))) {
      this.#outbox.change(item.id, { base: version });
      return true;
    }
    return this.#refused(item, { stale: true, missed: (missed ?? []).map(({ what }) => what) });
  }

  /** A program is not out of date because the other player has sealed one meanwhile. */
  async #sameTurn({ turn, seat }) {
    const answer = await reach(`/matches/${this.#match}`);
    const { turn: now, awaiting } = await answer.json();
    return turn === now && awaiting.some((one) => one.seat === seat && one.must);
  }

  #refused(item, problem) {
    this.#outbox.change(item.id, { state: "refused", problem });
    this.#told("refused", { item, problem });
    return false;
  }

  #later(pause) {
    const wait = pause ?? PAUSES[Math.min(this.#failures, PAUSES.length - 1)];
    this.#failures += 1;
    this.#timer = setTimeout(() => this.kick(), wait);
  }
}

const UNCLEAR = "this can mean several moves";

/** The server did not answer, or asks to come back. */
class Later extends Error {
  constructor(pause) {
    super("later");
    this.pause = pause;
  }
}

async function reach(address, body) {
  let answer;
  try {
    answer = await fetch(address, body ? posted(body) : {});
  } catch {
    throw new Later();
  }
  if (answer.status === 429) throw new Later(1000 * Number(answer.headers.get("Retry-After") ?? 5));
  if (answer.status >= 500) throw new Later();
  return answer;
}

function posted(body) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** A token with its seat in front, so that it is of nobody else whoever is awaited by then. */
function withSeat(token, seat) {
  return seat && !/^\d:/.test(token) ? `${seat}:${token}` : token;
}
