/** The page that imports records, and shows the result of each. */

import { button, clauseLink, find, make, onSubmit } from "./shared/elements.js";
import { awaitOffer } from "./shared/handed_over.js";
import { get, HttpError, join, postText } from "./shared/http.js";
import { prefix } from "./shared/prefix.js";
import { decode, mediaType } from "./shared/record_file.js";
import { linkedRecord } from "./shared/record_link.js";
import { sentence } from "./shared/words.js";

const ARCHIVE = "application/x-plybook-archive";
/**
 * The number of matches whose scorekeeper this device becomes; a browser sends no more cookies. In
 * a tab they stay there.
 */
const MOST_COOKIES = document.documentElement.dataset.tab === undefined ? 20 : Infinity;
const MOST_HEADINGS = 20;

const main = find(document, "main");
/** @type {Record<string, string>} */
const games = JSON.parse(main.dataset.clauses ?? "{}");
/** @type {Record<string, string>} */
const types = JSON.parse(main.dataset.types ?? "{}");
const results = find(main, "[data-part=results]");
const form = find(main, "[data-part=form]");
const text = /** @type {HTMLTextAreaElement} */ (find(main, "#text"));
const file = /** @type {HTMLInputElement} */ (find(main, "#file"));

/** @typedef {{ match: string, record: number, events: number, tokens: { host: string } | null, variations: number, left_out: number }} Imported */

/** @typedef {{ record: number, line: number, message: string }} Warned */

/**
 * Import a text, show the result, and return whether anything was stored.
 * @type {(name: string, content: string, bytes?: BodyInit) => Promise<boolean>}
 */
async function importText(name, content, bytes) {
  const heading = make("h2", {}, name);
  const report = make("div", { class: "stack" }, make("p", { class: "soft" }, "Reading …"));
  const section = make("section", { class: "card stack" }, heading, report);
  results.prepend(section);
  const told = await outcome(name, content, bytes);
  report.replaceChildren(...told.nodes);
  section.scrollIntoView({ block: "nearest" });
  return told.isStored;
}

/** @type {(name: string, content: string, bytes?: BodyInit) => Promise<{ isStored: boolean, nodes: Node[] }>} */
async function outcome(name, content, bytes) {
  try {
    const { matches, faults = [], warnings = [] } = await send(name, content, bytes);
    return { isStored: true, nodes: [await list(matches), ...faultsOf(faults, content), ...warnings.map(warning)] };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const wrong = faultsOf(error.problem.faults ?? [], content);
    return { isStored: false, nodes: wrong.length ? wrong : [make("p", { class: "notice bad" }, sentence(error.message))] };
  }
}

/** @type {(name: string, content: string, bytes?: BodyInit) => Promise<{ matches: Imported[], faults?: Fault[], warnings?: Warned[] }>} */
function send(name, content, bytes) {
  const archive = name.endsWith(".plybook") || content.trimStart().startsWith("{\"");
  return archive ? postText("/records?merge=true", ARCHIVE, content) : postText("/records", mediaType(name, types), content, undefined, bytes);
}

/** @type {(matches: Imported[]) => Promise<HTMLElement>} */
async function list(matches) {
  await own(matches.slice(0, MOST_COOKIES));
  const headings = await Promise.all(matches.slice(0, MOST_HEADINGS).map(heading));
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
  for (const { match: id, tokens } of matches) if (tokens) await join(id, tokens.host);
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
    make("a", { href: tokens ? `${prefix}/join/${id}/${tokens.host}` : `${prefix}/m/${id}` }, `Match ${record}`),
    ` ${heading && `${heading}, `}${count(events, "move")}${more}${tokens ? "" : ", here already"}`,
    out ? make("p", { class: "hint" }, `${count(out, "variation")} left out: it would reveal secrets.`) : null,
  );
}

/** @type {(fault: Fault, content: string) => HTMLElement} */
function fault({ record, line, column, message, clause, text: move }, content) {
  const written = content.split("\n")[line - 1] ?? "";
  const game = games[clause.split("-")[0]];
  const rule = game ? clauseLink(game, clause) : null;
  return make(
    "div",
    { class: "notice bad" },
    make("p", {}, make("strong", {}, `Record ${record}, line ${line}: `), move ? `${move}: ` : "", sentence(message), " ", rule),
    make("pre", { tabindex: 0 }, `${written}\n${" ".repeat(Math.max(0, column - 1))}^`),
  );
}

/** @type {(warned: Warned) => HTMLElement} */
function warning({ record, line, message }) {
  return make("p", { class: "notice" }, make("strong", {}, `Record ${record}, line ${line}: `), sentence(message));
}

/** @type {(number: number, what: string, several?: string) => string} */
function count(number, what, several = `${what}s`) {
  return `${number} ${number === 1 ? what : several}`;
}

/** @type {(name: string) => void} */
function refuse(name) {
  const words = "This is not a text file. Records are texts (.ply), archives end in .plybook.";
  results.prepend(make("section", { class: "card stack" }, make("h2", {}, name), make("p", { class: "notice bad", role: "alert" }, words)));
}

/** @type {(files: FileList | null | undefined) => Promise<void>} */
async function importAll(files) {
  for (const each of files ?? []) {
    const bytes = new Uint8Array(await each.arrayBuffer());
    const content = decode(bytes);
    if (content.includes("\0")) refuse(each.name);
    else await importText(each.name, content, bytes);
  }
}

file.addEventListener("change", async () => {
  await importAll(file.files);
  file.value = "";
});
/** Show the record in the address in the form; the person imports it by its button. */
async function showLinked() {
  const { record, missing, count: codes } = await linkedRecord();
  if (missing.length) return showMissing(missing, codes);
  if (!record) return;
  text.value = record;
  find(form, "details").setAttribute("open", "");
  text.scrollIntoView({ block: "center" });
}

/** @type {(missing: number[], codes: number) => void} */
function showMissing(missing, codes) {
  const words = `${codes - missing.length} of ${codes} codes are here. Scan the others, in any order: ${missing.join(", ")}.`;
  results.prepend(make("p", { class: "notice", role: "status" }, words));
}

/**
 * Ask whether to import the matches that another Plybook offers.
 * @type {(offer: import("./shared/handed_over.js").Offer) => void}
 */
function showOffer({ origin, count: matches, fetchArchive, end }) {
  const words = make("p", {}, make("strong", {}, origin), ` hands ${count(matches, "match", "matches")} over.`);
  const bring = button("Bring in", async () => {
    bring.disabled = true;
    let failed = 0;
    for (let index = 0; index < matches; index += 1) {
      if (!(await importText(`${index + 1} of ${matches}`, await fetchArchive(index)))) failed += 1;
    }
    offered.remove();
    end(failed);
  }, { class: "button" });
  const offered = make("section", { class: "card stack" }, make("h2", {}, "From another Plybook"), words, bring);
  form.before(offered);
  bring.focus();
}

awaitOffer(showOffer);
showLinked().catch(() => {
  const words = "The match in this link is damaged, or cut off; copy the whole link.";
  results.prepend(make("p", { class: "notice bad", role: "alert" }, words));
});
onSubmit(form, () => {
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
