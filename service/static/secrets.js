/**
 * What is entered in secret: programs of Pyramid Ball, and the pick of a size for who starts.
 *
 * Nothing of it is on the screen before its player has taken the phone or after it is sealed.
 * Where one phone serves several seats, a cover stands between them.
 */

import { button, chip, make } from "./elements.js";
import { pickPad, programPad, writtenPad } from "./programs.js";
import { nameOf } from "./words.js";

const PADS = { program: programPad, pick: pickPad };
const STILL = { S: "...", M: "...", L: "...", row: null, to: null, dash: null, quick: false, blitz: false };

/** The secret part of the desk. It keeps drafts in the page's memory alone, until they are sealed. */
export class Secrets {
  #drafts = new Map();
  #opened = null;
  #pad = null;
  #on;

  /** `on` has `seal(seat, token)`, `changed()`, and `turned(yes)` for the board's side. */
  constructor(on) {
    this.#on = on;
  }

  /** The controls for the seats that have something to seal; `sealing` are those on their way. */
  controls({ doing, frame }, sealing) {
    const due = doing.seats.filter(({ secret, seat }) => secret.length && !sealing.has(seat));
    const own = doing.role === "seat" ? due[0] : due.find(({ seat }) => seat === this.#opened);
    if (!own) this.#close();
    // A player's own phone stays turned while others are waited for.
    if (own?.controls || doing.role !== "seat") this.#on.turned(own?.controls?.side === 8);
    if (own) return [this.#padOf(own, doing, frame)];
    return due.length ? [this.#invitation(due, doing)] : [];
  }

  /** Whether somebody is programming on this screen. */
  get open() {
    return this.#pad !== null;
  }

  #close() {
    this.#opened = null;
    this.#pad = null;
  }

  #invitation(due, doing) {
    const buttons = due.map(({ seat, secret }) =>
      button(`${nameOf(doing.names, seat)}: ${secret[0]}`, () => this.#cover(seat, doing), {
        class: "button large",
        "data-secret": seat,
      }),
    );
    return make(
      "div",
      { class: "secret" },
      make("p", { class: "prompt" }, "In secret: each on their own phone, or here one after the other."),
      make("div", { class: "row" }, ...buttons),
    );
  }

  /** Ask for the phone to be handed over before anything is shown. */
  #cover(seat, doing) {
    const name = nameOf(doing.names, seat);
    const dialog = make(
      "dialog",
      { class: "cover", "aria-labelledby": "cover-title" },
      make("p", {}, chip(seat)),
      make("h2", { id: "cover-title" }, `Hand the phone to ${name}.`),
      make("p", {}, `Only ${name} looks now.`),
      button(`I am ${name}`, () => {
        dialog.close();
        this.#opened = seat;
        this.#on.changed();
      }, { class: "button large broad", "data-cover": seat }),
      button("Not now", () => dialog.close(), { class: "button bare broad" }),
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  #padOf(speaking, doing, frame) {
    const { seat, controls, secret } = speaking;
    const key = `${seat} ${doing.turn} ${secret[0]} ${controls?.extras.join()}`;
    // The same pad stays while others seal theirs: whoever is at it keeps place and focus.
    if (this.#pad?.key === key) return this.#pad.element;
    const name = nameOf(doing.names, seat);
    const draft = this.#draft(`${seat} ${doing.turn} ${secret[0]}`);
    const seal = (token) => this.#seal(seat, token, doing);
    const pad = PADS[secret[0]] ?? writtenPad;
    const element = pad({ seat, name, word: secret[0], controls, frame, draft, seal });
    if (doing.role !== "seat") element.querySelector(".seal").prepend(button("Cover", () => (this.#close(), this.#on.changed())));
    this.#pad = { key, element };
    return element;
  }

  #draft(key) {
    if (!this.#drafts.has(key)) {
      this.#drafts.clear();
      this.#drafts.set(key, { ...STILL });
    }
    return this.#drafts.get(key);
  }

  #seal(seat, token, doing) {
    this.#drafts.clear();
    this.#close();
    this.#on.seal(seat, token);
    const next = doing.seats.find((other) => other.seat !== seat && other.secret.length);
    if (doing.role !== "seat" && next) this.#cover(next.seat, doing);
  }
}
