/**
 * Arrows, circles and labels of annotations, drawn over the board of a frame.
 *
 * A frame never changes and its annotations do: so the list has the marks, and they are
 * drawn here. They look as in the pictures of replay/drawing (notes.py, arrows.py).
 */

import { find, findAll, makeSvg, translationOf } from "../shared/elements.js";

/**
 * Draw the marks of a stop of the list.
 *
 * @type {(frame: Element, element: Element) => void}
 */
export function drawMarks(frame, element) {
  drawOver(frame, marksOf(element));
}

/**
 * Return the marks that a stop of the list has, without those of the stops inside it.
 *
 * @type {(element: Element) => Mark[]}
 */
export function marksOf(element) {
  const marks = findAll(element, "[data-mark]").filter((mark) => mark.closest("[data-line]") === element);
  return marks.map(({ dataset: { mark = "", where = "" } }) => ({ kind: mark, where }));
}

/**
 * Draw marks over a board, in the place of those drawn before.
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
 * Return the middle and the width of every place, in the units of the board.
 *
 * @type {(board: Element) => Map<string, Place>}
 */
function middles(board) {
  /** @type {Map<string, Place>} */
  const found = new Map();
  for (const cell of findAll(board, ".pb-cell")) {
    const [x, y] = translationOf(cell);
    const box = /** @type {any} */ (find(cell, ".pb-hit")).getBBox();
    found.set(cell.dataset.at ?? "", {
      x: x + box.x + box.width / 2,
      y: y + box.y + box.height / 2,
      size: Math.min(box.width, box.height),
    });
  }
  return found;
}

/** @typedef {{ x: number, y: number, size: number }} Place */

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
    /** @type {(place: Place, far: number, aside?: number) => [number, number]} */
    const off = ({ x, y }, far, aside = 0) => [x + dx * far - dy * aside, y + dy * far + dx * aside];
    const line = `M${off(start, 14)}L${off(end, -18)}`;
    const head = [off(end, -9), off(end, -23, 8), off(end, -23, -8)];
    const [cx, cy] = off(start, 9);
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
