/** The form that records an adjustment: the position as a text, and the reason. */

import { find, make, onSubmit } from "../shared/elements.js";
import { headOf } from "../board/frames.js";
import { HttpError, get, post, postEvents } from "../shared/http.js";
import { prefix } from "../shared/prefix.js";
import { sentence } from "../shared/words.js";

export class AdjustmentForm {
  #form;
  #match;
  #position;
  #text;
  #reason;
  #trouble;
  #onShown;
  /** The version that the record has to be at. */
  #expected;
  #busy = false;
  /** The move that stood, with its seat, of which this is the position after it; empty for none. */
  #stood;

  /**
   * Save `position` on submit; `shown()` is called when a text has been read as the position.
   *
   * @param {HTMLFormElement} form
   * @param {{ match: string, version: string, position: import("./edited_position.js").EditedPosition, shown: () => void }} facts
   */
  constructor(form, { match, version, position, shown }) {
    this.#form = form;
    this.#match = match;
    this.#position = position;
    this.#onShown = shown;
    this.#expected = Number(version);
    this.#stood = form.dataset.stood ?? "";
    this.#text = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("position"));
    this.#reason = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("reason"));
    this.#trouble = find(form, "[data-part=trouble]");
    find(form, "[data-part=show]").addEventListener("click", () => this.#once(() => this.#write()));
    onSubmit(form, () => {
      this.#once(() => this.#save());
    });
  }

  /** Take over the text of the position. */
  shown() {
    this.#text.value = this.#position.facts.text ?? "";
    this.#trouble.hidden = true;
  }

  /** @type {(work: () => Promise<unknown>) => Promise<void>} */
  async #once(work) {
    if (this.#busy) return;
    this.#busy = true;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      this.#report(error.message);
    } finally {
      this.#busy = false;
    }
  }

  async #write() {
    await this.#position.write(this.#text.value.trim());
    this.#onShown();
  }

  async #save() {
    const { facts } = this.#position;
    if (this.#text.value.trim() !== facts.text) await this.#write();
    const { text, fit, differs, told } = this.#position.facts;
    if (!fit) return this.#report(`This position is not possible yet. ${told}`);
    if (!differs && !this.#stood) return this.#report("The record has this position already; move something first");
    try {
      await this.#post(text ?? "");
      location.assign(`${prefix}/m/${this.#match}`);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 412) throw error;
      await this.#missed();
    }
  }

  /** @param {string} position */
  #post(position) {
    const expected = this.#expected;
    if (this.#stood) return postEvents(this.#match, { events: [{ text: this.#stood, stood: true, position }], expected });
    return post(`/matches/${this.#match}/adjustments`, { position, reason: this.#reason?.value.trim(), expected });
  }

  /**
   * Show the events that were recorded meanwhile, and let the person save the position after them.
   */
  async #missed() {
    const { version, events } = await get(`/matches/${this.#match}/events?after=${this.#expected}`);
    this.#expected = version;
    const last = events.length === 1 && events[0].text && (await lastWords(this.#match));
    const recorded = last || events.map((/** @type {{ what: string }} */ { what }) => what).join(", ");
    const here = make("a", { href: `${prefix}/m/${this.#match}/replay` }, "look at it");
    const said = sentence(`meanwhile recorded: ${recorded}`);
    this.#report(said, " Nothing of yours is lost. If your table looks as shown here, save again; or ", here, " first.");
  }

  /** @type {(message: string, ...more: (string | Node)[]) => void} */
  #report(message, ...more) {
    this.#trouble.replaceChildren(sentence(message), ...more);
    this.#trouble.hidden = false;
    // The trouble and the button are seen together.
    for (const part of [this.#form.lastElementChild, this.#trouble]) part?.scrollIntoView({ block: "nearest" });
  }
}

/**
 * Return the words for the last move of a match; empty if the words cannot be fetched.
 *
 * @type {(match: string) => Promise<string>}
 */
async function lastWords(match) {
  const frame = await headOf(match).catch(() => null);
  return frame?.querySelector(".told")?.textContent ?? "";
}
