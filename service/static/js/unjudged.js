/**
 * The page of a match whose moves are recorded unjudged: it sends moves that are tapped or typed,
 * and follows the match.
 */

import { dataOf } from "./board/frames.js";
import { follow } from "./match/live_updates.js";
import { tapTexts } from "./match/text_taps.js";
import { find, findAll, notify, onSubmit } from "./shared/elements.js";
import { getHtml, HttpError, post } from "./shared/http.js";

const root = find(document, "main.unjudged-match");
const trouble = find(root, "[data-part=trouble]");
const match = root.dataset.match ?? "";
const expected = Number(root.dataset.version);
const tapped = /** @type {HTMLElement | null} */ (root.querySelector("[data-part=tapped]:has(.board)"));
/** @type {{ kinds: import("./match/text_taps.js").Kind[], next: number }} */
const { kinds, next } = tapped ? dataOf(tapped, "taps") : { kinds: [], next: 0 };
/** @type {HTMLInputElement[]} Where something is written. */
const fields = findAll(root, "form input");
let busy = false;

/**
 * Show the match as it is now, with the text that was typed, and why it was not sent.
 * @type {(why: string) => void}
 */
function showNow(why) {
  history.replaceState({ why, written: fields.map((field) => [nameOf(field), field.value]) }, "");
  location.reload();
}

function writeAgain() {
  const { why, written } = history.state ?? {};
  history.replaceState(null, "");
  if (!why) return;
  const values = new Map(written);
  for (const field of fields) field.value = values.get(nameOf(field)) ?? "";
  notify(trouble, why);
}

/** Name a field, with the move that it corrects. @type {(field: HTMLInputElement) => string} */
function nameOf({ name, form }) {
  return `${name} ${form?.dataset.ply}`;
}

/**
 * Send a request once, and then show the match; the page shows an error.
 *
 * @param {() => Promise<unknown>} work
 */
async function send(work) {
  if (busy) return;
  busy = true;
  try {
    await work();
    location.reload();
  } catch (error) {
    if (error instanceof HttpError && error.status === 412) return showNow(error.message);
    busy = false;
    if (!(error instanceof HttpError)) throw error;
    notify(trouble, error.message);
  }
}

/** @type {(form: HTMLFormElement, name: string) => string} */
function text(form, name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value.trim();
}

/** @type {(form: HTMLFormElement) => Promise<void>} */
function enter(form) {
  return takeDown(text(form, "moves").split(/\s+/));
}

/** @type {(texts: string[]) => Promise<void>} */
function takeDown(texts) {
  const unsure = /** @type {HTMLInputElement} */ (find(root, "[name=unsure]")).checked;
  return send(() => post(`/matches/${match}/events`, { events: texts.map((each) => ({ text: each, unsure })), expected }));
}

/**
 * Take down a tapped move. The record names its player if the scorekeeper did, or the move must.
 *
 * @type {(move: string, names: boolean) => Promise<void>}
 */
function takeDownTapped(move, names) {
  const seat = /** @type {HTMLInputElement} */ (find(root, "[name=seat]:checked")).value;
  return takeDown([names || Number(seat) !== next ? `${seat}:${move}` : move]);
}

/** Finish this scoresheet; with a reason the host opens both. @type {(body: { reason?: string }) => Promise<void>} */
function done(body) {
  return send(() => post(`/matches/${match}/done`, body));
}

/** @type {(form: HTMLFormElement, stood: boolean) => Promise<void>} */
function correct(form, stood) {
  const { ply, move = "" } = form.dataset;
  const right = stood ? asStood(move, text(form, "after")) : text(form, "right");
  const texts = right.split(/\s+/);
  return replaceBy(Number(ply), texts);
}

/** @type {(ply: number, texts: string[]) => Promise<void>} */
function replaceBy(ply, texts) {
  return send(() => post(`/matches/${match}/amendments`, { ply, how: "replaced", texts, expected }));
}

/**
 * Return the text of a move that stood, with the position after it, if that is given.
 *
 * @type {(written: string, position: string) => string}
 */
function asStood(written, position) {
  const [, seat = "", move] = /** @type {RegExpExecArray} */ (/^([1-9]:)?(.*)$/.exec(written));
  return `${seat}stood=${move}${position ? `_${encodeURIComponent(position).replaceAll("_", "%5F").replaceAll("%20", "_")}` : ""}`;
}

for (const form of /** @type {HTMLFormElement[]} */ (findAll(root, "form"))) {
  onSubmit(form, (event) => {
    if ("enter" in form.dataset) enter(form);
    else if ("open" in form.dataset) done({ reason: text(form, "reason") });
    else correct(form, /** @type {HTMLButtonElement} */ (event.submitter).value === "stood");
  });
}
root.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("button");
  if (!button) return;
  const { undo, won, fill, ply } = button.dataset;
  if (undo) send(() => post(`/matches/${match}/takeback`, { ply: Number(undo), expected }));
  else if (fill) replaceBy(Number(ply), fill.split(" "));
  else if ("done" in button.dataset) done({});
  else if ("missing" in button.dataset) takeDown(["--"]);
  else if ("check" in button.dataset) send(() => post(`/matches/${match}/judgement`, { expected }));
  else if (won) send(() => post(`/matches/${match}/rulings`, { result: "won", winner: Number(won), expected }));
  else if ("drawn" in button.dataset) send(() => post(`/matches/${match}/rulings`, { result: "drawn", expected }));
});

const isBegun = tapped ? tapTexts(tapped, kinds, takeDownTapped) : () => false;
writeAgain();

/** Show news, but not while the person writes or taps. */
function news() {
  if (busy || isBegun() || fields.some(({ value }) => value)) setTimeout(news, 500);
  else location.reload();
}

/** Report at once that the link of this device was replaced; the text that was written remains. */
async function ask() {
  const page = await getHtml(`/m/${match}`).catch(() => null);
  const lost = page?.querySelector("[data-part=lost]");
  if (lost?.textContent) notify(trouble, lost.textContent);
}

follow(match, expected, news, undefined, ask);
