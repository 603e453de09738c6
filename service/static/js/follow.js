/** The page of a match for those who look on: it follows the moves that are recorded elsewhere. */

import { listenForTaps, setTabStop, tabStopOf } from "./board/tappable_board.js";
import { MatchView } from "./match/match_view.js";
import "./shared/clause_reading.js";
import { find } from "./shared/elements.js";

const root = find(document, "main.match");

/** @type {string | undefined} */
let stop;
/** @type {(frame: HTMLElement) => void} */
const shown = (frame) => {
  setTabStop(frame, stop);
  stop = tabStopOf(frame);
};
const view = new MatchView(root, { shown });
listenForTaps(find(document, "[data-part=stage]"), { tap: () => {}, release: () => document.activeElement?.blur() });
// A page at an address shows that address; only the head moves on.
if (root.dataset.head) view.follow();
