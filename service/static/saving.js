/** The form that records an adjustment: the text, for what cannot be tapped, and the reason. */

import { make } from "./elements.js";
import { headOf } from "./frames.js";
import { Failed, get, post } from "./requests.js";
import { sentence } from "./words.js";

export class Saving {
  #form;
  #match;
  #names;
  #arrangement;
  #text;
  #trouble;
  #onShown;
  /** The version that the record has to be at. */
  #expected;
  #busy = false;

  /** `arrangement` is what is saved; `shown()` is called when a text has become it. */
  constructor(form, { match, version, names, arrangement, shown }) {
    this.#form = form;
    this.#match = match;
    this.#names = names;
    this.#arrangement = arrangement;
    this.#onShown = shown;
    this.#expected = Number(version);
    this.#text = form.elements.position;
    this.#trouble = form.querySelector("[data-part=trouble]");
    form.querySelector("[data-part=show]").addEventListener("click", () => this.#once(() => this.#write()));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#once(() => this.#save());
    });
  }

  /** Take over the text of what is shown. */
  shown() {
    this.#text.value = this.#arrangement.facts.text;
    this.#trouble.hidden = true;
  }

  async #once(work) {
    if (this.#busy) return;
    this.#busy = true;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      this.#tell(error.message);
    } finally {
      this.#busy = false;
    }
  }

  async #write() {
    await this.#arrangement.write(this.#text.value.trim());
    this.#onShown();
  }

  async #save() {
    const { facts } = this.#arrangement;
    if (this.#text.value.trim() !== facts.text) await this.#write();
    const { text, fit, differs, told } = this.#arrangement.facts;
    if (!fit) return this.#tell(`This cannot be yet. ${told}`);
    if (!differs) return this.#tell("So it is recorded already: move something first");
    const reason = this.#form.elements.reason.value.trim();
    try {
      await post(`/matches/${this.#match}/adjustments`, { position: text, reason, expected: this.#expected });
      location.assign(`/m/${this.#match}`);
    } catch (error) {
      if (error.status !== 412) throw error;
      await this.#missed();
    }
  }

  /** Somebody recorded something meanwhile: tell what, and let it be saved upon that. */
  async #missed() {
    const { version, events } = await get(`/matches/${this.#match}/events?after=${this.#expected}`);
    this.#expected = version;
    const last = events.length === 1 && events[0].token && (await toldOf(this.#match));
    const what = last || events.map((event) => event.what).join(", ");
    const here = make("a", { href: `/m/${this.#match}/replay` }, "look at it");
    const said = sentence(`meanwhile recorded: ${what}`, this.#names);
    this.#tell(said, " Nothing of yours is lost. If your table stands as shown here, save again; or ", here, " first.");
  }

  #tell(message, ...more) {
    this.#trouble.replaceChildren(sentence(message, this.#names), ...more);
    this.#trouble.hidden = false;
    // What is wrong and the way on are seen together.
    for (const part of [this.#form.lastElementChild, this.#trouble]) part.scrollIntoView({ block: "nearest" });
  }
}

/** What the last move of a match did, in words. */
async function toldOf(match) {
  const frame = await headOf(match).catch(() => null);
  return frame?.querySelector(".told").textContent;
}
