/**
 * A board to tap: taps, the keyboard, and the signs that show the state of each place. It knows
 * places and supplies by name, and no games.
 */

import { around, find, findAll } from "../shared/elements.js";

/** The least area in square pixels of a place that a finger hits. */
const FINGER = 28 * 28;
const STATES = /** @type {const} */ (["open", "target", "chosen", "pending", "refused"]);
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * Listen on a stage whose frames are swapped: `tap(text, element)` for a place or a supply,
 * `release()` for Escape. The listeners are on the stage, so a new frame needs none.
 *
 * @type {(stage: HTMLElement, on: { tap: (text: string, thing: HTMLElement) => void, release: () => void }) => void}
 */
export function listenForTaps(stage, { tap, release }) {
  stage.addEventListener("click", (event) => {
    const thing = around(event, ".pb-cell, .pb-pick");
    if (thing) tapOn(thing, tap);
  });
  stage.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return release();
    const cell = around(event, ".pb-cell");
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") tapOn(cell, tap);
    else if (ARROWS[event.key]) walk(cell, ARROWS[event.key]);
    else if (event.key === "Home" || event.key === "End") ends(cell, event.key === "Home");
    else if (!choose(event.key)) return;
    event.preventDefault();
  });
  stage.addEventListener("focusin", (event) => {
    const cell = around(event, ".pb-cell");
    if (cell) rove(cell);
  });
}

/**
 * Choose the thing below the board that a letter of the keyboard means, like "s" for a small piece;
 * returns whether there is such a thing.
 *
 * @type {(key: string) => boolean}
 */
function choose(key) {
  const thing = findAll(document, "[data-choose]").find(({ dataset }) => dataset.choose?.toLowerCase() === key);
  thing?.click();
  return thing !== undefined;
}

/** @type {(thing: HTMLElement, tap: (text: string, thing: HTMLElement) => void) => void} */
function tapOn(thing, tap) {
  tap(thing.dataset.at ?? thing.dataset.pick ?? "", thing);
}

/**
 * Give the board of a new frame its single stop of the tab key: at the former place, else at `at`.
 *
 * @type {(frame: Element, at?: string) => void}
 */
export function setTabStop(frame, at) {
  const cells = cellsOf(frame);
  if (!cells.length || cells.some((cell) => cell.tabIndex === 0)) return;
  rove(cells.find((cell) => cell.dataset.at === at) ?? cells[0]);
}

/**
 * Return the names of the places of a frame.
 *
 * @type {(frame: Element) => Set<string>}
 */
export function placesOf(frame) {
  return new Set(findAll(frame, ".pb-cell").map(({ dataset }) => dataset.at ?? ""));
}

/**
 * Return whether a place is too small for the finger that taps it.
 *
 * @type {(frame: Element, at: string) => boolean}
 */
export function isSmall(frame, at) {
  const cell = matchMedia("(pointer: coarse)").matches && cellsOf(frame).find(({ dataset }) => dataset.at === at);
  if (!cell) return false;
  const { width, height } = find(cell, ".pb-hit").getBoundingClientRect();
  return width * height < FINGER;
}

/**
 * Return the place that the tab key reaches first.
 *
 * @type {(frame: Element | null) => string | undefined}
 */
export function tabStopOf(frame) {
  return frame?.querySelector('.pb-cell[tabindex="0"]')?.dataset.at;
}

/** @type {(cell: Element) => void} */
function rove(cell) {
  for (const other of siblingsOf(cell)) other.tabIndex = other === cell ? 0 : -1;
}

/** @type {(frame: Element) => HTMLElement[]} */
function cellsOf(frame) {
  return findAll(frame, ".board .pb-cell");
}

/** @type {(cell: Element) => HTMLElement[]} */
function siblingsOf(cell) {
  const frame = cell.closest(".frame");
  return frame ? cellsOf(frame) : [];
}

/**
 * Go to the nearest place in a direction, as it is seen: boards may be turned, or have no squares.
 *
 * @type {(cell: Element, direction: [number, number]) => void}
 */
function walk(cell, [right, down]) {
  const from = centre(cell);
  /** @type {{ other: HTMLElement, far: number, to: typeof from } | null} */
  let best = null;
  for (const other of siblingsOf(cell)) {
    const to = centre(other);
    const along = (to.x - from.x) * right + (to.y - from.y) * down;
    const aside = Math.abs((to.x - from.x) * down) + Math.abs((to.y - from.y) * right);
    if (along < 2 || aside > along * 1.2) continue;
    const far = along + 2 * aside;
    // A place above another one is drawn after it, and covers it.
    if (!best || far < best.far || Math.hypot(to.x - best.to.x, to.y - best.to.y) < 9) best = { other, far, to };
  }
  best?.other.focus();
}

/** @type {(cell: Element, first: boolean) => void} */
function ends(cell, first) {
  siblingsOf(cell).at(first ? 0 : -1)?.focus();
}

/** @type {(cell: Element) => { x: number, y: number }} */
function centre(cell) {
  const { x, y, width, height } = find(cell, ".pb-hit").getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/**
 * Show the state of each place and supply. Supplies are marked in the trays of `seat` only.
 *
 * @type {(frame: Element, states: PlaceStates, seat?: number | null) => void}
 */
export function showStates(frame, states, seat) {
  for (const cell of cellsOf(frame)) showState(cell, cell.dataset.at, states);
  for (const tray of findAll(frame, ".pb-beside[data-seat]")) {
    const own = Number(tray.dataset.seat) === seat;
    for (const pick of findAll(tray, ".pb-pick")) {
      // The same pieces are chosen below the board: the tab key goes there at once.
      pick.tabIndex = -1;
      showState(pick, pick.dataset.pick, own ? states : {});
    }
  }
}

/** @type {(thing: Element, text: string | undefined, states: PlaceStates) => void} */
function showState(thing, text = "", states) {
  for (const state of STATES) thing.classList.toggle(`is-${state}`, states[state]?.has(text) ?? false);
  setAttribute(thing, "aria-pressed", states.chosen?.has(text) ? "true" : null);
  // The text of the rings for screen readers.
  const said = states.target?.has(text) ? "can go here" : states.open?.has(text) ? "can be chosen" : null;
  setAttribute(thing, "aria-description", said);
}

/** @type {(thing: Element, attribute: string, value: string | null) => void} */
function setAttribute(thing, attribute, value) {
  if (value) thing.setAttribute(attribute, value);
  else thing.removeAttribute(attribute);
}
