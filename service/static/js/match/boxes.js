/** Secret moves that are written: in boxes from a palette, or as text. Few people need this module. */

import { make, onSubmit } from "../shared/elements.js";
import { icon } from "./choice_buttons.js";

/**
 * Make a pad for a secret move whose kind has no pad: the person types the move as the rules write
 * it.
 *
 * @type {(facts: Pick<PadFacts, "seat" | "name" | "word" | "before" | "seal">) => MadePad}
 */
export function writtenPad({ seat, name, word, before, seal }) {
  const input = make("input", { id: "secret", value: before, maxlength: 400, autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
  const element = make(
    "form",
    { class: "program", "aria-label": `The ${word} of ${name}`, "data-seat": seat },
    make("label", { class: "prompt", for: "secret" }, `${name} writes it as the rules do:`),
    input,
    make("div", { class: "offers" }),
    make("div", { class: "seal" }, make("button", { class: "button", "data-seal": "" }, "Lock in")),
  );
  onSubmit(element, () => {
    if (input.value.trim()) seal(input.value.trim());
  });
  return { element, draw() {} };
}

/**
 * Make the boxes of a pad, laid out as on the table: a row for each piece, and a palette.
 *
 * @type {(facts: PadFacts) => MadePad}
 */
export function boxes(facts) {
  const { draft, frame, seat } = facts;
  const { pad } = draft;
  /** @type {{ row: PadRow, place: number, name: string, slot: HTMLElement }[]} */
  const slots = [];
  let active = 0;

  /** @type {(row: PadRow, name: string, place: number) => HTMLElement} */
  const slotOf = (row, name, place) => {
    /** @type {HTMLElement} */
    const slot = make("button", { type: "button", class: "slot", "data-slot": name, onclick: () => activate(slots.indexOf(entry)) });
    /** @type {typeof slots[number]} */
    const entry = { row, place, name, slot };
    slots.push(entry);
    return make("td", {}, slot);
  };
  /** @type {(place: number, focus?: boolean) => void} */
  const activate = (place, focus = false) => {
    active = Math.max(0, Math.min(place, slots.length - 1));
    facts.changed();
    if (focus) slots[active].slot.focus();
  };
  /** @type {(text: string, focus?: boolean) => void} */
  const write = (text, focus) => {
    const { name } = slots[active];
    const { labels = [] } = draft.field(name);
    // The labels of a field may give the same sign to a different text.
    const sign = pad.labels?.find((label) => label.text === text)?.sign;
    draft.set(name, labels.find((label) => label.sign === sign)?.text ?? text);
    activate(active + 1, focus);
  };

  const rows = (pad.rows ?? []).map((row) => {
    const cells = row.fields.map((name, place) => slotOf(row, name, place));
    return make("tr", {}, make("th", { scope: "row", class: "pb-scene" }, icon(frame, row.piece, seat) ?? "", make("span", {}, row.words)), ...cells);
  });
  const heads = (pad.heads ?? []).map((head) => make("th", { scope: "col" }, head));
  const orders = make(
    "table",
    { class: "orders" },
    make("thead", {}, make("tr", {}, make("th", {}, make("span", { class: "unseen" }, pad.title ?? "")), ...heads)),
    make("tbody", {}, ...rows),
  );
  orders.addEventListener("keydown", (event) => {
    const label = pad.labels?.find(({ keys }) => keys?.includes(event.key));
    if (!label || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    active = slots.findIndex(({ slot }) => slot === event.target);
    if (active < 0) return;
    const isLast = active === slots.length - 1;
    write(label.text, true);
    if (isLast) facts.next?.();
  });
  const palette = make(
    "div",
    { class: "palette", role: "group", "aria-label": "For the marked box" },
    ...(pad.labels ?? []).map(({ text, words, sign }) =>
      make("button", { type: "button", class: "button quiet", "data-command": text, "aria-label": words, title: words, onclick: () => write(text) }, sign || words),
    ),
  );
  const draw = () => slots.forEach(({ row, place, name, slot }, index) => {
    const label = draft.labels(draft.field(name)).find(({ text }) => text === draft.text(name));
    slot.textContent = label?.sign ?? "";
    slot.classList.toggle("is-active", index === active);
    const head = pad.heads?.[place] ?? "";
    slot.setAttribute("aria-label", `${row.words}, ${/^\d/.test(head) ? `row ${head}` : head}: ${label?.words ?? "none"}`);
  });
  return { element: make("div", { class: "orders-and-palette" }, orders, palette), draw };
}
