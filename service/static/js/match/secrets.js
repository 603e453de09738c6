/**
 * Secret moves: programs of Pyramid Ball, and the pick of a size for who starts.
 *
 * Nothing of them is on the screen before their player has taken the phone or after they are sealed.
 * Where one phone serves several seats, a cover is shown between them.
 */

import { button, chip, find, make } from "../shared/elements.js";
import { openModal } from "./modal.js";
import { pickPad, programPad, writtenPad } from "./programs.js";
import { nameOf } from "../shared/words.js";

/** @type {Record<string, (facts: PadFacts) => HTMLElement>} */
const PADS = { program: programPad, pick: pickPad };
/** @type {ProgramDraft} */
const STILL = { S: "...", M: "...", L: "...", row: null, to: null, dash: null, quick: false, blitz: false };

/** @typedef {{ seal: (seat: number, token: string) => void, changed: () => void, turned: (yes: boolean) => void }} SecretActions */

/** The secret part of the controls. Drafts are in the page's memory alone, until they are sealed. */
export class Secrets {
  /** @type {Map<string, ProgramDraft>} */
  #drafts = new Map();
  /** @type {number | null} */
  #opened = null;
  /** @type {{ key: string, element: HTMLElement } | null} */
  #pad = null;
  #on;

  /**
   * `turned` is called with the board's side.
   *
   * @param {SecretActions} on
   */
  constructor(on) {
    this.#on = on;
  }

  /**
   * Return the pads for the seats that have something to seal; `sealing` are those on their way.
   *
   * @type {SecretPads["pads"]}
   */
  pads({ controls, frame, revealed }, sealing) {
    const due = controls.seats.filter(({ secret, seat }) => secret.length && !sealing.has(seat));
    // What was revealed stays in sight until its player goes on.
    const own = controls.role === "seat" && !revealed ? due[0] : due.find(({ seat }) => seat === this.#opened);
    if (!own) this.#close();
    // A player's own phone stays turned while others are waited for.
    if (own?.controls || controls.role !== "seat") this.#on.turned(own?.controls?.side === 8);
    if (own) return [this.#padOf(own, controls, frame)];
    return due.length ? [this.#invitation(due, controls)] : [];
  }

  /** Whether somebody is programming on this screen. */
  get open() {
    return this.#pad !== null;
  }

  /** @type {(seat: number) => void} */
  #open(seat) {
    this.#opened = seat;
    this.#on.changed();
  }

  #close() {
    this.#opened = null;
    this.#pad = null;
  }

  /** @type {(due: SeatControls[], controls: Controls) => HTMLElement} */
  #invitation(due, controls) {
    const alone = controls.role === "seat";
    const buttons = due.map(({ seat, secret }) =>
      button(`${nameOf(controls.names, seat)}: ${secret[0]}`, () => (alone ? this.#open(seat) : this.#cover(seat, controls)), {
        class: "button large",
        "data-secret": seat,
      }),
    );
    return make(
      "div",
      { class: "secret" },
      alone ? null : make("p", { class: "prompt" }, "In secret: each on their own phone, or here one after the other."),
      make("div", { class: "row" }, ...buttons),
    );
  }

  /**
   * Ask for the phone to be handed over before anything is shown.
   *
   * @type {(seat: number, controls: Controls) => void}
   */
  #cover(seat, controls) {
    const name = nameOf(controls.names, seat);
    /** @type {HTMLDialogElement} */
    const dialog = make(
      "dialog",
      { class: "cover", "aria-labelledby": "cover-title" },
      make("p", {}, chip(seat)),
      make("h2", { id: "cover-title" }, `Hand the phone to ${name}.`),
      make("p", {}, `Only ${name} looks now.`),
      button(`I am ${name}`, () => {
        dialog.close();
        this.#open(seat);
      }, { class: "button large broad", "data-cover": seat }),
      button("Not now", () => dialog.close(), { class: "button bare broad" }),
    );
    openModal(dialog);
  }

  /** @type {(speaking: SeatControls, controls: Controls, frame: HTMLElement) => HTMLElement} */
  #padOf(speaking, controls, frame) {
    const { seat, controls: program, secret } = speaking;
    const key = `${seat} ${controls.turn} ${secret[0]} ${program?.extras.join()}`;
    // The same pad stays while others seal theirs, so that its author keeps place and focus.
    if (this.#pad?.key === key) return this.#pad.element;
    const name = nameOf(controls.names, seat);
    const draft = this.#draft(`${seat} ${controls.turn} ${secret[0]}`);
    /** @type {(token: string) => void} */
    const seal = (token) => this.#seal(seat, token, controls);
    const pad = PADS[secret[0]] ?? writtenPad;
    const element = pad({ seat, name, word: secret[0], controls: program, frame, draft, seal });
    if (controls.role !== "seat") find(element, ".seal").prepend(button("Cover", () => (this.#close(), this.#on.changed())));
    this.#pad = { key, element };
    return element;
  }

  /** @type {(key: string) => ProgramDraft} */
  #draft(key) {
    const draft = this.#drafts.get(key) ?? { ...STILL };
    if (!this.#drafts.has(key)) this.#drafts.clear();
    this.#drafts.set(key, draft);
    return draft;
  }

  /** @type {(seat: number, token: string, controls: Controls) => void} */
  #seal(seat, token, controls) {
    this.#drafts.clear();
    this.#close();
    this.#on.seal(seat, token);
    const next = controls.seats.find((other) => other.seat !== seat && other.secret.length);
    if (controls.role !== "seat" && next) this.#cover(next.seat, controls);
  }
}
