/** The pads for secret moves: programs and picks of Pyramid Ball, and any other as text. */

import { button, make } from "../shared/elements.js";
import { icon } from "./choice_buttons.js";
import { SIZES } from "../shared/words.js";

/** @type {Record<string, string>} */
const SIGNS = { F: "↑", B: "↓", L: "←", R: "→", ".": "•" };
/** @type {Record<string, string>} */
const SAID = { F: "forward", B: "back", L: "left", R: "right", ".": "stand still" };
/** @type {Record<string, string>} */
const KEYS = { ArrowUp: "F", ArrowDown: "B", ArrowLeft: "L", ArrowRight: "R", f: "F", b: "B", l: "L", r: "R", ".": "." };
const THROWN = "Tap who gets it; the carrier stands still.";
const LETTERS = /** @type {const} */ (["S", "M", "L"]);

/**
 * A box of a program: the letter of a pyramid, and a row; row 3 is the dash.
 *
 * @typedef {{ letter: "S" | "M" | "L", row: number, slot: HTMLElement }} Slot
 */

/**
 * Make a pad that picks one of three sizes.
 *
 * @type {(facts: PadFacts) => HTMLElement}
 */
export function pickPad({ seat, name, frame, seal }) {
  /** @type {string | null} */
  let size = null;
  const done = button("Lock in", () => size && seal(`pick=${size}`), { class: "button", "data-seal": "", disabled: true });
  /** @type {HTMLElement[]} */
  const things = LETTERS.map((letter) => {
    const picture = icon(frame, letter, seat);
    return make("button", {
      type: "button",
      class: "thing pb-scene",
      "data-choose": letter,
      "aria-pressed": "false",
      onclick: ({ currentTarget }) => {
        size = letter;
        for (const thing of things) thing.setAttribute("aria-pressed", String(thing === currentTarget));
        done.disabled = false;
      },
    }, ...(picture ? [picture] : []), make("span", {}, SIZES[letter]));
  });
  return make(
    "form",
    { class: "program", "aria-label": `The pick of ${name}` },
    make("p", { class: "prompt" }, `${name} picks: medium beats small, large beats medium, small beats large.`),
    make("div", { class: "chooser" }, ...things),
    make("div", { class: "seal" }, done),
  );
}

/**
 * Make a pad for any other secret, which is written as the rules write it.
 *
 * @type {(facts: PadFacts) => HTMLElement}
 */
export function writtenPad({ name, word, seal }) {
  const input = make("input", { id: "secret", value: `${word}=`, maxlength: 400, autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
  const form = make(
    "form",
    { class: "program", "aria-label": `The ${word} of ${name}` },
    make("label", { class: "prompt", for: "secret" }, `${name} writes it as the rules do:`),
    input,
    make("div", { class: "seal" }, make("button", { class: "button", "data-seal": "" }, "Lock in")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) seal(input.value.trim());
  });
  return form;
}

/**
 * Make a pad for a program: for each pyramid a row of commands, a pass, and special moves.
 *
 * @type {(facts: PadFacts) => HTMLElement}
 */
export function programPad({ seat, name, controls, frame, draft, seal }) {
  const { extras = [] } = controls ?? {};
  /** @type {Slot[]} */
  const slots = [];
  let active = 0;
  const dashes = extras.some((extra) => extra.startsWith(",dash="));

  /** @type {(letter: Slot["letter"], row: number) => HTMLElement} */
  const slotOf = (letter, row) => {
    /** @type {HTMLElement} */
    const slot = make("button", {
      type: "button",
      class: "slot",
      "data-slot": `${letter}${row + 1}`,
      onclick: () => activate(slots.indexOf(entry)),
    });
    /** @type {Slot} */
    const entry = { letter, row, slot };
    slots.push(entry);
    return make("td", {}, slot);
  };
  /** @type {(slot: Slot) => string | null} */
  const read = ({ letter, row }) => (row === 3 ? draft.dash : draft[letter][row]);
  /** @type {(slot: Slot, command: string) => void} */
  const write = ({ letter, row }, command) => {
    if (row === 3) draft.dash = command === "." ? null : command;
    else draft[letter] = draft[letter].slice(0, row) + command + draft[letter].slice(row + 1);
  };
  /** @type {(place: number, focus?: boolean) => void} */
  const activate = (place, focus = false) => {
    active = Math.max(0, Math.min(place, slots.length - 1));
    draw();
    if (focus) slots[active].slot.focus();
  };
  /** @type {(letter: string, focus?: boolean) => void} */
  const command = (letter, focus) => {
    write(slots[active], letter);
    activate(active + 1, focus);
  };

  const rows = LETTERS.map((letter) => {
    const picture = icon(frame, letter, seat);
    const cells = [0, 1, 2].map((row) => slotOf(letter, row));
    if (letter === "S" && dashes) cells.push(slotOf(letter, 3));
    return make("tr", {}, make("th", { scope: "row", class: "pb-scene" }, picture ?? "", make("span", {}, SIZES[letter])), ...cells);
  });
  const heads = ["1", "2", "3", ...(dashes ? ["Dash"] : [])].map((head) => make("th", { scope: "col" }, head));
  const orders = make(
    "table",
    { class: "orders" },
    make("thead", {}, make("tr", {}, make("th", {}, make("span", { class: "unseen" }, "Pyramid")), ...heads)),
    make("tbody", {}, ...rows),
  );
  orders.addEventListener("keydown", (event) => {
    const letter = KEYS[event.key];
    if (!letter || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    active = slots.findIndex(({ slot }) => slot === event.target);
    if (active >= 0) command(letter, true);
  });

  const palette = make(
    "div",
    { class: "palette", role: "group", "aria-label": "Command for the marked box" },
    ...Object.keys(SIGNS).map((letter) =>
      make("button", { type: "button", class: "button quiet", "data-command": letter, "aria-label": SAID[letter], title: SAID[letter], onclick: () => command(letter) }, SIGNS[letter]),
    ),
  );

  const pass = passOf(draft, extras, () => draw());
  const specials = /** @type {const} */ (["quick", "blitz"]).filter((word) => extras.includes(`,${word}`)).map((word) =>
    button(word === "quick" ? "Quick Pass" : "Blitz", ({ currentTarget }) => {
      draft[word] = !draft[word];
      if (!draft.quick && draft.row === 1) draft.row = null;
      currentTarget.setAttribute("aria-pressed", String(draft[word]));
      draw();
    }, { "data-special": word, "aria-pressed": String(draft[word]) }),
  );
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true }, "Say who receives the pass, or choose no pass.");
  const done = button("Lock in", () => {
    const unsaid = draft.row !== null && draft.to === null;
    trouble.hidden = !unsaid;
    if (unsaid) done.scrollIntoView({ block: "nearest" });
    else seal(tokenOf(draft));
  }, { class: "button", "data-seal": "" });

  function draw() {
    slots.forEach((entry, place) => {
      const letter = read(entry) ?? "";
      const { slot } = entry;
      slot.textContent = SIGNS[letter] ?? "";
      slot.classList.toggle("is-active", place === active);
      const where = entry.row === 3 ? "Dash" : `row ${entry.row + 1}`;
      slot.setAttribute("aria-label", `${SIZES[entry.letter]}, ${where}: ${SAID[letter] ?? "none"}`);
    });
    pass.draw();
    prompt.textContent = draft.row === null ? asking : THROWN;
  }
  const asking = `${name}: tap a box, then an arrow.`;
  const prompt = make("p", { class: "prompt" });
  draw();
  return make(
    "form",
    { class: "program", "aria-label": `The program of ${name}` },
    prompt,
    make("div", { class: "orders-and-palette" }, orders, palette),
    pass.element,
    trouble,
    make("div", { class: "seal" }, ...specials, done),
  );
}

/** @type {(draft: ProgramDraft, extras: string[], changed: () => void) => { element: HTMLElement, draw: () => void }} */
function passOf(draft, extras, changed) {
  /** @type {(facts: Partial<ProgramDraft>) => () => void} */
  const choose = (facts) => () => (Object.assign(draft, facts), changed());
  /** @type {(number: number | null, label: string) => HTMLElement} */
  const row = (number, label) => button(label, choose(number === null ? { row: null, to: null } : { row: number }), { "data-pass-row": number ?? "none" });
  const rows = [row(null, "No pass"), row(1, "in 1"), row(2, "in 2"), row(3, "in 3")];
  const to = LETTERS.map((letter) => button(letter, choose({ to: letter }), { "data-pass-to": letter, "aria-label": `to the ${SIZES[letter]}` }));
  const receivers = make("span", {}, ...to);
  const element = make("div", { class: "pass", role: "group", "aria-label": "Pass" }, make("span", {}, ...rows), receivers);
  /** @type {(thing: HTMLElement, yes: boolean) => void} */
  const press = (thing, yes) => thing.setAttribute("aria-pressed", String(yes));
  const draw = () => {
    rows[1].hidden = !draft.quick;
    [null, 1, 2, 3].forEach((number, place) => press(rows[place], draft.row === number));
    LETTERS.forEach((letter, place) => press(to[place], draft.to === letter));
    receivers.classList.toggle("is-idle", draft.row === null);
  };
  element.hidden = !extras.some((extra) => extra.startsWith(",pass="));
  return { element, draw };
}

/**
 * Return the token of a draft (rules, "Moves"): special moves in their order, last.
 *
 * @type {(draft: ProgramDraft) => string}
 */
function tokenOf({ S, M, L, row, to, dash, quick, blitz }) {
  const pass = row !== null && to !== null ? `,pass=${row}${to}` : "";
  return `S=${S},M=${M},L=${L}${pass}${dash ? `,dash=${dash}` : ""}${quick ? ",quick" : ""}${blitz ? ",blitz" : ""}`;
}
