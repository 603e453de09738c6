/**
 * Parts of a page that are loaded when they are wanted: a clause of the rules opens over the page
 * when a link to it is tapped, and the list of moves stands beside the board on a wide screen.
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

// As in css/match.css, which keeps the room for it.
const wide = matchMedia("(min-width: 62.5rem) and (min-height: 34rem)");
/** @type {HTMLElement | null} */
const board = document.querySelector("main.match");

async function showMoves() {
  if (!board || !wide.matches) return;
  wide.removeEventListener("change", showMoves);
  const { MovesBeside } = await import("../match/moves_beside.js");
  new MovesBeside(board);
}
wide.addEventListener("change", showMoves);
showMoves();
