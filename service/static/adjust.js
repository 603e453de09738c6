/**
 * The page that adjusts the position: things are moved by tapping, as on the table. The server
 * draws every step and says whether it can be a position; here is what one has in the hand.
 */

import { Arrangement } from "./arrangement.js";
import { listen, mark } from "./board.js";
import { make } from "./elements.js";
import { dataOf } from "./frames.js";
import { Failed } from "./requests.js";
import { Saving } from "./saving.js";
import { citing, linkClauses } from "./telling.js";
import { sentence } from "./words.js";

class Hand {
  #arrangement;
  #names;
  #game;
  #stage;
  #news;
  #saving;
  #said;
  /** What to do is said while there is nothing else to say. */
  #how;
  #undo;
  #anew;
  /** What it holds: `{ at, what }`. */
  #held = null;
  #words = "";
  #refused = null;
  /** Taps count one after the other, each upon what the one before led to. */
  #work = Promise.resolve();

  constructor(root) {
    const parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    const { match, version } = root.dataset;
    ({ names: this.#names, game: this.#game } = dataOf(root, "facts"));
    this.#stage = parts.stage;
    this.#news = parts.news;
    this.#arrangement = new Arrangement(parts.stage, match, version);
    this.#saving = new Saving(parts.saving, { match, version, names: this.#names, arrangement: this.#arrangement, shown: () => this.#shown() });
    [this.#said, this.#undo, this.#anew] = [".said", "[data-undo]", "[data-anew]"].map((part) => parts.hand.querySelector(part));
    this.#how = this.#said.textContent;
    this.#listen();
    this.#draw();
  }

  #listen() {
    const tap = (at, { dataset }) => this.#soon(() => this.#tap(at, dataset.what));
    this.#undo.addEventListener("click", () => this.#soon(() => this.#back("undo", "Undone.")));
    this.#anew.addEventListener("click", () => this.#soon(() => this.#back("startOver", "As it is recorded.")));
    listen(this.#stage, { tap, release: () => this.#soon(() => this.#release()) });
    this.#stage.addEventListener("click", ({ target }) => {
      const row = target.closest(".pb-pick") ? null : target.closest(".spot");
      if (row) this.#soon(() => this.#held && this.#lay(row.dataset.at));
    });
    this.#stage.addEventListener("change", ({ target }) => {
      if (target.name === "turn") this.#soon(() => this.#give(target.value));
    });
  }

  #soon(work) {
    this.#work = this.#work.catch(() => {}).then(work);
  }

  /* What is shown. */

  #draw() {
    const { frame } = this.#arrangement;
    const { at, what } = this.#held ?? {};
    linkClauses(frame, this.#game);
    mark(frame, { chosen: new Set([at]), refused: new Set([this.#refused]) });
    frame.classList.toggle("is-holding", Boolean(this.#held));
    for (const row of frame.querySelectorAll(".spot")) row.classList.toggle("is-own", row.dataset.at === at);
    for (const pick of frame.querySelectorAll(".spot .pb-pick")) {
      const chosen = pick.dataset.at === at && pick.dataset.what === what;
      pick.classList.toggle("is-chosen", chosen);
      pick.setAttribute("aria-pressed", String(chosen));
    }
    this.#undo.disabled = this.#anew.disabled = !this.#arrangement.begun;
    this.#drawSaid(this.#refused ? null : frame.querySelector(`template[data-at="${CSS.escape(at ?? "")}"]`));
  }

  #drawSaid(several) {
    this.#said.classList.toggle("is-bad", this.#refused !== null);
    this.#said.classList.toggle("is-full", this.#held !== null);
    if (several) this.#drawChips(several.content.cloneNode(true));
    else this.#said.replaceChildren(make("span", {}, ...citing(this.#game, this.#words || (this.#held ? this.#holding : this.#how))));
  }

  /** Of several things on a place one is taken; another can be instead. */
  #drawChips(content) {
    const chips = make("div", { class: "chips", role: "group", "aria-label": "What you take" }, content);
    for (const chip of chips.children) {
      chip.setAttribute("aria-pressed", String(chip.dataset.what === this.#held.what));
      chip.addEventListener("click", () => this.#soon(() => this.#take(this.#held.at, chip.dataset.what)));
    }
    const was = this.#said.contains(document.activeElement);
    const scrolled = this.#said.scrollLeft;
    this.#said.replaceChildren(chips);
    this.#said.scrollLeft = scrolled;
    if (was) chips.querySelector('[aria-pressed="true"]').focus();
  }

  get #holding() {
    const { at, what } = this.#held;
    return sentence(`${this.#called(at, what)}, ${this.#arrangement.things[at].words}: tap where it goes`, this.#names);
  }

  #called(at, what) {
    return this.#arrangement.things[at].things.find((thing) => thing.what === what).words;
  }

  /** Show that the board is another one now. */
  #shown(words = "") {
    this.#held = null;
    this.#saving.shown();
    this.#tell(words);
    this.#news.textContent = `${words} ${this.#arrangement.facts.told}`;
  }

  #tell(words, refused = null) {
    this.#words = words;
    this.#refused = refused;
    this.#draw();
    this.#news.textContent = words;
  }

  /* Taps. */

  #tap(at, what) {
    if (!this.#held) return this.#take(at, what);
    if (this.#held.at !== at) return this.#lay(at);
    return what && what !== this.#held.what ? this.#take(at, what) : this.#release();
  }

  #take(at, what) {
    const spot = this.#arrangement.things[at];
    // Positions that cannot be shown by hand are only written.
    if (!spot) return this.#tell("");
    const { words, things } = spot;
    if (!things.length) return this.#tell(sentence(`${words} there is nothing to take: tap a piece first`, this.#names));
    this.#held = { at, what: what ?? things[0].what };
    this.#tell("");
    this.#news.textContent = this.#holding;
  }

  #release() {
    this.#held = null;
    this.#tell("");
  }

  async #lay(at) {
    const { at: start, what } = this.#held;
    if (start === at) return this.#release();
    const { words } = this.#arrangement.things[at];
    const laid = sentence(`${this.#called(start, what)}: now ${words}`, this.#names);
    await this.#try(() => this.#arrangement.move(what, start, at), laid, at);
    // What laid it down beside the board is gone; the keyboard goes on with what lies there.
    if (document.activeElement === document.body) this.#focus(`.spot[data-at="${CSS.escape(at)}"] [data-what="${CSS.escape(what)}"]`);
  }

  async #give(turn) {
    await this.#try(() => this.#arrangement.give(turn), "");
    this.#focus(`[name=turn][value="${this.#arrangement.turn}"]`);
  }

  #back(how, words) {
    return this.#try(() => this.#arrangement[how](), words);
  }

  #focus(selector) {
    this.#arrangement.frame.querySelector(selector)?.focus({ preventScroll: true });
  }

  async #try(work, words, at = "") {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      return this.#tell(sentence(error.message, this.#names), at);
    }
    this.#shown(words);
  }
}

new Hand(document.querySelector("main.adjust"));
