/** Dice to be set as they lie on the table. Only games with dice load this module. */

import { facesOf } from "../board/move_choice.js";
import { make, makeSvg } from "../shared/elements.js";

const FACES = [1, 2, 3, 4, 5, 6];
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
/** @type {Record<number, number[]>} */
const PIPS = { 1: [5], 2: [1, 9], 3: [1, 5, 9], 4: [1, 3, 7, 9], 5: [1, 3, 5, 7, 9], 6: [1, 3, 4, 6, 7, 9] };

/**
 * Return the seat that rolls, the number of its dice, and the text before their faces if the rolls
 * are too many to be listed.
 *
 * @type {(rolls: Choice[], now: Pick<RecordState, "controls">) => { seat: number, count: number, before?: string } | null}
 */
function throwOf([first], { controls }) {
  if (first) return { seat: first.seat, count: facesOf(first, controls.rolls)?.split(",").length ?? 1 };
  const own = controls.seats.find(({ rolled }) => rolled);
  return own?.rolled ? { seat: own.seat, count: controls.rolls[own.rolled], before: own.rolled } : null;
}

/** @type {(rolls: Choice[], now: Pick<RecordState, "controls">) => HTMLElement | null} */
export function prompt(rolls, now) {
  const awaited = throwOf(rolls, now);
  return awaited && make("p", { class: "prompt" }, awaited.count > 1 ? "What do the dice show?" : "What does the die show?");
}

/** @type {(rolls: Choice[], now: Pick<RecordState, "controls">, on: RecordActions) => HTMLElement | null} */
export function thrown(rolls, now, on) {
  const awaited = throwOf(rolls, now);
  if (!awaited) return null;
  const { seat, count, before } = awaited;
  const own = now.controls.seats.find((each) => each.seat === seat);
  return diceRows(count, own?.controls.dice, (faces) => {
    const choice = rolls.find((each) => facesOf(each, now.controls.rolls) === faces);
    if (choice) on.choose(choice);
    else if (before) on.choose({ seat, text: `${seat}:${before}${faces}`, fields: [] });
  });
}

/**
 * Make dice to set as they lie on the table, one after another in the same row; `show` is called
 * with all faces, like "4,5".
 *
 * @type {(count: number, colours: string[] | undefined, show: (thrown: string) => void) => HTMLElement}
 */
export function diceRows(count, colours, show) {
  /** @type {number[]} */
  const thrown = Array(count).fill(0);
  const rows = thrown.map((_, row) => die(row, colours?.[row] ?? (count > 1 ? ORDINALS[row] : "the"), (face) => {
    const again = thrown[row] > 0;
    thrown[row] = again ? 0 : face;
    for (const [at, other] of rows.entries()) other.classList.toggle("is-set", thrown[at] > 0);
    if (thrown.every(Boolean)) show(thrown.join(","));
    else if (rows.some((other) => other.contains(document.activeElement))) rows[thrown.indexOf(0)].querySelector("button")?.focus();
  }));
  return make("div", { class: "dice" }, ...rows);
}

/**
 * Make the faces of a die to tap. Once the die is set, only its face is shown; a tap on the face
 * clears the die.
 *
 * @type {(row: number, colour: string, show: (face: number) => void) => HTMLElement}
 */
function die(row, colour, show) {
  /** @type {HTMLElement[]} */
  const faces = FACES.map((face) =>
    make("button", {
      type: "button",
      class: `face pb-scene pb-${colour}`,
      "data-die": row,
      "data-face": face,
      "aria-pressed": "false",
      "aria-label": `${colour} die: ${face}`,
      onclick: ({ currentTarget }) => {
        for (const other of faces) other.setAttribute("aria-pressed", String(other === currentTarget && other.ariaPressed === "false"));
        show(face);
      },
    }, pipsOf(face)),
  );
  return make("div", { class: "die", role: "group", "aria-label": `${colour} die` }, letterOf(colour), ...faces);
}

/**
 * Return the letter of a colour, as on pieces of this colour; `null` for dice without colours.
 *
 * @type {(colour: string) => HTMLElement | null}
 */
function letterOf(colour) {
  if (ORDINALS.includes(colour) || colour === "the") return null;
  return make("b", { class: "letter", "aria-hidden": "true" }, colour[0].toUpperCase());
}

/** @type {(face: number) => SVGElement} */
function pipsOf(face) {
  const pips = PIPS[face].map((place) => {
    const [cx, cy] = [7 + 11 * ((place - 1) % 3), 7 + 11 * Math.floor((place - 1) / 3)];
    return makeSvg("circle", { cx, cy, r: 3.6 });
  });
  return makeSvg("svg", { viewBox: "0 0 36 36", "aria-hidden": "true" }, ...pips);
}
