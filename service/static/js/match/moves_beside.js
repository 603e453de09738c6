/** The moves and comments of a match, fetched anew whenever its board has changed. */

import { find, findAll, make } from "../shared/elements.js";
import { getHtml, HttpError } from "../shared/http.js";
import { prefix } from "../shared/prefix.js";

const STYLE = new URL("../../css/moves.css", import.meta.url).href;
/** Moves in quick succession are fetched together. */
const PAUSE = 250;

export class MovesBeside {
  #match;
  #stage;
  #list;
  #timer = 0;
  #asked = 0;

  /** @param {HTMLElement} root the page of a match */
  constructor(root) {
    this.#match = root.dataset.match ?? "";
    this.#stage = find(root, "[data-part=stage]");
    this.#list = make("ol");
    document.head.append(make("link", { rel: "stylesheet", href: STYLE }));
    const box = make("div", { class: "list", tabindex: "0", role: "group", "aria-label": "All moves" }, this.#list);
    root.append(make("section", { class: "record", "aria-labelledby": "record" }, make("h2", { id: "record" }, "Moves"), box));
    const changed = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#fetch(), PAUSE);
    };
    new MutationObserver(changed).observe(this.#stage, { childList: true });
    this.#fetch();
  }

  async #fetch() {
    const asked = (this.#asked += 1);
    try {
      const found = await getHtml(`/m/${this.#match}/replay/moves`);
      if (asked === this.#asked) this.#show(found);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // the list comes with the next move
    }
  }

  /** @type {(found: HTMLElement) => void} */
  #show(found) {
    const box = /** @type {HTMLElement} */ (this.#list.parentElement);
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80 || !this.#list.firstChild;
    this.#list.replaceChildren(...found.childNodes);
    for (const link of /** @type {HTMLAnchorElement[]} */ (findAll(this.#list, "[data-line=''] > a"))) {
      link.href = `${prefix}/m/${this.#match}/replay#${link.parentElement?.id}`;
    }
    const { ply } = find(this.#stage, "article.frame").dataset;
    const here = this.#list.querySelector(`[data-line=''][id="${ply}"] > a`);
    here?.setAttribute("aria-current", "true");
    if (atEnd) box.scrollTop = box.scrollHeight;
  }
}
