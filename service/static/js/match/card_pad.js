/**
 * A pad of cards: of those that may fall, while nobody knows the hands, where a tap plays a card; or
 * of those of a secret move, which are tapped and locked in together. A keyboard takes rank and suit.
 * Only games of cards load this module.
 */

import { button, findAll, make, onSubmit } from "../shared/elements.js";
import { nameOf } from "../shared/words.js";
import { offers } from "./choice_buttons.js";

/** @type {Record<string, string>} */
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
/** The seat that leads, while several may; 0 until it is chosen. */
let leader = 0;
/** The part of a card that was typed. */
let typed = "";

/**
 * Return the prompt and the pad, and the choice of a seat where several may lead; `null` if no card is due.
 *
 * @type {(now: RecordState, on: RecordActions) => HTMLElement[] | null}
 */
export function entry({ choices, controls, busy }, on) {
  const able = controls.seats.filter(({ controls: { cards } }) => cards && !cards.count);
  if (busy || !able.length) return null;
  const own = able.length === 1 ? able[0] : able.find(({ seat }) => seat === leader);
  const asked = own ? `${nameOf(controls.names, own.seat)}: tap the card, or type it like 10h.` : "Who leads?";
  const seats = able.map(({ seat }) => {
    const tap = () => ((leader = seat), on.redraw());
    return button(nameOf(controls.names, seat), tap, { class: "thing", "data-choose": seat, "aria-pressed": String(seat === own?.seat) });
  });
  const { cards = [], before = "" } = own?.controls.cards ?? able[0].controls.cards ?? {};
  const play = (/** @type {string} */ card) => {
    if (!own) return;
    leader = 0;
    on.choose({ seat: own.seat, text: `${own.seat}:${before}${card}`, fields: [], label: `${nameOf(controls.names, own.seat)}: ${words(card)}` });
  };
  const fitting = new Set(own?.choices.map(({ text }) => text.slice(-2)));
  const pad = keys(cards, play, (card) => !fitting.has(card));
  if (!own) for (const key of findAll(pad, "button")) key.setAttribute("disabled", "");
  return [
    make("p", { class: "prompt" }, asked),
    ...(seats.length > 1 ? [make("div", { class: "chooser", role: "group", "aria-label": "Who leads" }, ...seats)] : []),
    pad,
    ...(own ? offers(own.seat, { controls, choices: choices.filter(({ text }) => !cards.includes(text.slice(-2))) }, on) : []),
  ];
}

/**
 * Make the pad of a secret move of several cards. Cards are written in the order of the pad, which
 * does not tell in which order they were tapped.
 *
 * @type {(facts: Omit<PadFacts, "draft">, pad: CardPad) => MadePad}
 */
export function cardsPad({ seat, name, word, task, before, keep, seal }, { cards, count = 1, before: front = "" }) {
  const chosen = new Set(before.slice(front.length).match(/../g));
  const written = () => front + cards.filter((card) => chosen.has(card)).join("");
  const pad = keys(cards, (card) => {
    if (!chosen.delete(card)) chosen.add(card);
    keep(written());
    draw();
  });
  const counted = make("span", { class: "counted", role: "status" });
  const done = make("button", { class: "button", "data-seal": "" }, "Lock in");
  const element = make(
    "form",
    { class: "program", "aria-label": `The ${word} of ${name}`, "data-seat": seat },
    pad,
    make("div", { class: "offers" }),
    make("div", { class: "seal" }, counted, done),
  );
  function draw() {
    const full = chosen.size === count;
    for (const key of findAll(pad, "button")) {
      const on = chosen.has(key.dataset.card ?? "");
      key.setAttribute("aria-pressed", String(on));
      key.toggleAttribute("disabled", full && !on);
    }
    counted.textContent = `${chosen.size} of ${count}`;
    done.disabled = !full;
  }
  onSubmit(element, () => seal(written()));
  draw();
  return { element, draw, asks: () => `${name}: ${task}; tap the cards, or type them like 10h.` };
}

/**
 * Make a key for each card, in a group for each suit.
 *
 * @type {(cards: string[], tap: (card: string) => void, pale?: (card: string) => boolean) => HTMLElement}
 */
function keys(cards, tap, pale = () => false) {
  const suits = [...new Set(cards.map((card) => card[1]))].map((suit) => {
    const own = cards.filter((card) => card[1] === suit).map((card) => button(words(card), () => tap(card), { class: `card-key${pale(card) ? " is-pale" : ""}`, "data-card": card }));
    return make("div", { class: "suit", "data-suit": suit }, ...own);
  });
  return make("div", { class: "card-keys", role: "group", "aria-label": "Cards" }, ...suits);
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
  findAll(document, `.card-key[data-card="${card}"]`)[0]?.click();
});
