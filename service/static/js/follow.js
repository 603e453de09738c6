/** The page of a match for those who look on: it follows the moves that are recorded elsewhere. */

import { listenForTaps, setTabStop, tabStopOf } from "./board/tappable_board.js";
import { MatchView } from "./match/match_view.js";
import "./shared/on_demand.js";
import { followRematch } from "./match/next_match.js";
import { recall } from "./shared/device_memory.js";
import { find } from "./shared/elements.js";
import { HttpError, post } from "./shared/http.js";
import { prefix } from "./shared/prefix.js";

/** The milliseconds after which unsent moves are handed over again, at first and at most. */
const [AGAIN, RARELY] = [4000, 60000];
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
const { match = "", seat } = root.dataset;
const KEY = `plybook-outbox-${match}`;
/** @type {OutboxItem[]} */
const waiting = recall(KEY) ?? [];
const lost = root.querySelector("[data-part=lost]");
const count = waiting.length === 1 ? "1 move" : `${waiting.length} moves`;
if (lost && waiting.length && seat) handOver();
else if (waiting.length) lost?.append(` ${count} wait${waiting.length === 1 ? "s" : ""} on this device until then.`);

/**
 * Another phone has the seat: hand over the unsent moves, again and again until they have arrived.
 */
async function handOver(pause = AGAIN) {
  const left = waiting.filter(({ cancelled }) => !cancelled);
  const moves = left.map(({ id, text, picks, roll = false, unsure = false }) => ({ id, text, picks: picks ?? [], roll, unsure }));
  try {
    await post(`/matches/${match}/unsent`, { moves });
    localStorage.removeItem(KEY);
    lost?.append(` ${count} not sent: the table is asked about ${waiting.length === 1 ? "it" : "each"}.`);
  } catch (error) {
    if (error instanceof HttpError && error.temporary) setTimeout(() => handOver(Math.min(2 * pause, RARELY)), pause);
    else throw error;
  }
}

const view = new MatchView(root, { shown });
listenForTaps(find(document, "[data-part=stage]"), { tap: () => {}, release: () => document.activeElement?.blur() });
// A page of an earlier ply keeps showing that ply; a page of the head follows the match.
if (root.dataset.head) view.follow();
