/** What moves and players are called on a page. */

export const SIZES = { S: "small", M: "medium", L: "large" };
const CUBES = { l: "light cube", d: "dark cube" };
const SPECIALS = { S: "Dash", M: "Quick Pass", L: "Blitz" };

/** The token without the seat in front. */
export function bodyOf(token) {
  return token.replace(/^\d:/, "");
}

/** What a choice is about: the word before `=`, else the names of its fields. */
export function kindOf({ token, fields }) {
  const word = /^([a-z]+)(?==|$)/.exec(bodyOf(token));
  return word ? word[1] : fields.length ? fields.map(({ name }) => name).join("-") : "end";
}

/** The player of a seat. */
export function nameOf(names, seat) {
  return names[seat] ?? `Player ${seat}`;
}

/** What a seat has; people have theirs. */
const ITS = /\bits(?= (?:turn|pyramids|program|secret choice)\b)/g;

/** A sentence about seats with the names of their players, a capital and a full stop. */
export function sentence(words, names) {
  const said = words.replace(/\b([Ss])eat (\d)\b/g, (seat, _, number) => names[number] ?? seat);
  if (!said) return "";
  if (said !== words) return sentence(said.replace(ITS, "their").replace("piece of its own", "piece of their own"), {});
  // A place keeps its name: c1 is not C1, which may be another one.
  const begun = /^[a-z]\d/.test(said) ? said : said[0].toUpperCase() + said.slice(1);
  return begun + (/[.!?]$/.test(begun) ? "" : ".");
}

/** A choice in words, as a button says it. */
export function told(choice, { names, game }) {
  const { fields } = choice;
  const texts = Object.fromEntries(choice.fields.map(({ name, text }) => [name, text]));
  const kinds = {
    end: () => (game === "blockade" ? "End the turn" : "End the jump"),
    foul: () => "Call foul",
    roll: () => (fields.length ? `Roll ${fields.map(({ text }) => text).join(",").replace(",", " and ")}` : "Roll the dice"),
    take: () => `Take the ${SPECIALS[texts.size]}`,
    start: () => (texts.with === "ball" ? "Start with the ball" : "Defend first"),
    ko: () => `Declare ${nameOf(names, texts.target)} knocked out`,
    pick: () => SIZES[texts.size],
  };
  return (kinds[kindOf(choice)] ?? (() => written(fields)))();
}

function written(fields) {
  const parts = fields.map(({ name, text }) => partly(name, text));
  return parts.join(" ");
}

function partly(name, text) {
  const thing = SIZES[text] ?? CUBES[text];
  if (thing) return thing;
  return { to: `to ${text}`, at: `on ${text}` }[name] ?? text;
}

/** Picks that were tapped without guidance: "c3, large, c5". */
export function listed(picks) {
  return picks.map((pick) => SIZES[pick] ?? CUBES[pick] ?? (pick === "." ? "end" : pick)).join(", ");
}

/** The size, colour or special move that a letter stands for. */
export function pieceWord(letter) {
  return SIZES[letter] ?? CUBES[letter] ?? letter;
}
