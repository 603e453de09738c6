/**
 * Secret moves: each seat writes its move on a pad, and seals it.
 *
 * A secret move is on the screen only from when its player has taken the phone until it is sealed.
 * If one phone serves several seats, a cover is shown between their turns.
 */

import { button, chip, find, make } from "../shared/elements.js";
import { openModal } from "../shared/modal.js";
import { nameOf } from "../shared/words.js";

/** @typedef {import("./walks.js").Walks} Walks */
/** @typedef {import("./pad_draft.js").PadDraft} PadDraft */
/** The milliseconds after which a page without a pad loads the modules for pads. */
const SOON = 3000;

/** @typedef {{ seal: (seat: number, text: string) => void, changed: () => void, turned: (yes: boolean) => void }} SecretActions */

/** The secret part of the controls. Drafts are in the page's memory alone, until they are sealed. */
export class Secrets {
  /** The text that was sealed last, or written so far: if it is refused, its author corrects it. */
  #sealed = { key: "", text: "" };
  /** @type {{ key: string, draft: PadDraft, walks: Walks | null } | null} */
  #written = null;
  /** @type {number | null} */
  #opened = null;
  /** @type {(MadePad & { key: string, walks: Walks | null }) | null} */
  #pad = null;
  /** Whether people write in boxes rather than on the board. */
  #inBoxes = false;
  /** @type {typeof import("./pads.js") | null} */
  #pads = null;
  /** @type {typeof import("./boxes.js") | null} */
  #boxes = null;
  /** @type {typeof import("./card_pad.js") | null} */
  #cards = null;
  #on;

  /**
   * `turned` is called with the board's side.
   *
   * @param {SecretActions} on
   */
  constructor(on) {
    this.#on = on;
    // The network may be gone when the first pad is opened.
    setTimeout(() => import("./pads.js").catch(() => {}), SOON);
  }

  /**
   * Return the pads for the seats that have a move to seal; `sealing` are the seats whose move is
   * being sent.
   *
   * @type {SecretPads["pads"]}
   */
  pads({ controls, frame, revealed }, sealing) {
    const due = controls.seats.filter(({ secret, seat }) => secret.length && !sealing.has(seat));
    // Revealed moves remain visible until their player continues.
    const own = controls.role === "seat" && !revealed ? due[0] : due.find(({ seat }) => seat === this.#opened);
    if (!own) this.#close();
    // A player's own phone stays turned while other players are awaited.
    if (own || controls.role !== "seat") this.#on.turned(own?.controls.turned ?? false);
    frame.querySelector(".pb-walks")?.remove();
    if (own) return [this.#padOf(own, controls, frame)];
    return due.length ? this.#invitation(due, controls) : [];
  }

  /** Whether somebody is programming on this screen. */
  get open() {
    return this.#pad !== null;
  }

  /** The request of the open pad; "" without an open pad. */
  get asks() {
    return this.#pad?.asks?.() ?? "";
  }

  /** The state of each place while a move is written on the board; `null` otherwise. */
  get states() {
    return this.#pad?.walks?.states ?? null;
  }

  /**
   * Handle a tap on a place while a move is written on the board; returns whether the tap leads
   * anywhere.
   *
   * @type {SecretPads["tap"]}
   */
  tap(at) {
    const taken = this.#pad?.walks?.tap(at) ?? false;
    this.#pad?.draw();
    return taken;
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

  /** @type {(due: SeatControls[], controls: Controls) => HTMLElement[]} */
  #invitation(due, controls) {
    const alone = controls.role === "seat";
    const buttons = due.map(({ seat, secret }) =>
      button(`${nameOf(controls.names, seat)}: ${secret[0].word}`, () => (alone ? this.#open(seat) : this.#cover(seat, controls)), {
        class: "button large",
        "data-secret": seat,
      }),
    );
    const prompt = make("p", { class: "prompt" }, "In secret, each on their own phone or here.");
    return [...(alone ? [] : [prompt]), make("div", { class: "secret" }, make("div", { class: "row" }, ...buttons))];
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
    const { seat, secret: [{ kind }] } = speaking;
    const pad = speaking.controls.pads?.find((each) => each.kind === kind);
    const key = `${seat} ${controls.turn} ${kind} ${pad?.fields.map((field) => field.name).join()} ${this.#inBoxes}`;
    const written = !pad || Boolean(pad.rows?.length && (this.#inBoxes || !pad.steps?.length));
    const cards = Boolean(speaking.controls.cards?.count);
    if (cards ? !this.#cards : !this.#pads || (written && !this.#boxes)) this.#load(written && !cards, cards);
    // A pad is kept while other players seal their moves, so that its author keeps place and focus.
    else if (this.#pad?.key !== key) this.#pad = this.#make(key, pad, speaking, controls, frame);
    this.#pad?.walks?.draw(frame);
    return this.#pad?.element ?? make("p", { class: "prompt" }, "…");
  }

  /**
   * Load the modules for pads; the modules for boxes and for cards are rarely needed.
   *
   * @type {(boxes?: boolean, cards?: boolean) => Promise<void>}
   */
  async #load(boxes = false, cards = false) {
    try {
      if (cards) this.#cards ??= await import("./card_pad.js");
      this.#pads ??= await import("./pads.js");
      if (boxes) this.#boxes ??= await import("./boxes.js");
    } catch {
      if (!this.#inBoxes) return;
      this.#inBoxes = false;
    }
    this.#on.changed();
  }

  /** @type {(key: string, pad: Pad | undefined, speaking: SeatControls, controls: Controls, frame: HTMLElement) => MadePad & { key: string, walks: Walks | null }} */
  #make(key, pad, { seat, secret: [{ kind, word, before }], awaited: [{ what }], controls: { cards } }, controls, frame) {
    const { draft, walks } = pad && this.#pads ? this.#write(this.#pads, pad, `${seat} ${controls.turn} ${kind}`, seat) : { draft: null, walks: null };
    const facts = {
      seat,
      word,
      task: what,
      before: this.#sealed.key === key ? this.#sealed.text : before,
      name: nameOf(controls.names, seat),
      frame,
      keep: (/** @type {string} */ text) => (this.#sealed = { key, text }),
      seal: (/** @type {string} */ text) => ((this.#sealed = { key, text }), this.#seal(seat, text, controls)),
      changed: this.#on.changed,
      walks: this.#inBoxes ? null : walks,
      boxes: pad?.rows?.length && (this.#inBoxes || !walks) ? this.#boxes?.boxes ?? null : null,
      other: walks && (() => ((this.#inBoxes = !this.#inBoxes), this.#on.changed())),
    };
    const made = this.#madeOf(facts, draft, cards);
    if (controls.role !== "seat") find(made.element, ".seal").prepend(button("Cover", () => (this.#close(), this.#on.changed())));
    return { ...made, key, walks: facts.walks };
  }

  /** @type {(facts: Omit<PadFacts, "draft">, draft: PadDraft | null, cards: CardPad | undefined) => MadePad} */
  #madeOf(facts, draft, cards) {
    if (draft && this.#pads) return this.#pads.makePad({ ...facts, draft });
    if (cards && this.#cards) return this.#cards.cardsPad(facts, cards);
    return /** @type {typeof import("./boxes.js")} */ (this.#boxes).writtenPad(facts);
  }

  /**
   * Return the draft of a seat's move, begun now or before.
   *
   * @type {(parts: typeof import("./pads.js"), pad: Pad, key: string, seat: number) => { draft: PadDraft, walks: Walks | null }}
   */
  #write({ PadDraft, Walks }, pad, key, seat) {
    if (this.#written?.key === key) {
      this.#written.draft.update(pad);
      return this.#written;
    }
    const draft = new PadDraft(pad);
    this.#written = { key, draft, walks: pad.steps?.length ? new Walks(draft, seat) : null };
    return this.#written;
  }

  /** @type {(seat: number, text: string, controls: Controls) => void} */
  #seal(seat, text, controls) {
    this.#written = null;
    this.#close();
    this.#on.seal(seat, text);
    const next = controls.seats.find((other) => other.seat !== seat && other.secret.length);
    if (controls.role !== "seat" && next) this.#cover(next.seat, controls);
  }
}
