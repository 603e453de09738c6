/** The list of what is not stored yet, and the line that says how things stand. */

import { button, clauseLink, make } from "./elements.js";
import { sentence } from "./words.js";

/** The items of the outbox; `on` has `retry(item)` and `discard(item)`. */
export function waiting(items, { doing, frame }, on) {
  const shown = items.filter(({ state }, place) => state !== "waiting" || place || items.length > 1 || on.unreached);
  if (!shown.length) return null;
  return make("ol", { class: "outbox", "aria-label": "Not stored yet" }, ...shown.map((item) => entry(item, { doing, frame }, on)));
}

function entry(item, now, on) {
  const words = make("span", { class: "chip-words" }, item.words);
  if (item.state === "waiting") return make("li", { class: "is-waiting" }, words);
  return make(
    "li",
    { class: "notice bad" },
    make("p", {}, make("b", {}, item.words), " is not stored. ", ...because(item, now)),
    make(
      "div",
      { class: "row" },
      button("Try again", () => on.retry(item), { "data-retry": "" }),
      button("Discard", () => on.discard(item), { class: "button bare danger", "data-discard": "" }),
    ),
  );
}

function because({ state, problem }, { doing: { names, game }, frame }) {
  if (state === "held") return ["What came before it was discarded."];
  if (!problem.stale) {
    const link = clauseLink(game, problem.clause);
    return [sentence(problem.detail, names), ...(link ? [" ", link] : [])];
  }
  // One event is told in words by the board that shows it; of several the tokens have to do.
  const last = frame.querySelector(".told").textContent;
  const missed = problem.missed.length > 1 || !last ? problem.missed : [last];
  return [`Somebody was quicker. ${missed.map((what) => sentence(what, names)).join(" ")}`];
}

/** How things stand, in a few words. */
export function status(items, { unreached, busy }) {
  const waits = items.filter(({ state }) => state === "waiting").length;
  if (items[0] && items[0].state !== "waiting") return "Not everything is stored: look above";
  if (waits && unreached) return `${waits === 1 ? "1 move" : `${waits} moves`} waiting for the network`;
  if (waits && busy) return "Saving…";
  return waits ? "Saving…" : "Saved";
}
