/**
 * The pads for secret moves, made from the game's data (domain/controls.py): rows of boxes with a
 * palette, or walks on the board; groups of buttons; things to pick; switches. Without data a move
 * is written as text.
 */

import { button, make } from "../shared/elements.js";
import { icon, thing } from "./choice_buttons.js";

/**
 * Make a pad for a secret move that no pad is known for: it is written as the rules write it.
 *
 * @type {(facts: Pick<PadFacts, "name" | "word" | "seal">) => MadePad}
 */
export function writtenPad({ name, word, seal }) {
  const input = make("input", { id: "secret", value: `${word}=`, maxlength: 400, autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
  const element = make(
    "form",
    { class: "program", "aria-label": `The ${word} of ${name}` },
    make("label", { class: "prompt", for: "secret" }, `${name} writes it as the rules do:`),
    input,
    make("div", { class: "seal" }, make("button", { class: "button", "data-seal": "" }, "Lock in")),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) seal(input.value.trim());
  });
  return { element, draw() {} };
}

/**
 * Make the pad of a draft. `walks` are its walks on the board while it is filled there; `other`
 * changes to the boxes, or back.
 *
 * @type {(facts: PadFacts) => MadePad}
 */
export function makePad(given) {
  const { draft, name, word, seal, walks, other } = given;
  const facts = { ...given, changed: () => (draw(), given.changed()) };
  const { pad } = draft;
  const placed = new Set([...(pad.rows ?? []), ...(pad.groups ?? [])].flatMap(({ fields }) => fields));
  const single = pad.fields.filter((field) => !placed.has(field.name));
  const isSwitch = (/** @type {PadField} */ { labels = [] }) => labels.length === 1;
  const prompt = make("p", { class: "prompt" });
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true });
  const parts = [
    ...(pad.rows?.length ? [walks ? walkers(facts, walks) : boxes(facts)] : []),
    ...(pad.groups ?? []).map((group) => groupOf(group, facts)),
    ...single.filter((field) => !isSwitch(field)).map((field) => chooser(field, facts)),
    ...single.filter(isSwitch).map((field) => switchOf(field, facts)),
  ];
  const switches = parts.filter(({ element }) => element.tagName === "BUTTON");
  const done = button("Lock in", () => {
    const untold = missingWords(draft);
    trouble.textContent = untold;
    trouble.hidden = !untold;
    if (untold) done.scrollIntoView({ block: "nearest" });
    else seal(draft.token);
  }, { class: "button", "data-seal": "" });
  const way = other ? [button(walks ? "Commands" : "On the board", other, { class: "button bare", "data-way": "" })] : [];
  const element = make(
    "form",
    { class: "program", "aria-label": `The ${word} of ${name}` },
    prompt,
    ...parts.filter((part) => !switches.includes(part)).map((part) => part.element),
    trouble,
    make("div", { class: "seal" }, ...way, ...switches.map((part) => part.element), done),
  );
  function draw() {
    for (const part of parts) part.draw();
    prompt.textContent = promptOf(facts);
    done.disabled = draft.missing !== null && !missingWords(draft);
  }
  element.addEventListener("submit", (event) => event.preventDefault());
  draw();
  return { element, draw };
}

/**
 * Return what is said of a field of a group that is still to be chosen; "" without one.
 *
 * @type {(draft: PadFacts["draft"]) => string}
 */
function missingWords({ missing, pad }) {
  return pad.groups?.find(({ fields }) => missing && fields.includes(missing.name))?.missing ?? "";
}

/** @type {(facts: PadFacts) => string} */
function promptOf({ draft, name, walks }) {
  const { pad } = draft;
  const begun = pad.groups?.find(({ fields: [first], hint }) => hint && draft.text(first));
  if (begun?.hint) return begun.hint;
  if (walks) return walks.trouble ?? `${name}, ${walks.row.words}: ${walkWords(draft, walks.row)}`;
  if (pad.rows?.length) return `${name}: tap a box, then an arrow.`;
  return pad.prompt ? `${name} ${pad.prompt}` : `${name} chooses:`;
}

/** @type {(draft: PadFacts["draft"], row: PadRow) => string} */
function walkWords(draft, row) {
  const walked = draft.walked(row);
  if (!walked) return "tap where it goes.";
  return walked < row.fields.length ? "go on, or tap it again to stay." : "done. Tap another piece, or lock in.";
}

/** @type {(thing: Element, yes: boolean) => void} */
function press(thing, yes) {
  thing.setAttribute("aria-pressed", String(yes));
}

/* On the board: one button for each piece tells its way and lets it go on. */

/** @type {(facts: PadFacts, walks: import("./walks.js").Walks) => MadePad} */
function walkers(facts, walks) {
  const { draft, frame, seat } = facts;
  const rows = (draft.pad.rows ?? []).map((row) => {
    const picture = icon(frame, row.piece, seat);
    const way = make("small", {});
    const element = make(
      "button",
      { type: "button", class: "thing pb-scene", "data-walk": row.piece, onclick: () => (walks.select(row), facts.changed()) },
      ...(picture ? [picture] : []),
      make("span", { class: picture ? "unseen" : null }, row.words),
      way,
    );
    return { row, way, element };
  });
  const clear = button("✕", () => (walks.clear(), facts.changed()), { class: "button bare", "data-clear": "", "aria-label": "Begin this way again" });
  const draw = () => {
    for (const { row, way, element } of rows) {
      way.textContent = row.fields.map((name) => signOf(draft, name)).join("");
      press(element, row.piece === walks.row.piece);
    }
    clear.disabled = !draft.walked(walks.row);
  };
  return { element: make("div", { class: "walkers", role: "group" }, ...rows.map(({ element }) => element), clear), draw };
}

/** @type {(draft: PadFacts["draft"], name: string) => string} */
function signOf(draft, name) {
  const label = draft.labels(draft.field(name)).find(({ text }) => text === draft.text(name));
  return label?.sign ?? label?.words ?? "";
}

/* Boxes: laid out as on the table, a row for each piece. */

/** @type {(facts: PadFacts) => MadePad} */
function boxes(facts) {
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
    // A field with labels of its own may say the same by another text.
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
    if (active >= 0) write(label.text, true);
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

/* Everything else is buttons. */

/** @type {(group: PadGroup, facts: PadFacts) => MadePad} */
function groupOf({ words, fields }, facts) {
  const { draft } = facts;
  const spans = fields.map((name) => {
    const field = draft.field(name);
    const buttons = (field.labels ?? []).map((label) => {
      const said = label.sign ? { "aria-label": label.words } : {};
      const element = button(label.sign || label.words, () => (draft.set(name, label.text), facts.changed()), {
        "data-field": name,
        "data-text": label.text,
        ...said,
      });
      return { label, element };
    });
    return { name, field, buttons, span: make("span", {}, ...buttons.map(({ element }) => element)) };
  });
  const draw = () => {
    for (const { name, field, buttons, span } of spans) {
      const offered = draft.labels(field);
      for (const { label, element } of buttons) {
        element.hidden = !offered.includes(label);
        press(element, draft.text(name) === label.text);
      }
      span.classList.toggle("is-idle", Boolean(field.needs && !draft.text(field.needs)));
    }
  };
  return { element: make("div", { class: "pass", role: "group", "aria-label": words }, ...spans.map(({ span }) => span)), draw };
}

/** @type {(field: PadField, facts: PadFacts) => MadePad} */
function chooser({ name, labels = [] }, facts) {
  const { draft, frame, seat } = facts;
  const things = labels.map((label) => ({
    label,
    element: thing(label, { frame, seat, onclick: () => (draft.set(name, label.text), facts.changed()) }),
  }));
  const draw = () => {
    for (const { label, element } of things) press(element, draft.text(name) === label.text);
  };
  return { element: make("div", { class: "chooser" }, ...things.map(({ element }) => element)), draw };
}

/** @type {(field: PadField, facts: PadFacts) => MadePad} */
function switchOf({ name, labels = [] }, facts) {
  const [{ text, words }] = labels;
  const { draft } = facts;
  const element = button(words, () => (draft.set(name, draft.text(name) ? "" : text), facts.changed()), { "data-special": name });
  return { element, draw: () => press(element, Boolean(draft.text(name))) };
}
