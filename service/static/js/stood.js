/**
 * The page on which a move that broke a rule is tapped: each tap asks the server for the next
 * possible taps.
 */

import { listenForTaps, setTabStop, showStates } from "./board/tappable_board.js";
import { dataOf } from "./board/frames.js";
import { find } from "./shared/elements.js";
import { prefix } from "./shared/prefix.js";

const root = find(document, "main.which");
const frame = find(root, "article.frame");
/** @type {{ match: string, seat: number | null, picked: string[], places: string[] }} */
const { match, seat, picked, places } = dataOf(root, "tapped");

/**
 * Show the page for these picks.
 *
 * @type {(picks: string[]) => void}
 */
function show(picks) {
  const query = new URLSearchParams({ picks: picks.join(","), ...(seat ? { seat: String(seat) } : {}) });
  location.assign(`${prefix}/m/${match}/stood?${query}`);
}

setTabStop(frame, picked.at(-1));
showStates(frame, { chosen: new Set(picked), target: new Set(places) });
listenForTaps(find(root, "[data-part=stage]"), {
  tap: (at) => show(picked.includes(at) ? picked.filter((pick) => pick !== at) : [...picked, at]),
  release: () => show([]),
});
