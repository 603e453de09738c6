/** The list of moves beside the board of a match, on screens that are wide enough for it. */

import { find } from "./shared/elements.js";

// As in css/wide.css, which keeps the room for it.
const wide = matchMedia("(min-width: 62.5rem) and (min-height: 34rem)");

async function load() {
  if (!wide.matches) return;
  wide.removeEventListener("change", load);
  const { MovesBeside } = await import("./match/moves_beside.js");
  new MovesBeside(find(document, "main.match"));
}
wide.addEventListener("change", load);
load();
