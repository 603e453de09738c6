/**
 * The button that has the match analysed, ply by ply, with the progress and a way to stop. The
 * comments and the curve come from the server, as for every reader.
 */

import { button, find, make } from "../shared/elements.js";
import { getHtml, HttpError, post } from "../shared/http.js";

/** About how many seconds an analysis takes, if no position gets less or more than these bounds. */
const SECONDS = 30;
const [LEAST, MOST] = [0.1, 1];
const PART = "[data-part=analysis]";

/** @type {Analysis | null} */
let analysis = null;

/**
 * Analyse the match; the progress and a stop button are shown where the curve will be.
 *
 * @type {(root: HTMLElement, refresh: () => unknown) => void}
 */
export function analyse(root, refresh) {
  const part = find(root, PART);
  part.hidden = false;
  if (!analysis) part.append((analysis = new Analysis(root, part, refresh)).row);
  part.scrollIntoView({ block: "center" });
  analysis.run();
}

class Analysis {
  #root;
  #part;
  #refresh;
  #stopped = false;
  #told = make("p", { role: "status" });
  row = make("div", { class: "row" });

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} part
   * @param {() => unknown} refresh
   */
  constructor(root, part, refresh) {
    this.#root = root;
    this.#part = part;
    this.#refresh = refresh;
    this.#offer("");
  }

  /** @param {string} told */
  #offer(told) {
    this.#told.textContent = told;
    this.row.replaceChildren(button("Analyse", () => this.run(), { class: "button quiet", "data-analyse": "" }), this.#told);
  }

  async run() {
    if (this.row.querySelector("progress")) return;
    const count = Number(this.#part.dataset.last) + 1;
    const seconds = Math.min(MOST, Math.max(LEAST, SECONDS / count));
    const bar = /** @type {HTMLProgressElement} */ (make("progress", { max: String(count), value: "0", "aria-label": "Positions that were searched" }));
    this.#stopped = false;
    this.row.replaceChildren(bar, button("Stop", () => (this.#stopped = true), { class: "button quiet" }), this.#told);
    this.#told.textContent = "";
    try {
      for (let ply = 0; ply < count && !this.#stopped; ply++) {
        await this.#search(ply, Math.round(seconds * 100) / 100);
        bar.value = ply + 1;
      }
      await this.#show();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      this.#offer(error.message);
    }
  }

  /** @type {(ply: number, seconds: number) => Promise<void>} */
  async #search(ply, seconds) {
    try {
      await post(`/matches/${this.#root.dataset.match}/analysis`, { ply, seconds });
    } catch (error) {
      if (!(error instanceof HttpError) || !error.pause || this.#stopped) throw error;
      this.#told.textContent = "Waiting: the server is busy";
      await new Promise((resolve) => setTimeout(resolve, error.pause ?? 0));
      this.#told.textContent = "";
      if (!this.#stopped) await this.#search(ply, seconds);
    }
  }

  /** Show the new curve and the comments in the list of moves. */
  async #show() {
    const page = await getHtml(`/m/${this.#root.dataset.match}/replay`);
    const drawn = /** @type {HTMLElement | null} */ (page.querySelector(PART));
    this.#offer("");
    if (drawn) this.#part.replaceChildren(...drawn.childNodes, this.row);
    this.#refresh();
  }
}
