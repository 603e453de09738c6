/** What comes of a correction, told before it is made: what stands, what falls and why. */

import { attempt, dialog, ending } from "./dialogs.js";
import { button, clauseLink, make } from "./elements.js";
import { post } from "./requests.js";
import { deedOf } from "./telling.js";
import { sentence } from "./words.js";

/**
 * Tell what would come of a correction, and make it if that is wanted. `words` say the tokens;
 * `goOn` lets another be entered after them.
 */
export async function check(reading, { match, ply, how, tokens = [], words = tokens }, goOn) {
  const { root, desk, player, refresh } = reading;
  const address = `/matches/${match}/amendments`;
  const body = { ply, how, tokens };
  let report;
  const where = desk.querySelector(".panel") ?? desk;
  if (!(await attempt(where, root.dataset.game, async () => (report = await post(`${address}?dry_run=true`, body))))) return;
  const names = namesOf(root);
  const deed = (at) => deedOf(root.querySelector(`[data-line][data-match="${match}"][data-ply="${at}"]`));
  const correct = async () => {
    const done = await attempt(opened, root.dataset.game, () => post(address, { ...body, expected: report.version }));
    if (!done) return;
    opened.close();
    reading.end();
    await refresh();
    wayBack(root, match);
    player.visit(String(ply - 1 + tokens.length));
  };
  const opened = dialog(
    heading(report, words.join(", then "), deed(ply)),
    how === "replaced" ? make("p", { class: "hint" }, `It was written down as: ${deed(ply)}.`) : null,
    ...consequence(report, names, root.dataset.game, deed),
    goOn && report.fell && !report.stood ? another(() => (opened.close(), goOn())) : null,
    make("p", { class: "hint" }, "Nothing is lost: the line as it stood stays in the log, to be opened beside this one."),
    ending(
      () => opened.close(),
      button("Correct it", correct, { class: report.fell ? "button danger" : "button" }),
    ),
  );
}

/** Say beside who plays that it is done, and how to go on with the match. */
function wayBack(root, match) {
  root.querySelector("header .corrected")?.remove();
  const link = make("a", { href: `/m/${match}` }, "Back to the table");
  root.querySelector("header")?.append(make("p", { class: "aside corrected", role: "status" }, "Corrected. ", link));
}

function heading({ how, ply }, words, deed) {
  return {
    replaced: `Move ${ply} was really: ${words}`,
    inserted: `Comes in as move ${ply}: ${words}`,
    deleted: `Move ${ply} goes: ${deed}`,
  }[how];
}

/** Where nothing fits any more, often a whole round was forgotten. */
function another(onclick) {
  return make("div", { class: "row" }, button("Another was played after it", onclick, { class: "button quiet" }));
}

/** What stands and what falls, in words. */
function consequence({ stood, fell, first }, names, game, deed) {
  if (!fell) {
    const kept = stood === 1 ? "The 1 move after it still stands." : `All ${count(stood)} after it still stand.`;
    const words = stood ? kept : "Nothing comes after it.";
    return [make("p", { class: "notice good" }, words)];
  }
  const link = clauseLink(game, first?.clause);
  const why = first && make(
    "p",
    {},
    `The first that no longer fits is move ${first.ply}, ${deed(first.ply) || first.token}. `,
    sentence(first.message, names),
    link && " ",
    link,
  );
  const kept = stood ? `${count(stood)} after it still ${stood === 1 ? "stands" : "stand"}` : "No move after it stands";
  return [make("div", { class: "notice bad" }, make("p", {}, `${kept}; ${count(fell)} ${fell === 1 ? "falls" : "fall"}.`), why)];
}

function count(moves) {
  return moves === 1 ? "1 move" : `${moves} moves`;
}

function namesOf(root) {
  const players = [...root.querySelectorAll(".players li")];
  return Object.fromEntries(players.map((each) => [each.dataset.seat, each.querySelector(".name").textContent]));
}
