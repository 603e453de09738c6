/** The reason why a tap is not legal: one sentence, with the clause of the rules a tap away. */

import { clauseLink, make } from "../shared/elements.js";
import { get, HttpError } from "../shared/http.js";
import { prefix } from "../shared/prefix.js";
import { sentence, withNames } from "../shared/words.js";

/**
 * Ask the server what the picks of a seat mean. Rejects `HttpError`.
 *
 * @type {(match: string, picks: string[], seat: number | null, cache?: RequestCache) => Promise<any>}
 */
export function getHint(match, picks, seat, cache) {
  const query = new URLSearchParams({ picks: picks.join(",") });
  if (seat) query.set("seat", String(seat));
  return get(`/matches/${match}/hints?${query}`, cache);
}

/** @typedef {{ match: string, seat: number | null, picks: string[], version: number }} Tried picks of a seat at a version */

/**
 * Ask why no move holds these picks; `possible` if the server knows more than the page.
 *
 * @type {(tried: Tried) => Promise<Refusal>}
 */
export async function reason(tried) {
  try {
    const { message, clause, words, squares, verdict, version } = await hintOf(tried);
    return { message: message ?? "", clause, words, squares, possible: verdict !== "illegal" || version > tried.version };
  } catch (error) {
    if (error instanceof HttpError && error.status) return { message: error.message, squares: [] };
    return { message: "This move is not allowed here; the reason needs the network", squares: [] };
  }
}

/**
 * Return the hint for picks; without a network, the previous hint if it was for the same version.
 *
 * @type {(tried: Tried) => Promise<any>}
 */
async function hintOf({ match, seat, picks, version }) {
  try {
    return await getHint(match, picks, seat);
  } catch (failure) {
    if (!(failure instanceof HttpError) || failure.status) throw failure;
    const before = await getHint(match, picks, seat, "force-cache").catch(() => null);
    if (before?.version === version) return before;
    throw failure;
  }
}

/**
 * The notice of a refusal; the scorekeeper may still record the move.
 *
 * @type {(controls: Controls, refusal: Refusal) => HTMLElement}
 */
export function refusalNotice({ match, game, role, names, adjustable }, { message, clause, words, tried }) {
  const link = clauseLink(game, clause);
  if (link && words) link.title = words;
  const anyway = link && role === "host" && adjustable && make("a", { class: "anyway", href: `${prefix}/m/${match}/stood?${new URLSearchParams(tried)}` }, "We played it anyway");
  return make(
    "p",
    { class: "notice bad refusal", role: "alert" },
    sentence(withNames(message, names)),
    ...(link ? [" ", link] : []),
    ...(anyway ? [" ", anyway] : []),
  );
}
