/** Why a tap is not legal: one sentence with the clause of the rules a tap away. */

import { clauseLink, make } from "./elements.js";
import { sentence } from "./words.js";

/**
 * Ask why no move holds these picks. Answers `{ message, clause, words, squares, possible }`;
 * `possible` where the server knows a move that the page does not.
 */
export async function reason({ match, seat, picks }) {
  const query = new URLSearchParams({ picks: picks.join(","), ...(seat ? { seat } : {}) });
  try {
    const answer = await fetch(`/matches/${match}/hints?${query}`);
    const hint = await answer.json();
    if (!answer.ok) return { message: hint.detail, squares: [] };
    const { message, clause, words, squares, verdict } = hint;
    return { message: message ?? "", clause, words, squares, possible: verdict !== "illegal" };
  } catch {
    return { message: "This is no move here; why, only the server can tell", squares: [] };
  }
}

/** The notice of a refusal; the scorekeeper may record what was done all the same. */
export function notice({ match, game, names, role }, { message, clause, words }) {
  const link = clauseLink(game, clause);
  if (link && words) link.title = words;
  const anyway = link && role === "host" && make("a", { class: "anyway", href: `/m/${match}/adjust` }, "It stands anyway?");
  return make(
    "p",
    { class: "notice bad refusal", role: "alert" },
    sentence(message, names),
    ...(link ? [" ", link] : []),
    ...(anyway ? [" ", anyway] : []),
  );
}
