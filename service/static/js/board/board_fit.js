/**
 * Room for the board: where the controls stand at the lower edge of the screen, they must not lie
 * over the board, however tall they are just now or however large the type.
 */

import { find, findAll } from "../shared/elements.js";

/** The fewest pixels of a board that are worth looking at; with less room it keeps its size. */
const LEAST = 200;
/** The fewest pixels of a table, whose lines scroll. */
const LEAST_TABLE = 120;
/** The size that a finger can hit; a board shrinks no further, unless it was smaller before. */
const FINGER = 44;
const GAP = 8;

/**
 * Shrink the board of a page as its controls need room. If it would have to shrink too much, the
 * page is `is-crowded`: the controls come below the board, and are scrolled to.
 *
 * @type {(root: HTMLElement, desk: HTMLElement) => () => void}
 */
export function fitBoard(root, desk) {
  let tallest = 0;
  let mode = "";
  const fitted = () => {
    const now = String(root.classList.contains("is-programming"));
    if (now !== mode) [mode, tallest] = [now, 0];
    root.classList.remove("is-crowded");
    root.style.removeProperty("--pb-room");
    const { position, bottom } = getComputedStyle(desk);
    // A board that has shrunk stays small: it does not grow and shrink with every tap.
    tallest = position === "sticky" ? Math.max(tallest, desk.offsetHeight) : 0;
    if (!tallest) return;
    const board = find(root, ".board").getBoundingClientRect().top + scrollY;
    const room = innerHeight - board - tallest - parseFloat(bottom) - GAP;
    const before = smallest(root);
    root.style.setProperty("--pb-room", `${room}px`);
    const crowded = room < (before < Infinity ? LEAST : LEAST_TABLE) || (before >= FINGER && smallest(root) < FINGER);
    if (crowded) root.style.removeProperty("--pb-room");
    root.classList.toggle("is-crowded", crowded);
  };
  const watch = new ResizeObserver(fitted);
  for (const part of [desk, find(root, ".who")]) watch.observe(part);
  addEventListener("resize", () => ((tallest = 0), fitted()));
  return fitted;
}

/**
 * Return the height of the smallest place on the board.
 *
 * @type {(root: HTMLElement) => number}
 */
function smallest(root) {
  const places = findAll(root, ".board .pb-hit");
  return Math.min(...places.map((place) => place.getBoundingClientRect().height));
}
