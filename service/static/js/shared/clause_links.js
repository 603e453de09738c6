/** Clauses of the rules in sentences, as links. */

import { clauseLink, findAll } from "./elements.js";

const CLAUSE = /\b([A-Z]{2,5}-\d[\d.]*\d|[A-Z]{2,5}-\d)\b/;

/**
 * Make the clauses in a caption links to the rules of a game.
 *
 * @type {(caption: Element, game: string) => void}
 */
export function linkClauses(caption, game) {
  for (const sentence of findAll(caption, ".standing, .words, p")) {
    for (const text of [...sentence.childNodes].filter((node) => node instanceof Text)) {
      const parts = withClauseLinks(game, text.data);
      if (parts.length > 1) text.replaceWith(...parts);
    }
  }
}

/**
 * Split a text, and turn its clauses into links.
 *
 * @type {(game: string, text: string) => (string | Node)[]}
 */
export function withClauseLinks(game, text) {
  return text.split(CLAUSE).map((part, place) => (place % 2 && clauseLink(game, part)) || part);
}
