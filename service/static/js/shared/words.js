/** The words for moves and players on a page. */

/**
 * Return the text of a move without the seat in front.
 *
 * @type {(text: string) => string}
 */
export function bodyOf(text) {
  return text.replace(/^\d:/, "");
}

/**
 * Return the kind of a choice: the word before `=`, else the names of its fields.
 *
 * @type {(choice: Omit<Choice, "seat">) => string}
 */
export function kindOf({ text, fields }) {
  const word = /^([a-z]+)(?==|$)/.exec(bodyOf(text));
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
 * Name the players in an answer of the server, which calls a player without a name "seat 2".
 *
 * @type {(words: string, names: Names) => string}
 */
export function withNames(words, names) {
  return words.replace(/\bseat (\d)\b/gi, (_, seat) => nameOf(names, seat));
}

/**
 * Give a sentence a capital and a full stop.
 *
 * @type {(words: string) => string}
 */
export function sentence(words) {
  if (!words) return "";
  // A place keeps its name: c1 is not C1, which may be a different place.
  const begun = /^[a-z]\d/.test(words) ? words : words[0].toUpperCase() + words.slice(1);
  return begun + (/[.!?]$/.test(begun) ? "" : ".");
}

/**
 * A choice in words, as a button says it: its label, or the things that are picked for it.
 *
 * @type {(choice: Omit<Choice, "seat">, controls: Pick<Controls, "pickers">) => string}
 */
export function choiceWords({ label, fields, text }, controls) {
  return label || fields.map((field) => fieldWords(field, fields, controls)).join(" ") || bodyOf(text);
}

/** @type {(field: Field, all: Field[], controls: Pick<Controls, "pickers">) => string} */
function fieldWords(field, all, controls) {
  const { name, text, words } = field;
  // Several places are a way: f1 to c4.
  const [, ...rest] = all.filter((each) => each.name === "at");
  const prefix = name === "to" || rest.includes(field) ? "to " : name === "at" && !rest.length ? "on " : "";
  return words ?? labelOf(text, controls)?.words ?? prefix + text;
}

/**
 * Picks that were tapped without guidance: "c3, large, c5".
 *
 * @type {(picks: string[], controls: Pick<Controls, "unguided" | "pickers">) => string}
 */
export function pickWords(picks, controls) {
  return picks.map((pick) => controls.unguided?.endings[pick] ?? pickWord(pick, controls)).join(", ");
}

/**
 * The words of the game for a pick.
 *
 * @type {(text: string, controls: Pick<Controls, "pickers">) => string}
 */
export function pickWord(text, controls) {
  return labelOf(text, controls)?.words ?? text;
}

/**
 * The label of a text that is chosen beside the board, if the game has one.
 *
 * @type {(text: string, controls: Pick<Controls, "pickers">) => Label | undefined}
 */
export function labelOf(text, { pickers }) {
  return pickers.flatMap(({ labels }) => labels).find((label) => label.text === text);
}
