/** The words for moves and players on a page. */

/** @type {Record<string, string>} */
export const SIZES = { S: "small", M: "medium", L: "large" };
/** @type {Record<string, string>} */
const CUBES = { l: "light cube", d: "dark cube" };
/** @type {Record<string, string>} */
const SPECIALS = { S: "Dash", M: "Quick Pass", L: "Blitz" };

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
 * A choice in words, as a button says it.
 *
 * @type {(choice: Omit<Choice, "seat">, controls: Pick<Controls, "names" | "game">) => string}
 */
export function choiceWords(choice, { names, game }) {
  const { fields } = choice;
  const texts = Object.fromEntries(choice.fields.map(({ name, text }) => [name, text]));
  /** @type {Record<string, () => string>} */
  const kinds = {
    end: () => (game === "blockade" ? "End the turn" : "End the jump"),
    foul: () => "Call foul",
    roll: () => (fields.length ? `Roll ${fields.map(({ text }) => text).join(",").replace(",", " and ")}` : "Roll the dice"),
    take: () => `Take the ${SPECIALS[texts.size]}`,
    start: () => (texts.with === "ball" ? "Start with the ball" : "Defend first"),
    ko: () => `Declare ${nameOf(names, texts.target)} knocked out`,
    pick: () => SIZES[texts.size],
  };
  return (kinds[kindOf(choice)] ?? (() => fieldWords(fields)))();
}

/** @type {(fields: Field[]) => string} */
function fieldWords(fields) {
  const prefixes = new Map([["to", "to "], ["at", "on "]]);
  return fields.map(({ name, text }) => SIZES[text] ?? CUBES[text] ?? (prefixes.get(name) ?? "") + text).join(" ");
}

/**
 * Picks that were tapped without guidance: "c3, large, c5".
 *
 * @type {(picks: string[]) => string}
 */
export function pickWords(picks) {
  return picks.map((pick) => SIZES[pick] ?? CUBES[pick] ?? (pick === "." ? "end" : pick)).join(", ");
}

/**
 * The size, colour or special move that a letter stands for.
 *
 * @type {(letter: string) => string}
 */
export function pieceWord(letter) {
  return SIZES[letter] ?? CUBES[letter] ?? letter;
}
