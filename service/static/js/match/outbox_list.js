/** The list of moves that are not stored yet, and a line with their number. */

import { button, clauseLink, find, make } from "../shared/elements.js";
import { nameOf, sentence, withNames } from "../shared/words.js";

/**
 * List the items of the outbox that need attention; `null` if there are none.
 *
 * @type {(items: OutboxItem[], now: Pick<RecordState, "controls" | "frame" | "ahead">, on: RecordActions & { unreached: boolean }) => HTMLElement | null}
 */
export function outboxList(items, now, on) {
  const shown = items.filter(({ state }, place) => state !== "waiting" || (!now.ahead && (place || items.length > 1 || on.unreached)));
  if (!shown.length) return null;
  return make("ol", { class: "outbox", "aria-label": "Not stored yet" }, ...shown.map((item) => entry(item, now, on)));
}

/** @type {(item: OutboxItem, now: Pick<RecordState, "controls" | "frame">, on: RecordActions) => HTMLElement} */
function entry(item, now, on) {
  const words = make("span", { class: "chip-words" }, item.words);
  if (item.state === "waiting") return make("li", { class: "is-waiting" }, words);
  return make(
    "li",
    { class: "notice bad" },
    make("p", {}, make("b", {}, item.words), " is not saved. ", ...because(item, now)),
    make(
      "div",
      { class: "row" },
      button("Try again", () => on.retry(item), { "data-retry": "" }),
      button("Discard", () => on.discard(item), { class: "button bare danger", "data-discard": "" }),
    ),
  );
}

/** @type {(item: OutboxItem, now: Pick<RecordState, "controls" | "frame">) => (string | Node)[]} */
function because({ state, problem }, { controls: { game, names }, frame }) {
  if (state === "held") return ["What came before it was discarded."];
  if (!problem?.stale) {
    const link = clauseLink(game, problem?.clause);
    return [sentence(withNames(problem?.detail ?? "", names)), ...(link ? [" ", link] : [])];
  }
  // A board describes one event in words; for several events their move texts must do.
  const last = find(frame, ".told").textContent;
  const { missed = [], seat } = problem;
  const events = missed.length > 1 || !last ? missed : [last];
  return [`${seat ? nameOf(names, seat) : "Somebody"} was quicker. ${events.map((what) => sentence(what)).join(" ")}`];
}

/**
 * Say in a few words whether everything is stored.
 *
 * @type {(items: OutboxItem[], sender: { unreached: boolean, busy: boolean }) => string}
 */
export function status(items, { unreached, busy }) {
  const waits = items.filter(({ state }) => state === "waiting").length;
  if (items[0] && items[0].state !== "waiting") return "Not everything is saved: look above";
  if (unreached && !waits) return "No connection";
  if (unreached) return `No connection: ${waits === 1 ? "1 move waits" : `${waits} moves wait`}`;
  if (waits || busy) return "Saving…";
  return "tab" in document.documentElement.dataset ? "Saved on this phone only" : "Saved";
}
