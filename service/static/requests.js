/** Requests that are made at once or not at all, unlike moves, which wait in the outbox. */

export const NO_NETWORK = "No network just now; try again in a moment";

/** The server said no, or nothing. `message` is for people, `clause` the rule if there is one. */
export class Failed extends Error {
  constructor(message, clause, status = 0) {
    super(message);
    this.clause = clause;
    this.status = status;
  }
}

/** Fetch JSON. Rejects `Failed`. */
export function get(address) {
  return asked(address, {});
}

/** Post JSON. Rejects `Failed`. */
export function post(address, body) {
  return told(() => postOnce(address, "application/json", JSON.stringify(body)));
}

/**
 * Post something, and answer as `fetch` does. Nobody knows whether what was not answered has
 * arrived: posted again it has the same key, so that it is done once.
 */
export async function postOnce(address, type, body) {
  const what = `${address}\n${body}`;
  const key = unanswered.get(what) ?? newKey();
  unanswered.set(what, key);
  const headers = { "Content-Type": type, "Idempotency-Key": key };
  const answer = await fetch(address, { method: "POST", headers, body });
  if (answer.status < 500) unanswered.delete(what);
  return answer;
}

const unanswered = new Map();

/** A key that nobody guesses. Pages on plain http have no `crypto.randomUUID`. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Put JSON in the place of what is there. Rejects `Failed`. */
export function put(address, body) {
  return sent("PUT", address, body);
}

/** Change what is there by JSON. Rejects `Failed`. */
export function patch(address, body) {
  return sent("PATCH", address, body);
}

/** Delete what is there. Rejects `Failed`. */
export function remove(address) {
  return asked(address, { method: "DELETE" });
}

function sent(method, address, body) {
  return asked(address, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

function asked(address, how) {
  return told(() => fetch(address, how));
}

async function told(fetching) {
  let answer;
  try {
    answer = await fetching();
  } catch {
    throw new Failed(NO_NETWORK);
  }
  const facts = await answer.json().catch(() => ({}));
  if (answer.ok) return facts;
  if (answer.status === 412) throw new Failed("Somebody was quicker; look at what happened first", null, 412);
  throw new Failed(facts.detail ?? `The server answers ${answer.status}`, facts.clause, answer.status);
}
