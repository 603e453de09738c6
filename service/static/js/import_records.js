/** The page that imports records, and shows the result of each. */

import { clauseLink, find, make } from "./shared/elements.js";
import { get, HttpError, join, postText } from "./shared/http.js";
import { prefix } from "./shared/prefix.js";
import { linkedRecord } from "./shared/record_link.js";

const ARCHIVE = "application/x-plybook-archive";
const MOST_COOKIES = 20;

const main = find(document, "main");
/** @type {Record<string, string>} */
const games = JSON.parse(main.dataset.clauses ?? "{}");
const results = find(main, "[data-part=results]");
const form = find(main, "[data-part=form]");
const text = /** @type {HTMLTextAreaElement} */ (find(main, "#text"));
const file = /** @type {HTMLInputElement} */ (find(main, "#file"));

/** @typedef {{ match: string, record: number, events: number, tokens: { host: string }, variations: number, left_out: number }} Imported */

/** @type {(name: string, content: string) => Promise<void>} */
async function importText(name, content) {
  const heading = make("h2", {}, name);
  const report = make("div", { class: "stack" }, make("p", { class: "soft" }, "Reading …"));
  const section = make("section", { class: "card stack" }, heading, report);
  results.prepend(section);
  report.replaceChildren(...(await outcome(name, content)));
  section.scrollIntoView({ block: "nearest" });
}

/** @type {(name: string, content: string) => Promise<Node[]>} */
async function outcome(name, content) {
  try {
    const { matches, faults = [] } = await send(name, content);
    return [await list(matches), ...faultsOf(faults, content)];
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const wrong = faultsOf(error.problem.faults ?? [], content);
    return wrong.length ? wrong : [make("p", { class: "notice bad" }, sentence(error.message))];
  }
}

/** @type {(name: string, content: string) => Promise<{ matches: Imported[], faults?: Fault[] }>} */
function send(name, content) {
  const archive = name.endsWith(".plybook") || content.trimStart().startsWith("{\"");
  return postText("/records", archive ? ARCHIVE : "text/plain", content);
}

/** @type {(matches: Imported[]) => Promise<HTMLElement>} */
async function list(matches) {
  const latest = matches.slice(0, MOST_COOKIES);
  await own(latest);
  const headings = await Promise.all(latest.map(heading));
  return make("ul", { class: "brought" }, ...matches.map((each, place) => match(each, headings[place] ?? "")));
}

/** @type {(faults: Fault[], content: string) => Node[]} */
function faultsOf(faults, content) {
  return faults.map((each) => fault(each, content));
}

/**
 * Make this device the scorekeeper of the matches it imported.
 *
 * @type {(matches: Imported[]) => Promise<void>}
 */
async function own(matches) {
  for (const { match: id, tokens } of matches) await join(id, tokens.host);
}

/**
 * Return the game of a match and its players: "Power Play, Jet – Red".
 *
 * @type {(imported: Imported) => Promise<string>}
 */
async function heading({ match: id }) {
  const { game = "", players = {} } = await get(`/matches/${id}`).catch(() => ({}));
  /** @type {(match: string, dash: string, letter: string) => string} */
  const capitalise = (_, dash, letter) => (dash ? " " : "") + letter.toUpperCase();
  const name = game.replace(/(^|-)(\w)/g, capitalise);
  return [name, Object.values(players).join(" – ")].filter(Boolean).join(", ");
}

/** @type {(imported: Imported, heading: string) => HTMLElement} */
function match({ match: id, record, events, tokens, variations, left_out: out }, heading) {
  const more = variations ? `, ${count(variations, "variation")}` : "";
  return make(
    "li",
    {},
    make("a", { href: `${prefix}/join/${id}/${tokens.host}` }, `Match ${record}`),
    ` ${heading && `${heading}, `}${count(events, "move")}${more}`,
    out ? make("p", { class: "hint" }, `${count(out, "variation")} left out: what they tell is still a secret.`) : null,
  );
}

/** @type {(fault: Fault, content: string) => HTMLElement} */
function fault({ record, line, column, message, clause, token }, content) {
  const written = content.split("\n")[line - 1] ?? "";
  const game = games[clause.split("-")[0]];
  const rule = game ? clauseLink(game, clause) : null;
  return make(
    "div",
    { class: "notice bad" },
    make("p", {}, make("strong", {}, `Record ${record}, line ${line}: `), token ? `${token}: ` : "", sentence(message), " ", rule),
    make("pre", { tabindex: 0 }, `${written}\n${" ".repeat(Math.max(0, column - 1))}^`),
  );
}

/** @type {(words: string) => string} */
function sentence(words) {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;
}

/** @type {(number: number, what: string) => string} */
function count(number, what) {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** @type {(name: string) => void} */
function refuse(name) {
  const words = "This file is no text. Records are texts (.ply), archives end in .plybook.";
  results.prepend(make("section", { class: "card stack" }, make("h2", {}, name), make("p", { class: "notice bad", role: "alert" }, words)));
}

/** @type {(files: FileList | null | undefined) => Promise<void>} */
async function importAll(files) {
  for (const each of files ?? []) {
    const content = await each.text();
    if (content.includes("\0")) refuse(each.name);
    else await importText(each.name, content);
  }
}

file.addEventListener("change", async () => {
  await importAll(file.files);
  file.value = "";
});
/** Show the record in the address; people bring it in themselves. */
async function showLinked() {
  const linked = await linkedRecord();
  if (!linked) return;
  text.value = linked;
  find(form, "details").setAttribute("open", "");
  text.scrollIntoView({ block: "center" });
}

showLinked().catch(() => {
  const words = "The match in this link is damaged, or cut off; copy the whole link.";
  results.prepend(make("p", { class: "notice bad", role: "alert" }, words));
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (text.value.trim()) importText("Pasted text", text.value);
});
main.addEventListener("dragover", (event) => {
  event.preventDefault();
  main.classList.add("is-over");
});
main.addEventListener("dragleave", () => main.classList.remove("is-over"));
main.addEventListener("drop", (event) => {
  event.preventDefault();
  main.classList.remove("is-over");
  importAll(event.dataTransfer?.files);
});
