/**
 * The pads for secret moves, made from the game's data (domain/controls.py): walks on the board, or
 * rows of boxes (boxes.js); groups of buttons; things to pick; switches.
 */

import { button, make, onSubmit } from "../shared/elements.js";
import { sentence } from "../shared/words.js";
import { icon, thing } from "./choice_buttons.js";

export { PadDraft } from "./pad_draft.js";
export { Walks } from "./walks.js";

/**
 * Make the pad of a draft. Its rows are filled by `walks` on the board or in `boxes`; `other`
 * switches between the two.
 *
 * @type {(facts: PadFacts) => MadePad}
 */
export function makePad(given) {
  const { draft, seat, name, word, seal, walks, boxes, other } = given;
  /** @type {PadFacts} */
  const facts = {
    ...given,
    changed: () => (draw(), given.changed()),
    next: () => /** @type {HTMLElement} */ (element.querySelector(".pass:not(:focus-within) .button") ?? done).focus(),
  };
  const { pad } = draft;
  const placed = new Set([...(pad.rows ?? []), ...(pad.groups ?? [])].flatMap(({ fields }) => fields));
  const single = pad.fields.filter((field) => !placed.has(field.name));
  const isSwitch = (/** @type {PadField} */ { labels = [] }) => labels.length === 1;
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true });
  const groups = (pad.groups ?? []).map((group) => groupOf(group, facts));
  const parts = [
    ...(walks ? [walkers(facts, walks)] : []),
    ...(boxes ? [boxes(facts)] : []),
    ...single.filter((field) => !isSwitch(field)).map((field) => chooser(field, facts)),
    ...single.filter(isSwitch).map((field) => switchOf(field, facts)),
  ];
  const switches = parts.filter(({ element }) => element.tagName === "BUTTON");
  const done = button("Lock in", () => {
    const untold = missingWords(draft);
    trouble.textContent = untold;
    trouble.hidden = !untold;
    if (!untold) seal(draft.written);
  }, { class: "button", "data-seal": "" });
  const way = other ? [button(walks ? "Commands" : "On the board", other, { class: "button bare", "data-way": "" })] : [];
  const element = make(
    "form",
    { class: "program", "aria-label": `The ${word} of ${name}`, "data-seat": seat },
    ...parts.filter((part) => !switches.includes(part)).map((part) => part.element),
    trouble,
    make("div", { class: "extras" }, ...groups.map(({ element }) => element), make("div", { class: "offers" })),
    make("div", { class: "seal" }, ...way, ...switches.map((part) => part.element), done),
  );
  function draw() {
    for (const part of [...parts, ...groups]) part.draw();
    const untold = missingWords(draft);
    trouble.hidden ||= !untold;
    done.disabled = draft.missing !== null && !untold;
  }
  onSubmit(element, () => {});
  draw();
  return { element, draw, asks: () => promptOf(facts) };
}

/**
 * Return the words for a field of a group that is still to be chosen; "" if every field is chosen.
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
  if (walks) return walks.trouble ?? sentence(`${walks.row.words}: ${walkWords(draft, walks.row)}`);
  if (pad.rows?.length) return `${name}: tap a box, then an arrow.`;
  return pad.prompt ? `${name} ${pad.prompt}` : `${name} chooses:`;
}

/**
 * Name the way of a row: its steps, and how many are still to be chosen.
 *
 * @type {(draft: PadFacts["draft"], row: PadRow) => string}
 */
function walkWords(draft, row) {
  const walked = draft.walked(row);
  if (!walked) return "tap where it goes.";
  const way = row.fields.slice(0, walked).map((name) => labelOf(draft, name)?.words).join(", ");
  const left = row.fields.length - walked;
  return left ? `${way}; ${left} more.` : `${way}.`;
}

/** @type {(thing: Element, yes: boolean) => void} */
function press(thing, yes) {
  thing.setAttribute("aria-pressed", String(yes));
}

/** The sign of a step that is still to be chosen. */
const TO_GO = "◦";

/* On the board, each piece has a button that shows its way and lets it continue. */

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
  const stay = button("Stay", () => (walks.stay(), facts.changed()), { class: "button quiet", "data-stay": "" });
  const clear = button("✕", () => (walks.clear(), facts.changed()), { class: "button bare", "data-clear": "", "aria-label": "Begin this way again" });
  const draw = () => {
    for (const { row, way, element } of rows) {
      way.textContent = row.fields.map((name, place) => (place < draft.walked(row) ? signOf(draft, name) : TO_GO)).join("");
      press(element, row.piece === walks.row.piece);
    }
    stay.disabled = !walks.left;
    clear.disabled = !draft.walked(walks.row);
  };
  return { element: make("div", { class: "walkers", role: "group" }, ...rows.map(({ element }) => element), stay, clear), draw };
}

/** @type {(draft: PadFacts["draft"], name: string) => string} */
function signOf(draft, name) {
  const label = labelOf(draft, name);
  return label?.sign ?? label?.words ?? "";
}

/** @type {(draft: PadFacts["draft"], name: string) => Label | undefined} */
function labelOf(draft, name) {
  return draft.labels(draft.field(name)).find(({ text }) => text === draft.text(name));
}

/* The other fields are buttons. */

/** @type {(group: PadGroup, facts: PadFacts) => MadePad} */
function groupOf({ words, fields }, facts) {
  const { draft } = facts;
  const spans = fields.map((name) => {
    const field = draft.field(name);
    const buttons = (field.labels ?? []).map((label) => {
      const said = label.sign ? { "aria-label": label.words } : {};
      const choose = (/** @type {Press} */ { detail }) => {
        draft.set(name, label.text);
        facts.changed();
        if (!detail && !draft.missing) facts.next?.();
      };
      const element = button(label.sign || label.words, choose, {
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
      span.hidden = Boolean(field.needs && !draft.text(field.needs));
    }
  };
  return { element: make("div", { class: "pass", role: "group", "aria-label": words }, make("small", {}, `${words}:`), ...spans.map(({ span }) => span)), draw };
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
