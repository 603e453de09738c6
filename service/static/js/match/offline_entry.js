/**
 * Entry without guidance: while moves wait for the network the page does not know the position
 * after them. Taps are written down as they are, and the server reads them when their turn comes.
 */

import { button, make } from "../shared/elements.js";
import { dice as table, thing } from "./choice_buttons.js";
import { labelOf, pickWords } from "../shared/words.js";

/**
 * Return the controls: the taps so far, pieces that are not on the board, and "Write down".
 *
 * @type {(now: RecordState, on: RecordActions) => (HTMLElement | null)[]}
 */
export function offlineEntry({ controls, picks, frame }, on) {
  const { unguided } = controls;
  if (!unguided) return [];
  const seat = Number(frame.dataset.awaited?.split(",")[0]);
  const things = unguided.pieces.map((text) => {
    const label = labelOf(text, controls) ?? { text, words: text };
    return thing(label, { frame, seat, pressed: picks.includes(text), counted: false, onclick: () => on.tap(text) });
  });
  const none = !picks.length;
  // A board that this device kept may be of a version without shapes.
  const shape = picks.map((pick) => (unguided.pieces.includes(pick) ? "p" : "x")).sort().join("");
  const ends = Object.entries(unguided.endings).map(([text, label]) => button(label, () => (on.tap(text), none && on.write()), { "data-choose": text }));
  const dice = none ? rolling(controls, on) : [];
  return [
    make("p", { class: "prompt" }, none ? "Go on: tap what is played, then write it down." : pickWords(picks, controls)),
    things.length ? make("div", { class: "chooser", role: "group", "aria-label": "What is played" }, ...things) : null,
    make(
      "div",
      { class: "row freely" },
      ...ends,
      button("✕", on.clear, { class: "button bare", disabled: none, "aria-label": "Clear" }),
      button("Write down", on.write, { class: "button", "data-write": "", disabled: none || unguided.shapes?.includes(shape) === false }),
    ),
    ...dice,
  ];
}

/**
 * A roll needs no knowledge of the position: it comes from dice at the table, or the server rolls
 * later.
 *
 * @type {(controls: Controls, on: RecordActions) => HTMLElement[]}
 */
function rolling({ dice, rolls }, on) {
  if (dice === "service") return [button("Roll the dice", () => on.roll(null), { "data-roll": "" })];
  return Object.entries(table ? rolls : {}).map(([before, count]) => {
    const rows = table?.diceRows(count, undefined, (thrown) => on.roll({ text: before + thrown, faces: thrown }));
    return make("details", {}, make("summary", {}, "Dice"), rows);
  });
}
