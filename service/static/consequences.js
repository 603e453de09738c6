/** What comes of a correction, told before it is made: what stands, what falls and why. */

import { attempt, dialog, ending } from "./dialogs.js";
import { button, clauseLink, make } from "./elements.js";
import { post } from "./requests.js";
import { sentence } from "./words.js";

/** Tell what would come of a correction, and make it if that is wanted. */
export async function check(reading, { match, ply, how, token }) {
  const { root, desk, player, refresh } = reading;
  const address = `/matches/${match}/amendments`;
  const body = { ply, how, ...(token ? { token } : {}) };
  let report;
  const where = desk.querySelector(".panel") ?? desk;
  if (!(await attempt(where, root.dataset.game, async () => (report = await post(`${address}?dry_run=true`, body))))) return;
  const names = namesOf(root);
  const correct = async () => {
    const done = await attempt(opened, root.dataset.game, () => post(address, { ...body, expected: report.version }));
    if (!done) return;
    opened.close();
    reading.end();
    await refresh();
    player.visit(String(Math.max(0, how === "deleted" ? ply - 1 : ply)));
  };
  const opened = dialog(
    heading(report),
    ...consequence(report, names, root.dataset.game),
    make("p", { class: "hint" }, "Nothing is lost: the line as it stood stays in the log, to be opened beside this one."),
    ending(
      () => opened.close(),
      button("Correct it", correct, { class: report.fell ? "button danger" : "button" }),
    ),
  );
}

function heading({ how, ply, was, token }) {
  return {
    replaced: `Move ${ply}: ${token} instead of ${was}`,
    inserted: `${token} comes in as move ${ply}`,
    deleted: `Move ${ply}, ${was}, goes`,
  }[how];
}

/** What stands and what falls, in words. */
function consequence({ stood, fell, first }, names, game) {
  if (!fell) {
    const words = stood ? `All ${count(stood)} after it still stand.` : "Nothing comes after it.";
    return [make("p", { class: "notice good" }, words)];
  }
  const link = clauseLink(game, first?.clause);
  const why = first && make(
    "p",
    {},
    `The first that no longer fits is move ${first.ply}, ${first.token}: `,
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
