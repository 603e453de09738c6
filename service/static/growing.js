/** The list of a match that goes on: fetched anew when something was done, here or elsewhere. */

import { button } from "./elements.js";
import { localTimes } from "./telling.js";

/** Let the list of a player grow; `query` is of the version that is read, empty for what stands. */
export function growing(root, player, query) {
  return new Growing(root, player, query);
}

class Growing {
  #root;
  #player;
  #query;
  #list;
  #running = Promise.resolve();
  #unseen = 0;

  constructor(root, player, query) {
    this.#root = root;
    this.#player = player;
    this.#query = query;
    this.#list = root.querySelector("[data-player=list]");
    root.addEventListener("going", ({ detail }) => detail.ends && this.#unseen && this.#offer(0));
  }

  /**
   * Fetch the list again and stay where one is; `onward`, go on with the match if one was at its
   * end, else offer to. One after the other, as each counts what is new.
   */
  refresh = (onward = false) => {
    this.#running = this.#running.then(() => this.#refresh(onward)).catch(() => {});
    return this.#running;
  };

  /** Say what is wrong with the page, or with no words that it is well again. */
  warn(words) {
    const told = this.#root.querySelector("[data-part=fresh]");
    if (words) told.textContent = words;
    else if (told.textContent && !told.firstElementChild) told.textContent = "";
  }

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
    const answer = await fetch(`/m/${this.#root.dataset.match}/replay/moves${this.#query}`);
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
    this.#keepAddresses(fresh);
    localTimes(fresh);
    this.#list.querySelector("ol").replaceChildren(...fresh.childNodes);
  }

  /** What stands where it stood keeps the address by which its picture was fetched. */
  #keepAddresses(fresh) {
    for (const stop of fresh.querySelectorAll("[data-line]")) {
      const old = this.#list.querySelector(`[id="${stop.id}"]`)?.dataset;
      const same = old && old.match === stop.dataset.match && old.since === stop.dataset.since;
      if (same) stop.dataset.version = old.version;
    }
  }

  /** The stops of the main line. */
  #stops() {
    return [...this.#list.querySelectorAll('[data-line=""]')];
  }

  #toEnd() {
    this.#player.visit(this.#stops().at(-1).id);
  }

  /** Offer to go to so many moves that are new. */
  #offer(unseen) {
    this.#unseen = unseen;
    const words = unseen === 1 ? "1 new move" : `${unseen} new moves`;
    const go = button(`${words} ›`, () => (this.#toEnd(), this.#offer(0)), { class: "button" });
    this.#root.querySelector("[data-part=fresh]").replaceChildren(...(unseen ? [go] : []));
  }
}
