/** Prompts, and for each kind of choice the fitting control. */

import { complete, isPlace, left, openings } from "../board/move_choice.js";
import { button, findAll, make, makeSvg } from "../shared/elements.js";
import { choiceWords, kindOf, nameOf, pieceWord } from "../shared/words.js";

/** @typedef {RecordState & { supplier: number | null }} State */

/** @type {Record<string, string[]>} */
const LETTERS = { size: ["S", "M", "L"], cube: ["l", "d"] };
const FACES = [1, 2, 3, 4, 5, 6];
/** @type {Record<number, number[]>} */
const PIPS = { 1: [5], 2: [1, 9], 3: [1, 5, 9], 4: [1, 3, 7, 9], 5: [1, 3, 5, 7, 9], 6: [1, 3, 4, 6, 7, 9] };

/**
 * The controls for what can be chosen now. `now` holds `controls`, `choices`, `picks`, `frame`;
 * `on` the functions `tap(text)`, `choose(choice)`.
 *
 * @type {(now: State, on: RecordActions) => HTMLElement[]}
 */
export function choiceButtons(now, on) {
  const { choices, picks } = now;
  const board = choices.filter(({ fields }) => fields.some(({ text }) => isPlace(text)));
  const spoken = choices.filter((choice) => !board.includes(choice));
  const several = complete(left(board, picks));
  return [
    prompt(board, now),
    ...(several.length > 1 ? [wordButtons(several.map(({ choice }) => choice), now, on)] : []),
    ...choosers(board, now, on),
    dice(spoken, now, on),
    wordButtons(spoken.filter((choice) => !isDice(choice) && !isTake(choice)), now, on),
    ...takes(spoken.filter(isTake), now, on),
  ].filter((control) => control !== null);
}

/**
 * Return a hint for beginners.
 *
 * @type {(board: Choice[], now: State) => HTMLElement | null}
 */
function prompt(board, { picks, frame }) {
  if (!board.length) return null;
  return make("p", { class: "prompt" }, asking(openings(left(board, picks)), board, picks), pointsLeft(frame, board[0].seat));
}

/** @type {(open: Map<string, Set<string>>, board: Choice[], picks: string[]) => string} */
function asking(open, board, picks) {
  const thing = open.has("size") ? "size" : open.has("cube") ? "colour" : null;
  const from = board.some(({ fields }) => fields.filter(({ text }) => isPlace(text)).length > 1);
  if (thing && open.has("place") && !picks.some(isPlace) && from) return "Tap one of your pieces.";
  if (thing && open.has("place")) return `Choose a ${thing}, and tap where it goes.`;
  if (thing) return `Choose a ${thing}.`;
  if (from && !picks.some(isPlace)) return "Tap one of your pieces.";
  return "Tap where it goes.";
}

/**
 * Tell what is left of the dice, as the tray of the seat has it out of sight.
 *
 * @type {(frame: HTMLElement, seat: number) => string | null}
 */
function pointsLeft(frame, seat) {
  const found = linesOf(frame, seat).flatMap((line) => {
    const [, colour, points] = /^(\w+): .* points left (\d+)/.exec(line) ?? [];
    return colour ? [`${colour} ${points}`] : [];
  });
  return found.length ? ` Left: ${found.join(", ")}.` : null;
}

/**
 * Return the lines in the tray of a seat.
 *
 * @type {(frame: HTMLElement, seat: number) => string[]}
 */
function linesOf(frame, seat) {
  return findAll(frame, `.pb-beside[data-seat="${seat}"] .pb-lines li`).map(({ textContent }) => textContent ?? "");
}

/* Sizes and colours. One that does not go is pale, and a tap on it shows why. */

/** @type {(board: Choice[], now: State, on: RecordActions) => HTMLElement[]} */
function choosers(board, now, on) {
  const names = new Set(board.flatMap(({ fields }) => fields.map(({ name }) => name)));
  return Object.keys(LETTERS).filter((name) => names.has(name)).map((name) => chooser(name, board, now, on));
}

/** @type {(name: string, board: Choice[], now: State, on: RecordActions) => HTMLElement} */
function chooser(name, board, now, on) {
  const { picks } = now;
  const others = picks.filter((pick) => !LETTERS[name].includes(pick));
  const buttons = LETTERS[name].map((letter) => {
    const goes = left(board, [...others, letter]).length > 0;
    const chosen = picks.includes(letter);
    return pick(letter, now, { goes, chosen, onclick: () => on.tap(letter) });
  });
  return make("div", { class: "chooser", role: "group", "aria-label": name }, ...buttons);
}

/** @type {(letter: string, now: State, how: { goes: boolean, chosen: boolean, onclick: () => void }) => HTMLElement} */
function pick(letter, { frame, supplier }, { goes, chosen, onclick }) {
  const supply = frame.querySelector(`.pb-beside[data-seat="${supplier}"] .pb-pick[data-pick="${letter}"]`);
  const picture = icon(frame, letter, supplier);
  return make(
    "button",
    {
      type: "button",
      class: `thing pb-scene${goes ? "" : " is-pale"}`,
      "data-choose": letter,
      "aria-pressed": String(chosen),
      onclick,
    },
    ...(picture ? [picture] : []),
    make("span", {}, pieceWord(letter)),
    supply ? make("small", {}, `${supply.dataset.count} left`) : null,
  );
}

/**
 * Copy the picture of a piece from the frame; `null` if none like it is drawn whole.
 *
 * @type {(frame: HTMLElement, letter: string, seat: number | null) => Element | null}
 */
export function icon(frame, letter, seat) {
  const supply = frame.querySelector(`.pb-beside[data-seat="${seat}"] .pb-pick[data-pick="${letter}"] svg`);
  if (supply) return /** @type {Element} */ (supply.cloneNode(true));
  // Of a pyramid in a stack or a nest only a part is drawn.
  const pieces = findAll(frame, `.pb-cell .pb-piece[data-piece="${letter}${seat}"]`);
  const piece = pieces.find((each) => each.closest(".pb-cell")?.querySelectorAll(".pb-piece").length === 1);
  if (!piece) return null;
  return makeSvg("svg", { viewBox: "-27 -54 54 57", "aria-hidden": "true" }, piece.cloneNode(true));
}

/* Dice, as they lie on the table: a row of faces for each. */

/** @type {(choice: Choice) => boolean} */
function isDice(choice) {
  return kindOf(choice) === "roll" && choice.fields.some(({ name }) => name === "dice");
}

/** @type {(spoken: Choice[], now: State, on: RecordActions) => HTMLElement | null} */
function dice(spoken, { frame }, on) {
  const rolls = spoken.filter(isDice);
  if (!rolls.length) return null;
  return twoDice(coloursOf(frame, rolls[0].seat), (thrown) => {
    const choice = rolls.find(({ fields }) => fields[0].text === thrown);
    if (choice) on.choose(choice);
  });
}

/**
 * Make two dice to be set as they lie on the table; `show` is called with both, like "4,5".
 *
 * @type {(colours: string[], show: (thrown: string) => void) => HTMLElement}
 */
export function twoDice(colours, show) {
  /** @type {number[]} */
  const thrown = [];
  const rows = [0, 1].map((row) => die(row, colours[row], (face) => {
    thrown[row] = face;
    if (thrown[0] && thrown[1]) show(thrown.join(","));
  }));
  return make("div", { class: "dice" }, make("p", { class: "prompt" }, "What do the dice show?"), ...rows);
}

/**
 * Return the colours of the dice of a seat, as its tray names them.
 *
 * @type {(frame: HTMLElement, seat: number) => string[]}
 */
function coloursOf(frame, seat) {
  const found = linesOf(frame, seat).flatMap((line) => /^(blue|green|red|yellow)\b/.exec(line)?.[1] ?? []);
  return found.length === 2 ? found : ["first", "second"];
}

/** @type {(row: number, colour: string, show: (face: number) => void) => HTMLElement} */
function die(row, colour, show) {
  /** @type {HTMLElement[]} */
  const faces = FACES.map((face) =>
    make("button", {
      type: "button",
      class: `face pb-scene pb-${colour}`,
      "data-die": row,
      "data-face": face,
      "aria-pressed": "false",
      "aria-label": `${colour} die: ${face}`,
      onclick: ({ currentTarget }) => {
        for (const other of faces) other.setAttribute("aria-pressed", String(other === currentTarget));
        show(face);
      },
    }, pipsOf(face)),
  );
  return make("div", { class: "die", role: "group", "aria-label": `${colour} die` }, ...faces);
}

/** @type {(face: number) => SVGElement} */
function pipsOf(face) {
  const pips = PIPS[face].map((place) => {
    const [cx, cy] = [7 + 11 * ((place - 1) % 3), 7 + 11 * Math.floor((place - 1) / 3)];
    return makeSvg("circle", { cx, cy, r: 3.6 });
  });
  return makeSvg("svg", { viewBox: "0 0 36 36", "aria-hidden": "true" }, ...pips);
}

/* Special moves that can be taken, by the seats that may. */

/** @type {(choice: Choice) => boolean} */
function isTake(choice) {
  return kindOf(choice) === "take";
}

/** @type {(spoken: Choice[], now: State, on: RecordActions) => HTMLElement[]} */
function takes(spoken, { controls }, on) {
  return [...new Set(spoken.map(({ seat }) => seat))].map((seat) => {
    const who = `${nameOf(controls.names, seat)} may also:`;
    const buttons = spoken.filter((choice) => choice.seat === seat).map((choice) =>
      button(choiceWords(choice), () => on.choose(choice), { "data-token": choice.token }),
    );
    return make("div", { class: "row spoken", role: "group", "aria-label": who }, make("span", { class: "prompt" }, who), ...buttons);
  });
}

/* Everything else is a button in words. The buttons for urgent choices are larger. */

const URGENT = new Set(["roll", "start", "pick"]);

/** @type {(spoken: Choice[], now: State, on: RecordActions) => HTMLElement | null} */
function wordButtons(spoken, { controls }, on) {
  if (!spoken.length) return null;
  const buttons = spoken.map((choice) => {
    const kind = kindOf(choice);
    const said = choiceWords(choice);
    const own = controls.role === "seat" || !["foul", "ko"].includes(kind);
    const label = own ? said : `${nameOf(controls.names, choice.seat)}: ${said}`;
    const look = URGENT.has(kind) ? "button large" : "button quiet";
    return button(label, () => on.choose(choice), { class: look, "data-token": choice.token });
  });
  return make("div", { class: "row spoken" }, ...buttons);
}
