/**
 * A recorded match as it is read: the player over frames, the list growing while the match goes on,
 * and what can be said, tried or corrected at the move that is shown.
 */

import { annotating } from "./annotate.js";
import { branching, tending } from "./branch.js";
import { correcting } from "./correct.js";
import { drawing } from "./draw.js";
import { expect, frameAt, swap } from "./frames.js";
import { growing } from "./growing.js";
import { follow } from "./live.js";
import { drawMarks } from "./marks.js";
import { withModes } from "./modes.js";
import { play } from "./player.js";
import { linkClauses, localTimes, tellStep } from "./telling.js";

const root = document.querySelector("main.player");
const caption = root.querySelector("[data-player=caption]");
const { match, game, version, stands, role } = root.dataset;
const asked = location.hash;

/** The address of the picture of a stop, or of one on the way to it. */
function addressOf({ dataset }, step) {
  const { match, version, ply } = dataset;
  return { match, version, ply, step };
}

const player = play(
  root,
  (_, element, step) => frameAt(addressOf(element, step)).catch((failure) => failure),
  (board, frame, { element, step }) => {
    const failed = frame instanceof Error;
    list.warn(failed ? "This picture cannot be fetched just now." : "");
    if (failed) return;
    swap(board, frame);
    for (const pick of frame.querySelectorAll(".pb-pick")) pick.disabled = true;
    if (step === undefined) drawMarks(frame, element);
    else tellStep(caption, frame);
  },
);
const list = growing(root, player, stands ? "" : `?version=${version}`);

root.addEventListener("shown", () => {
  linkClauses(caption, game);
  const near = player.around(2).flatMap((element) => {
    const steps = Array.from({ length: Number(element.dataset.steps ?? 0) }, (_, step) => step);
    return [...steps, undefined].map((step) => addressOf(element, step));
  });
  expect(near);
});

const times = root.querySelector("[data-part=times]");
times.closest("label").hidden = false;
times.addEventListener("change", () => root.classList.toggle("with-times", times.checked));
localTimes(document);

// The browser goes to the stop that the address names, but it is the board that is to be seen.
addEventListener("load", () => {
  player.reveal();
  if (asked === "#log") document.getElementById("log")?.scrollIntoView();
  else if (asked) scrollTo(0, 0);
});

/* What can be done at the move that is shown. */

const desk = root.querySelector("[data-part=desk]");
const stage = root.querySelector(".stage");
const reading = { root, match, role, player, desk, stage, refresh: list.refresh };
withModes(reading);
tending(reading);
root.addEventListener("going", () => reading.busy() && reading.end());

const tools = { comment: annotating, draw: drawing, fork: branching, amend: correcting };
const offered = root.querySelector("[data-part=tools]");
if (offered) offered.hidden = false;
offered?.addEventListener("click", ({ target }) => {
  const tool = target.closest("[data-tool]")?.dataset.tool;
  if (tool) tools[tool](reading);
});

/** Whoever draws or corrects is not disturbed; what happened meanwhile is told afterwards. */
function news() {
  if (reading.busy()) setTimeout(news, 500);
  else list.refresh(true);
}

if (stands) follow(match, Number(version), news);

/* What the query asked for has been done; from here on the address names what is shown. */

const here = new URL(location.href);
const wrong = here.searchParams.has("amend") && role === "host";
for (const done of ["ply", "amend"]) here.searchParams.delete(done);
history.replaceState(null, "", here);
if (wrong) correcting(reading);
