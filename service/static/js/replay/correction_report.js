/**
 * The report on a correction before it is made: the moves that still fit, and the moves that do
 * not, with the reason.
 */

import { attempt, buttonRow, dialog } from "../shared/dialogs.js";
import { button, clauseLink, make } from "../shared/elements.js";
import { post } from "../shared/http.js";
import { describeMove } from "./captions.js";
import { prefix } from "../shared/prefix.js";
import { sentence, withNames } from "../shared/words.js";

/**
 * How many later moves fit and do not fit, and the first that does not.
 *
 * @typedef {{ version: number, how: string, ply: number, stood: number, fell: number, first: Fallen | null, sets: number | null }} Report
 * @typedef {{ ply: number, text: string, clause: string, message: string }} Fallen
 * @typedef {{ match: string, ply: number, how: string, texts?: string[], words?: string[] }} Change
 */

/**
 * Report the consequences of a correction, and make it if that is wanted. `words` describe the
 * texts; `goOn` lets the person enter another move after them.
 *
 * @type {(reading: ModalReading, change: Change, goOn?: () => void) => Promise<void>}
 */
export async function reportCorrection(reading, { match, ply, how, texts = [], words = texts }, goOn) {
  const { root, desk, player, refresh } = reading;
  const { game = "" } = root.dataset;
  const address = `/matches/${match}/amendments`;
  const body = { ply, how, texts };
  /** @type {Report | undefined} */
  let answered;
  /** @type {HTMLElement} */
  const where = desk.querySelector(".panel") ?? desk;
  await attempt(where, game, async () => (answered = await post(`${address}?dry_run=true`, body)));
  if (!answered) return;
  /** @type {Report} */
  const report = answered;
  /** @type {(at: number) => string} */
  const deed = (at) => describeMove(root.querySelector(`[data-line][data-match="${match}"][data-ply="${at}"]`));
  const correct = async () => {
    const done = await attempt(opened, game, () => post(address, { ...body, expected: report.version }));
    if (!done) return;
    opened.close();
    reading.end();
    await refresh();
    linkBack(root, match);
    player.visit(String(ply - 1 + texts.length));
  };
  const opened = dialog(
    heading(report, words.join(", then "), deed(ply)),
    how === "replaced" ? make("p", { class: "hint" }, `It was written down as: ${deed(ply)}.`) : null,
    ...consequences(report, game, deed),
    goOn && report.fell && !report.stood ? anotherMove(() => (opened.close(), goOn())) : null,
    make("p", { class: "hint" }, "Nothing is lost: the log keeps the earlier line, and you can open it next to this."),
    buttonRow(
      () => opened.close(),
      button("Correct it", correct, { class: report.fell ? "button danger" : "button" }),
    ),
  );
}

/**
 * Report next to the players that the correction is made, with a link to the match.
 *
 * @type {(root: HTMLElement, match: string) => void}
 */
function linkBack(root, match) {
  root.querySelector("header .corrected")?.remove();
  const link = make("a", { href: `${prefix}/m/${match}` }, "Back to the table");
  root.querySelector("header")?.append(make("p", { class: "aside corrected", role: "status" }, "Corrected. ", link));
}

/** @type {(report: Report, words: string, deed: string) => string} */
function heading({ how, ply }, words, deed) {
  /** @type {Record<string, string>} */
  const headings = {
    replaced: `Move ${ply} was really: ${words}`,
    inserted: `Comes in as move ${ply}: ${words}`,
    deleted: `Move ${ply} goes: ${deed}`,
  };
  return headings[how];
}

/**
 * If nothing fits any more, often a whole round was forgotten.
 *
 * @type {(onclick: () => void) => HTMLElement}
 */
function anotherMove(onclick) {
  return make("div", { class: "row" }, button("Another move followed it", onclick, { class: "button quiet" }));
}

/**
 * Return words for how many moves still fit, and how many must be entered again.
 *
 * @type {(report: Report, game: string, deed: (ply: number) => string) => HTMLElement[]}
 */
function consequences({ stood, fell, first, sets }, game, deed) {
  const set = sets && make("p", { class: "notice" }, `Move ${sets} sets the position: the board does not change from there on.`);
  if (!fell) {
    const all = ["The move after it stays.", "Both moves after it stay."];
    const standing = all[stood - 1] ?? `All ${count(stood)} after it stay.`;
    const words = stood ? standing : "Nothing comes after it.";
    return [make("p", { class: "notice good" }, words), ...(set ? [set] : [])];
  }
  const link = clauseLink(game, first?.clause);
  const why = first && make(
    "p",
    {},
    `The first move that no longer fits is ${first.ply}, ${deed(first.ply) || first.text}. `,
    sentence(withNames(first.message, {})),
    link && " ",
    link,
  );
  const standing = stood ? `${count(stood)} after it ${stood === 1 ? "stays" : "stay"}` : "No move after it stays";
  return [make("div", { class: "notice bad" }, make("p", {}, `${standing}; ${fell} later ${fell === 1 ? "move" : "moves"} must be entered again.`), why), ...(set ? [set] : [])];
}

/** @type {(moves: number) => string} */
function count(moves) {
  return moves === 1 ? "1 move" : `${moves} moves`;
}
