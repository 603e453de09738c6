/**
 * Board frames: fetched once, cached, and put into a page so that nothing jumps.
 *
 * A frame is an `<article class="frame">` that the server draws (service/pages/frame.py). The frame
 * at an address, (version, ply), never changes, so it is fetched once; the head is fetched each time.
 *
 *   const frame = await frameAt({ match, version, ply });      // or step: 0 … data-steps - 1
 *   swap(stage, frame);                                        // moves the pieces that moved
 */

import { find, findAll } from "../shared/elements.js";
import { getHtml } from "../shared/http.js";

const MOST_CACHED = 200;
/** @type {Map<string, Promise<HTMLElement>>} */
const cached = new Map();
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Return the frame at an address; with `step`, a picture between this frame and the one before.
 * Rejects `HttpError`.
 *
 * @type {(address: FrameAddress) => Promise<HTMLElement>}
 */
export async function frameAt(address) {
  return copyOf(await kept(address));
}

/** @type {(address: FrameAddress) => Promise<HTMLElement>} */
function kept({ match, ...query }) {
  if (query.step === undefined) delete query.step;
  const address = `/m/${match}/frame?${queryOf(query)}`;
  return cached.get(address) ?? cache(address, fetchFrame(address));
}

/** @type {<T extends Node>(node: T) => T} */
export function copyOf(node) {
  return /** @type {any} */ (node.cloneNode(true));
}

/** @type {(values: Record<string, string | number>) => URLSearchParams} */
function queryOf(values) {
  return new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/**
 * Return the current frame of a match. Rejects `HttpError`.
 *
 * @type {(match: string) => Promise<HTMLElement>}
 */
export function headOf(match) {
  return fetchFrame(`/m/${match}/frame`);
}

/**
 * Return the frame of a ply with the moves that were possible there, for a correction; `texts` were
 * entered there already. Rejects `HttpError`.
 *
 * @type {(match: string, ply: number, texts?: string[]) => Promise<HTMLElement>}
 */
export function entryAt(match, ply, texts = []) {
  return fetchFrame(`/m/${match}/entry?${queryOf({ ply, then: texts.join(" ") })}`);
}

/**
 * Fetch frames that will be shown soon; a failure is reported when the frame is shown.
 *
 * @type {(addresses: FrameAddress[]) => void}
 */
export function prefetch(addresses) {
  for (const address of addresses) kept(address).catch(() => {});
}

/** @type {(address: string, frame: Promise<HTMLElement>) => Promise<HTMLElement>} */
function cache(address, frame) {
  cached.set(address, frame);
  frame.catch(() => cached.delete(address));
  const [oldest] = cached.keys();
  if (cached.size > MOST_CACHED && oldest) cached.delete(oldest);
  return frame;
}

/**
 * Fetch a page whose body is a frame. Rejects `HttpError`.
 *
 * @type {(address: string) => Promise<HTMLElement>}
 */
export async function fetchFrame(address) {
  return document.adoptNode(find(await getHtml(address), "article.frame"));
}

/**
 * Return the address of a frame, in the form of `frameAt`, and the number of pictures that lead to
 * it.
 *
 * @type {(frame: HTMLElement) => { match: string, version: number, ply: number, steps: number }}
 */
export function addressOf(frame) {
  const { match = "", version, ply, steps } = frame.dataset;
  return { match, version: Number(version), ply: Number(ply), steps: Number(steps) };
}

/**
 * Return the data in a frame by its class (`record-controls`, `clocks`); `null` if there are none.
 *
 * @type {(frame: HTMLElement, kind: string) => any}
 */
export function dataOf(frame, kind) {
  const data = frame.querySelector(`script.${kind}`)?.textContent;
  return data ? JSON.parse(data) : null;
}

/**
 * Return whether a frame is one ply after another frame, with pictures in between.
 *
 * @type {(from: HTMLElement, to: HTMLElement) => boolean}
 */
export function isWalk(from, to) {
  return addressOf(to).steps > 0 && addressOf(from).ply + 1 === addressOf(to).ply;
}

/**
 * Show the pictures that lead to a frame. After each picture, `rest(step)` resolves when it is time
 * for the next; `false` skips the remaining pictures.
 *
 * @type {(stage: HTMLElement, frame: HTMLElement, rest: (step: number) => Promise<boolean>) => Promise<void>}
 */
export async function walk(stage, frame, rest) {
  const to = addressOf(frame);
  prefetch(Array.from({ length: to.steps }, (_, step) => ({ ...to, step })));
  try {
    for (let step = 0; step < to.steps; step++) {
      swap(stage, await frameAt({ ...to, step }));
      if (!(await rest(step))) return;
    }
  } catch {
    // A picture that does not arrive is left out.
  }
}

/**
 * Return a `rest` of this many milliseconds after each picture; a tap on the stage skips the
 * remaining pictures. Nobody waits for pictures on a hidden page, or with reduced motion.
 *
 * @type {(stage: HTMLElement, milliseconds?: number) => () => Promise<boolean>}
 */
export function timed(stage, milliseconds = 900) {
  return () =>
    new Promise((done) => {
      if (isStill()) return done(false);
      const skip = () => (clearTimeout(timer), done(false));
      const timer = setTimeout(() => (stage.removeEventListener("pointerdown", skip), done(true)), milliseconds);
      stage.addEventListener("pointerdown", skip, { once: true });
    });
}

/**
 * Replace the frame that is shown. The focus stays on its place, and pieces that moved are seen to
 * move.
 *
 * @type {(stage: Element, frame: HTMLElement) => void}
 */
export function swap(stage, frame) {
  const before = stage.querySelector("article.frame");
  const focused = document.activeElement && before?.contains(document.activeElement) ? selectorOf(document.activeElement) : null;
  if (before) before.replaceWith(frame);
  else stage.append(frame);
  if (focused) frame.querySelector(focused)?.focus({ preventScroll: true });
  if (before && !isStill()) slide(before, frame);
}

/** Return whether animation is off, because people do not see it or do not want it. */
export function isStill() {
  return calm.matches || document.hidden;
}

/**
 * Animate the pieces that moved between two frames, in the second frame; the first call loads the
 * module for it.
 *
 * @type {(before: Element, frame: HTMLElement) => Promise<void>}
 */
export async function slide(before, frame) {
  try {
    const { move } = await import("./piece_motion.js");
    if (frame.isConnected) move(before, frame);
  } catch {
    // Without a network the pieces jump.
  }
}

/**
 * Fill the places that a frame leaves out because they are as in the frame that is shown. Return
 * whether they could be filled.
 *
 * @type {(frame: HTMLElement, shown: HTMLElement) => boolean}
 */
export function fillUnchanged(frame, shown) {
  const { since } = frame.dataset;
  if (since && since !== shown.dataset.version) return false;
  return fillBoard(".board", frame, shown) && fillBoard(".pb-more", frame, shown);
}

/** @type {(board: string, frame: HTMLElement, shown: HTMLElement) => boolean} */
function fillBoard(board, frame, shown) {
  const [places, before] = [frame, shown].map((each) => findAll(each, `${board} .pb-cell`));
  // Places of another pile may have the same names but other open spaces.
  const flat = places.length === before.length;
  return places.every((left, at) => {
    const { same } = left.dataset;
    if (!same) return true;
    const found = flat && before[at].dataset.at === same ? before[at] : before.find(({ dataset }) => dataset.at === same);
    if (found) left.replaceWith(copyOf(found));
    return found;
  });
}

/**
 * Return a selector that finds a place or supply in another frame.
 *
 * @type {(element: Element) => string | null}
 */
function selectorOf(element) {
  const { at, pick } = element.dataset;
  if (at) return `.board .pb-cell[data-at="${at}"]`;
  const seat = element.closest(".pb-beside")?.dataset.seat;
  return pick ? `.pb-beside[data-seat="${seat}"] [data-pick="${pick}"]` : null;
}
