/**
 * The board as something to tap: taps, the keyboard, and the signs of what a place is just now.
 * It knows places and supplies by name and nothing of games.
 */

const STATES = ["is-open", "is-target", "is-chosen", "is-pending", "is-refused"];
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * Listen on a stage whose frames are swapped: `tap(text, element)` for a place or a supply,
 * `release()` for Escape. Listening is on the stage, so a new frame needs nothing.
 */
export function listen(stage, { tap, release }) {
  stage.addEventListener("click", ({ target }) => {
    const thing = target.closest(".pb-cell, .pb-pick");
    if (thing) tapOn(thing, tap);
  });
  stage.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return release();
    const cell = event.target.closest(".pb-cell");
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") tapOn(cell, tap);
    else if (ARROWS[event.key]) walk(cell, ARROWS[event.key]);
    else if (event.key === "Home" || event.key === "End") ends(cell, event.key === "Home");
    else return;
    event.preventDefault();
  });
  stage.addEventListener("focusin", ({ target }) => {
    const cell = target.closest(".pb-cell");
    if (cell) rove(cell);
  });
}

function tapOn(thing, tap) {
  tap(thing.dataset.at ?? thing.dataset.pick, thing);
}

/** Give the board of a new frame its one stop of the tab key: where it was, else at `at`. */
export function settle(frame, at) {
  const cells = cellsOf(frame);
  if (!cells.length || cells.some((cell) => cell.tabIndex === 0)) return;
  rove(cells.find((cell) => cell.dataset.at === at) ?? cells[0]);
}

/** The place where the tab key comes in. */
export function stopOf(frame) {
  return frame?.querySelector('.pb-cell[tabindex="0"]')?.dataset.at;
}

function rove(cell) {
  for (const other of cellsOf(cell.closest(".frame"))) other.tabIndex = other === cell ? 0 : -1;
}

function cellsOf(frame) {
  return [...frame.querySelectorAll(".board .pb-cell")];
}

/** Go to the nearest place in a direction, as it is seen: boards may be turned or no squares. */
function walk(cell, [right, down]) {
  const from = centre(cell);
  let best = null;
  for (const other of cellsOf(cell.closest(".frame"))) {
    const to = centre(other);
    const along = (to.x - from.x) * right + (to.y - from.y) * down;
    const aside = Math.abs((to.x - from.x) * down) + Math.abs((to.y - from.y) * right);
    if (along < 2 || aside > along * 1.2) continue;
    const far = along + 2 * aside;
    if (!best || far < best.far) best = { other, far };
  }
  best?.other.focus();
}

function ends(cell, first) {
  cellsOf(cell.closest(".frame")).at(first ? 0 : -1).focus();
}

function centre(cell) {
  const { x, y, width, height } = cell.querySelector(".pb-hit").getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/**
 * Say what each place and supply is: `signs` has a set of texts for every state by its name
 * without "is-". Supplies are marked in the trays of `seat` only.
 */
export function mark(frame, signs, seat) {
  for (const cell of cellsOf(frame)) sign(cell, cell.dataset.at, signs);
  for (const tray of frame.querySelectorAll(".pb-beside[data-seat]")) {
    const own = Number(tray.dataset.seat) === seat;
    for (const pick of tray.querySelectorAll(".pb-pick")) sign(pick, pick.dataset.pick, own ? signs : {});
  }
}

function sign(thing, text, signs) {
  for (const state of STATES) {
    const there = signs[state.slice(3)]?.has(text) ?? false;
    thing.classList.toggle(state, there);
  }
  tell(thing, "aria-pressed", signs.chosen?.has(text) ? "true" : null);
  // What the rings say to the eye.
  const said = signs.target?.has(text) ? "can go here" : signs.open?.has(text) ? "can be chosen" : null;
  tell(thing, "aria-description", said);
}

function tell(thing, attribute, value) {
  if (value) thing.setAttribute(attribute, value);
  else thing.removeAttribute(attribute);
}
