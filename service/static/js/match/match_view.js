/**
 * A match on a page: its frame, and updates of it. Recording and following both use this; they
 * differ in what they do with a new frame.
 */

import { addressOf, dataOf, fillUnchanged, frameAt, headOf, isStill, isWalk, slide, swap, timed, walk } from "../board/frames.js";
import { rememberWatched } from "../shared/device_memory.js";
import { find, findAll, partsOf } from "../shared/elements.js";
import { HttpError } from "../shared/http.js";
import { follow } from "./live_updates.js";

/**
 * Shows the head of a match as it moves on. `on` has `shown(frame)`, called for each, and perhaps
 * `walking(frame)` before the pictures on the way to one, which returns how long each is shown
 * (`walk` of board/frames.js), `tick(now)` while its clock runs, and `entering()`, which tells
 * whether a move is on its way. A page whose `entering` returns true calls `catchUp` when the move
 * has arrived. `ahead(frame)` returns what to show instead of the server's latest frame, and
 * `reached(yes)` is called with whether the server answers.
 */
export class MatchView {
  /** Whether this device may no longer show the page: it is loaded again, and says why. */
  left = false;
  #root;
  #parts;
  #on;
  /** @type {Promise<void> | null} */
  #running = null;
  #wanted = 0;
  /** @type {HTMLElement | null} A frame that came with an answer, and is not shown yet. */
  #given = null;
  /** @type {HTMLElement} The latest frame of the server; what is shown may be ahead of it. */
  #stored;

  /**
   * @param {HTMLElement} root
   * @param {{ shown: (frame: HTMLElement) => void, entering?: () => boolean, walking?: (frame: HTMLElement) => (step: number) => Promise<boolean>, tick?: (now: number) => void, ahead?: (frame: HTMLElement) => HTMLElement, reached?: (yes: boolean) => void }} on
   */
  constructor(root, on) {
    this.#root = root;
    this.#parts = partsOf(root);
    this.#on = on;
    this.#stored = this.frame;
    this.#shown();
  }

  get frame() {
    return find(this.#parts.stage, "article.frame");
  }

  get match() {
    return this.#root.dataset.match ?? "";
  }

  /** The version that is stored, as far as this page knows. */
  get version() {
    return addressOf(this.#stored).version;
  }

  /** Follow the match from here on. */
  follow() {
    follow(this.match, this.version, (version, annotated) => {
      this.#wanted = Math.max(this.#wanted, version);
      // A move that is being sent is answered with its board; the news of the move often comes
      // first.
      if (annotated || (version > this.version && !this.#on.entering?.())) this.refresh(version);
    }, this.#on.reached, () => this.refresh());
    this.#playLast();
    document.addEventListener("visibilitychange", () => this.#playLast());
  }

  /** Show how the last turn was played, unless this device has shown it already. */
  #playLast() {
    const frame = this.#stored;
    const { match, version, ply } = addressOf(frame);
    const from = Number(frame.dataset.movedFrom);
    if (frame !== this.frame || isStill() || !rememberWatched(match, version) || from === ply) return;
    frameAt({ match, version, ply: from }).then((before) => (frame === this.frame ? slide(before, frame) : undefined), () => {});
  }

  /**
   * Show the head, which is at least at this version: the given frame, or else a fetched frame.
   * Calls at the same time share a fetch.
   *
   * @type {(version?: number, frame?: HTMLElement | null) => Promise<void>}
   */
  refresh(version = 0, frame = null) {
    this.#wanted = Math.max(this.#wanted, version);
    this.#given = frame ?? this.#given;
    this.#running ??= this.#fetch().finally(() => (this.#running = null));
    return this.#running;
  }

  /**
   * Return the frame that came with an answer, if it is newer than the board and can be completed.
   *
   * @returns {HTMLElement | null}
   */
  #takeGiven() {
    const given = this.#given;
    this.#given = null;
    if (!given || addressOf(given).version <= this.version || !fillUnchanged(given, this.#stored)) return null;
    // The device keeps fetched boards; this board was not fetched, so it must be told.
    navigator.serviceWorker?.controller?.postMessage({ match: this.match, board: given.outerHTML });
    return given;
  }

  /** Load the page again, as it is for the rights that this device has now. */
  #leave() {
    this.left = true;
    location.reload();
  }

  /** Show a newer board if a newer version is known. */
  catchUp() {
    if (this.#wanted > this.version) this.refresh();
  }

  async #fetch() {
    do {
      let frame = this.#takeGiven();
      try {
        frame ??= await headOf(this.match);
      } catch (error) {
        if (error instanceof HttpError && [401, 404].includes(error.status)) this.#leave();
        return;
      }
      // A page whose invitation was revoked only looks on from now on.
      if (dataOf(this.#stored, "record-controls") && !dataOf(frame, "record-controls")) return this.#leave();
      if (addressOf(frame).version < this.version) return;
      if (isWalk(this.#stored, frame)) await this.#walk(frame);
      this.#show(frame);
      announce(this.#parts.news, frame);
    } while (this.#wanted > this.version);
  }

  /**
   * Show once more the pictures that led to a frame, and then the head again.
   *
   * @type {(frame: HTMLElement) => Promise<void>}
   */
  watch(frame) {
    this.#running ??= this.#again(frame).finally(() => (this.#running = null));
    return this.#running;
  }

  /** @type {(frame: HTMLElement) => Promise<void>} */
  async #again(frame) {
    await this.#walk(frame);
    this.#show(this.#stored);
    if (this.#wanted > this.version) await this.#fetch();
  }

  /** @type {(frame: HTMLElement) => Promise<void>} */
  #walk(frame) {
    const { stage } = this.#parts;
    return walk(stage, frame, this.#on.walking?.(frame) ?? timed(stage));
  }

  /** @type {(frame: HTMLElement) => void} */
  #show(frame) {
    this.#stored = frame;
    if (!document.hidden) rememberWatched(this.match, this.version);
    this.#put(this.#on.ahead?.(frame) ?? frame);
  }

  /** @type {(frame: HTMLElement) => void} */
  #put(frame) {
    swap(this.#parts.stage, frame);
    this.#shown();
  }

  /** Show the board ahead of the stored board; return whether the board on the page changes. */
  lookAhead() {
    const frame = this.#on.ahead?.(this.#stored) ?? this.#stored;
    const other = frame !== this.frame;
    if (other) this.#put(frame);
    return other;
  }

  /**
   * Load and show the clocks of a match that has clocks.
   *
   * @type {(data: ClockData, over: boolean) => Promise<void>}
   */
  async #clock(data, over) {
    try {
      const ticking = await import("./clocks.js");
      ticking.show(this.#parts.players, data, over, this.#on.tick);
    } catch {
      // The next frame shows the clocks, if they can be loaded by then.
    }
  }

  #shown() {
    const { frame } = this;
    showPlayers(this.#parts.players, frame);
    const said = find(frame, ".said");
    if (said.scrollHeight > said.clientHeight + 1) import("./long_text.js").then(({ fit }) => fit(said), () => {});
    for (const link of findAll(this.#parts.ways, "[href*='/replay']")) {
      /** @type {HTMLAnchorElement} */ (link).hash = frame.dataset.ply ?? "";
    }
    const clocks = dataOf(frame, "clocks");
    if (clocks) this.#clock(clocks, "over" in frame.dataset);
    this.#on.shown(frame);
  }
}

/**
 * Show the players as a frame has them: names, scores, whose turn it is. The focus stays.
 *
 * @type {(players: HTMLElement, frame: HTMLElement) => void}
 */
function showPlayers(players, frame) {
  /** @type {HTMLTemplateElement | null} */
  const strip = frame.querySelector("template.strip");
  if (!strip || strip.innerHTML === players.innerHTML) return;
  const { name } = players.contains(document.activeElement) ? document.activeElement?.dataset ?? {} : {};
  players.replaceChildren(strip.content.cloneNode(true));
  if (name) players.querySelector(`[data-name="${name}"]`)?.focus();
}

/**
 * Announce to screen readers the last event and who is to move.
 *
 * @type {(news: HTMLElement, frame: HTMLElement) => void}
 */
function announce(news, frame) {
  const parts = [".told", ".standing"].map((part) => frame.querySelector(part)?.textContent?.trim());
  news.textContent = parts.filter(Boolean).join(". ");
}
