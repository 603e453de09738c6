/** How the page of a match that is read tells steps, clauses and times. */

import { clauseLink } from "./elements.js";

const CLAUSE = /\b([A-Z]{3}-\d[\d.]*\d|[A-Z]{3}-\d)\b/;

/** What a stop of the list did, in words where it has some, else as it is written. */
export function deedOf(element) {
  const words = element?.querySelector(".words")?.textContent.trim();
  return words || (element?.querySelector("a")?.textContent.trim() ?? "");
}

/** On the way to a stop tell the step that is shown, not yet all that comes of it. */
export function tellStep(caption, frame) {
  const told = document.createElement("p");
  told.textContent = frame.querySelector(".told").textContent;
  caption.replaceChildren(caption.querySelector("a") ?? "", told);
}

/** Let what is told with a clause of the rules lead there. */
export function linkClauses(caption, game) {
  for (const told of caption.querySelectorAll(".standing, .words, p")) {
    for (const text of [...told.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)) {
      const parts = citing(game, text.data);
      if (parts.length > 1) text.replaceWith(...parts);
    }
  }
}

/** A text whose clauses are links to the rules of a game. */
export function citing(game, text) {
  return text.split(CLAUSE).map((part, place) => (place % 2 ? clauseLink(game, part) : part));
}

/** Say times as they are where the reader is. */
export function localTimes(where) {
  for (const time of where.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    time.textContent = at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}
