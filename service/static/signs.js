/** What every place and supply is just now, for `mark` of board.js: open, a target, chosen … */

import { openings } from "./choosing.js";

/**
 * The signs while something can be chosen: `found` is what the picks leave, `refusal` the last tap
 * that was refused, if it was.
 */
export function guiding(found, picks, refusal) {
  const refused = new Set(refusal?.squares);
  const next = openings(found);
  const places = next.get("place") ?? new Set();
  const others = [...next].flatMap(([sort, texts]) => (sort === "place" ? [] : [...texts]));
  const begun = picks.length > 0 || goesOn(found);
  const target = without(begun ? places : [], refused);
  const open = without(begun ? others : [...places, ...others], refused);
  return { open, target, chosen: new Set(picks), refused };
}

/** The signs while moves are on their way: where they are, and what was tapped meanwhile. */
export function pending(items, picks, refusal) {
  return {
    pending: new Set(items.flatMap(({ squares }) => squares)),
    chosen: new Set(picks),
    refused: new Set(refusal?.squares),
  };
}

/** A jump that goes on has its piece chosen already: what can be tapped is where it goes. */
function goesOn(found) {
  return found.some(({ choice: { fields } }) => fields.length === 1 && fields[0].name === "to");
}

function without(texts, others) {
  return new Set([...texts].filter((text) => !others.has(text)));
}
