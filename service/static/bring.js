/** Brings in records, and tells of each what became of it. */

import { clauseLink, make } from "./elements.js";
import { postOnce } from "./requests.js";

const ARCHIVE = "application/x-plybook-archive";
const MOST_COOKIES = 20;

const main = document.querySelector("main");
const games = JSON.parse(main.dataset.clauses);
const results = main.querySelector("[data-part=results]");
const form = main.querySelector("[data-part=form]");
const text = document.getElementById("text");
const file = document.getElementById("file");

async function bring(name, content) {
  const heading = make("h2", {}, name);
  const told = make("div", { class: "stack" }, make("p", { class: "soft" }, "Reading …"));
  const section = make("section", { class: "card stack" }, heading, told);
  results.prepend(section);
  try {
    const answer = await sent(name, content);
    const facts = await answer.json();
    told.replaceChildren(...(await outcome(answer, facts, content)));
  } catch {
    told.replaceChildren(make("p", { class: "notice bad" }, "The server cannot be reached just now. Try again in a moment."));
  }
  section.scrollIntoView({ block: "nearest" });
}

function sent(name, content) {
  const archive = name.endsWith(".plybook") || content.trimStart().startsWith("{\"");
  return postOnce("/records", archive ? ARCHIVE : "text/plain", content);
}

async function outcome(answer, facts, content) {
  const faults = facts.faults ?? [];
  const wrong = faults.map((each) => fault(each, content));
  if (!answer.ok) return wrong.length ? wrong : [make("p", { class: "notice bad" }, sentence(facts.detail))];
  await own(facts.matches);
  const headings = await Promise.all(facts.matches.slice(0, MOST_COOKIES).map(heading));
  const items = facts.matches.map((each, place) => match(each, headings[place] ?? ""));
  return [make("ul", { class: "brought" }, ...items), ...wrong];
}

/** Who brought a match in is its scorekeeper: this device, from now on. */
async function own(matches) {
  for (const { match: id, tokens } of matches.slice(0, MOST_COOKIES)) {
    await fetch(`/join/${id}/${tokens.host}`, { redirect: "manual" });
  }
}

/** Say which game a match is of, and who plays: "Power Play, Jet – Red". */
async function heading({ match: id }) {
  const answer = await fetch(`/matches/${id}`);
  if (!answer.ok) return "";
  const { game, players } = await answer.json();
  const name = game.replace(/(^|-)(\w)/g, (_, dash, letter) => (dash ? " " : "") + letter.toUpperCase());
  return [name, Object.values(players).join(" – ")].filter(Boolean).join(", ");
}

function match({ match: id, record, events, tokens, variations, left_out: out }, heading) {
  const more = variations ? `, ${count(variations, "variation")}` : "";
  return make(
    "li",
    {},
    make("a", { href: `/join/${id}/${tokens.host}` }, `Match ${record}`),
    ` ${heading && `${heading}, `}${count(events, "move")}${more}`,
    out ? make("p", { class: "hint" }, `${count(out, "variation")} left out: what they tell is still a secret.`) : null,
  );
}

function fault({ record, line, column, message, clause, token }, content) {
  const written = content.split("\n")[line - 1] ?? "";
  const prefix = clause.split("-")[0];
  const rule = games[prefix] ? clauseLink(games[prefix], clause) : null;
  return make(
    "div",
    { class: "notice bad" },
    make("p", {}, make("strong", {}, `Record ${record}, line ${line}: `), token ? `${token}: ` : "", sentence(message), " ", rule),
    make("pre", { tabindex: 0 }, `${written}\n${" ".repeat(Math.max(0, column - 1))}^`),
  );
}

function sentence(words) {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;
}

function count(number, what) {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function refuse(name) {
  const said = "This file is no text. Records are texts (.ply), archives end in .plybook.";
  results.prepend(make("section", { class: "card stack" }, make("h2", {}, name), make("p", { class: "notice bad", role: "alert" }, said)));
}

async function bringAll(files) {
  for (const each of files) {
    const content = await each.text();
    if (content.includes("\0")) refuse(each.name);
    else await bring(each.name, content);
  }
}

file.addEventListener("change", async () => {
  await bringAll(file.files);
  file.value = "";
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (text.value.trim()) bring("Pasted text", text.value);
});
main.addEventListener("dragover", (event) => {
  event.preventDefault();
  main.classList.add("is-over");
});
main.addEventListener("dragleave", () => main.classList.remove("is-over"));
main.addEventListener("drop", (event) => {
  event.preventDefault();
  main.classList.remove("is-over");
  bringAll(event.dataTransfer.files);
});
