/**
 * A recorded match as it is read: the player over frames, the list growing while the match goes on,
 * and what can be said, tried or corrected at the move that is shown.
 */

import { annotating } from "./annotate.js";
import { branching, tending } from "./branch.js";
import { correcting } from "./correct.js";
import { drawing } from "./draw.js";
import { button, clauseLink } from "./elements.js";
import { expect, frameAt, swap } from "./frames.js";
import { follow } from "./live.js";
import { drawMarks } from "./marks.js";
import { withModes } from "./modes.js";
import { play } from "./player.js";

const root = document.querySelector("main.player");
const list = root.querySelector("[data-player=list]");
const caption = root.querySelector("[data-player=caption]");
const { match, game, version, stands, role } = root.dataset;
const asked = location.hash;
const query = stands ? "" : `?version=${version}`;

/** The address of the picture of a stop, or of one on the way to it. */
function addressOf({ dataset }, step) {
  const { match, version, ply } = dataset;
  return { match, version, ply, step };
}

const player = play(
  root,
  (_, element, step) => frameAt(addressOf(element, step)).catch((failure) => failure),
  (board, frame, { element, step }) => {
    if (frame instanceof Error) return say("This picture cannot be fetched just now.");
    swap(board, frame);
    for (const pick of frame.querySelectorAll(".pb-pick")) pick.disabled = true;
    if (step === undefined) drawMarks(frame, element);
    else tellStep(frame);
  },
);

/** On the way to a stop the caption tells the row that is shown, not yet all that comes of it. */
function tellStep(frame) {
  const told = document.createElement("p");
  told.textContent = frame.querySelector(".told").textContent;
  caption.replaceChildren(caption.querySelector("a") ?? "", told);
}

/** What is told with a clause of the rules leads there. */
function linkClauses() {
  for (const told of caption.querySelectorAll(".standing, .words, p")) {
    for (const text of [...told.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)) {
      const parts = text.data.split(/\b([A-Z]{3}-\d[\d.]*\d|[A-Z]{3}-\d)\b/);
      if (parts.length > 1) text.replaceWith(...parts.map((part, place) => (place % 2 ? clauseLink(game, part) : part)));
    }
  }
}

root.addEventListener("going", ({ detail }) => {
  document.body.classList.toggle("is-playing", detail.rate > 0);
});
root.addEventListener("shown", () => {
  linkClauses();
  const near = player.around(2).flatMap((element) => {
    const steps = Array.from({ length: Number(element.dataset.steps ?? 0) }, (_, step) => step);
    return [...steps, undefined].map((step) => addressOf(element, step));
  });
  expect(near);
});

/* The list as it is now: moves made elsewhere, remarks made here. */

async function relist() {
  const answer = await fetch(`/m/${match}/replay/moves${query}`);
  if (!answer.ok) return;
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  keepAddresses(parsed.body);
  list.querySelector("ol").replaceChildren(...parsed.body.childNodes);
  local(list);
}

/** What stands where it stood keeps the address by which its picture was fetched. */
function keepAddresses(fresh) {
  for (const stop of fresh.querySelectorAll("[data-line]")) {
    const old = list.querySelector(`[id="${stop.id}"]`)?.dataset;
    const same = old && old.match === stop.dataset.match && old.since === stop.dataset.since;
    if (same) stop.dataset.version = old.version;
  }
}

let refreshing = Promise.resolve();

/** Fetch the list again and stay where one is; `onward`, go on with the match if one was at its end. */
function refresh(onward = false) {
  refreshing = refreshing.then(() => refreshed(onward));
  return refreshing;
}

async function refreshed(onward) {
  const { ends, element } = player.here;
  const before = mainStops().length;
  await relist();
  await player.refresh();
  const more = mainStops().length - before;
  if (more <= 0 || !onward) return more < 0 && fresh(0);
  if (ends && element.dataset.line === "") player.visit(mainStops().at(-1).id);
  else fresh(more);
}

function mainStops() {
  return [...list.querySelectorAll('[data-line=""]')];
}

let unseen = 0;

/** Offer to go to what is new. */
function fresh(more) {
  unseen = more ? unseen + more : 0;
  const words = unseen === 1 ? "1 new move" : `${unseen} new moves`;
  const go = () => (player.visit(mainStops().at(-1).id), fresh(0));
  root.querySelector("[data-part=fresh]").replaceChildren(
    ...(unseen ? [button(`${words} ›`, go, { class: "button" })] : []),
  );
}

root.addEventListener("going", ({ detail }) => detail.ends && unseen && fresh(0));

/** Say something about the page itself. */
function say(words) {
  root.querySelector("[data-part=fresh]").textContent = words;
}

/* Times are told in the reader's own, and only to those who ask for them. */

function local(where) {
  for (const time of where.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    time.textContent = at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

const times = root.querySelector("[data-part=times]");
times.closest("label").hidden = false;
times.addEventListener("change", () => root.classList.toggle("with-times", times.checked));
local(document);

// The browser goes to the stop that the address names, but it is the board that is to be seen.
addEventListener("load", () => {
  player.reveal();
  if (asked === "#log") document.getElementById("log")?.scrollIntoView();
  else if (asked) scrollTo(0, 0);
});

/* What can be done at the move that is shown. */

const reading = {
  root,
  match,
  role,
  player,
  refresh,
  desk: root.querySelector("[data-part=desk]"),
  stage: root.querySelector(".stage"),
};
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
  else refresh(true);
}

if (stands) follow(match, Number(version), news);

// The ply in the query has done its work; from here on the address names what is shown.
const here = new URL(location.href);
if (here.searchParams.has("ply")) {
  here.searchParams.delete("ply");
  history.replaceState(null, "", here);
}
if (here.searchParams.has("amend") && role === "host") {
  here.searchParams.delete("amend");
  history.replaceState(null, "", here);
  correcting(reading);
}
