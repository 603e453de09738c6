/** A match within a page of another site; it follows the latest moves. */

import { MatchView } from "./match/match_view.js";
import { find } from "./shared/elements.js";
import { prefix } from "./shared/prefix.js";

const root = find(document, "main.embed");

/** @type {(frame: HTMLElement) => void} */
function shown({ dataset: { match, ply = "" } }) {
  find(root, "[data-part=place]").textContent = `${ply} / ${ply}`;
  if (ply === "0") return;
  for (const [go, to] of [["first", 0], ["previous", Number(ply) - 1]]) {
    const link = find(root, `[data-go=${go}]`);
    link.setAttribute("href", `${prefix}/m/${match}/embed?ply=${to}`);
    link.removeAttribute("aria-disabled");
  }
}

new MatchView(root, { shown }).follow();
