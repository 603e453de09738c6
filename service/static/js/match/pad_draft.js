/**
 * A secret move that is being written: a text for each field of its pad (domain/controls.py). It
 * exists only in the memory of the page. This module knows no game.
 */

export class PadDraft {
  /** @type {Pad} */
  pad;
  /** Where the steps of labels lead to, by text and place. @type {Record<string, Record<string, string>>} */
  steps;
  /** @type {Map<string, string | null>} */
  #texts = new Map();
  /** How many fields of a row are walked on the board, by row. @type {Map<string, number>} */
  #walked = new Map();

  /** @param {Pad} pad */
  constructor(pad) {
    this.pad = pad;
    const steps = (pad.steps ?? []).map(({ text, starts, ends }) => [text, Object.fromEntries(starts.map((at, place) => [at, ends[place]]))]);
    this.steps = Object.fromEntries(steps);
    this.update(pad);
  }

  /**
   * Go on with the pad as it is now: it may have got fields, or lost some.
   *
   * @type {(pad: Pad) => void}
   */
  update(pad) {
    this.pad = pad;
    for (const { name, text = "" } of pad.fields) if (!this.#texts.has(name)) this.#texts.set(name, text);
    this.#mend();
  }

  /** @type {(name: string) => PadField} */
  field(name) {
    const found = this.pad.fields.find((field) => field.name === name);
    if (!found) throw new Error(`the pad has no ${name}`);
    return found;
  }

  /**
   * The labels of a field that can be chosen now.
   *
   * @type {(field: PadField) => Label[]}
   */
  labels({ labels = this.pad.labels ?? [] }) {
    return labels.filter(({ needs }) => !needs || this.#texts.get(needs));
  }

  /**
   * The text of a field: `null` if it is still to be chosen, "" if it is idle.
   *
   * @type {(name: string) => string | null}
   */
  text(name) {
    const { needs } = this.field(name);
    return needs && !this.text(needs) ? "" : this.#texts.get(name) ?? null;
  }

  /** @type {(name: string, text: string) => void} */
  set(name, text) {
    this.#texts.set(name, text);
    this.#mend();
  }

  /** A label that can no longer be chosen is dropped. */
  #mend() {
    for (const field of this.pad.fields) {
      const { labels, text = "", name } = field;
      const chosen = labels?.find((label) => label.text === this.#texts.get(name));
      if (chosen && !this.labels(field).includes(chosen)) this.#texts.set(name, text);
    }
  }

  /** The first field that is still to be chosen. */
  get missing() {
    return this.pad.fields.find(({ name }) => this.text(name) === null) ?? null;
  }

  get written() {
    return this.pad.fields.map(({ name, before = "" }) => {
      const text = this.text(name);
      return text ? before + text : "";
    }).join("");
  }

  /* The fields of a row are steps on the board. */

  /**
   * Return how many fields of a row are filled, by taps or by other steps.
   *
   * @type {(row: PadRow) => number}
   */
  walked(row) {
    const steps = row.fields.map((name, place) => (this.steps[this.text(name) ?? ""] ? place + 1 : 0));
    return Math.max(this.#walked.get(row.piece) ?? 0, ...steps);
  }

  /**
   * Return the places of a piece: its own, and the place after each step that it walks.
   *
   * @type {(row: PadRow) => string[]}
   */
  places(row) {
    const places = [row.at ?? ""];
    for (const name of row.fields.slice(0, this.walked(row))) {
      const at = places[places.length - 1];
      places.push(this.steps[this.text(name) ?? ""]?.[at] ?? at);
    }
    return places;
  }

  /**
   * Let a piece walk these steps from the n-th on (`null` means staying in place), and stay after
   * them.
   *
   * @type {(row: PadRow, steps: (string | null)[], from: number) => void}
   */
  walk(row, steps, from) {
    row.fields.forEach((name, place) => {
      if (place >= from) this.#texts.set(name, steps[place - from] ?? this.field(name).text ?? "");
    });
    this.#walked.set(row.piece, from + steps.length);
  }
}
