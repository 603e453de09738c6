/** The desk: what waits for an answer, the controls, and the line that says how things stand. */

import { button, make } from "./elements.js";
import { fill } from "./filling.js";
import { dataOf } from "./frames.js";
import { pads } from "./pads.js";
import { unguided } from "./unguided.js";
import { status, waiting } from "./waiting.js";
import { nameOf } from "./words.js";

/**
 * Draws into the section of the page made for it. `secrets` has the pads for what is sealed; `on`
 * has a function for everything that can be done here.
 */
export class Desk {
  #section;
  #secrets;
  #on;
  #top = make("div", { class: "top", "aria-live": "polite" });
  #pad = make("div", { class: "pad" });
  #state = make("span", { class: "state", role: "status" });
  #undo;
  #ending = null;
  #questions = null;

  constructor(section, secrets, on) {
    this.#section = section;
    this.#secrets = secrets;
    this.#on = on;
    this.#undo = button("Undo", on.undo, { "data-undo": "" });
    const more = button("More", on.more, { "data-more": "" });
    section.replaceChildren(this.#top, this.#pad, make("div", { class: "foot" }, this.#state, this.#undo, more));
  }

  /** Draw what `now` says: `doing`, `choices`, `picks`, `frame`, `items`, `sender` and its modes. */
  draw(now) {
    const { doing, items, sender, busy } = now;
    if (doing.asked || doing.offered) this.#ask();
    fill(this.#top, [
      ...(this.#questions?.(doing, this.#on) ?? []),
      waiting(items, now, { ...this.#on, unreached: sender.unreached }),
    ]);
    fill(this.#pad, this.#controls(now));
    this.#state.textContent = status(items, sender);
    this.#state.classList.toggle("is-waiting", items.length > 0);
    this.#undo.disabled = busy ? !now.unguided || !items.length : !doing.ply || doing.asked !== null;
  }

  /** Questions are seldom: what they are put with is loaded for the first. */
  async #ask() {
    if (this.#questions) return;
    try {
      const { questions } = await import("./questions.js");
      this.#questions = questions;
      this.#on.redraw();
    } catch {
      // They are put with the next frame, if they can be by then.
    }
  }

  /** Whether something stands here that needs room; then it is not laid over the board. */
  get tall() {
    return this.#top.children.length > 0;
  }

  #controls(now) {
    const { doing, items, frame, choices } = now;
    if (now.walking) return [make("p", { class: "prompt" }, "Row by row. Tap the board to skip.")];
    if (doing.over && !items.length) return [(this.#ending ??= offered(doing))];
    this.#ending = null;
    const sealing = new Set(items.filter(({ secret }) => secret).map(({ seat }) => seat));
    const secret = this.#secrets.controls(now, sealing);
    if (now.unguided && !sealing.size) return unguided(now, this.#on);
    if (now.busy) return secret;
    const supplier = supplierOf(doing);
    return [idle(doing, frame), ...secret, ...pads({ ...now, choices, supplier }, this.#on)];
  }

  /** Say on the button for a foul how long the other player still has, where a clock keeps it. */
  tick(frame, now) {
    const call = this.#section.querySelector('[data-token$="foul"]');
    const { patience, waits } = (frame && dataOf(frame, "clocks")) ?? {};
    const [opened] = Object.values(waits ?? {});
    if (!call || opened === undefined) return;
    const rest = Math.ceil((opened + patience - now) / 1000);
    const label = call.textContent.replace(/ \(.*\)$/, "") + (rest > 0 ? ` (in ${rest} s)` : "");
    if (call.textContent !== label) call.textContent = label;
  }
}

/** What is offered when a match is over; it comes when it is. */
function offered(doing) {
  const place = make("div", { class: "ending" });
  const come = ({ ending }) => place.replaceChildren(...ending(doing));
  import("./ending.js").then(come, () => {});
  return place;
}

/** The seat out of whose supply is taken: one's own, but for a bonus. */
export function supplierOf({ seats }) {
  const speaking = seats.find(({ choices }) => choices.length);
  if (!speaking) return null;
  const bonus = speaking.awaited.some(({ what }) => what.includes("bonus"));
  return bonus ? 3 - speaking.seat : speaking.seat;
}

/** Whoever has nothing to do is told for whom to wait. */
function idle({ seats, names }, frame) {
  if (seats.some(({ awaited }) => awaited.some(({ must }) => must))) return null;
  const others = frame.dataset.awaited.split(",").filter(Boolean);
  return make("p", { class: "prompt" }, `Waiting for ${others.map((seat) => nameOf(names, seat)).join(" and ")}.`);
}
