/**
 * A pad to type numbers, as on a score sheet: whose number it is, its row, and the digits. Only games
 * whose moves are numbers load this module.
 */

import { button, make, makeSvg } from "../shared/elements.js";
import { nameOf } from "../shared/words.js";

const LONGEST = 5;
/**
 * The digits typed so far, and their seat; they outlive a frame. Seat 0 is the seat that is asked
 * first.
 */
const typed = { seat: 0, row: "", text: "" };

/**
 * Return the pad; `null` if no number is due. What a player may say instead of a number is in the
 * dialog "More", so that the pad stands still.
 *
 * @type {(now: RecordState, on: RecordActions) => HTMLElement[] | null}
 */
export function entry(now, on) {
  if (!now.controls.seats.some(({ controls: { numbers } }) => numbers?.length)) return null;
  requestAnimationFrame(keepHeads);
  return numberPad(now, on);
}

/** Keep the names of the columns in sight while the sheet scrolls. */
function keepHeads() {
  /** @type {SVGGraphicsElement | null} */
  const heads = document.querySelector(".board .pb-heads");
  const [board, sheet] = [heads?.closest(".board"), heads?.ownerSVGElement];
  if (!heads || !board || !sheet) return;
  if (!heads.querySelector("rect")) {
    heads.prepend(makeSvg("rect", { width: "100%", height: 26 }));
    sheet.append(heads);
  }
  const { top, height } = sheet.getBoundingClientRect();
  const hidden = Math.max(0, board.getBoundingClientRect().top - top);
  heads.setAttribute("transform", `translate(0 ${(hidden * sheet.viewBox.baseVal.height) / height})`);
}

addEventListener("scroll", keepHeads, { capture: true, passive: true });
addEventListener("resize", keepHeads);

/**
 * Return the pad. A seat whose number is on its way has entered; when all have, the next round
 * begins.
 *
 * @type {(now: RecordState, on: RecordActions) => HTMLElement[]}
 */
function numberPad({ controls, items, arrived }, on) {
  const able = controls.seats.filter(({ controls: { numbers } }) => numbers?.length);
  const players = controls.seat === null ? controls.playing : [controls.seat];
  const unseen = [...arrived, ...items].filter(({ text }) => /\d$/.test(text ?? ""));
  const entered = players.map((seat) => unseen.filter((each) => each.seat === seat).length + (able.some((each) => each.seat === seat) ? 0 : 1));
  const seats = players.filter((_, index) => entered[index] === Math.min(...entered));
  const seat = seats.includes(typed.seat) ? typed.seat : seats[0];
  const own = able.find((each) => each.seat === seat) ?? able[0];
  const pads = own?.controls.numbers ?? [];
  // The free rows of the next round are known only once its board is there.
  if (!pads.length || (own.seat !== seat && pads[0].before)) return [];
  const pad = pads.find(({ before = "" }) => before === typed.row) ?? pads[0];
  const row = pad.before ?? "";
  const name = nameOf(controls.names, seat);
  requestAnimationFrame(() => light(seat, pad.words ?? "", unseen.filter((each) => each.seat === seat).length));
  const change = (/** @type {Partial<typeof typed>} */ to) => (Object.assign(typed, { seat, row }, to), on.redraw());
  const enter = (/** @type {string} */ text) => {
    // Not -0, which is no number of the sheet.
    const number = String(Number(text));
    Object.assign(typed, { seat: 0, row: "", text: "" });
    on.choose({ seat, text: `${seat}:${row}${number}`, fields: [], label: `${name}: ${pad.words ? `${pad.words} ` : ""}${number}` });
  };
  return [
    ...(seats.length > 1 ? [choices("Whose number", seats.map((each) => ({ words: nameOf(controls.names, each) + (each === seat && typed.text ? `: ${shown(typed.text)}` : ""), key: String(each), on: each === seat, tap: () => change({ seat: each, row: "", text: "" }) })))] : []),
    ...(pads.length > 1 ? [choices("Row", pads.map(({ before = "", words = "" }) => ({ words, key: before, on: before === row, tap: () => change({ row: before }) })))] : []),
    make("p", { class: "number", role: "status", "aria-label": `Number of ${name}` }, `${name}: ${shown(typed.text)}`),
    ...(row && !pad.chips?.length ? [] : [make("div", { class: "row chips", role: "group", "aria-label": "Numbers entered before" }, ...(pad.chips ?? []).map((chip) => button(shown(String(chip)), () => enter(String(chip)), { "data-chip": chip, disabled: typed.text !== "" })))]),
    keys(typed.text, (text) => change({ text }), enter, pad.unsigned),
  ];
}

/**
 * Light the cell that is due, with what is typed: in a line of the sheet, or else after the numbers
 * of the seat that are not drawn yet.
 *
 * @type {(seat: number, line: string, undrawn: number) => void}
 */
function light(seat, line, undrawn) {
  const blanks = [...document.querySelectorAll(`.board [data-column="${seat}"]`)];
  const due = line ? blanks.find((each) => each.getAttribute("data-line") === line) : blanks[undrawn];
  for (const each of document.querySelectorAll(".board [data-column]")) {
    each.classList.toggle("is-due", each === due);
    if (each.lastChild) each.lastChild.textContent = each === due && typed.text ? shown(typed.text) : "";
  }
}

/** @typedef {{ words: string, key: string, on: boolean, tap: () => void }} Tab */

/** @type {(label: string, tabs: Tab[]) => HTMLElement} */
function choices(label, tabs) {
  const buttons = tabs.map(({ words, key, on, tap }) => button(words, tap, { class: "thing", "data-choose": key, "aria-pressed": String(on) }));
  return make("div", { class: "chooser", role: "group", "aria-label": label }, ...buttons);
}

/** @type {(text: string, write: (text: string) => void, enter: (number: string) => void, unsigned?: boolean) => HTMLElement} */
function keys(text, write, enter, unsigned) {
  const digit = (/** @type {number} */ each) => button(String(each), () => write(added(text, each)), { class: "key", "data-key": each });
  const sign = button("±", () => write(text.startsWith("-") ? text.slice(1) : `-${text}`), { class: "key", "data-key": "sign", "aria-label": "Plus or minus" });
  const back = button("⌫", () => write(text.slice(0, -1)), { class: "key", "data-key": "back", "aria-label": "Delete the last digit" });
  const done = button("Enter", () => enter(text), { class: "button key-enter", "data-key": "enter", disabled: !/\d/.test(text) });
  return make("div", { class: "keys" }, ...[7, 8, 9].map(digit), back, ...[4, 5, 6].map(digit), unsigned ? null : sign, ...[1, 2, 3, 0].map(digit), done);
}

/** @type {(text: string, digit: number) => string} */
function added(text, digit) {
  const [, minus = "", digits = ""] = /^(-?)(\d*)$/.exec(text) ?? [];
  return digits.length < LONGEST ? minus + (digits === "0" ? "" : digits) + digit : text;
}

/** @type {(text: string) => string} */
function shown(text) {
  return text.replace("-", "−") || "…";
}
