/** Captions of the moves of a match that is read, and local times. */

import { find, findAll } from "../shared/elements.js";

/**
 * Describe the move of a stop of the list in words, or without words in its notation.
 *
 * @type {(element: Element | null) => string}
 */
export function describeMove(element) {
  const words = element?.querySelector(".words")?.textContent?.trim();
  return words || (element?.querySelector("a")?.textContent?.trim() ?? "");
}

/**
 * Describe the step that is shown on the way to a stop, but not the stop itself.
 *
 * @type {(caption: Element, frame: Element) => void}
 */
export function captionStep(caption, frame) {
  const words = document.createElement("p");
  words.textContent = find(frame, ".told").textContent;
  caption.replaceChildren(caption.querySelector("a") ?? "", words);
}

/**
 * Show times in the reader's time zone.
 *
 * @type {(where: ParentNode) => void}
 */
export function showLocalTimes(where) {
  const local = new Intl.DateTimeFormat([], { dateStyle: "medium", timeStyle: "short" });
  for (const time of /** @type {HTMLTimeElement[]} */ (findAll(where, "time"))) {
    time.textContent = local.format(new Date(time.dateTime));
  }
}
