/** A line to type the move of a seat whose legal moves only its own player may know. */

import { make } from "../shared/elements.js";
import { nameOf } from "../shared/words.js";

/**
 * Return a line for each seat that must act and whose moves this device may not list.
 *
 * @type {(controls: Controls, on: RecordActions) => HTMLElement[]}
 */
export function typedMoves({ seats, names }, on) {
  return seats
    .filter(({ withheld, awaited }) => withheld && awaited.some(({ must }) => must))
    .map(({ seat }) => typedMove(seat, nameOf(names, seat), on));
}

/** @type {(seat: number, name: string, on: RecordActions) => HTMLElement} */
function typedMove(seat, name, on) {
  const id = `typed-${seat}`;
  const input = make("input", { id, maxlength: 400, required: true, autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
  const form = make(
    "form",
    { class: "typed", "data-seat": seat },
    make("label", { class: "prompt", for: id }, `${name} sees the possible moves on their own phone. Or type the move here:`),
    make("div", { class: "row" }, input, make("button", { class: "button" }, "Enter")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = input.value.trim();
    if (body) on.choose({ seat, token: `${seat}:${body}`, fields: [] });
  });
  return form;
}
