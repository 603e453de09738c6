/** The list of a match in play: fetched again when the match has changed, here or elsewhere. */

import { button, find, findAll } from "../shared/elements.js";
import { getHtml } from "../shared/http.js";
import { showLocalTimes } from "./captions.js";

export class MoveList {
  #root;
  #player;
  #query;
  #list;
  #running = Promise.resolve();
  #unseen = 0;

  /**
   * @param {HTMLElement} root
   * @param {import("./player.js").Player} player
   * @param {string} query of the version that is read; empty for the match as it stands
   */
  constructor(root, player, query) {
    this.#root = root;
    this.#player = player;
    this.#query = query;
    this.#list = find(root, "[data-player=list]");
    root.addEventListener("going", () => this.#player.here.ends && this.#unseen && this.#offer(0));
  }

  /**
   * Fetch the list again and stay at the same move; with `onward`, go on with the match from its
   * end, or offer that. Calls run one at a time, because each counts the new moves.
   */
  refresh = (onward = false) => {
    this.#running = this.#running.then(() => this.#refresh(onward)).catch(() => {});
    return this.#running;
  };

  /**
   * Show a warning; without words, remove it.
   *
   * @param {string} words
   */
  warn(words) {
    const notice = find(this.#root, "[data-part=fresh]");
    if (words) notice.textContent = words;
    else if (notice.textContent && !notice.firstElementChild) notice.textContent = "";
  }

  /** @param {boolean} onward */
  async #refresh(onward) {
    const before = this.#stops().length;
    await this.#fetch();
    const { ends, element } = this.#player.here;
    await this.#player.refresh();
    const more = this.#stops().length - before;
    if (more < 0) this.#offer(0);
    if (more <= 0 || !onward) return;
    if (ends && element.dataset.line === "") this.#toEnd();
    else this.#offer(this.#unseen + more);
  }

  async #fetch() {
    const address = `/m/${this.#root.dataset.match}/replay/moves${this.#query}`;
    const fresh = await getHtml(address).catch(() => null);
    if (!fresh) return;
    this.#keepAddresses(fresh);
    showLocalTimes(fresh);
    find(this.#list, "ol").replaceChildren(...fresh.childNodes);
  }

  /**
   * Moves that stay where they were keep the address under which their picture is cached.
   *
   * @param {HTMLElement} fresh
   */
  #keepAddresses(fresh) {
    for (const stop of findAll(fresh, "[data-line]")) {
      const old = this.#list.querySelector(`[id="${stop.id}"]`)?.dataset;
      const same = old && old.match === stop.dataset.match && old.since === stop.dataset.since;
      if (same) stop.dataset.version = old.version;
    }
  }

  /** The stops of the main line. */
  #stops() {
    return findAll(this.#list, '[data-line=""]');
  }

  #toEnd() {
    this.#player.visit(this.#stops().at(-1)?.id ?? "");
  }

  /**
   * Offer to go to new moves.
   *
   * @param {number} unseen
   */
  #offer(unseen) {
    this.#unseen = unseen;
    const words = unseen === 1 ? "1 new move" : `${unseen} new moves`;
    const go = button(`${words} ›`, () => (this.#toEnd(), this.#offer(0)), { class: "button" });
    find(this.#root, "[data-part=fresh]").replaceChildren(...(unseen ? [go] : []));
  }
}
