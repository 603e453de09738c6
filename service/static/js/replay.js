/**
 * The page for reading a match: the player over frames, the list that grows during play, and the
 * tools for the shown move.
 */

import { frameAt, prefetch, swap } from "./board/frames.js";
import { MoveList } from "./replay/move_list.js";
import { follow } from "./match/live_updates.js";
import { addModes } from "./replay/board_modes.js";
import { Player } from "./replay/player.js";
import { showStrip } from "./replay/strip.js";
import { captionStep, showLocalTimes } from "./replay/captions.js";
import { linkClauses } from "./shared/clause_links.js";
import "./shared/on_demand.js";
import { around, find, findAll } from "./shared/elements.js";

const root = find(document, "main.player");
const caption = find(root, "[data-player=caption]");
const { match = "", game = "", version, stands, role = "" } = root.dataset;
const asked = location.hash;

/**
 * The address of the picture of a stop; with `step`, of a picture that leads to it.
 *
 * @type {(stop: HTMLElement, step?: number) => FrameAddress}
 */
function addressOf({ dataset }, step) {
  const { match = "", version = "", ply = "" } = dataset;
  return { match, version, ply, step };
}

const player = new Player(
  root,
  (_, element, step) => frameAt(addressOf(element, step)).catch((failure) => failure),
  (board, /** @type {HTMLElement | Error} */ frame, { element, step }) => {
    const failed = frame instanceof Error;
    list.warn(failed ? "This picture cannot be fetched just now." : "");
    if (failed) return;
    swap(board, frame);
    for (const pick of /** @type {HTMLButtonElement[]} */ (findAll(frame, ".pb-pick"))) pick.disabled = true;
    if (step !== undefined) captionStep(caption, frame);
    else if (reading.marks.length || element.querySelector(":scope > .marks")) mark(frame, element);
  },
);

/** @type {(frame: HTMLElement, element: HTMLElement) => Promise<void>} */
async function mark(frame, element) {
  const { drawOver, marksOf } = await import("./board/annotation_marks.js");
  if (frame.isConnected) drawOver(frame, [...marksOf(element), ...reading.marks]);
}
const list = new MoveList(root, player, stands ? "" : `?version=${version}`);

/**
 * Pictures are fetched ahead only after the first step, because many people come for a single
 * picture.
 */
let stepped = false;
root.addEventListener("going", () => (stepped = true));

/** @type {HTMLAnchorElement | null} */
const explored = root.querySelector("[data-part=explored]");
root.addEventListener("shown", () => {
  if (explored) explored.search = `?ply=${player.here.element.dataset.ply}`;
  linkClauses(caption, game);
  if (!stepped) return;
  const near = player.around(2).flatMap((element) => {
    const steps = Array.from({ length: Number(element.dataset.steps ?? 0) }, (_, step) => step);
    return [...steps, undefined].map((step) => addressOf(element, step));
  });
  prefetch(near);
});

const times = /** @type {HTMLInputElement} */ (find(root, "[data-part=times]"));
const label = times.closest("label");
if (label) label.hidden = false;
times.addEventListener("change", () => root.classList.toggle("with-times", times.checked));
// Apart from the rest: the first local time takes a slow phone 100 ms.
setTimeout(() => showLocalTimes(document));

// The browser goes to the stop that the address names, but the reader wants to see the board.
addEventListener("load", () => {
  player.reveal();
  if (asked === "#log") document.getElementById("log")?.scrollIntoView();
  else if (asked) scrollTo(0, 0);
});

/* The tools for the move that is shown. */

const desk = find(root, "[data-part=desk]");
const stage = find(root, ".stage");
const reading = addModes({ root, role, player, desk, stage, marks: [], refresh: list.refresh });
showStrip(root, player);
/** Whether the correction continues at the move that was tapped in the list. */
let goesOn = false;
root.addEventListener("going", () => {
  goesOn = root.dataset.mode === "correcting";
  if (reading.busy()) reading.end();
});
root.addEventListener("shown", () => {
  if (goesOn) tools.amend();
  goesOn = false;
});
root.querySelector("[data-part=tree]")?.addEventListener("click", (event) => import("./replay/forks.js").then(({ useForkTool }) => useForkTool(event, reading), unloaded));
if (role) import("./replay/bookmarks.js").then(({ offerBookmarks }) => offerBookmarks(root, player), () => {});

/**
 * The tools; each is a module that is loaded on first use.
 *
 * @type {Record<string, () => Promise<unknown>>}
 */
const tools = {
  comment: async () => (await import("./replay/comment_dialog.js")).openCommentDialog(reading),
  draw: async () => (await import("./replay/drawing_tool.js")).startDrawing(reading),
  fork: async () => (await import("./replay/forks.js")).openForkDialog(reading),
  amend: async () => (await import("./replay/correction.js")).openCorrectionDialog(reading),
  lead: async () => (await lead()).begin(),
  analyse: async () => (await import("./replay/analysis.js")).analyse(root, list.refresh),
};
/** @type {HTMLElement | null} */
const offered = root.querySelector("[data-part=tools]");
if (offered) offered.hidden = false;
offered?.addEventListener("click", (event) => {
  const tool = around(event, "[data-tool]")?.dataset.tool;
  if (!tool) return;
  if (offered instanceof HTMLDetailsElement) {
    offered.open = false;
    find(offered, "summary").focus();
  }
  tools[tool]().catch(unloaded);
});

function unloaded() {
  list.warn("This tool cannot be loaded just now.");
}

/** Show new moves, but not while the person draws or corrects. */
function news() {
  if (reading.busy()) setTimeout(news, 500);
  else list.refresh(!("led" in root.dataset));
}

/** @type {Promise<import("./replay/lead.js").Lead> | undefined} */
let leading;
const lead = () => (leading ??= import("./replay/lead.js").then(({ Lead }) => new Lead(reading, list)));
addEventListener("led", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (leading || detail) lead().then((it) => it.hear(detail), () => {});
});

if (stands) follow(match, Number(version), news);

/* The query has been handled; from here on the address names the shown move. */

const here = new URL(location.href);
const wrong = here.searchParams.has("amend") && role === "host";
for (const name of ["ply", "amend"]) here.searchParams.delete(name);
history.replaceState(null, "", here);
if (wrong) tools.amend();
