/**
 * Entering without guidance: while moves wait for the network the page does not know the position
 * after them. What is tapped is written down as it is and understood when its turn comes.
 */

import { button, make } from "./elements.js";
import { twoDice } from "./pads.js";
import { listed, pieceWord } from "./words.js";

const ENDING = new Set(["blockade", "power-play"]);

const LETTERS = { l: "Light", d: "Dark" };

/** The controls: what was tapped, what cannot be tapped on the board, and "Write down". */
export function unguided({ doing, frame, picks }, on) {
  if (doing.game === "pyramid-ball") return [];
  const letters = new Set([...frame.querySelectorAll(".pb-beside:not([data-seat='0']) .pb-pick")].map(({ dataset }) => dataset.pick));
  if (doing.game === "power-play") for (const size of "SML") letters.add(size);
  const things = [...letters].map((letter) =>
    button(LETTERS[letter] ?? letter, () => on.tap(letter), { "data-choose": letter, "aria-label": pieceWord(letter) }),
  );
  const end = ENDING.has(doing.game) ? [button("End", () => on.tap("."), { "data-choose": "." })] : [];
  const none = !picks.length;
  const dice = doing.game === "blockade" && none ? [rolling(doing, on)] : [];
  return [
    make("p", { class: "prompt" }, none ? "Go on: tap what is played, then write it down." : listed(picks)),
    make(
      "div",
      { class: "row freely" },
      ...things,
      ...end,
      button("✕", on.clear, { class: "button bare", disabled: none, "aria-label": "Clear" }),
      button("Write down", on.write, { class: "button", "data-write": "", disabled: none }),
    ),
    ...dice,
  ];
}

/** A roll is known without knowing the position: the dice of the table, or a roll to be asked for. */
function rolling({ dice }, on) {
  if (dice === "service") return button("Roll the dice", () => on.roll(null), { "data-roll": "" });
  return make("details", {}, make("summary", {}, "Dice"), twoDice(["first", "second"], on.roll));
}
