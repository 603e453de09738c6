/** Dialogs and panels that hold a form: where the focus goes, how they end, how they say no. */

import { button, clauseLink, make } from "./elements.js";
import { Failed } from "./requests.js";

/** Open a dialog with a heading; it is removed when it is closed. Returns it. */
export function dialog(heading, ...content) {
  const titled = make("h2", { id: "dialog-title", tabindex: "-1" }, heading);
  const opened = make("dialog", { "aria-labelledby": "dialog-title" }, titled, ...content);
  opened.addEventListener("close", () => opened.remove());
  opened.addEventListener("click", (event) => event.target === opened && opened.close());
  document.body.append(opened);
  opened.showModal();
  return opened;
}

/** A row with the way out and the way on. */
export function ending(close, ...ways) {
  return make("div", { class: "row" }, ...ways, button("Cancel", close));
}

/** A field with its label and a hint below. */
export function field(label, input, hint) {
  const id = `field-${(count += 1)}`;
  input.id = id;
  const told = hint && make("span", { class: "hint", id: `${id}-hint` }, hint);
  if (told) input.setAttribute("aria-describedby", told.id);
  return make("div", { class: "field" }, make("label", { for: id }, label), input, told);
}

let count = 0;

/**
 * Do what a button asks for, once at a time; what goes wrong is said below `where`.
 * Tells whether it was done.
 */
export async function attempt(where, game, work) {
  where.querySelector(".notice.bad")?.remove();
  where.setAttribute("aria-busy", "true");
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const clause = clauseLink(game, error.clause);
    const said = error.message[0].toUpperCase() + error.message.slice(1);
    where.append(make("p", { class: "notice bad", role: "alert" }, said, clause && " ", clause));
    return false;
  } finally {
    where.removeAttribute("aria-busy");
  }
}
