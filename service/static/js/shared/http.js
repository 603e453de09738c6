/**
 * Requests to the server. Every request of a page is made here, but for the stream of live updates
 * and the pictures that the browser loads by itself. The cookie of the caller goes along. Addresses
 * are paths as the API names them; the prefix is added here.
 */

import { prefix } from "./prefix.js";

export const NO_NETWORK = "No network just now; try again in a moment";

/** The server refused, or did not answer. `message` is the sentence to show to people. */
export class HttpError extends Error {
  /**
   * @param {string} message
   * @param {number} status the status of the answer, 0 where there is none
   * @param {Problem} problem the members of the `application/problem+json`
   * @param {number | null} pause how many milliseconds the server asks to wait, if it says so
   */
  constructor(message, status = 0, problem = {}, pause = null) {
    super(message);
    this.status = status;
    this.problem = problem;
    this.pause = pause;
  }

  /** Whether the same request may succeed later: no network, too many requests, a server in trouble. */
  get temporary() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Fetch JSON. Rejects `HttpError`, as do all that follow.
 *
 * @param {string} address
 * @param {RequestCache} [cache] "force-cache" takes an earlier answer, however old
 */
export async function get(address, cache) {
  return json(await request(address, { cache }));
}

/**
 * Fetch a part of a page. It does not accept `text/html`: then a problem would be a page, too.
 *
 * @param {string} address
 */
export async function getHtml(address) {
  return html(await request(address));
}

/**
 * Post JSON, and return a part of a page.
 *
 * @type {(address: string, body: unknown) => Promise<HTMLElement>}
 */
export async function postHtml(address, body) {
  const headers = { "Content-Type": "application/json" };
  return html(await request(address, { method: "POST", body: JSON.stringify(body), headers }));
}

/**
 * Fetch a file as text.
 *
 * @param {string} address
 */
export async function getText(address) {
  return text(await request(address));
}

/** @type {(answer: Response) => Promise<HTMLElement>} */
async function html(answer) {
  return new DOMParser().parseFromString(await text(answer), "text/html").body;
}

/**
 * Post JSON; however often it is tried, it is stored once; see `postText`.
 *
 * @param {string} address
 * @param {unknown} [body]
 * @param {string} [key] the Idempotency-Key of a request that outlasts its page
 */
export function post(address, body, key) {
  return postText(address, "application/json", JSON.stringify(body), key);
}

/** @type {Map<string, string>} The keys of requests that were not answered, by what was posted. */
const unanswered = new Map();

/**
 * Post a text. A request without an answer may have arrived all the same: the same text posted
 * again has the same Idempotency-Key, so that the server does it once.
 *
 * @param {string} address
 * @param {string} type
 * @param {string} body
 * @param {string} [given] the key, if its author has one
 * @param {BodyInit} [bytes] what is sent, if the text stands for a file
 */
export async function postText(address, type, body, given, bytes = body) {
  const posted = `${address}\n${body}`;
  const key = given ?? unanswered.get(posted) ?? newKey();
  unanswered.set(posted, key);
  try {
    const facts = await send("POST", address, bytes, { "Content-Type": type, "Idempotency-Key": key });
    unanswered.delete(posted);
    return facts;
  } catch (error) {
    if (error instanceof HttpError && error.status && error.status < 500) unanswered.delete(posted);
    throw error;
  }
}

/**
 * Post the events of a match, which have ids of their own instead of a key.
 *
 * @param {string} match
 * @param {unknown} body
 */
export function postEvents(match, body) {
  return sendJson("POST", `/matches/${match}/events`, body);
}

/**
 * Post the events of a match, and return the board after them.
 *
 * @type {(match: string, body: unknown) => Promise<HTMLElement>}
 */
export async function postMoves(match, body) {
  const answered = await postHtml(`/m/${match}/events`, body);
  /** @type {HTMLElement | null} */
  const frame = answered.querySelector("article.frame");
  // A proxy on the way may have answered.
  if (frame?.dataset.match !== match) throw new HttpError(NO_NETWORK);
  return document.adoptNode(frame);
}

/**
 * @param {string} address
 * @param {unknown} body
 * @param {boolean} [keepalive] whether the request outlasts its page
 */
export function put(address, body, keepalive) {
  return sendJson("PUT", address, body, keepalive);
}

/**
 * @param {string} address
 * @param {unknown} body
 */
export function patch(address, body) {
  return sendJson("PATCH", address, body);
}

/** @param {string} address */
export function remove(address) {
  return send("DELETE", address);
}

/**
 * Accept an invitation for the cookie it gives, without going where it leads.
 *
 * @param {string} match
 * @param {string} token
 */
export async function join(match, token) {
  await reach(`/join/${match}/${token}`, { redirect: "manual" });
}

/** @type {(method: string, address: string, body: unknown, keepalive?: boolean) => Promise<any>} */
function sendJson(method, address, body, keepalive) {
  return send(method, address, JSON.stringify(body), { "Content-Type": "application/json" }, keepalive);
}

/** @type {(method: string, address: string, body?: BodyInit, headers?: HeadersInit, keepalive?: boolean) => Promise<any>} */
async function send(method, address, body, headers, keepalive) {
  return json(await request(address, { method, body, headers, keepalive }));
}

/** @type {(address: string, options?: RequestInit) => Promise<Response>} */
async function request(address, options) {
  const answer = await reach(address, options);
  if (answer.ok) return answer;
  const { status } = answer;
  /** @type {Problem} */
  const problem = await answer.json().catch(() => ({}));
  throw new HttpError(sentenceOf(status, problem), status, problem, pauseOf(answer));
}

/** @type {(address: string, options?: RequestInit) => Promise<Response>} */
function reach(address, options) {
  return fetch(prefix + address, options).catch(() => {
    throw new HttpError(NO_NETWORK);
  });
}

/** @type {(status: number, problem: Problem) => string} */
function sentenceOf(status, { detail }) {
  if (status === 412) return "Another device was quicker; look at what happened, then try again";
  return detail ?? `The server answers ${status}`;
}

/** @type {(answer: Response) => number | null} */
function pauseOf(answer) {
  const seconds = Number(answer.headers.get("Retry-After") ?? NaN);
  return Number.isNaN(seconds) ? null : 1000 * seconds;
}

/** An answer that breaks off, or comes from a proxy on the way, counts as no answer. */
async function json(/** @type {Response} */ answer) {
  const written = await text(answer);
  try {
    return written ? JSON.parse(written) : {};
  } catch {
    throw new HttpError(NO_NETWORK);
  }
}

/** @type {(answer: Response) => Promise<string>} */
function text(answer) {
  return answer.text().catch(() => {
    throw new HttpError(NO_NETWORK);
  });
}

/** A key that nobody guesses, and nobody else has. Pages on plain http have no `crypto.randomUUID`. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
