/** A text over the board that is longer than its place: smaller, and the newest event first. Most matches need no such styles. */

import { find, findAll } from "../shared/elements.js";

/** Letters may be taller than their line. */
const HALF_LINE = 7;

/**
 * Make a text small; the newest event goes before who is to move, whom the strip marks, and before
 * what is to do with the pieces. The text can be scrolled by keyboard.
 *
 * @param {HTMLElement} text
 */
export function fit(text) {
  if (getComputedStyle(text).webkitLineClamp === "2") {
    text.style.cssText = "--lines: 3; font-size: var(--tiny); line-height: calc(var(--says) / 3)";
    for (const part of findAll(text, "p")) part.style.cssText = "font-size: inherit; line-height: inherit";
  }
  if (text.scrollHeight <= text.clientHeight + HALF_LINE) return;
  text.tabIndex = 0;
  const newest = document.createRange();
  const told = find(text, ".told").lastChild ?? text;
  newest.setStart(told, 0);
  newest.setEnd(told, `${told.textContent?.trimEnd()}; `.indexOf("; "));
  const isCut = () => newest.getBoundingClientRect().bottom > text.getBoundingClientRect().bottom + HALF_LINE;
  find(text, ".standing").hidden = isCut();
  if (isCut()) text.querySelector(".todo")?.before(told, ". ");
}
