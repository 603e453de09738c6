/**
 * Pieces that are seen to move from one frame to the next. They have no names: a piece that one
 * place lost and another gained has moved from here to there.
 */

import { findAll, makeSvg, translationOf } from "../shared/elements.js";

const SLIDE = 320;
/** A turn with many parts is shown faster. */
const LONGEST = 1600;

/** @typedef {{ cell: Element, piece: Element, kind: string, x: number, y: number }} Piece */
/** @typedef {Map<string, { cell: Element, pieces: Element[] }>} Places */

/**
 * Animate the pieces that differ between two frames of one board: they slide, appear and vanish.
 *
 * @type {(before: Element, frame: Element) => void}
 */
export function move(before, frame) {
  const board = frame.querySelector(".pb-live");
  const old = places(before);
  const now = places(frame);
  if (!board || !now.size) return;
  // On a board that grows or loses places the others have moved.
  const same = sameBoard(old, now);
  const lost = same ? surplus(old, now) : [];
  const gained = surplus(now, old).filter(({ cell }) => same || old.has(cell.dataset.at ?? ""));
  const ways = findAll(frame, ".board .pb-way").map(({ dataset }) => (dataset.way ?? "").split(" "));
  const above = board.appendChild(makeSvg("g"));
  let longest = SLIDE;
  for (const piece of gained) {
    const origin = nearest(lost, piece);
    if (origin) lost.splice(lost.indexOf(origin), 1);
    if (!origin) appear(piece);
    else longest = Math.max(longest, slide(above, through(ways, origin, piece, now)));
  }
  for (const piece of lost) vanish(above, piece);
  setTimeout(() => above.remove(), longest + 200);
  const skip = () => above.getAnimations({ subtree: true }).forEach((each) => each.finish());
  frame.addEventListener("pointerdown", skip, { once: true });
}

/**
 * Return the way of a piece: along arrows that lead from its place to the other, or else straight.
 *
 * @type {(ways: string[][], from: Piece, to: Piece, now: Places) => Piece[]}
 */
function through(ways, from, to, now) {
  const goal = to.cell.dataset.at;
  let here = from.cell.dataset.at;
  const stops = [from];
  for (const [start, end] of ways) {
    const cell = start === here && end !== goal ? now.get(end)?.cell : undefined;
    if (start !== here) continue;
    if (end === goal) return [...stops, to];
    if (!cell) break;
    const [[x, y], [left, top]] = [cell, to.cell].map(translationOf);
    stops.push({ ...to, x: to.x + x - left, y: to.y + y - top });
    here = end;
  }
  return [from, to];
}

/** @type {(frame: Element) => Places} */
function places(frame) {
  /** @type {Places} */
  const found = new Map();
  for (const cell of findAll(frame, ".board .pb-cell")) {
    const pieces = findAll(cell, ".pb-piece[data-piece]");
    found.set(cell.dataset.at ?? "", { cell, pieces });
  }
  return found;
}

/** @type {(old: Places, now: Places) => boolean} */
function sameBoard(old, now) {
  return old.size === now.size && [...old.keys()].every((at) => now.has(at));
}

/**
 * The pieces that `some` places have in excess of the `others`.
 *
 * @type {(some: Places, others: Places) => Piece[]}
 */
function surplus(some, others) {
  /** @type {Piece[]} */
  const found = [];
  for (const [at, { cell, pieces }] of some) {
    const there = (others.get(at)?.pieces ?? []).map((piece) => piece.dataset.piece);
    for (const piece of pieces) {
      const kind = piece.dataset.piece ?? "";
      const same = there.indexOf(kind);
      if (same < 0) found.push({ cell, piece, kind, ...position(piece) });
      else there.splice(same, 1);
    }
  }
  return found;
}

/** @type {(pieces: Piece[], piece: Piece) => Piece | undefined} */
function nearest(pieces, { kind, x, y }) {
  /** @type {(piece: Piece) => number} */
  const far = (piece) => Math.hypot(piece.x - x, piece.y - y);
  return pieces.filter((piece) => piece.kind === kind).sort((a, b) => far(a) - far(b))[0];
}

/**
 * Return the position of a piece in the units of its board, by adding all translations around it.
 *
 * @type {(piece: Element) => { x: number, y: number }}
 */
function position(piece) {
  let [x, y] = [0, 0];
  for (let node = piece; node.nodeName !== "svg"; ) {
    const [dx, dy] = translationOf(node);
    [x, y] = [x + dx, y + dy];
    if (!node.parentElement) break;
    node = node.parentElement;
  }
  return { x, y };
}

/**
 * Let a copy slide from stop to stop, above everything else, because later elements cover earlier
 * ones. Returns its duration in milliseconds.
 *
 * @type {(above: Element, stops: Piece[]) => number}
 */
function slide(above, stops) {
  const to = stops[stops.length - 1];
  const duration = Math.min(LONGEST, SLIDE * (stops.length - 1));
  const copy = lifted(above, to);
  to.piece.style.visibility = "hidden";
  /** @type {(piece: Piece) => Keyframe} */
  const at = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` });
  const easing = "cubic-bezier(.3, .1, .2, 1)";
  const sliding = copy.animate(stops.map((stop) => ({ ...at(stop), easing })), { duration });
  const landed = () => ((to.piece.style.visibility = ""), copy.remove());
  sliding.finished.then(landed, landed);
  return duration;
}

/** @type {(piece: Piece) => void} */
function appear({ cell }) {
  cell.classList.add("is-new");
  setTimeout(() => cell.classList.remove("is-new"), 500);
}

/** @type {(above: Element, gone: Piece) => void} */
function vanish(above, gone) {
  const copy = lifted(above, gone);
  copy.classList.add("is-gone");
}

/** @type {(above: Element, piece: Piece) => SVGElement} */
function lifted(above, { piece, x, y }) {
  const transform = `translate(${x} ${y})`;
  return above.appendChild(makeSvg("g", { transform, "pointer-events": "none" }, piece.cloneNode(true)));
}
