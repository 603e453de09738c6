/**
 * The replay without spoilers: the next ply is fetched when it is asked for, not before. To guess a
 * ply, people tap it on the board; the server says whether it was played, and what an analysis
 * prefers.
 */

import { fitBoard } from "./board/board_fit.js";
import { addressOf, dataOf, fetchFrame, swap, timed } from "./board/frames.js";
import { byFields, choiceStates, choicesOf, left, meant, tapped } from "./board/move_choice.js";
import { listenForTaps, placesOf, setTabStop, showStates } from "./board/tappable_board.js";
import { choiceButtons } from "./match/choice_buttons.js";
import { supplierOf } from "./match/control_panel.js";
import { replaceKeepingFocus } from "./match/focus.js";
import { button, clauseLink, find, make, partsOf } from "./shared/elements.js";
import { get, HttpError } from "./shared/http.js";
import { choiceWords, sentence } from "./shared/words.js";

/** @typedef {{ legal: boolean, played: boolean | null, message: string, clause: string, analysis: string }} Verdict */

/** The guesses by ply: whether the first guess was right. The score lasts as long as the tab. */
class Score {
  #key;
  /** @type {Record<string, boolean>} */
  #first;

  /** @param {string} match */
  constructor(match) {
    this.#key = `plybook-guesses-${match}`;
    try {
      this.#first = JSON.parse(sessionStorage.getItem(this.#key) ?? "{}");
    } catch {
      this.#first = {};
    }
  }

  /** @type {(ply: number, right: boolean) => void} */
  note(ply, right) {
    this.#first[ply] ??= right;
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.#first));
    } catch {
      // Without storage the score is lost with the page.
    }
  }

  get words() {
    const guesses = Object.values(this.#first);
    const right = guesses.filter(Boolean).length;
    return guesses.length ? `${right} of ${guesses.length} guessed` : "Guess the next move";
  }
}

class UnspoiledReplay {
  #root;
  #parts;
  #score;
  /** @type {string[]} */
  #picks = [];
  /** @type {(Node | string)[]} */
  #told = [];
  /** @type {() => void} */
  #fit = () => {};
  #busy = false;
  #foot;
  #count = make("span", { class: "state", "data-part": "count" });
  #pad = make("div", { class: "pad" });

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
    this.#parts = partsOf(root);
    this.#score = new Score(this.#match);
    const [back, next] = [button("Back", () => this.#go(-1), { "data-back": "" }), button("Next", () => this.#go(1), { class: "button", "data-next": "" })];
    this.#foot = { back, next };
    this.#parts.desk.replaceChildren(this.#pad, make("div", { class: "foot" }, this.#count, back, next));
    listenForTaps(this.#parts.stage, { tap: (text) => this.#tap(text), release: () => this.#clear() });
    document.addEventListener("keydown", (event) => this.#key(event));
    this.#fit = fitBoard(root, this.#parts.desk);
    setTabStop(this.#frame);
    this.#draw();
  }

  get #match() {
    return this.#root.dataset.match ?? "";
  }

  get #frame() {
    return find(this.#parts.stage, "article.frame");
  }

  get #ply() {
    return addressOf(this.#frame).ply;
  }

  /** @returns {Controls | null} */
  get #controls() {
    return dataOf(this.#frame, "record-controls");
  }

  /** @returns {Choice[]} */
  get #choices() {
    return choicesOf(this.#controls?.seats ?? [], placesOf(this.#frame));
  }

  get #onBoard() {
    return this.#controls ? byFields(this.#choices, this.#controls) : [];
  }

  #draw() {
    const controls = this.#controls;
    const frame = this.#frame;
    const choices = this.#choices;
    const states = choiceStates(left(this.#onBoard, this.#picks), this.#picks, null);
    showStates(frame, states, controls && supplierOf(controls));
    const told = this.#told.length ? [make("p", { class: "prompt", role: "status", "data-part": "verdict" }, ...this.#told)] : [];
    const now = /** @type {any} */ ({ controls, choices, picks: this.#picks, frame, supplier: controls && supplierOf(controls) });
    const on = /** @type {any} */ ({ tap: (/** @type {string} */ text) => this.#tap(text), choose: (/** @type {Choice} */ choice) => this.#guess(choice.text, this.#wordsOf(choice)) });
    replaceKeepingFocus(this.#pad, [...told, ...(choices.length ? choiceButtons(now, on) : [])]);
    this.#count.textContent = choices.length || this.#told.length ? this.#score.words : "";
    this.#foot.back.disabled = this.#busy || !this.#ply;
    this.#foot.next.disabled = this.#busy || "over" in frame.dataset;
    this.#fit();
  }

  /** @type {(choice: Choice) => string} */
  #wordsOf(choice) {
    return choiceWords(choice, this.#controls ?? { pickers: [] });
  }

  #clear() {
    this.#picks = [];
    this.#draw();
  }

  /** @type {(text: string) => unknown} */
  #tap(text) {
    if (this.#busy || !this.#choices.length) return;
    this.#told = [];
    const picks = tapped(this.#onBoard, this.#picks, text);
    if (!picks) return this.#guess([...this.#picks, text].join(","), [...this.#picks, text].join(", "));
    this.#picks = picks;
    const choice = meant(this.#onBoard, picks);
    if (choice) return this.#guess(choice.text, this.#wordsOf(choice));
    this.#draw();
  }

  /**
   * Ask whether a move was played; if it was, show it.
   *
   * @type {(picks: string, words: string) => Promise<void>}
   */
  async #guess(picks, words) {
    const ply = this.#ply;
    this.#picks = [];
    await this.#wait(async () => {
      const query = new URLSearchParams({ ply: String(ply), picks });
      /** @type {Verdict} */
      const verdict = await get(`/m/${this.#match}/unspoiled/guess?${query}`);
      if (verdict.legal && verdict.played !== null) this.#score.note(ply, verdict.played);
      this.#told = this.#words(verdict, words);
      if (verdict.played) await this.#show(ply + 1);
    });
  }

  /** @type {(verdict: Verdict, words: string) => (Node | string)[]} */
  #words({ legal, played, message, clause, analysis }, words) {
    if (!legal) {
      const link = clauseLink(this.#root.dataset.game ?? "", clause);
      return [sentence(message), ...(link ? [" ", link] : [])];
    }
    const said = analysis ? [` ${analysis}.`] : [];
    if (played === null) return ["Legal, but nothing is recorded here yet.", ...said];
    return [played ? `Right, ${words}.` : `Legal, but not what was played: ${words}.`, ...said];
  }

  /** @type {(by: number) => Promise<void>} */
  async #go(by) {
    if (this.#busy) return;
    this.#told = [];
    this.#picks = [];
    await this.#wait(() => this.#show(this.#ply + by, by > 0));
  }

  /**
   * Show the board after a ply, after the pictures that lead to it.
   *
   * @type {(ply: number, walking?: boolean) => Promise<void>}
   */
  async #show(ply, walking = true) {
    const { stage, news } = this.#parts;
    const address = `/m/${this.#match}/unspoiled/frame?ply=${ply}`;
    const frame = await fetchFrame(address);
    const { steps } = addressOf(frame);
    const rest = timed(stage);
    for (let step = 0; walking && step < steps; step++) {
      swap(stage, await fetchFrame(`${address}&step=${step}`));
      if (!(await rest())) break;
    }
    swap(stage, frame);
    setTabStop(frame);
    history.replaceState(null, "", `?ply=${ply}`);
    news.textContent = [".told", ".standing"].map((part) => frame.querySelector(part)?.textContent).join(". ");
  }

  /** @type {(work: () => Promise<void>) => Promise<void>} */
  async #wait(work) {
    this.#busy = true;
    this.#draw();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      this.#told = [error.status === 404 ? "No more moves are recorded, at least not yet." : error.message];
    }
    this.#busy = false;
    this.#draw();
  }

  /** @type {(event: KeyboardEvent) => void} */
  #key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowRight" && !this.#foot.next.disabled) this.#go(1);
    if (event.key === "ArrowLeft" && !this.#foot.back.disabled) this.#go(-1);
  }
}

new UnspoiledReplay(find(document, "main.unspoiled"));
