/** Questions to this caller: a draw, a take-back, a filled dash, unsent moves of a replaced phone. */

import { button, make } from "../shared/elements.js";
import { nameOf } from "../shared/words.js";

/**
 * Return the questions as notices.
 *
 * @type {(controls: Controls, on: RecordActions) => HTMLElement[]}
 */
export function questions(controls, on) {
  return [takeback(controls, on), draw(controls, on), resumed(controls, on), unsent(controls, on)].filter((notice) => notice !== null);
}

/** @type {(controls: Controls, on: RecordActions) => HTMLElement | null} */
function takeback({ asked, seat, ply, names, role, playing }, on) {
  if (!asked) return null;
  const back = ply - asked.ply === 1 ? "the last entry" : `the last ${ply - asked.ply} entries`;
  if (asked.seat === seat) return question(`You asked to take back ${back}. Waiting for a yes.`);
  const other = playing.find((each) => each !== asked.seat);
  return question(
    `${nameOf(names, asked.seat)} wants to take back ${back}. Is that right?`,
    button("Yes, take it back", () => on.answer(true, role === "seat" ? null : other), { class: "button" }),
    button("No", () => on.answer(false, role === "seat" ? null : other)),
  );
}

/** @type {(controls: Controls, on: RecordActions) => HTMLElement | null} */
function draw({ offered, accepted, seat, playing, names, over }, on) {
  if (!offered || over) return null;
  if (seat && (offered === seat || accepted.includes(seat))) return question("You agreed to a draw. Waiting for the answer.");
  const asked = playing.filter((each) => each !== offered && !accepted.includes(each) && (seat ?? each) === each);
  const buttons = asked.flatMap((each) => {
    const who = seat ? "" : `${nameOf(names, each)}: `;
    return [
      button(`${who}Agree`, () => on.enter(each, "accept-draw", "Agrees to a draw"), { class: "button" }),
      button(`${who}Play on`, () => on.enter(each, "decline-draw", "Plays on")),
    ];
  });
  return question(`${nameOf(names, offered)} offers a draw.`, ...buttons);
}

/** @type {(controls: Controls, on: RecordActions) => HTMLElement | null} */
function unsent(controls, on) {
  const look = () => import("./unsent.js").then(({ askUnsent }) => askUnsent(controls, on.put)).catch(() => {});
  return controls.unsent ? question("A former phone had not sent all. Enter it?", button("Look at it", look, { class: "button" })) : null;
}

/** @type {(controls: Controls, on: RecordActions) => HTMLElement | null} */
function resumed({ resumed: found, role }, on) {
  if (!found) return null;
  const no = role === "host" ? [button("No", () => on.reopen(found.ply))] : [];
  return question(`It must have been ${found.text}.`, ...no);
}

/** @type {(words: string, ...buttons: Node[]) => HTMLElement} */
function question(words, ...buttons) {
  return make("div", { class: "notice question" }, make("p", {}, words), make("div", { class: "row" }, ...buttons));
}
