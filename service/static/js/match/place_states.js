/** The state of every place and supply, for `showStates`: open, a target, chosen … */

import { openings } from "../board/move_choice.js";


/**
 * Return the states while something can be chosen; `found` are the choices that the picks leave.
 *
 * @type {(found: OpenChoice[], picks: string[], refusal: Refusal | null) => PlaceStates}
 */
export function choiceStates(found, picks, refusal) {
  const refused = new Set(refusal?.squares);
  const next = openings(found);
  const [places, others] = [true, false].map((on) => next.filter(({ place = false }) => place === on).map(({ text }) => text));
  const begun = picks.length > 0 || goesOn(found);
  const target = without(begun ? places : [], refused);
  const open = without(begun ? others : [...places, ...others], refused);
  return { open, target, chosen: new Set(picks), refused };
}

/**
 * Return the states while moves are on their way: their places, and the picks since.
 *
 * @type {(items: OutboxItem[], picks: string[], refusal: Refusal | null) => PlaceStates}
 */
export function pendingStates(items, picks, refusal) {
  return {
    pending: new Set(items.flatMap(({ squares }) => squares)),
    chosen: new Set(picks),
    refused: new Set(refusal?.squares),
  };
}

/**
 * In a jump that goes on the piece is already chosen: only the end of the jump can be tapped.
 *
 * @type {(found: OpenChoice[]) => boolean}
 */
function goesOn(found) {
  return found.some(({ choice: { fields } }) => fields.length === 1 && fields[0].name === "to");
}

/** @type {(texts: Iterable<string>, others: Set<string>) => Set<string>} */
function without(texts, others) {
  return new Set([...texts].filter((text) => !others.has(text)));
}
