/** The pages of evenings, and of a new phone: their forms are sent as JSON, and results are printed. */

import { showLocalTimes } from "./replay/captions.js";
import { find, findAll, onSubmit, partsOf, reporting } from "./shared/elements.js";
import { post, put } from "./shared/http.js";
import { takeTurns } from "./shared/turns.js";

const { trouble, print: printer } = partsOf(document);
const attempt = reporting(trouble);
const MATCH_IN_ADDRESS = /([0-9a-z]{12})(?:[/?#][^/]*)?$/;

/** @type {(form: HTMLFormElement) => Promise<void>} */
async function send(form) {
  const { match, ...fields } = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const given = Object.entries(fields).filter(([, value]) => value);
  const path = `${form.dataset.path}${match === undefined ? "" : (match.match(MATCH_IN_ADDRESS)?.[1] ?? match.trim())}`;
  const body = given.length ? Object.fromEntries(given) : undefined;
  const made = await (form.dataset.method === "PUT" ? put(path, body) : post(path, body));
  if (made.link) location.assign(made.link);
  else location.reload();
}

for (const form of /** @type {HTMLFormElement[]} */ (findAll(document, "form[data-path]"))) {
  onSubmit(form, () => {
    attempt(() => send(form));
  });
}
for (const field of /** @type {HTMLInputElement[]} */ (findAll(document, "[data-today]"))) {
  field.value = new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 10);
}
showLocalTimes(document);
printer?.addEventListener("click", () => print());

// A large screen without tables waits here for the first one.
const seconds = location.hash.match(/^#tv=(\d+)$/)?.[1];
if (seconds) takeTurns(`/evenings/${find(document, "main").dataset.evening}/tv?seconds=${seconds}`, Number(seconds));
