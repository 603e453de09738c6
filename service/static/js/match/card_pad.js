/**
 * A pad of the cards that may be played, for matches in which nobody enters the hands. A tap plays
 * a card; a keyboard takes its rank and its suit. Only games of cards load this module.
 */

import { button, make } from "../shared/elements.js";
import { nameOf } from "../shared/words.js";

/** @type {Record<string, string>} */
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
/** The seat that leads, while several may; 0 until it is chosen. */
let leader = 0;
/** The part of a card that was typed. */
let typed = "";
/** @type {(card: string) => void} */
let play = () => {};

/**
 * Return the prompt and the pad, and the choice of a seat where several may lead; `null` if no card is due.
 *
 * @type {(now: RecordState, on: RecordActions) => HTMLElement[] | null}
 */
export function entry({ controls, busy }, on) {
  const able = controls.seats.filter(({ controls: { cards } }) => cards);
  play = () => {};
  if (busy || !able.length) return null;
  const own = able.length === 1 ? able[0] : able.find(({ seat }) => seat === leader);
  const asked = own ? `${nameOf(controls.names, own.seat)}: tap the card, or type it like 10h.` : "Who leads?";
  const seats = able.map(({ seat }) => {
    const tap = () => ((leader = seat), on.redraw());
    return button(nameOf(controls.names, seat), tap, { class: "thing", "data-choose": seat, "aria-pressed": String(seat === own?.seat) });
  });
  const { cards = [], before = "" } = own?.controls.cards ?? able[0].controls.cards ?? {};
  play = (card) => {
    if (!own || !cards.includes(card)) return;
    leader = 0;
    on.choose({ seat: own.seat, text: `${own.seat}:${before}${card}`, fields: [], label: `${nameOf(controls.names, own.seat)}: ${words(card)}` });
  };
  const fitting = new Set(own?.choices.map(({ text }) => text.slice(-2)));
  const keys = cards.map((card) => button(words(card), () => play(card), { class: `card-key${fitting.has(card) ? "" : " is-pale"}`, "data-card": card, "data-suit": card[1], disabled: !own }));
  return [
    make("p", { class: "prompt" }, asked),
    ...(seats.length > 1 ? [make("div", { class: "chooser", role: "group", "aria-label": "Who leads" }, ...seats)] : []),
    make("div", { class: "card-keys", role: "group", "aria-label": "Cards" }, ...keys),
  ];
}

/** @type {(card: string) => string} */
function words(card) {
  return `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;
}

addEventListener("keydown", ({ key, target, ctrlKey, altKey, metaKey }) => {
  const writes = target instanceof Element && target.closest("input, textarea, select, dialog");
  if (writes || ctrlKey || altKey || metaKey || key.length > 1) return;
  typed = (typed + key.toUpperCase()).slice(-3).replace("10", "T");
  const [card] = /[2-9TJQKA][CDHS]$/.exec(typed) ?? [];
  if (!card) return;
  typed = "";
  play(card);
});
