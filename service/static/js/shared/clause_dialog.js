/** A dialog with one clause of the rules. */

import { button, make } from "./elements.js";
import { get } from "./http.js";
import { openModal } from "./modal.js";
import { prefix } from "./prefix.js";

/**
 * Fetch a clause and show it. Rejects `HttpError`.
 *
 * @type {(game: string, clause: string, address: string) => Promise<void>}
 */
export async function openClause(game, clause, address) {
  const { id, section, words, figure } = await get(`/games/${game}/rules/${clause}`);
  const close = () => opened.close();
  /** @type {HTMLDialogElement} */
  const opened = make(
    "dialog",
    { class: "reading-clause", "aria-labelledby": "clause-title" },
    make("h2", { id: "clause-title" }, section),
    make("p", {}, make("span", { class: "clause soft" }, id), " ", words),
    figure ? make("pre", { tabindex: "0" }, figure) : null,
    make(
      "div",
      { class: "row" },
      button("Back", close, { class: "button", autofocus: true }),
      make("a", { class: "button quiet", href: `${prefix}/how-to-play/${game}` }, "How to play"),
      make("a", { class: "button bare", href: address }, "All the rules"),
    ),
  );
  opened.addEventListener("click", ({ target }) => target === opened && close());
  openModal(opened);
}
