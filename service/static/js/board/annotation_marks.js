/**
 * Arrows, circles and labels of annotations, drawn over the board of a frame.
 *
 * A frame never changes, but its annotations do. So the list of moves has the marks, and this
 * module draws them. They look as in the pictures of replay/drawing (marks.py, arrows.py).
 */

import { find, findAll, makeSvg, translationOf } from "../shared/elements.js";

/** The share of a place above and below its pieces, and the part of an arrow worth drawing. */
const CLEAR = 6;
const SEEN = 4;
const SHORTEST = 22;

/**
 * Return the marks of a stop of the list, without the marks of stops inside it.
 *
 * @type {(element: Element) => Mark[]}
 */
export function marksOf(element) {
  const marks = findAll(element, "[data-mark]").filter((mark) => mark.closest("[data-line]") === element);
  return marks.map(({ dataset: { mark = "", where = "" } }) => ({ kind: mark, where }));
}

/**
 * Draw marks over a board, in place of the marks drawn before.
 *
 * @type {(frame: Element, marks: Mark[]) => void}
 */
export function drawOver(frame, marks) {
  const board = frame.querySelector(".pb-live");
  if (!board) return;
  board.querySelector(".noted")?.remove();
  const places = middles(board);
  const layer = makeSvg("g", { class: "noted", "aria-hidden": "true", "pointer-events": "none" });
  for (const { kind, where } of marks) layer.append(...DRAWN[kind](where, places));
  board.append(layer);
}

/**
 * Return the middle and the width of every place, and how far its pieces reach, in the units of the board.
 *
 * @type {(board: Element) => Map<string, Place>}
 */
function middles(board) {
  /** @type {Map<string, Place>} */
  const found = new Map();
  for (const cell of findAll(board, ".pb-cell")) {
    const [x, y] = translationOf(cell);
    const hit = find(cell, ".pb-hit");
    const box = /** @type {any} */ (hit).getBBox();
    const pieces = findAll(cell, ".pb-piece").map((piece) => piece.getBoundingClientRect().width);
    const wide = ((Math.max(0, ...pieces) / hit.getBoundingClientRect().width) * box.width) / 2;
    found.set(cell.dataset.at ?? "", {
      x: x + box.x + box.width / 2,
      y: y + box.y + box.height / 2,
      size: Math.min(box.width, box.height),
      wide,
      high: wide && box.height / 2 - CLEAR,
    });
  }
  return found;
}

/** @typedef {{ x: number, y: number, size: number, wide: number, high: number }} Place */

/**
 * Return where a line from a place in a direction enters and leaves the pieces of another place.
 *
 * @type {(start: Place, along: [number, number], place: Place) => [number, number] | null}
 */
function across(start, [dx, dy], place) {
  let [near, far] = [-Infinity, Infinity];
  for (const [middle, reach, step] of [[place.x - start.x, place.wide, dx], [place.y - start.y, place.high, dy]]) {
    if (!Math.round(step * 1e6)) {
      if (Math.abs(middle) >= reach) return null;
      continue;
    }
    const [one, other] = [(middle - reach) / step, (middle + reach) / step];
    near = Math.max(near, Math.min(one, other));
    far = Math.min(far, Math.max(one, other));
  }
  return near < far ? [near, far] : null;
}

/**
 * Return the parts of a line that no piece hides.
 *
 * @type {(first: number, last: number, hidden: ([number, number] | null)[]) => [number, number][]}
 */
function seen(first, last, hidden) {
  /** @type {[number, number][]} */
  const parts = [];
  for (const [near, far] of [...hidden.filter((each) => each !== null).sort(([a], [b]) => a - b), [last, last]]) {
    if (Math.min(near, last) - first >= SEEN) parts.push([first, Math.min(near, last)]);
    first = Math.max(first, far);
  }
  return parts;
}

/** @type {Record<string, (where: string, places: Map<string, Place>) => SVGElement[]>} */
const DRAWN = {
  circle(at, places) {
    const place = places.get(at);
    if (!place) return [];
    const round = { cx: place.x, cy: place.y, r: place.size / 2 - 4 };
    return [makeSvg("circle", { class: "pb-ring-halo", ...round }), makeSvg("circle", { class: "pb-ring", ...round })];
  },
  label(where, places) {
    const [at, text] = where.split("=");
    const place = places.get(at);
    if (!place) return [];
    const [x, y] = [place.x + place.size / 2 - 13, place.y - place.size / 2 + 13];
    const width = 12 + 8 * text.length;
    const plate = { class: "pb-plate", x: x - width / 2, y: y - 10, width, height: 20, rx: 5 };
    const words = makeSvg("text", { class: "pb-plate-text", x, y: y + 5, "font-size": 14 });
    words.textContent = text;
    return [makeSvg("rect", plate), words];
  },
  arrow(where, places) {
    const [start, end] = where.split("-").map((at) => places.get(at));
    if (!start || !end) return [];
    const length = Math.hypot(end.x - start.x, end.y - start.y);
    const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
    /** @type {(far: number, aside?: number) => [number, number]} */
    const at = (far, aside = 0) => [start.x + dx * far - dy * aside, start.y + dy * far + dx * aside];
    /** @type {(place: Place) => [number, number] | null} */
    const hides = (place) => across(start, [dx, dy], place);
    let [tail, tip] = [Math.max(9, hides(start)?.[1] ?? 0), Math.min(length - 9, hides(end)?.[0] ?? length)];
    const spread = Math.max(0, SHORTEST - (tip - tail)) / 2;
    [tail, tip] = [tail - spread, tip + spread];
    const between = [...places.values()].filter((place) => place.wide && place !== start && place !== end);
    const line = seen(tail + 5, tip - 9, between.map(hides)).map(([one, other]) => `M${at(one)}L${at(other)}`).join("");
    const head = [at(tip), at(tip - 14, 8), at(tip - 14, -8)];
    const [cx, cy] = at(tail);
    const drawn = makeSvg(
      "g",
      { class: "pb-way pb-way-note" },
      makeSvg("path", { class: "pb-halo", d: line }),
      makeSvg("path", { class: "pb-arrow pb-arrow-note", d: line }),
      makeSvg("circle", { class: "pb-head-open", cx, cy, r: 5 }),
      makeSvg("polygon", { class: "pb-head", points: head.join(" ") }),
    );
    return [drawn];
  },
};
