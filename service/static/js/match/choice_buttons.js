/** Prompts, and for each kind of choice the fitting control. */

import { complete, isPlace, left, openings } from "../board/move_choice.js";
import { button, findAll, make, makeSvg } from "../shared/elements.js";
import { bodyOf, choiceWords, kindOf, nameOf } from "../shared/words.js";

/** @typedef {RecordState & { supplier: number | null }} State */

/** The dice to set, in a game that has any. */
export const dice = document.querySelector('main:not([data-dice="0"])') ? await import("./dice.js") : null;

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
  const rolls = spoken.filter((choice) => rolled(choice, now.controls));
  const others = spoken.filter((choice) => !rolls.includes(choice));
  // What may be done before a secret move is offered on its pad.
  const open = others.filter(({ seat }) => !seatOf(seat, now)?.secret.length);
  return [
    prompt(board, now),
    ...(several.length > 1 ? [wordButtons(several.map(({ choice }) => choice), now, on)] : []),
    ...choosers(board, now, on),
    thrown(rolls, now, on),
    wordButtons(open, now, on),
  ].filter((control) => control !== null);
}

/** @type {(seat: number, now: Pick<State, "controls">) => SeatControls | undefined} */
function seatOf(seat, { controls }) {
  return controls.seats.find((each) => each.seat === seat);
}

/**
 * Return a hint for beginners.
 *
 * @type {(board: Choice[], now: State) => HTMLElement | null}
 */
function prompt(board, now) {
  if (!board.length) return null;
  const note = seatOf(board[0].seat, now)?.controls.note;
  return make("p", { class: "prompt" }, asking(openings(left(board, now.picks)), board, now), note ? ` ${note}` : null);
}

/** @type {(open: Map<string, Set<string>>, board: Choice[], now: State) => string} */
function asking(open, board, { picks, controls }) {
  const thing = controls.pickers.find(({ field }) => open.has(field))?.noun;
  const from = board.some(({ fields }) => fields.filter(({ text }) => isPlace(text)).length > 1);
  if (thing && open.has("place") && !picks.some(isPlace) && from) return "Tap one of your pieces.";
  if (thing && open.has("place")) return `Choose a ${thing}, and tap where it goes.`;
  if (thing) return `Choose a ${thing}.`;
  if (from && !picks.some(isPlace)) return "Tap one of your pieces.";
  return "Tap where it goes.";
}

/* Things to pick beside the board. One that does not go is pale, and a tap on it shows why. */

/** @type {(board: Choice[], now: State, on: RecordActions) => HTMLElement[]} */
function choosers(board, now, on) {
  const names = new Set(board.flatMap(({ fields }) => fields.map(({ name }) => name)));
  return now.controls.pickers.filter(({ field }) => names.has(field)).map((picker) => chooser(picker, board, now, on));
}

/** @type {(picker: Picker, board: Choice[], now: State, on: RecordActions) => HTMLElement} */
function chooser({ labels, noun }, board, now, on) {
  const { picks, frame, supplier } = now;
  const others = picks.filter((pick) => !labels.some(({ text }) => text === pick));
  const buttons = labels.map((label) => {
    const goes = left(board, [...others, label.text]).length > 0;
    const pressed = picks.includes(label.text);
    return thing(label, { frame, seat: supplier, goes, pressed, onclick: () => on.tap(label.text) });
  });
  return make("div", { class: "chooser", role: "group", "aria-label": noun }, ...buttons);
}

/**
 * Make the button of a thing to pick: its picture, its words, and how many are left of it.
 *
 * @type {(label: Label, how: { frame: HTMLElement, seat: number | null, goes?: boolean, pressed?: boolean, onclick: Attributes["onclick"] }) => HTMLElement}
 */
export function thing({ text, words }, { frame, seat, goes = true, pressed = false, onclick }) {
  const supply = frame.querySelector(`.pb-beside[data-seat="${seat}"] .pb-pick[data-pick="${CSS.escape(text)}"]`);
  const picture = icon(frame, text, seat);
  return make(
    "button",
    {
      type: "button",
      class: `thing pb-scene${goes ? "" : " is-pale"}`,
      "data-choose": text,
      "aria-pressed": String(pressed),
      onclick,
    },
    ...(picture ? [picture] : []),
    make("span", {}, words),
    supply ? make("small", {}, `${supply.dataset.count} left`) : null,
  );
}

/**
 * Copy the picture of a piece from the frame; `null` if none like it is drawn whole.
 *
 * @type {(frame: HTMLElement, text: string, seat: number | null) => Element | null}
 */
export function icon(frame, text, seat) {
  const supply = frame.querySelector(`.pb-beside[data-seat="${seat}"] .pb-pick[data-pick="${CSS.escape(text)}"] svg`);
  if (supply) return /** @type {Element} */ (supply.cloneNode(true));
  // Of a piece among others only a part is drawn.
  const pieces = findAll(frame, `.pb-cell .pb-piece[data-piece="${CSS.escape(text + seat)}"]`);
  const piece = pieces.find((each) => each.closest(".pb-cell")?.querySelectorAll(".pb-piece").length === 1);
  if (!piece) return null;
  return makeSvg("svg", { viewBox: "-27 -54 54 57", "aria-hidden": "true" }, piece.cloneNode(true));
}

/* Dice, as they lie on the table. */

/**
 * Return the faces of dice that a choice stands for, like "4,5"; `null` for any other choice.
 *
 * @type {(choice: Choice, controls: Controls) => string | null}
 */
function rolled({ token }, { rolls }) {
  const before = Object.keys(rolls).find((each) => bodyOf(token).startsWith(each));
  return before ? bodyOf(token).slice(before.length) : null;
}

/** @type {(rolls: Choice[], now: State, on: RecordActions) => HTMLElement | null} */
function thrown(rolls, now, on) {
  if (!rolls.length || !dice) return null;
  const { controls } = now;
  const count = rolled(rolls[0], controls)?.split(",").length ?? 1;
  return dice.diceRows(count, seatOf(rolls[0].seat, now)?.controls.dice, (thrown) => {
    const choice = rolls.find((each) => rolled(each, controls) === thrown);
    if (choice) on.choose(choice);
  });
}

/**
 * Return what a seat may do besides its secret move, as a badge with a button for each.
 *
 * @type {(seat: number, now: Pick<RecordState, "choices" | "controls">, on: RecordActions) => HTMLElement[]}
 */
export function offers(seat, { choices, controls }, on) {
  const own = choices.filter((choice) => choice.seat === seat);
  if (!own.length) return [];
  const buttons = own.map((choice) => button(choiceWords(choice, controls), () => on.choose(choice), { "data-token": choice.token }));
  return [make("div", { class: "offered", role: "group", "aria-label": "You may also" }, ...buttons)];
}

/* Everything else is a button in words. It is large where a seat must choose and has no other way. */

/** @type {(spoken: Choice[], now: State, on: RecordActions) => HTMLElement | null} */
function wordButtons(spoken, now, on) {
  if (!spoken.length) return null;
  const { controls, choices } = now;
  const buttons = spoken.map((choice) => {
    const said = choiceWords(choice, controls);
    const must = seatOf(choice.seat, now)?.awaited.some(({ must }) => must);
    const label = must || controls.role === "seat" ? said : `${nameOf(controls.names, choice.seat)}: ${said}`;
    const large = must && !choices.some(({ seat, fields }) => seat === choice.seat && fields.some(({ text }) => isPlace(text)));
    const claim = controls.claims.includes(kindOf(choice));
    return button(label, () => on.choose(choice), { class: large ? "button large" : "button quiet", "data-token": choice.token, "data-claim": claim });
  });
  return make("div", { class: "row spoken" }, ...buttons);
}
