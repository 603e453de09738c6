/**
 * The page that adjusts the position: things are moved by tapping, as on the table. The server
 * draws every step and checks whether it can be a position; this module knows which thing is held.
 */

import "./shared/on_demand.js";
import { EditedPosition } from "./adjust/edited_position.js";
import { listenForTaps, showStates } from "./board/tappable_board.js";
import { around, find, findAll, make, partsOf } from "./shared/elements.js";
import { dataOf } from "./board/frames.js";
import { HttpError } from "./shared/http.js";
import { AdjustmentForm } from "./adjust/adjustment_form.js";
import { linkClauses, withClauseLinks } from "./shared/clause_links.js";
import { sentence } from "./shared/words.js";

class Hand {
  #position;
  #game;
  #stage;
  #news;
  #saving;
  #said;
  /** The instruction, shown while its place is free. */
  #how;
  #undo;
  #restart;
  /** @type {{ at: string, what: string } | null} The thing in the hand, and its spot. */
  #held = null;
  #words = "";
  /** @type {string | null} The spot that was refused. */
  #refused = null;
  /** Taps are handled in order, each on the position after the previous tap. */
  /** @type {Promise<unknown>} */
  #work = Promise.resolve();

  /** @param {HTMLElement} root */
  constructor(root) {
    const parts = partsOf(root);
    const { match = "", version = "" } = root.dataset;
    ({ game: this.#game } = dataOf(root, "facts"));
    this.#stage = parts.stage;
    this.#news = parts.news;
    this.#position = new EditedPosition(parts.stage, match, version);
    this.#saving = new AdjustmentForm(/** @type {HTMLFormElement} */ (parts.saving), { match, version, position: this.#position, shown: () => this.#shown() });
    this.#said = find(parts.hand, ".said");
    this.#undo = /** @type {HTMLButtonElement} */ (find(parts.hand, "[data-undo]"));
    this.#restart = /** @type {HTMLButtonElement} */ (find(parts.hand, "[data-anew]"));
    this.#how = this.#said.textContent;
    this.#listen();
    this.#draw();
  }

  #listen() {
    /** @type {(at: string, thing: HTMLElement) => void} */
    const tap = (at, { dataset }) => this.#soon(() => this.#tap(at, dataset.what));
    this.#undo.addEventListener("click", () => this.#soon(() => this.#back("undo", "Undone.")));
    this.#restart.addEventListener("click", () => this.#soon(() => this.#back("startOver", "As it is recorded.")));
    listenForTaps(this.#stage, { tap, release: () => this.#soon(() => this.#release()) });
    this.#stage.addEventListener("click", (event) => {
      const row = around(event, ".pb-pick") ? null : around(event, ".spot");
      if (row) this.#soon(() => this.#held && this.#lay(row.dataset.at ?? ""));
    });
    this.#stage.addEventListener("change", (event) => {
      const { name, value } = /** @type {HTMLInputElement} */ (event.target);
      if (name === "turn") this.#soon(() => this.#give(value));
    });
  }

  /** @type {(work: () => unknown) => void} */
  #soon(work) {
    this.#work = this.#work.catch(() => {}).then(work);
  }

  /* The page. */

  #draw() {
    const { frame } = this.#position;
    const { at, what } = this.#held ?? {};
    linkClauses(frame, this.#game);
    showStates(frame, { chosen: new Set(at ? [at] : []), refused: new Set(this.#refused ? [this.#refused] : []) });
    frame.classList.toggle("is-holding", Boolean(this.#held));
    for (const row of findAll(frame, ".spot")) row.classList.toggle("is-own", row.dataset.at === at);
    for (const pick of findAll(frame, ".spot .pb-pick")) {
      const chosen = pick.dataset.at === at && pick.dataset.what === what;
      pick.classList.toggle("is-chosen", chosen);
      pick.setAttribute("aria-pressed", String(chosen));
    }
    this.#undo.disabled = this.#restart.disabled = !this.#position.begun;
    this.#drawSaid(this.#refused ? null : frame.querySelector(`template[data-at="${CSS.escape(at ?? "")}"]`));
  }

  /** @type {(several: HTMLTemplateElement | null) => void} */
  #drawSaid(several) {
    this.#said.classList.toggle("is-bad", this.#refused !== null);
    this.#said.classList.toggle("is-full", this.#held !== null);
    if (several) this.#drawChips(/** @type {DocumentFragment} */ (several.content.cloneNode(true)));
    else this.#said.replaceChildren(make("span", {}, ...withClauseLinks(this.#game, this.#words || this.#holding || this.#how || "")));
  }

  /**
   * Offer the other things on a place from which a thing is taken.
   *
   * @param {DocumentFragment} content
   */
  #drawChips(content) {
    const chips = make("div", { class: "chips", role: "group", "aria-label": "What you take" }, content);
    for (const chip of chips.children) {
      chip.setAttribute("aria-pressed", String(chip.dataset.what === this.#held?.what));
      chip.addEventListener("click", () => this.#soon(() => this.#held && this.#take(this.#held.at, chip.dataset.what)));
    }
    const was = this.#said.contains(document.activeElement);
    const scrolled = this.#said.scrollLeft;
    this.#said.replaceChildren(chips);
    this.#said.scrollLeft = scrolled;
    if (was) chips.querySelector('[aria-pressed="true"]')?.focus();
  }

  get #holding() {
    if (!this.#held) return "";
    const { at, what } = this.#held;
    return sentence(`${this.#called(at, what)}, ${this.#position.things[at].words}: tap where it goes`);
  }

  /** @type {(at: string, what: string) => string} */
  #called(at, what) {
    return this.#position.things[at].things.find((thing) => thing.what === what)?.words ?? "";
  }

  /**
   * Report that the board has changed.
   *
   * @param {string} [words]
   */
  #shown(words = "") {
    this.#held = null;
    this.#saving.shown();
    this.#report(words);
    this.#news.textContent = `${words} ${this.#position.facts.told}`;
  }

  /** @type {(words: string, refused?: string | null) => void} */
  #report(words, refused = null) {
    this.#words = words;
    this.#refused = refused;
    this.#draw();
    this.#news.textContent = words;
  }

  /* Taps. */

  /** @type {(at: string, what?: string) => unknown} */
  #tap(at, what) {
    if (!this.#held) return this.#take(at, what);
    if (this.#held.at !== at) return this.#lay(at);
    return what && what !== this.#held.what ? this.#take(at, what) : this.#release();
  }

  /** @type {(at: string, what?: string) => unknown} */
  #take(at, what) {
    const spot = this.#position.things[at];
    // A position that cannot be changed by hand has no spots; it is only written.
    if (!spot) return this.#report("");
    const { words, things } = spot;
    if (!things.length) return this.#report(sentence(`${words} there is nothing to take: tap a piece first`));
    this.#held = { at, what: what ?? things[0].what };
    this.#report("");
    this.#news.textContent = this.#holding;
  }

  #release() {
    this.#held = null;
    this.#report("");
  }

  /** @param {string} at */
  async #lay(at) {
    if (!this.#held) return;
    const { at: start, what } = this.#held;
    if (start === at) return this.#release();
    const { words } = this.#position.things[at];
    const laid = sentence(`${this.#called(start, what)}: now ${words}`);
    await this.#try(() => this.#position.move(what, start, at), laid, at);
    // The button beside the board that laid the thing down is gone, so the thing gets the focus.
    if (document.activeElement === document.body) this.#focus(`.spot[data-at="${CSS.escape(at)}"] [data-what="${CSS.escape(what)}"]`);
  }

  /** @type {(turn: string) => Promise<void>} */
  async #give(turn) {
    await this.#try(() => this.#position.give(turn), "");
    this.#focus(`[name=turn][value="${this.#position.turn}"]`);
  }

  /** @type {(how: "undo" | "startOver", words: string) => Promise<void>} */
  #back(how, words) {
    return this.#try(() => this.#position[how](), words);
  }

  /** @type {(selector: string) => void} */
  #focus(selector) {
    this.#position.frame.querySelector(selector)?.focus({ preventScroll: true });
  }

  /** @type {(work: () => Promise<unknown>, words: string, at?: string) => Promise<void>} */
  async #try(work, words, at = "") {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return this.#report(sentence(error.message), at);
    }
    this.#shown(words);
  }
}

new Hand(find(document, "main.adjust"));
