/**
 * A match on a page: its frame, and news of it. Recording and following both use this; they differ
 * in what they do with a new frame.
 */

import { addressOf, dataOf, headOf, isWalk, swap, timed, walk } from "../board/frames.js";
import { find, findAll, partsOf } from "../shared/elements.js";
import { follow } from "./live_updates.js";

/**
 * Shows the head of a match as it moves on. `on` has `shown(frame)`, called for each, and perhaps
 * `walking(frame)` before the pictures on the way to one, which returns how long each is shown
 * (`walk` of board/frames.js), and `tick(now)` while its clock runs.
 */
export class MatchView {
  #root;
  #parts;
  #on;
  /** @type {Promise<void> | null} */
  #running = null;
  #wanted = 0;

  /**
   * @param {HTMLElement} root
   * @param {{ shown: (frame: HTMLElement) => void, walking?: (frame: HTMLElement) => (step: number) => Promise<boolean>, tick?: (now: number) => void }} on
   */
  constructor(root, on) {
    this.#root = root;
    this.#parts = partsOf(root);
    this.#on = on;
    this.#shown();
  }

  get frame() {
    return find(this.#parts.stage, "article.frame");
  }

  get match() {
    return this.#root.dataset.match ?? "";
  }

  get version() {
    return addressOf(this.frame).version;
  }

  /** Follow the match from here on. */
  follow() {
    follow(this.match, this.version, (version, annotated) => {
      if (annotated || version > this.version) this.refresh(version);
    });
  }

  /**
   * Fetch and show the head, which has this version by now; calls at the same time share a fetch.
   *
   * @type {(version?: number) => Promise<void>}
   */
  refresh(version = 0) {
    this.#wanted = Math.max(this.#wanted, version);
    this.#running ??= this.#fetch().finally(() => (this.#running = null));
    return this.#running;
  }

  async #fetch() {
    do {
      let frame;
      try {
        frame = await headOf(this.match);
      } catch {
        return;
      }
      if (addressOf(frame).version < this.version) return;
      if (isWalk(this.frame, frame)) await this.#walk(frame);
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
    const head = this.frame;
    await this.#walk(frame);
    this.#show(head);
    if (this.#wanted > this.version) await this.#fetch();
  }

  /** @type {(frame: HTMLElement) => Promise<void>} */
  #walk(frame) {
    const { stage } = this.#parts;
    return walk(stage, frame, this.#on.walking?.(frame) ?? timed(stage));
  }

  /** @type {(frame: HTMLElement) => void} */
  #show(frame) {
    swap(this.#parts.stage, frame);
    this.#shown();
  }

  /**
   * Clocks are loaded where a match has any.
   *
   * @type {(data: ClockData, over: boolean) => Promise<void>}
   */
  async #clock(data, over) {
    try {
      const ticking = await import("./clocks.js");
      ticking.show(this.#parts.players, data, over, this.#on.tick);
    } catch {
      // The next frame brings them, if they can be loaded by then.
    }
  }

  #shown() {
    const { frame } = this;
    showPlayers(this.#parts.players, frame);
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
 * Announce to screen readers what happened and who is to move.
 *
 * @type {(news: HTMLElement, frame: HTMLElement) => void}
 */
function announce(news, frame) {
  const parts = [".told", ".standing"].map((part) => frame.querySelector(part)?.textContent?.trim());
  news.textContent = parts.filter(Boolean).join(". ");
}
