/** Why a tap is not legal: one sentence with the clause of the rules a tap away. */

import { clauseLink, make } from "../shared/elements.js";
import { get, HttpError } from "../shared/http.js";
import { sentence } from "../shared/words.js";

/**
 * Ask what picks of a seat mean. Rejects `HttpError`.
 *
 * @type {(match: string, picks: string[], seat: number | null) => Promise<any>}
 */
export function getHint(match, picks, seat) {
  const query = new URLSearchParams({ picks: picks.join(",") });
  if (seat) query.set("seat", String(seat));
  return get(`/matches/${match}/hints?${query}`);
}

/**
 * Ask why no move holds these picks; `possible` where the server knows a move that the page does not.
 *
 * @type {(tried: { match: string, seat: number | null, picks: string[] }) => Promise<Refusal>}
 */
export async function reason({ match, seat, picks }) {
  try {
    const { message, clause, words, squares, verdict } = await getHint(match, picks, seat);
    return { message: message ?? "", clause, words, squares, possible: verdict !== "illegal" };
  } catch (error) {
    if (error instanceof HttpError && error.status) return { message: error.message, squares: [] };
    return { message: "This move is not allowed here; the reason comes with the network", squares: [] };
  }
}

/**
 * The notice of a refusal; the scorekeeper may record what was done all the same.
 *
 * @type {(controls: Controls, refusal: Refusal) => HTMLElement}
 */
export function refusalNotice({ match, game, role }, { message, clause, words }) {
  const link = clauseLink(game, clause);
  if (link && words) link.title = words;
  const anyway = link && role === "host" && make("a", { class: "anyway", href: `/m/${match}/adjust` }, "We played it anyway");
  return make(
    "p",
    { class: "notice bad refusal", role: "alert" },
    sentence(message),
    ...(link ? [" ", link] : []),
    ...(anyway ? [" ", anyway] : []),
  );
}
