/**
 * Updates of a match in play: through the server's stream or, if that cannot be opened, by asking
 * every few seconds.
 *
 *   follow(match, version, (version, annotated) => …, (reached) => …, () => …)
 *
 * reports a version newer than the last, or (`annotated`) that names or annotations changed,
 * whether the server can be reached, and each end of a stream: the caller's link may be replaced.
 */

import { get, HttpError } from "../shared/http.js";
import { prefix } from "../shared/prefix.js";

const EVERY = 4000;
const MOST_FAILURES = 3;

/**
 * Report news for as long as the page is open.
 *
 * @type {(match: string, version: number, report: Report, reached?: (yes: boolean) => void, ended?: () => void) => void}
 */
export function follow(match, version, report, reached, ended) {
  new Follower(match, version, report, reached, ended);
}

/** @typedef {(version: number, annotated?: boolean) => void} Report */

class Follower {
  #match;
  #version;
  #report;
  #reached;
  #ended;
  /** @type {EventSource | null} */
  #stream = null;
  #failures = 0;
  #timer = 0;
  /** The last names and annotations. A stream that resumes may repeat them. */
  #notes = "";
  #opened = 0;

  /**
   * @param {string} match
   * @param {number} version
   * @param {Report} report
   * @param {(yes: boolean) => void} [reached]
   * @param {() => void} [ended]
   */
  constructor(match, version, report, reached, ended) {
    this.#match = match;
    this.#version = version;
    this.#report = report;
    this.#reached = reached;
    this.#ended = ended;
    this.#open();
    addEventListener("offline", () => reached?.(false));
    addEventListener("online", () => this.#reopen());
    document.addEventListener("visibilitychange", () => document.hidden || this.#reopen());
  }

  #open() {
    if (!("EventSource" in window)) return this.#poll();
    const stream = new EventSource(`${prefix}/matches/${this.#match}/stream?after=${this.#version}&brief=true`);
    this.#stream = stream;
    stream.onopen = () => {
      this.#failures = 0;
      this.#opened += 1;
      this.#reached?.(true);
    };
    for (const kind of ["advanced", "standing"]) {
      stream.addEventListener(kind, (message) => this.#advance(JSON.parse(message.data).version));
    }
    // A change of names or annotations has no new version, but changes the page.
    stream.addEventListener("notes", ({ data }) => {
      const { resumed, ...now } = JSON.parse(data);
      const notes = JSON.stringify(now);
      const known = resumed && (notes === this.#notes || (this.#opened === 1 && !now.rematch));
      this.#notes = notes;
      if (!known) this.#report(this.#version, true);
    });
    stream.addEventListener("people", () => this.#report(this.#version, true));
    stream.addEventListener("led", ({ data }) => dispatchEvent(new CustomEvent("led", { detail: JSON.parse(data).lead })));
    stream.onerror = () => this.#fail(stream);
  }

  /**
   * Count the failure; the browser tries again, unless the server refused for good.
   *
   * @type {(stream: EventSource) => void}
   */
  #fail(stream) {
    this.#failures += 1;
    if (this.#reached) this.#ask();
    this.#ended?.();
    if (stream.readyState !== EventSource.CLOSED && this.#failures < MOST_FAILURES) return;
    stream.close();
    this.#stream = null;
    this.#poll();
  }

  /** Ask every few seconds: without a stream always, beside a stream until the network is back. */
  #poll() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      await this.#ask();
      if (!this.#stream) this.#poll();
    }, EVERY);
  }

  async #ask() {
    try {
      this.#advance((await get(`/matches/${this.#match}/events?after=${this.#version}`)).version);
      this.#reached?.(true);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status) return;
      this.#reached?.(false);
      // An open stream does not tell when the network is back.
      this.#poll();
    }
  }

  /** The network is back, or the page is visible again: a stream may have ended unnoticed. */
  #reopen() {
    if (this.#stream?.readyState === EventSource.OPEN) return this.#ask();
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#failures = 0;
    this.#open();
    this.#ask();
  }

  /** @type {(version: number) => void} */
  #advance(version) {
    if (version <= this.#version) return;
    this.#version = version;
    this.#report(version);
  }
}
