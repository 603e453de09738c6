/** What waits for an answer of this caller: a draw that was offered, a take-back that is asked. */

import { button, make } from "./elements.js";
import { nameOf } from "./words.js";

/** The questions as notices; `on` has `enter(seat, token, words)` and `answer(grant, seat)`. */
export function questions(doing, on) {
  return [takeback(doing, on), draw(doing, on)].filter(Boolean);
}

function takeback({ asked, seat, ply, names, role, playing }, on) {
  if (!asked) return null;
  const back = ply - asked.ply === 1 ? "the last entry" : `the last ${ply - asked.ply} entries`;
  if (asked.seat === seat) return said(`You asked to take back ${back}. Waiting for a yes.`);
  const other = playing.find((each) => each !== asked.seat);
  return said(
    `${nameOf(names, asked.seat)} wants to take back ${back}. Is that right?`,
    button("Yes, take it back", () => on.answer(true, role === "seat" ? null : other), { class: "button" }),
    button("No", () => on.answer(false, role === "seat" ? null : other)),
  );
}

function draw({ offered, accepted, seat, playing, names, over }, on) {
  if (!offered || over) return null;
  if (offered === seat || accepted.includes(seat)) return said("You agreed to a draw. Waiting for the answer.");
  const asked = playing.filter((each) => each !== offered && !accepted.includes(each) && [null, each].includes(seat));
  const buttons = asked.flatMap((each) => {
    const who = seat ? "" : `${nameOf(names, each)}: `;
    return [
      button(`${who}Agree`, () => on.enter(each, "accept-draw", "Agrees to a draw"), { class: "button" }),
      button(`${who}Play on`, () => on.enter(each, "decline-draw", "Plays on")),
    ];
  });
  return said(`${nameOf(names, offered)} offers a draw.`, ...buttons);
}

function said(words, ...buttons) {
  return make("div", { class: "notice question" }, make("p", {}, words), make("div", { class: "row" }, ...buttons));
}
