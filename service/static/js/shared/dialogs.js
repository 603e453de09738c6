/** Dialogs and panels that hold a form. */

import { button, clauseLink, findAll, make } from "./elements.js";
import { HttpError } from "./http.js";
import { openModal } from "./modal.js";

/**
 * Open a dialog with a heading; it is removed when it is closed. A tap outside the dialog closes
 * it, unless text was entered. Returns it.
 *
 * @type {(heading: string, ...content: (Node | string | null)[]) => HTMLDialogElement}
 */
export function dialog(heading, ...content) {
  const titled = make("h2", { id: "dialog-title", tabindex: "-1" }, heading);
  const opened = make("dialog", { "aria-labelledby": "dialog-title" }, titled, ...content);
  opened.addEventListener("click", (event) => event.target === opened && !isWritten(opened) && opened.close());
  openModal(opened);
  return opened;
}

/** @type {(within: HTMLElement) => boolean} */
function isWritten(within) {
  /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */
  const fields = findAll(within, "input, textarea");
  return fields.some(({ value, defaultValue }) => value !== defaultValue);
}

/**
 * Make a row of buttons, with one that cancels.
 *
 * @type {(close: () => void, ...buttons: Node[]) => HTMLElement}
 */
export function buttonRow(close, ...ways) {
  return make("div", { class: "row" }, ...ways, button("Cancel", close));
}

/**
 * Label a field, and give it a hint below.
 *
 * @type {(label: string, input: HTMLElement, hint?: string) => HTMLElement}
 */
export function field(label, input, hint) {
  const id = `field-${(count += 1)}`;
  input.id = id;
  const told = hint && make("span", { class: "hint", id: `${id}-hint` }, hint);
  if (told) input.setAttribute("aria-describedby", told.id);
  return make("div", { class: "field" }, make("label", { for: id }, label), input, told);
}

let count = 0;

/**
 * Do the work of a button, and show below `where` why it failed. Return whether it was done.
 *
 * @type {(where: HTMLElement, game: string, work: () => unknown) => Promise<boolean>}
 */
export async function attempt(where, game, work) {
  where.querySelector(".notice.bad")?.remove();
  where.setAttribute("aria-busy", "true");
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const clause = clauseLink(game, error.problem.clause);
    const said = error.message[0].toUpperCase() + error.message.slice(1);
    where.append(make("p", { class: "notice bad", role: "alert" }, said, clause && " ", clause));
    return false;
  } finally {
    where.removeAttribute("aria-busy");
  }
}
