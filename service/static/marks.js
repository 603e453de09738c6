/**
 * Arrows, circles and labels of annotations, drawn over the board of a frame.
 *
 * A frame never changes and what is said about it does: so the list has the marks, and they are
 * drawn here. They look as in the pictures of replay/drawing (notes.py, arrows.py).
 */

const SVG = "http://www.w3.org/2000/svg";

/** Draw the marks that a stop of the list tells. */
export function drawMarks(frame, element) {
  const own = [...element.querySelectorAll("[data-mark]")].filter(
    (mark) => mark.closest("[data-line]") === element,
  );
  const marks = own.map(({ dataset }) => ({ kind: dataset.mark, where: dataset.where }));
  drawOver(frame, marks);
}

/** Draw marks over a board, in the place of those drawn before. */
export function drawOver(frame, marks) {
  const board = frame.querySelector(".pb-live");
  if (!board) return;
  board.querySelector(".noted")?.remove();
  const places = middles(board);
  const layer = node("g", { class: "noted", "aria-hidden": "true", "pointer-events": "none" });
  for (const { kind, where } of marks) layer.append(...DRAWN[kind](where, places));
  board.append(layer);
}

/** Where the middle of every place is, and how wide it is, in the units of the board. */
export function middles(board) {
  const found = new Map();
  for (const cell of board.querySelectorAll(".pb-cell")) {
    const [, x, y] = /translate\(([-\d.]+)[ ,]+([-\d.]+)/.exec(cell.getAttribute("transform"));
    const box = cell.querySelector(".pb-hit").getBBox();
    found.set(cell.dataset.at, {
      x: Number(x) + box.x + box.width / 2,
      y: Number(y) + box.y + box.height / 2,
      size: Math.min(box.width, box.height),
    });
  }
  return found;
}

const DRAWN = {
  circle(at, places) {
    const place = places.get(at);
    if (!place) return [];
    const round = { cx: place.x, cy: place.y, r: place.size / 2 - 4 };
    return [node("circle", { class: "pb-ring-halo", ...round }), node("circle", { class: "pb-ring", ...round })];
  },
  label(where, places) {
    const [at, text] = where.split("=");
    const place = places.get(at);
    if (!place) return [];
    const [x, y] = [place.x + place.size / 2 - 13, place.y - place.size / 2 + 13];
    const width = 12 + 8 * text.length;
    const plate = { class: "pb-plate", x: x - width / 2, y: y - 10, width, height: 20, rx: 5 };
    const words = node("text", { class: "pb-plate-text", x, y: y + 5, "font-size": 14 });
    words.textContent = text;
    return [node("rect", plate), words];
  },
  arrow(where, places) {
    const [start, end] = where.split("-").map((at) => places.get(at));
    if (!start || !end) return [];
    const length = Math.hypot(end.x - start.x, end.y - start.y);
    const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
    const off = ({ x, y }, far, aside = 0) => [x + dx * far - dy * aside, y + dy * far + dx * aside];
    const line = `M${off(start, 14)}L${off(end, -18)}`;
    const head = [off(end, -9), off(end, -23, 8), off(end, -23, -8)];
    const [cx, cy] = off(start, 9);
    const drawn = node("g", { class: "pb-way pb-way-note" });
    drawn.append(
      node("path", { class: "pb-halo", d: line }),
      node("path", { class: "pb-arrow pb-arrow-note", d: line }),
      node("circle", { class: "pb-head-open", cx, cy, r: 5 }),
      node("polygon", { class: "pb-head", points: head.join(" ") }),
    );
    return [drawn];
  },
};

function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
