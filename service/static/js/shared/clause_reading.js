/**
 * Clauses are read over the page: a tap on a link to a clause of the rules opens it there, and
 * closing it leads back. The dialog is loaded on the first tap.
 */

import { around } from "./elements.js";

const ADDRESS = /\/rules\/([^/#?]+)#(.+)$/;

document.addEventListener("click", async (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (around(event, "a.clause"));
  const [, game, clause] = ADDRESS.exec(link?.href ?? "") ?? [];
  if (!link || !clause || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const { openClause } = await import("./clause_dialog.js");
    await openClause(game, clause, link.href);
  } catch {
    location.href = link.href;
  }
});
