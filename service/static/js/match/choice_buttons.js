/** Prompts, and for each kind of choice the fitting control. */

import { byFields, inPicture, left, meant, offered, onlyPlace, openings } from "../board/move_choice.js";
import { button, findAll, make, makeSvg } from "../shared/elements.js";
import { choiceWords, kindOf, nameOf, sentence } from "../shared/words.js";

/** @typedef {RecordState & { supplier: number | null }} State */

/** The dice to set, in a game that has any. */
export const dice = document.querySelector("[data-dice]") ? await import("./dice.js") : null;

/**
 * The controls for the choices that are possible now. `now` holds `controls`, `choices`, `picks`,
 * `frame`; `on` the functions `tap(text)`, `choose(choice)`.
 *
 * @type {(now: State, on: RecordActions) => HTMLElement[]}
 */
export function choiceButtons(now, on) {
  const { choices, picks, controls } = now;
  const { done, groups, spoken, rolls, typed } = offered(choices, picks, controls);
  // A small place waits for a second tap, or for the button.
  const whole = meant(byFields(choices, controls), picks);
  // The actions of a seat before its secret move are offered on its pad.
  const open = spoken.filter(({ seat }) => !seatOf(seat, now)?.secret.length);
  return [
    prompt(groups, now) ?? dice?.prompt(rolls, now) ?? null,
    wordButtons(whole ? [whole] : done, now, on, whole || done.length === 1 ? "Done" : ""),
    ...groups.map((group) => chooser(group, groups.length > 1, now, on)),
    typed ? typedMove(controls.match, choices[0].seat, "Type the move here:", on) : null,
    dice?.thrown(rolls, now, on) ?? null,
    wordButtons(open, now, on, "", rolls),
  ].filter((control) => control !== null);
}

/**
 * Return a line for each seat that must act and whose moves this device may not list.
 *
 * @type {(controls: Controls, on: RecordActions) => (HTMLElement | null)[]}
 */
export function typedMoves({ match, seats, names }, on) {
  return seats
    .filter(({ withheld, secret, awaited }) => withheld && !secret.length && awaited.some(({ must }) => must))
    .map(({ seat }) => typedMove(match, seat, `${nameOf(names, seat)} sees the possible moves on their own phone. Or type the move here:`, on));
}

/** @type {typeof import("./typed_move.js").typedMove | null} */
let typing = null;

/**
 * Return a line to type a move; few games need it, and its module is loaded for the first.
 *
 * @type {(match: string, seat: number, words: string, on: RecordActions) => HTMLElement | null}
 */
function typedMove(match, seat, words, on) {
  if (!typing) import("./typed_move.js").then((module) => ((typing = module.typedMove), on.redraw()), () => {});
  return typing && typing(match, seat, words, on);
}

/** @type {(seat: number, now: Pick<State, "controls">) => SeatControls | undefined} */
function seatOf(seat, { controls }) {
  return controls.seats.find((each) => each.seat === seat);
}

/**
 * Return a hint for beginners.
 *
 * @type {(groups: Group[], now: State) => HTMLElement | null}
 */
function prompt(groups, now) {
  const board = inPicture(now.choices);
  if (!board.length && now.controls.seats.some(({ begun }) => begun)) return make("p", { class: "prompt" }, "Tap what moves, or a piece to put down.");
  if (!board.length) return null;
  const note = seatOf(board[0].seat, now)?.controls.note;
  return make("p", { class: "prompt" }, asking(groups, board, now), note ? ` ${note}` : null);
}

/** @type {(groups: Group[], board: Choice[], now: State) => string} */
function asking(groups, board, { picks }) {
  const found = left(board, picks);
  if (meant(board, picks)) return `${picks.at(-1)}: tap it again, or tap Done.`;
  const asked = [...new Set(openings(found).map(({ prompt, place, name }) => prompt ?? (place && !/^(at|from|to|place)\b/.test(name) ? `tap a ${name.replace(/ .*/, "")}` : "")))];
  if (asked.length && asked.every(Boolean)) return sentence(asked.join(" or "));
  const places = found.some(({ free }) => free.some(({ place }) => place));
  const begun = found.some(({ choice, free }) => choice.fields.some((field) => field.place && !free.includes(field)));
  const from = !begun && board.some(({ fields }) => fields.filter(({ place }) => place).length > 1);
  const thing = groups.find(({ labels, goes }) => goes.size && !labels.some(({ text }) => picks.includes(text)))?.noun;
  if (from && places) return "Tap one of your pieces.";
  if (thing && places && !onlyPlace(board)) return `Choose a ${thing}, and tap where it goes.`;
  return thing ? `Choose a ${thing}.` : "Tap where it goes.";
}

/* Things to pick beside the board. An impossible pick is pale, and a tap on it shows why. */

/** @type {(group: Group, headed: boolean, now: State, on: RecordActions) => HTMLElement} */
function chooser({ labels, noun, goes }, headed, { picks, frame, supplier }, on) {
  const buttons = labels.map((label) => {
    const { text } = label;
    const how = { goes: goes.has(text), pressed: picks.includes(text), onclick: () => on.tap(text) };
    return thing(label, { frame, seat: supplier, ...how });
  });
  const heading = headed ? make("span", { class: "prompt" }, sentence(noun).slice(0, -1)) : null;
  return make("div", { class: "chooser", role: "group", "aria-label": noun }, heading, ...buttons);
}

/**
 * Make the button of a thing to pick: its picture, its words, and the number that is left, if
 * known.
 *
 * @type {(label: Label, how: { frame: HTMLElement, seat: number | null, goes?: boolean, pressed?: boolean, counted?: boolean, onclick: Attributes["onclick"] }) => HTMLElement}
 */
export function thing({ text, words }, { frame, seat, goes = true, pressed = false, counted = true, onclick }) {
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
    supply && counted ? make("small", {}, `${supply.dataset.count} left`) : null,
  );
}

/**
 * Copy the picture of a piece from the frame; `null` if no such piece is drawn whole.
 *
 * @type {(frame: HTMLElement, text: string, seat: number | null) => Element | null}
 */
export function icon(frame, text, seat) {
  const supply = frame.querySelector(`.pb-beside[data-seat="${seat}"] .pb-pick[data-pick="${CSS.escape(text)}"] svg`);
  if (supply) return /** @type {Element} */ (supply.cloneNode(true));
  // A piece among others is drawn only in part.
  const pieces = findAll(frame, `.pb-cell .pb-piece[data-piece="${CSS.escape(text + seat)}"]`);
  const piece = pieces.find((each) => each.closest(".pb-cell")?.querySelectorAll(".pb-piece").length === 1);
  if (!piece) return null;
  return makeSvg("svg", { viewBox: "-27 -54 54 57", "aria-hidden": "true" }, piece.cloneNode(true));
}

/**
 * Return the actions of a seat besides its secret move, as a badge with a button for each.
 *
 * @type {(seat: number, now: Pick<RecordState, "choices" | "controls">, on: RecordActions) => HTMLElement[]}
 */
export function offers(seat, { choices, controls }, on) {
  const own = choices.filter((choice) => choice.seat === seat);
  if (!own.length) return [];
  const buttons = own.map((choice) => button(choiceWords(choice, controls), () => on.choose(choice), { "data-move": choice.text }));
  return [make("div", { class: "offered", role: "group", "aria-label": "You may also" }, ...buttons)];
}

/* Every other choice is a button in words, large if a seat must choose and has no other way, like dice. */

/** @type {(spoken: Choice[], now: State, on: RecordActions, word?: string, rolls?: Choice[]) => HTMLElement | null} */
function wordButtons(spoken, now, on, word = "", rolls = []) {
  if (!spoken.length) return null;
  const { controls, choices } = now;
  const alone = spoken.every(({ seat }) => seat === spoken[0].seat);
  const buttons = spoken.map((choice) => {
    const said = [word, choice.label || !word ? choiceWords(choice, controls) : ""].filter(Boolean).join(": ");
    const must = seatOf(choice.seat, now)?.awaited.some(({ must }) => must);
    const label = (must && alone) || controls.role === "seat" ? said : `${nameOf(controls.names, choice.seat)}: ${said}`;
    const large = must && !controls.seats.some(({ begun }) => begun) && ![...inPicture(choices), ...rolls].some(({ seat }) => seat === choice.seat);
    const claim = controls.claims.includes(kindOf(choice));
    return button(label, () => on.choose(choice), { class: large ? "button large" : "button quiet", "data-move": choice.text, "data-claim": claim });
  });
  return make("div", { class: "row spoken" }, ...buttons);
}
