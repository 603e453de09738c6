/**
 * A field to type a move, if only its own player may know the legal moves, or if there are too many
 * to list.
 */

import { make, onSubmit } from "../shared/elements.js";
import { get } from "../shared/http.js";
import { bodyOf } from "../shared/words.js";

/**
 * Return a line to type a move of a seat; the beginnings of legal moves are offered, where they may be known.
 *
 * @type {(match: string, seat: number, words: string, on: Pick<RecordActions, "choose">) => HTMLElement}
 */
export function typedMove(match, seat, words, on) {
  const id = `typed-${seat}`;
  const known = make("datalist", { id: `${id}-known` });
  const input = make("input", { id, list: known.id, maxlength: 400, required: true, autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
  const unsure = make("input", { type: "checkbox" });
  const form = make(
    "form",
    { class: "typed", "data-seat": seat },
    make("label", { class: "prompt", for: id }, words),
    make("div", { class: "row" }, input, known, make("button", { class: "button" }, "Enter")),
    make("label", { class: "tick" }, unsure, "Not sure"),
  );
  input.addEventListener("input", async () => {
    const begun = input.value.trim();
    const query = new URLSearchParams({ prefix: begun, seat: String(seat) });
    const { continuations = [] } = await get(`/matches/${match}/hints?${query}`).catch(() => ({}));
    if (input.value.trim() === begun) known.replaceChildren(...continuations.map((/** @type {string} */ text) => make("option", { value: bodyOf(text) })));
  });
  onSubmit(form, () => {
    const body = input.value.trim();
    if (body) on.choose({ seat, text: `${seat}:${body}`, fields: [], unsure: unsure.checked });
  });
  return form;
}
