/**
 * Board frames: fetched once, kept, and put into a page so that nothing jumps.
 *
 * A frame is an `<article class="frame">` that the server draws (service/pages/frame.py). One at
 * an address, (version, ply), never changes, so it is asked for once; the head is asked for anew.
 *
 *   const frame = await frameAt({ match, version, ply });      // or step: 0 … data-steps - 1
 *   await show(stage, frame);                                  // moves the pieces that moved
 */

import { move } from "./motion.js";

const KEPT = 200;
const kept = new Map();
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The server answered something else than a frame. `status` is 0 where it could not be reached. */
export class Unreached extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Return a frame at an address, or one of the pictures on the way there. Rejects `Unreached`. */
export async function frameAt({ match, version, ply, step }) {
  const query = new URLSearchParams({ version, ply, ...(step === undefined ? {} : { step }) });
  const address = `/m/${match}/frame?${query}`;
  if (!kept.has(address)) keep(address, fetched(address));
  return (await kept.get(address)).cloneNode(true);
}

/** Return the frame of a match as it stands now. Rejects `Unreached`. */
export function headOf(match) {
  return fetched(`/m/${match}/frame`);
}

/**
 * Return the frame of a ply with what could have been entered there, for a correction; `tokens`
 * were entered there already.
 */
export function entryAt(match, ply, tokens = []) {
  return fetched(`/m/${match}/entry?${new URLSearchParams({ ply, then: tokens.join(" ") })}`);
}

/** Fetch frames that will soon be shown; failures are told when they are. */
export function expect(addresses) {
  for (const address of addresses) frameAt(address).catch(() => {});
}

function keep(address, frame) {
  kept.set(address, frame);
  frame.catch(() => kept.delete(address));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
}

async function fetched(address) {
  let answer;
  try {
    answer = await fetch(address, { headers: { Accept: "text/html" } });
  } catch {
    throw new Unreached(0, "the server cannot be reached");
  }
  if (!answer.ok) throw new Unreached(answer.status, `the server answers ${answer.status}`);
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  return document.adoptNode(parsed.querySelector("article.frame"));
}

/** Where a frame is: what `frameAt` takes, and how many pictures lead there. */
export function addressOf(frame) {
  const { match, version, ply, steps } = frame.dataset;
  return { match, version: Number(version), ply: Number(ply), steps: Number(steps) };
}

/** The data that rides along in a frame, by its class (`doing`, `clocks`); `null` without. */
export function dataOf(frame, kind) {
  const data = frame.querySelector(`script.${kind}`);
  return data && JSON.parse(data.textContent);
}

/**
 * Show a frame. Where it is the next ply and several pictures lead there, they are shown first,
 * `pause` milliseconds each; a tap on the stage, or `signal`, skips them.
 */
export async function show(stage, frame, { pause = 900, signal } = {}) {
  const from = stage.querySelector("article.frame");
  const to = addressOf(frame);
  const onward = from && addressOf(from).ply + 1 === to.ply;
  if (onward && to.steps > 0 && !calm.matches && !document.hidden) {
    await walk(stage, to, pause, signal);
  }
  if (!signal?.aborted) swap(stage, frame);
}

async function walk(stage, to, pause, signal) {
  const skip = new AbortController();
  const stop = () => skip.abort();
  stage.addEventListener("pointerdown", stop, { once: true });
  signal?.addEventListener("abort", stop);
  try {
    for (let step = 0; step < to.steps && !skip.signal.aborted; step++) {
      swap(stage, await frameAt({ ...to, step }));
      await rest(pause, skip.signal);
    }
  } catch {
    // A picture on the way that does not come is left out.
  }
  stage.removeEventListener("pointerdown", stop);
}

function rest(milliseconds, signal) {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
  });
}

/**
 * Put a frame in the place of the one that is shown. The focus stays on the place that had it,
 * and pieces that moved are seen to move.
 */
export function swap(stage, frame) {
  const before = stage.querySelector("article.frame");
  const focused = before?.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  if (before) before.replaceWith(frame);
  else stage.append(frame);
  if (focused) frame.querySelector(focused)?.focus({ preventScroll: true });
  if (before && !calm.matches && !document.hidden) move(before, frame);
}

/** A selector that finds the same place or supply in another frame. */
function nameOf(element) {
  const { at, pick } = element.dataset;
  if (at) return `.board .pb-cell[data-at="${at}"]`;
  const seat = element.closest(".pb-beside")?.dataset.seat;
  return pick ? `.pb-beside[data-seat="${seat}"] [data-pick="${pick}"]` : null;
}
