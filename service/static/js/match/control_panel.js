/**
 * The panel below the board: questions, controls, and a line that says whether everything is
 * stored.
 */

import { button, find, make, makeSvg } from "../shared/elements.js";
import { NO_NETWORK } from "../shared/http.js";
import { replaceKeepingFocus } from "./focus.js";
import { dataOf } from "../board/frames.js";
import { choiceButtons, offers, typedMoves } from "./choice_buttons.js";
import { offlineEntry } from "./offline_entry.js";
import { status, outboxList } from "./outbox_list.js";
import { nameOf } from "../shared/words.js";

/** The pad for numbers or for cards, in a game that has one. */
const { pad } = find(document, "main").dataset;
/** @type {{ entry: (now: RecordState, on: RecordActions) => HTMLElement[] | null } | null} */
const entered = pad ? await import(`./${pad}_pad.js`) : null;

/** Draws into a section of the page. */
export class ControlPanel {
  #section;
  #secrets;
  #on;
  #top = make("div", { class: "top", "aria-live": "polite" });
  #pad = make("div", { class: "pad" });
  #state = make("span", { class: "state", role: "status" });
  /** The next task, in the foot; the rows above it are for controls. */
  #asking = make("div", { class: "asking" });
  #undo;
  #bookmark = bookmarkButton();
  /** The result of a tap on it, shown as long as its ply is shown. */
  #marked = { ply: -1, told: "" };
  #redo;
  /** @type {HTMLElement | null} */
  #ending = null;
  #asked = false;
  /** @type {typeof import("./questions.js").questions | null} */
  #questions = null;

  /**
   * @param {HTMLElement} section
   * @param {SecretPads} secrets
   * @param {RecordActions} on
   */
  constructor(section, secrets, on) {
    this.#section = section;
    this.#secrets = secrets;
    this.#on = on;
    this.#undo = button("Undo", on.undo, { "data-undo": "" });
    this.#redo = button("Redo", on.redo, { "data-redo": "", hidden: true });
    const more = button("More", on.more, { "data-more": "" });
    section.replaceChildren(this.#top, this.#pad, make("div", { class: "foot" }, make("div", { class: "tell" }, this.#asking, this.#state), this.#bookmark, this.#redo, this.#undo, more));
  }

  /** @type {(now: RecordState) => void} */
  draw(now) {
    const { controls, items, sender, busy } = now;
    if (controls.asked || controls.offered || controls.unsent || controls.resumed) this.#ask();
    replaceKeepingFocus(this.#top, [
      ...(this.#questions?.(controls, this.#on) ?? []),
      outboxList(items, now, { ...this.#on, unreached: sender.unreached }),
    ]);
    const drawn = this.#controls(now).filter((control) => control !== null);
    const isPrompt = (/** @type {HTMLElement} */ { className }) => className === "prompt";
    replaceKeepingFocus(this.#asking, drawn.filter(isPrompt));
    replaceKeepingFocus(this.#pad, drawn.filter((control) => !isPrompt(control)));
    const marked = !items.length && this.#marked.ply === controls.ply ? this.#marked.told : null;
    this.#state.textContent = marked ?? status(items, sender);
    this.#state.classList.toggle("is-waiting", items.length > 0);
    this.#state.classList.toggle("is-marked", marked !== null);
    this.#bookmark.setAttribute("aria-pressed", String(this.#bookmark.dataset.marked === String(controls.ply)));
    this.#bookmark.onclick = () => this.#mark(controls);
    nameRedo(this.#redo, controls.again);
    this.#redo.hidden = !controls.redo || busy || items.length > 0 || now.walking !== null;
    // It needs the server; while moves wait, their number has its place, and after an undo Redo has.
    this.#bookmark.hidden = sender.unreached || !this.#redo.hidden;
    this.#undo.disabled = now.walking ? true : busy ? !now.unguided || !items.length : !controls.ply || controls.asked !== null;
  }

  /** Questions are seldom: their module is loaded for the first. */
  async #ask() {
    if (this.#questions) return;
    try {
      const { questions } = await import("./questions.js");
      this.#questions = questions;
      this.#on.redraw();
    } catch {
      // The questions appear with the next frame, if their module is loaded by then.
    }
  }

  /**
   * Bookmark the last move, or take its bookmark away; the module for it is loaded for the first.
   *
   * @type {(controls: Controls) => Promise<void>}
   */
  async #mark(controls) {
    const { toggleBookmark } = await import("./bookmark.js").catch(() => ({ toggleBookmark: null }));
    const told = await toggleBookmark?.(this.#bookmark, controls).catch((/** @type {Error} */ { message }) => message);
    this.#marked = { ply: controls.ply, told: told ?? NO_NETWORK };
    this.#on.redraw();
  }

  /** Whether the panel is tall; a tall panel is not laid over the board. */
  get tall() {
    return this.#top.children.length > 0;
  }

  /** @type {(now: RecordState) => (HTMLElement | null)[]} */
  #controls(now) {
    const { controls, items, frame, choices } = now;
    if (now.walking) return stepping(now.walking);
    const again = now.revealed ? [button("Watch again", this.#on.again, { "data-again": "" })] : [];
    if (controls.over && !items.length) return [this.#end(controls, frame), ...again];
    this.#ending = null;
    const sealing = new Set(items.filter(({ secret }) => secret).map(({ seat }) => seat));
    const secret = this.#secrets.pads(now, sealing);
    this.#offer(secret[0], now);
    const entry = entered?.entry(now, this.#on);
    if (entry) return entry;
    if (now.unguided && !sealing.size) return offlineEntry(now, this.#on);
    if (now.busy) return secret;
    const supplier = supplierOf(controls);
    const pads = this.#secrets.open ? secret : beside(secret, again);
    return [idle(controls, frame), ...pads, ...typedMoves(controls, this.#on), ...choiceButtons({ ...now, choices, supplier }, this.#on)];
  }

  /**
   * Offer the other actions of a seat on its pad.
   *
   * @type {(pad: HTMLElement | undefined, now: RecordState) => void}
   */
  #offer(pad, now) {
    const place = pad?.querySelector(".offers");
    if (place) replaceKeepingFocus(/** @type {HTMLElement} */ (place), now.busy ? [] : offers(Number(pad?.dataset.seat), now, this.#on));
  }

  /**
   * Return the element for the end of the match; it is kept until a rematch is asked for.
   *
   * @type {(controls: Controls, frame: HTMLElement) => HTMLElement}
   */
  #end(controls, frame) {
    const asked = frame.querySelector(".rematch") !== null;
    if (!this.#ending || this.#asked !== asked) this.#ending = wayOn(controls, asked);
    this.#asked = asked;
    return this.#ending;
  }

  /**
   * Show on the button for a claim how much time the other player has left, if a clock knows.
   *
   * @type {(frame: HTMLElement | undefined, now: number) => void}
   */
  tick(frame, now) {
    const call = this.#section.querySelector("[data-claim]");
    const { patience, waits = {} } = (frame && dataOf(frame, "clocks")) ?? {};
    const [opened] = Object.values(waits);
    if (!call || opened === undefined) return;
    const rest = Math.ceil((opened + patience - now) / 1000);
    const label = (call.textContent ?? "").replace(/ \(.*\)$/, "") + (rest > 0 ? ` (in ${rest} s)` : "");
    if (call.textContent !== label) call.textContent = label;
  }
}

/**
 * Name the button by the move that it enters again, if that fell with a correction.
 *
 * @type {(redo: HTMLElement, again: Controls["again"]) => void}
 */
function nameRedo(redo, again) {
  redo.textContent = again ? `Again: ${again.text}` : "Redo";
  redo.classList.toggle("is-again", again !== null);
  redo.title = again ? `${again.words}. The correction removed it${again.more ? `, and ${again.more} after it` : ""}.` : "";
}

/** @type {() => HTMLButtonElement} */
function bookmarkButton() {
  const flag = makeSvg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, makeSvg("path", { d: "M5 2v16M5 3h11l-3 4 3 4H5" }));
  const label = "Bookmark the last move, to comment on it later";
  return make("button", { type: "button", class: "button quiet bookmark", "data-mark": "", "aria-label": label, title: label }, flag);
}

/**
 * Put buttons into the last row of the pad, if it has rows.
 *
 * @type {(pads: HTMLElement[], added: HTMLElement[]) => HTMLElement[]}
 */
function beside(pads, added) {
  const row = pads.at(-1)?.querySelector(".row");
  if (!row) return [...pads, ...added];
  row.append(...added);
  return pads;
}

/**
 * Return the buttons between two pictures on the way to a frame.
 *
 * @type {(walk: Walk) => HTMLElement[]}
 */
function stepping({ step, steps, go }) {
  return [
    make("p", { class: "prompt" }, `Step ${step + 1} of ${steps}: do it on the table.`),
    make(
      "div",
      { class: "row stepping" },
      button("Skip", () => go(false), { "data-skip": "" }),
      button("Next", () => go(true), { class: "button", "data-next": "" }),
    ),
  ];
}

/**
 * Return the place for the buttons after the end of a match, and load their module.
 *
 * @type {(controls: Controls, asked: boolean) => HTMLElement}
 */
function wayOn(controls, asked) {
  const place = make("div", { class: "ending" });
  import("./match_end.js").then(({ matchEnd }) => place.replaceChildren(...matchEnd({ ...controls, rematch: asked })), () => {});
  return place;
}

/**
 * Return the seat whose supply is used: the seat's own, if the game names no other.
 *
 * @type {(controls: Controls) => number | null}
 */
export function supplierOf({ seats }) {
  const speaking = seats.find(({ choices }) => choices.length);
  return speaking ? speaking.controls.supplier || speaking.seat : null;
}

/**
 * Return a line that says for whom a caller with nothing to do must wait.
 *
 * @type {(controls: Controls, frame: HTMLElement) => HTMLElement | null}
 */
function idle({ seats, names, over }, frame) {
  if (over) return make("p", { class: "prompt" }, "The match is over. It is saved when the network is back.");
  if (seats.some(({ awaited }) => awaited.some(({ must }) => must))) return null;
  const others = (frame.dataset.awaited ?? "").split(",").filter(Boolean);
  return make("p", { class: "prompt" }, `Waiting for ${new Intl.ListFormat("en-GB").format(others.map((seat) => nameOf(names, seat)))}.`);
}
