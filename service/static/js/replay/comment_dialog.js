/** The dialog about a move: a comment, a sign, and changes to existing annotations. */

import { attempt, buttonRow, dialog, field } from "../shared/dialogs.js";
import { button, make, onSubmit, twice } from "../shared/elements.js";
import { get, patch, post, remove } from "../shared/http.js";
import { describeMove } from "./captions.js";

const WRITTEN = new Set(["comment", "glyph"]);

/** @type {Map<string, string>} The comments that were written and neither saved nor cancelled, by match and ply. */
const drafts = new Map();

/** The common signs, as buttons with words; all other signs are in a list. */
/** @type {[string, string][]} */
const COMMON = [
  ["!", "Good move"],
  ["?", "Mistake"],
  ["!!", "Brilliant"],
  ["??", "Blunder"],
  ["!?", "Interesting"],
  ["?!", "Dubious"],
];

/**
 * Open the dialog about the move that is shown.
 *
 * @type {(reading: Reading) => Promise<void>}
 */
export async function openCommentDialog({ role, player, refresh, root }) {
  const { dataset, id } = player.here.element;
  const ply = Number(dataset.ply);
  const address = `/matches/${dataset.match}/annotations`;
  const deed = describeMove(player.here.element);
  const there = make("div", { class: "annotations" });
  const { longestComment: longest, longestName, game = "", holds } = root.dataset;
  const draft = `${dataset.match} ${ply}`;
  const text = make("textarea", { maxlength: longest, rows: 4 }, drafts.get(draft));
  const author = role === "host" ? make("input", { maxlength: longestName, autocomplete: "name" }) : null;
  const signs = ply ? palette() : null;
  const form = make(
    "form",
    { method: "dialog" },
    field("Comment", text, `Up to ${Number(longest).toLocaleString()} characters.${holds ? " Others read it after the end." : ""}`),
    signs?.element,
    author && field("Signed by", author, "Leave it empty to sign as the scorekeeper."),
    buttonRow(() => end(), make("button", { class: "button" }, "Save")),
  );
  const opened = dialog(ply ? `Move ${ply}: ${deed}` : "The start", there, form);
  opened.addEventListener("close", () => drafts.set(draft, text.value));
  const end = () => {
    text.value = "";
    opened.close();
  };
  onSubmit(form, async () => {
    /** @type {{ ply: number, comment?: string, glyph?: string, author?: string }} */
    const body = { ply };
    if (text.value.trim()) body.comment = text.value;
    if (signs?.value) body.glyph = signs.value;
    if (author?.value.trim()) body.author = author.value.trim();
    if (!body.comment && !body.glyph) return text.focus();
    const done = await attempt(form, game, () => post(address, body));
    if (!done) return;
    end();
    await refresh();
    player.visit(id);
  });
  await list(there, address, ply, root.dataset, refresh);
  text.focus();
}

/**
 * Make the choice of a sign: common signs as buttons, other signs in a list.
 *
 * @type {() => { value: string, element: HTMLElement }}
 */
function palette() {
  const others = make("select", { "aria-label": "Other ratings" }, make("option", { value: "" }, "More …"));
  const buttons = COMMON.map(([sign, words]) =>
    make("button", { type: "button", class: "button quiet sign", "aria-pressed": "false", "data-sign": sign },
      make("b", {}, sign), ` ${words}`),
  );
  const chosen = { value: "" };
  /** @type {(value: string) => void} */
  const choose = (value) => {
    chosen.value = chosen.value === value ? "" : value;
    for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.sign === chosen.value));
    if (others.value !== chosen.value) others.value = "";
  };
  for (const each of buttons) each.addEventListener("click", () => choose(each.dataset.sign ?? ""));
  others.addEventListener("change", () => choose(others.value));
  const signs = JSON.parse(document.querySelector("script.glyphs")?.textContent ?? "[]");
  for (const [sign, name] of signs) others.append(make("option", { value: sign }, `${sign}  ${name}`));
  const element = make(
    "fieldset",
    { class: "signs" },
    make("legend", {}, "Rating"),
    make("div", { class: "row" }, ...buttons),
    others,
  );
  return Object.assign(chosen, { element });
}

/**
 * List the existing annotations, each with buttons to edit it.
 *
 * @type {(where: HTMLElement, address: string, ply: number, page: DOMStringMap, refresh: Reading["refresh"]) => Promise<void>}
 */
async function list(where, address, ply, page, refresh) {
  const found = await get(`${address}?ply=${ply}&history=true`).catch(() => ({ annotations: [] }));
  const again = async () => {
    await list(where, address, ply, page, refresh);
    await refresh();
  };
  const items = found.annotations.map((/** @type {Remark} */ remark) => item(remark, address, page, again));
  where.replaceChildren(...(items.length ? [make("ul", {}, ...items)] : []));
}

/** @type {(remark: Remark, address: string, page: DOMStringMap, again: () => Promise<void>) => HTMLElement} */
function item(remark, address, { game = "", longestComment }, again) {
  const who = remark.player ?? remark.author;
  const gone = remark.text === null;
  const said = make("span", { class: "said" }, remark.text === null ? "Deleted" : remark.words ?? remark.text);
  const made = make("li", { class: gone ? "gone" : "" }, said, make("small", { class: "by" }, who));
  if (remark.edited) made.append(past(remark.history));
  if (gone) return made;
  const change = () => {
    const input = remark.kind === "comment"
      ? make("textarea", { rows: 3, maxlength: longestComment }, remark.text)
      : make("input", { value: remark.text, maxlength: 200 });
    const save = async () => {
      const body = { [remark.kind]: input.value };
      if (await attempt(made, game, () => patch(`${address}/${remark.id}`, body))) await again();
    };
    said.replaceWith(field(`Change the ${remark.kind}`, input));
    ways.replaceChildren(button("Save", save, { class: "button" }));
    input.focus();
  };
  const retract = async () => {
    if (await attempt(made, game, () => remove(`${address}/${remark.id}`))) await again();
  };
  const bare = { class: "button bare" };
  const ways = make("span", { class: "row" }, button("Edit", change, bare),
    button("Delete", ({ currentTarget }) => twice(currentTarget, retract), { class: "button bare danger" }));
  // Marks on the board are drawn, not written.
  if (!WRITTEN.has(remark.kind)) ways.firstChild?.remove();
  made.append(ways);
  return made;
}

/**
 * Make the list of the earlier texts of a remark.
 *
 * @type {(history: Remark["history"]) => HTMLElement}
 */
function past(history) {
  const lines = history.slice(0, -1).map(({ text, author, at }) =>
    make("li", {}, text ?? "Deleted", make("small", { class: "soft" }, ` ${author}, ${new Date(at).toLocaleString()}`)),
  );
  return make("details", {}, make("summary", {}, "Before"), make("ul", {}, ...lines));
}
