/** The page that saves only the result of a match: a score sheet of one round, with a title. */

import { rememberMatch } from "./shared/device_memory.js";
import { findAll, onSubmit, partsOf, reporting } from "./shared/elements.js";
import { join, newKey, post, postEvents } from "./shared/http.js";
import { prefix } from "./shared/prefix.js";

const { result, trouble } = partsOf(document);
const form = /** @type {HTMLFormElement} */ (result);
const key = newKey();

async function save() {
  const fields = findAll(form, "[data-row]").map((row) => /** @type {HTMLInputElement[]} */ (findAll(row, "input")).map(({ value }) => value.trim()));
  const rows = fields.filter(([name, number]) => name || number);
  const lacking = rows.find((row) => !row.every(Boolean));
  if (lacking) throw new Error(`${lacking.join("") || "A player"} lacks a name or a number`);
  const { title, wins, evening, round, table } = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const players = Object.fromEntries(rows.map(([name], seat) => [seat + 1, name]));
  const opening = { game: "score-sheet", seats: rows.length, players, options: { rounds: "1", wins }, tags: { Title: title, ...(round && { Round: round }), ...(table && { Table: table }) } };
  const made = await post("/matches", evening ? { ...opening, evening } : opening, key);
  const board = rememberMatch(made, Object.values(players));
  await join(made.match, made.tokens.host);
  await postEvents(made.match, { events: rows.map(([, number], seat) => ({ text: `${seat + 1}:${number}` })) });
  location.assign(evening ? `${prefix}/evenings/${evening}` : board);
}

onSubmit(form, () => {
  reporting(trouble)(save);
});
