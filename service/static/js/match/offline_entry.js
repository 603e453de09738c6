/**
 * Entry without guidance: while moves wait for the network the page does not know the position
 * after them. Taps are written down as they are, and the server reads them when their turn comes.
 */

import { button, make } from "../shared/elements.js";
import { twoDice } from "./choice_buttons.js";
import { pickWords, pieceWord } from "../shared/words.js";

/** @type {Record<string, string>} */
const LETTERS = { l: "Light", d: "Dark" };

/**
 * Return the controls: the taps so far, pieces that are not on the board, and "Write down".
 *
 * @type {(now: RecordState, on: RecordActions) => HTMLElement[]}
 */
export function offlineEntry({ controls, picks }, on) {
  const { unguided } = controls;
  if (!unguided) return [];
  const things = unguided.pieces.map((letter) =>
    button(LETTERS[letter] ?? letter, () => on.tap(letter), { "data-choose": letter, "aria-label": pieceWord(letter) }),
  );
  const ends = Object.entries(unguided.endings).map(([token, label]) => button(label, () => on.tap(token), { "data-choose": token }));
  const none = !picks.length;
  const dice = unguided.dice && none ? [rolling(controls, on)] : [];
  return [
    make("p", { class: "prompt" }, none ? "Go on: tap what is played, then write it down." : pickWords(picks, controls)),
    make(
      "div",
      { class: "row freely" },
      ...things,
      ...ends,
      button("✕", on.clear, { class: "button bare", disabled: none, "aria-label": "Clear" }),
      button("Write down", on.write, { class: "button", "data-write": "", disabled: none }),
    ),
    ...dice,
  ];
}

/**
 * A roll is known without knowing the position: the dice of the table, or a roll to be asked for.
 *
 * @type {(controls: Controls, on: RecordActions) => HTMLElement}
 */
function rolling({ dice }, on) {
  if (dice === "service") return button("Roll the dice", () => on.roll(null), { "data-roll": "" });
  return make("details", {}, make("summary", {}, "Dice"), twoDice(["first", "second"], on.roll));
}
