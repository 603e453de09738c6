/**
 * A match on a page: the frame that is shown, and news of it. Recording and following both stand
 * on this; they differ in what they do with a new frame.
 */

import { addressOf, dataOf, headOf, show } from "./frames.js";
import { follow } from "./live.js";

/** The parts of the page by their `data-part`. */
export function partsOf(root) {
  return Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
}

/**
 * Shows the head of a match as it moves on. `on` has `shown(frame)`, called for each, and perhaps
 * `walking()` before the pictures on the way to one and `tick(now)` while its clock runs.
 */
export class Table {
  #root;
  #parts;
  #on;
  #running = null;
  #wanted = 0;

  constructor(root, on) {
    this.#root = root;
    this.#parts = partsOf(root);
    this.#on = on;
    this.#told();
  }

  get frame() {
    return this.#parts.stage.querySelector("article.frame");
  }

  get match() {
    return this.#root.dataset.match;
  }

  get version() {
    return addressOf(this.frame).version;
  }

  /** Follow the match from here on. */
  follow() {
    return follow(this.match, this.version, (version, beside) => {
      if (beside || version > this.version) this.refresh(version);
    });
  }

  /** Fetch the head, which has some version by now, and show it; one fetch serves all who wait. */
  refresh(version = 0) {
    this.#wanted = Math.max(this.#wanted, version);
    this.#running ??= this.#refreshed().finally(() => (this.#running = null));
    return this.#running;
  }

  async #refreshed() {
    do {
      let frame;
      try {
        frame = await headOf(this.match);
      } catch {
        return;
      }
      if (addressOf(frame).version < this.version) return;
      if (addressOf(frame).steps) this.#on.walking?.();
      await show(this.#parts.stage, frame);
      announce(this.#parts.news, frame);
      this.#told();
    } while (this.#wanted > this.version);
  }

  /** Clocks are loaded where a match has any. */
  async #clock(data, over) {
    try {
      const ticking = await import("./clocks.js");
      ticking.show(this.#parts.players, data, over, this.#on.tick);
    } catch {
      // The next frame brings them, if they can be loaded by then.
    }
  }

  #told() {
    const { frame } = this;
    turn(this.#parts.players, frame);
    for (const way of this.#parts.ways.querySelectorAll("[href*='/replay']")) way.hash = frame.dataset.ply;
    const clocks = dataOf(frame, "clocks");
    if (clocks) this.#clock(clocks, "over" in frame.dataset);
    this.#on.shown(frame);
  }
}

/** Mark who is awaited in a frame that is shown. */
function turn(players, frame) {
  const awaited = new Set(frame.dataset.awaited.split(","));
  for (const player of players.children) {
    const due = awaited.has(player.dataset.seat);
    player.classList.toggle("is-awaited", due);
    if (due) player.setAttribute("aria-current", "true");
    else player.removeAttribute("aria-current");
  }
}

/** Tell people who hear the page what happened and who is to move. */
function announce(news, frame) {
  const parts = [".told", ".standing"].map((part) => frame.querySelector(part)?.textContent.trim());
  news.textContent = parts.filter(Boolean).join(". ");
}
