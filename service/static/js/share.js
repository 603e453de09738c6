/** Sharing a match, and for its host: who may read it, and the trash. */

import { shareButtons } from "./shared/link_sharing.js";
import { find, findAll, partsOf, reporting } from "./shared/elements.js";
import { post, put, remove } from "./shared/http.js";
import { prefix } from "./shared/prefix.js";

const { match } = find(document, "main").dataset;
const parts = partsOf(document);
const attempt = reporting(parts.trouble);

const address = /** @type {HTMLInputElement} */ (find(document, "#address"));
const shares = shareButtons(address, document.title, (words) => {
  parts.state.textContent = words;
});
parts.ways.replaceChildren(...shares);

parts.readers?.addEventListener("change", ({ target }) =>
  attempt(async () => {
    const { value } = /** @type {HTMLInputElement} */ (target);
    await put(`/matches/${match}/visibility`, { visibility: value });
    location.reload();
  }),
);

const buttons = Object.fromEntries(findAll(document, "[data-do]").map((each) => [each.dataset.do, each]));

/** @type {(is: boolean) => void} */
function trashed(is) {
  buttons.delete.hidden = is;
  buttons.restore.hidden = !is;
  buttons[is ? "restore" : "delete"].focus();
}

buttons.delete?.addEventListener("click", () => attempt(async () => {
  await remove(`/matches/${match}`);
  trashed(true);
}));
buttons.forget.addEventListener("click", () => attempt(async () => {
  const { forget } = buttons;
  if (!forget.dataset.sure) {
    forget.dataset.sure = "yes";
    forget.textContent = "Forget it: sure?";
    return;
  }
  const { forgetMatch } = await import("./shared/forgetting.js");
  await forgetMatch(match ?? "");
  location.assign(`${prefix}/`);
}));
buttons.restore?.addEventListener("click", () => attempt(async () => {
  await post(`/matches/${match}/restore`, {});
  trashed(false);
}));
