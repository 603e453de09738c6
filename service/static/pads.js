/** The desk below the board: prompts, and for each kind of choice the fitting control. */

import { complete, isPlace, left, openings } from "./choosing.js";
import { button, make } from "./elements.js";
import { kindOf, nameOf, pieceWord, told } from "./words.js";

const LETTERS = { size: ["S", "M", "L"], cube: ["l", "d"] };
const FACES = [1, 2, 3, 4, 5, 6];
const PIPS = { 1: [5], 2: [1, 9], 3: [1, 5, 9], 4: [1, 3, 7, 9], 5: [1, 3, 5, 7, 9], 6: [1, 3, 4, 6, 7, 9] };

/**
 * The controls for what can be chosen now. `now` holds `doing`, `choices`, `picks`, `frame`;
 * `on` the functions `tap(text)`, `choose(choice)`.
 */
export function pads(now, on) {
  const { choices, picks } = now;
  const board = choices.filter(({ fields }) => fields.some(({ text }) => isPlace(text)));
  const spoken = choices.filter((choice) => !board.includes(choice));
  const several = complete(left(board, picks));
  return [
    prompt(board, now),
    ...(several.length > 1 ? [words(several.map(({ choice }) => choice), now, on)] : []),
    ...choosers(board, now, on),
    dice(spoken, now, on),
    words(spoken.filter((choice) => !isDice(choice) && !isTake(choice)), now, on),
    ...takes(spoken.filter(isTake), now, on),
  ].filter(Boolean);
}

/** A line for who does this for the first time. */
function prompt(board, { picks, frame }) {
  if (!board.length) return null;
  return make("p", { class: "prompt" }, asking(openings(left(board, picks)), board, picks), pointsLeft(frame, board[0].seat));
}

function asking(open, board, picks) {
  const thing = open.has("size") ? "size" : open.has("cube") ? "colour" : null;
  const from = board.some(({ fields }) => fields.filter(({ text }) => isPlace(text)).length > 1);
  if (thing && open.has("place") && !picks.some(isPlace) && from) return "Tap one of your pieces.";
  if (thing && open.has("place")) return `Choose a ${thing}, and tap where it goes.`;
  if (thing) return `Choose a ${thing}.`;
  if (from && !picks.some(isPlace)) return "Tap one of your pieces.";
  return "Tap where it goes.";
}

/** What is left of the dice, as the tray of the seat tells it out of sight. */
function pointsLeft(frame, seat) {
  const lines = [...frame.querySelectorAll(`.pb-beside[data-seat="${seat}"] .pb-lines li`)];
  const found = lines.flatMap(({ textContent }) => {
    const [, colour, points] = /^(\w+): .* points left (\d+)/.exec(textContent) ?? [];
    return colour ? [`${colour} ${points}`] : [];
  });
  return found.length ? ` Left: ${found.join(", ")}.` : null;
}

/* Sizes and colours. What does not go is pale, and can be tapped all the same to hear why. */

function choosers(board, now, on) {
  const names = new Set(board.flatMap(({ fields }) => fields.map(({ name }) => name)));
  return Object.keys(LETTERS).filter((name) => names.has(name)).map((name) => chooser(name, board, now, on));
}

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

/** A picture of a piece, borrowed from the frame; `null` if there is none like it. */
export function icon(frame, letter, seat) {
  const supply = frame.querySelector(`.pb-beside[data-seat="${seat}"] .pb-pick[data-pick="${letter}"] svg`);
  if (supply) return supply.cloneNode(true);
  const piece = frame.querySelector(`.pb-piece[data-piece="${letter}${seat}"]`);
  if (!piece) return null;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-27 -54 54 57");
  svg.setAttribute("aria-hidden", "true");
  svg.append(piece.cloneNode(true));
  return svg;
}

/* Dice, as they lie on the table: a row of faces for each. */

function isDice(choice) {
  return kindOf(choice) === "roll" && choice.fields.some(({ name }) => name === "dice");
}

function dice(spoken, { frame }, on) {
  const rolls = spoken.filter(isDice);
  if (!rolls.length) return null;
  return twoDice(coloursOf(frame, rolls[0].seat), (thrown) => {
    const choice = rolls.find(({ fields }) => fields[0].text === thrown);
    if (choice) on.choose(choice);
  });
}

/** Two dice to be set as they lie on the table; `show` is told of both, like "4,5". */
export function twoDice(colours, show) {
  const thrown = [];
  const rows = [0, 1].map((row) => die(row, colours[row], (face) => {
    thrown[row] = face;
    if (thrown[0] && thrown[1]) show(thrown.join(","));
  }));
  return make("div", { class: "dice" }, make("p", { class: "prompt" }, "What do the dice show?"), ...rows);
}

/** Which die is which: the colours of a seat, as its tray names them. */
function coloursOf(frame, seat) {
  const lines = [...frame.querySelectorAll(`.pb-beside[data-seat="${seat}"] .pb-lines li`)];
  const found = lines.map((line) => /^(blue|green|red|yellow)\b/.exec(line.textContent)?.[1]).filter(Boolean);
  return found.length === 2 ? found : ["first", "second"];
}

function die(row, colour, show) {
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

function pipsOf(face) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 36 36");
  svg.setAttribute("aria-hidden", "true");
  for (const place of PIPS[face]) {
    const pip = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    pip.setAttribute("cx", 7 + 11 * ((place - 1) % 3));
    pip.setAttribute("cy", 7 + 11 * Math.floor((place - 1) / 3));
    pip.setAttribute("r", 3.6);
    svg.append(pip);
  }
  return svg;
}

/* Special moves that can be taken, by the seats that may. */

function isTake(choice) {
  return kindOf(choice) === "take";
}

function takes(spoken, { doing }, on) {
  return [...new Set(spoken.map(({ seat }) => seat))].map((seat) => {
    const who = `${nameOf(doing.names, seat)} may take:`;
    const buttons = spoken.filter((choice) => choice.seat === seat).map((choice) =>
      button(told(choice, doing).replace("Take the ", ""), () => on.choose(choice), { "data-token": choice.token }),
    );
    return make("div", { class: "row spoken", role: "group", "aria-label": who }, make("span", { class: "prompt" }, who), ...buttons);
  });
}

/* Everything else is a button in words. What a seat only may do is said more quietly. */

const URGENT = new Set(["roll", "start", "pick"]);

function words(spoken, { doing }, on) {
  if (!spoken.length) return null;
  const buttons = spoken.map((choice) => {
    const kind = kindOf(choice);
    const said = told(choice, doing);
    const own = doing.role === "seat" || !["foul", "ko"].includes(kind);
    const label = own ? said : `${nameOf(doing.names, choice.seat)}: ${said}`;
    const look = URGENT.has(kind) ? "button large" : "button quiet";
    return button(label, () => on.choose(choice), { class: look, "data-token": choice.token });
  });
  return make("div", { class: "row spoken" }, ...buttons);
}
