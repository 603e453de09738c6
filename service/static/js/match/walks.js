/**
 * Writing a secret move by walking its pieces on the board. The game says which place each step
 * leads to (domain/controls.py); this module finds ways through that graph and draws them.
 */

import { find, makeSvg, translationOf } from "../shared/elements.js";

/** The walks of the pieces of a pad; the draft holds their steps. */
export class Walks {
  #draft;
  #seat;
  /** @type {PadRow} */
  #row;
  /** @type {string | null} Why the last tap led nowhere. */
  trouble = null;

  /**
   * @param {import("./pad_draft.js").PadDraft} draft
   * @param {number} seat
   */
  constructor(draft, seat) {
    this.#draft = draft;
    this.#seat = seat;
    this.#row = this.#rows.find(({ piece }) => piece === draft.pad.start) ?? this.#rows[0];
  }

  get #rows() {
    return this.#draft.pad.rows ?? [];
  }

  /** The row whose piece is walking. */
  get row() {
    return this.#rows.find(({ piece }) => piece === this.#row.piece) ?? this.#rows[0];
  }

  /** @type {(row: PadRow) => void} */
  select(row) {
    this.trouble = null;
    this.#row = row;
  }

  /** Let the walking piece begin its way again. */
  clear() {
    this.trouble = null;
    this.#draft.walk(this.row, [], 0);
  }

  /** @type {(row: PadRow) => string} */
  #end(row) {
    return this.#draft.places(row).at(-1) ?? "";
  }

  /** How many steps are left to the piece that is walking. */
  get left() {
    return this.row.fields.length - this.#draft.walked(this.row);
  }

  /**
   * Take a tap on a place: a pyramid, or the end of its way, is selected; a tap elsewhere moves the
   * selected pyramid there. Returns whether the tap leads anywhere.
   *
   * @type {(at: string) => boolean}
   */
  tap(at) {
    const own = this.#pieceOn(at);
    if (own) return this.select(own), true;
    const { row } = this;
    const onward = this.#ways(this.#end(row), this.left).get(at);
    const anew = this.#ways(row.at ?? "", row.fields.length).get(at);
    if (onward) this.#walk(onward, this.#draft.walked(row));
    else if (anew) this.#walk(anew, 0);
    else this.trouble = `${at} is too far from ${row.at} for ${row.fields.length} steps.`;
    return this.trouble === null;
  }

  /** Let the walking piece stay in place for a step. */
  stay() {
    if (this.left) this.#walk([null], this.#draft.walked(this.row));
  }

  /**
   * Return the row of the pyramid on a place, or else of the way that ends there.
   *
   * @type {(at: string) => PadRow | undefined}
   */
  #pieceOn(at) {
    return this.#rows.find((row) => row.at === at) ?? this.#rows.find((row) => this.#end(row) === at);
  }

  /** @type {(steps: (string | null)[], from: number) => void} */
  #walk(steps, from) {
    this.trouble = null;
    this.#draft.walk(this.row, steps, from);
    // A piece is done after its last step; then the next piece without a step walks.
    if (this.left) return;
    const next = this.#rows.find((row) => !this.#draft.walked(row));
    if (next) this.select(next);
  }

  /**
   * The shortest ways from a place, keyed by the place they lead to; of several, the way whose
   * labels sort first.
   *
   * @type {(from: string, most: number) => Map<string, string[]>}
   */
  #ways(from, most) {
    const { pad, steps } = this.#draft;
    const labels = (pad.labels ?? []).filter(({ text }) => steps[text]);
    /** @type {Map<string, string[]>} */
    const ways = new Map([[from, []]]);
    for (const [at, way] of ways) {
      if (way.length === most) continue;
      for (const { text } of labels) {
        const next = steps[text][at];
        if (next && !ways.has(next)) ways.set(next, [...way, text]);
      }
    }
    ways.delete(from);
    return ways;
  }

  /**
   * The state of each place, for `showStates`.
   *
   * @returns {PlaceStates}
   */
  get states() {
    const { row } = this;
    const end = this.#end(row);
    const ways = this.left ? this.#ways(end, this.left) : this.#ways(row.at ?? "", row.fields.length);
    const others = this.#rows.filter((each) => each !== row).map(({ at = "" }) => at);
    const target = new Set([...ways.keys()].filter((at) => !this.#pieceOn(at)));
    return { chosen: new Set([end]), open: new Set(others), target };
  }

  /**
   * Draw the walks over the board of a frame: the way, its steps, and a ghost where it ends.
   *
   * @type {(frame: HTMLElement) => void}
   */
  draw(frame) {
    const board = frame.querySelector(".board svg");
    if (!board) return;
    const walked = this.#rows.filter((row) => this.#draft.walked(row));
    const drawn = walked.map((row) => drawWalk(frame, this.#draft.places(row), `${row.piece}${this.#seat}`, row === this.row));
    board.querySelector(".pb-walks")?.remove();
    board.append(makeSvg("g", { class: "pb-walks", "aria-hidden": "true" }, ...drawn));
  }
}

/** @type {(frame: HTMLElement, places: string[], piece: string, current: boolean) => SVGElement} */
function drawWalk(frame, places, piece, current) {
  const points = places.map((at) => middle(cellOf(frame, at)));
  const way = makeSvg("path", { class: "pb-walk-way", d: `M${points.map((point) => point.join(" ")).join("L")}` });
  const end = places[places.length - 1];
  const numbers = [...new Set(places.slice(1))].map((at) => number(frame, at, places));
  const ghost = end === places[0] ? [] : ghosts(frame, places[0], end, piece);
  return makeSvg("g", { class: current ? "pb-walk is-current" : "pb-walk" }, way, ...ghost, ...numbers);
}

/**
 * Return the numbers of the steps that end on a place, at its corner.
 *
 * @type {(frame: HTMLElement, at: string, places: string[]) => SVGElement}
 */
function number(frame, at, places) {
  const steps = places.flatMap((place, step) => (step && place === at ? [step] : []));
  const [x, y] = middle(cellOf(frame, at));
  const text = makeSvg("text", { class: "pb-walk-step", x: -20, y: -12, "font-size": 17 });
  text.textContent = steps.join(" ");
  return makeSvg("g", { transform: `translate(${x} ${y})` }, text);
}

/** @type {(frame: HTMLElement, start: string, end: string, piece: string) => SVGElement[]} */
function ghosts(frame, start, end, piece) {
  const drawn = cellOf(frame, start).querySelector(`.pb-piece[data-piece="${CSS.escape(piece)}"]`)?.parentElement;
  const [x, y] = translationOf(cellOf(frame, end));
  return drawn ? [makeSvg("g", { class: "pb-ghost", transform: `translate(${x} ${y})` }, drawn.cloneNode(true))] : [];
}

/** @type {(frame: HTMLElement, at: string) => SVGGraphicsElement} */
function cellOf(frame, at) {
  return /** @type {any} */ (find(frame, `.board .pb-cell[data-at="${at}"]`));
}

/** @type {(cell: SVGGraphicsElement) => [number, number]} */
function middle(cell) {
  const [x, y] = translationOf(cell);
  const { x: left, y: top, width, height } = /** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (find(cell, ".pb-hit"))).getBBox();
  return [x + left + width / 2, y + top + height / 2];
}
