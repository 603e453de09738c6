/**
 * The moves that a phone had not sent when another phone took its seat: this page asks about each.
 */

import { button, make } from "../shared/elements.js";
import { attempt, dialog } from "../shared/dialogs.js";
import { get, remove } from "../shared/http.js";
import { nameOf } from "../shared/words.js";

/**
 * Ask about each move; `enter` puts a move into the outbox of this page.
 *
 * @type {(controls: Controls, enter: (move: UnsentMove & { words: string }) => void) => Promise<void>}
 */
export async function askUnsent({ match, game, names }, enter) {
  /** @type {{ moves: UnsentMove[] }} */
  const { moves } = await get(`/matches/${match}/unsent`);
  if (!moves.length) return;
  const list = make("ol", { class: "outbox" });
  const asked = dialog("A former phone had not sent", list);
  /** @type {(item: HTMLElement, move: UnsentMove, entered: boolean) => Promise<boolean>} */
  const decide = (item, move, entered) => attempt(item, game, async () => {
    if (entered) enter({ ...move, words: wordsOf(move), late: true });
    await remove(`/matches/${match}/unsent/${move.id}`);
    item.remove();
    if (!list.children.length) asked.close();
  });
  list.append(...moves.map((move) => {
    const item = make("li", { class: "notice" });
    item.append(
      make("p", {}, `${nameOf(names, move.seat)}: `, make("b", {}, wordsOf(move))),
      make("div", { class: "row" }, button("Enter it", () => decide(item, move, true), { class: "button" }), button("Discard", () => decide(item, move, false))),
    );
    return item;
  }));
}

/** @type {(move: UnsentMove) => string} */
function wordsOf({ text, picks = [], roll, unsure }) {
  return roll ? "Roll the dice" : `${text ?? picks.join(", ")}${unsure ? ", not sure" : ""}`;
}
