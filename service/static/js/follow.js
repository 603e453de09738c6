/** The page of a match for those who look on: it follows the moves that are recorded elsewhere. */

import { listenForTaps, setTabStop, tabStopOf } from "./board/tappable_board.js";
import { MatchView } from "./match/match_view.js";
import "./shared/on_demand.js";
import { followRematch } from "./match/next_match.js";
import { recall } from "./shared/device_memory.js";
import { find } from "./shared/elements.js";
import { prefix } from "./shared/prefix.js";

const root = find(document, "main.match");

/** @type {string | undefined} */
let stop;
let ended = false;
/** If the match already had its rematch, the page was opened to look at the match. */
const leaves = root.dataset.head && !root.querySelector(".rematch");

/** @type {(frame: HTMLElement) => Promise<void>} */
async function end(frame) {
  ended = true;
  try {
    const { matchEnd } = await import("./match/match_end.js");
    const { match = "", ply, version } = frame.dataset;
    find(document, "[data-part=desk]").replaceChildren(...matchEnd({ match, version: Number(version), ply: Number(ply), role: "", names: {}, rematch: false, ruled: false }));
  } catch {
    ended = false;
  }
}

/** @type {(frame: HTMLElement) => void} */
const shown = (frame) => {
  setTabStop(frame, stop);
  stop = tabStopOf(frame);
  if (leaves) followRematch(frame, `${prefix}/m/${root.dataset.match}/next`);
  if ("over" in frame.dataset && root.dataset.head && !ended) end(frame);
};
const waiting = recall(`plybook-outbox-${root.dataset.match}`)?.length;
if (waiting) root.querySelector("[data-part=lost]")?.append(` ${waiting === 1 ? "1 move waits" : `${waiting} moves wait`} on this device until then.`);
const view = new MatchView(root, { shown });
listenForTaps(find(document, "[data-part=stage]"), { tap: () => {}, release: () => document.activeElement?.blur() });
// A page at an address shows that address; only the head moves on.
if (root.dataset.head) view.follow();
