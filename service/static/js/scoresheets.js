/** Comparing two scoresheets: each question is answered by one tap, and the match found is stored. */

import { find, onSubmit, partsOf, reporting } from "./shared/elements.js";
import { join, post, postHtml } from "./shared/http.js";
import { prefix } from "./shared/prefix.js";
import { decode } from "./shared/record_file.js";

const MATCH = /^\s*(?:\S*\/(?:m|join)\/)?([0-9a-z]{12})(?:\/(?!replay|share)([\w-]{20,}))?[^\n]*$/;

const { match } = find(document, "main").dataset;
const parts = partsOf(document);
const attempt = reporting(parts.trouble);
const other = /** @type {HTMLTextAreaElement} */ (find(document, "#other"));
const file = /** @type {HTMLInputElement} */ (find(document, "#file"));

/** @type {Record<string, string>} The answers by ply. */
let said = {};

/** Return the request: this match, and a link, an id or a text. */
function body() {
  const [, id = "", token] = MATCH.exec(other.value.trim()) ?? [];
  return { scoresheets: [{ match }, id ? { match: id, token } : other.value], said };
}

/** @type {(answers: Record<string, string>) => Promise<void>} */
function ask(answers) {
  return attempt(async () => {
    const before = said;
    said = answers;
    try {
      const page = await postHtml(`/m/${match}/scoresheets`, body());
      parts.question.replaceChildren(...page.childNodes);
      parts.form.hidden = true;
    } catch (error) {
      said = before;
      throw error;
    }
  });
}

onSubmit(parts.form, () => ask({}));
if (other.defaultValue) ask({});
file.addEventListener("change", async () => {
  const [chosen] = file.files ?? [];
  if (chosen) other.value = decode(new Uint8Array(await chosen.arrayBuffer()));
});
parts.question.addEventListener("click", ({ target }) => {
  const button = /** @type {HTMLElement} */ (target).closest("button");
  if (button?.dataset.said) {
    const { ply = "" } = find(parts.question, "[data-ply]").dataset;
    ask({ ...said, [ply]: button.dataset.said });
  } else if (button && "store" in button.dataset) {
    attempt(async () => {
      const stored = await post("/records/reconstruct", { ...body(), save: true });
      await join(stored.match, stored.tokens.host);
      location.assign(`${prefix}/m/${stored.match}`);
    });
  }
});
