/** The words for moves and players on a page. */

/** @type {Record<string, string>} */
export const SIZES = { S: "small", M: "medium", L: "large" };
/** @type {Record<string, string>} */
const CUBES = { l: "light cube", d: "dark cube" };

/**
 * Return the token without the seat in front.
 *
 * @type {(token: string) => string}
 */
export function bodyOf(token) {
  return token.replace(/^\d:/, "");
}

/**
 * Return the kind of a choice: the word before `=`, else the names of its fields.
 *
 * @type {(choice: Omit<Choice, "seat">) => string}
 */
export function kindOf({ token, fields }) {
  const word = /^([a-z]+)(?==|$)/.exec(bodyOf(token));
  return word ? word[1] : fields.length ? fields.map(({ name }) => name).join("-") : "end";
}

/**
 * The player of a seat.
 *
 * @type {(names: Names, seat: number | string) => string}
 */
export function nameOf(names, seat) {
  return names[seat] ?? `Player ${seat}`;
}

/**
 * Give a sentence a capital and a full stop.
 *
 * @type {(words: string) => string}
 */
export function sentence(words) {
  if (!words) return "";
  // A place keeps its name: c1 is not C1, which may be another one.
  const begun = /^[a-z]\d/.test(words) ? words : words[0].toUpperCase() + words.slice(1);
  return begun + (/[.!?]$/.test(begun) ? "" : ".");
}

/**
 * A choice in words, as a button says it: its label, or the things that are picked for it.
 *
 * @type {(choice: Omit<Choice, "seat">) => string}
 */
export function choiceWords({ label, fields, token }) {
  return label || fieldWords(fields) || bodyOf(token);
}

/** @type {(fields: Field[]) => string} */
function fieldWords(fields) {
  const prefixes = new Map([["to", "to "], ["at", "on "]]);
  return fields.map(({ name, text }) => SIZES[text] ?? CUBES[text] ?? (prefixes.get(name) ?? "") + text).join(" ");
}

/**
 * Picks that were tapped without guidance: "c3, large, c5".
 *
 * @type {(picks: string[], controls: Pick<Controls, "unguided">) => string}
 */
export function pickWords(picks, { unguided }) {
  return picks.map((pick) => unguided?.endings[pick] ?? pieceWord(pick)).join(", ");
}

/**
 * The size, colour or special move that a letter stands for.
 *
 * @type {(letter: string) => string}
 */
export function pieceWord(letter) {
  return SIZES[letter] ?? CUBES[letter] ?? letter;
}
