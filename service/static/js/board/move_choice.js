/**
 * Choosing a move by tapping, as pure functions over the choices in a frame.
 *
 * A pick is a text that was tapped, like "c3" or "M". Picks come in any order; among places the
 * first pick is the first place of the move. This module knows no game. `plybook/testing/taps.py`
 * is the same in Python; a test compares the two modules.
 */

import { bodyOf } from "../shared/words.js";

/** A field with more texts than this shows only texts that fit the picks. */
export const STEADY = 8;
/** Moves without a place get a button each up to this number; beyond it they are chosen by their fields. */
export const FEW = 24;
/** A field with more texts than this has no buttons: the move is typed. */
export const MANY = 60;

/**
 * Return the choices of seats. Their fields say which of them are places of a picture.
 *
 * @type {(seats: Pick<SeatControls, "seat" | "choices">[], places: Set<string>) => Choice[]}
 */
export function choicesOf(seats, places) {
  /** @type {(field: Field) => Field} */
  const placed = (field) => (places.has(field.text) ? { ...field, place: true } : field);
  return seats.flatMap(({ seat, choices }) => choices.map((choice) => ({ seat, ...choice, fields: choice.fields.map(placed) })));
}

/**
 * Return the choices that are made in the picture.
 *
 * @type {<C extends Pick<Choice, "fields">>(choices: C[]) => C[]}
 */
export function inPicture(choices) {
  return choices.filter(({ fields }) => fields.some(({ place }) => place));
}

/**
 * Return the sort of a field: a pick fills the first free field of its sort.
 *
 * @type {(field: Field) => string}
 */
function sortOf({ name, place, sort }) {
  return sort ?? (place ? "place" : name);
}

/**
 * Return a choice whose places can be tapped in any order.
 *
 * @type {(choice: Choice) => Choice}
 */
export function inAnyOrder(choice) {
  return { ...choice, fields: choice.fields.map((field, number) => ({ ...field, sort: field.place ? `place ${number}` : field.name })) };
}

/**
 * Return the choices that have all the picks, each with the fields that are still free.
 *
 * @type {(choices: Choice[], picks: string[]) => OpenChoice[]}
 */
export function left(choices, picks) {
  return choices.flatMap((choice) => {
    const free = remaining(choice.fields, picks);
    return free ? [{ choice, free }] : [];
  });
}

/** @type {(fields: Field[], picks: string[]) => Field[] | null} */
function remaining(fields, picks) {
  let free = fields;
  for (const pick of picks) {
    const field = heads(free).find(({ text }) => text === pick);
    if (!field) return null;
    free = free.filter((each) => each !== field);
  }
  return free;
}

/**
 * Return the first free field of each sort.
 *
 * @type {(free: Field[]) => Field[]}
 */
function heads(free) {
  /** @type {Map<string, Field>} */
  const sorts = new Map();
  for (const field of free) if (!sorts.has(sortOf(field))) sorts.set(sortOf(field), field);
  return [...sorts.values()];
}

/**
 * Return the fields that can be tapped next.
 *
 * @type {(found: OpenChoice[]) => Field[]}
 */
export function openings(found) {
  return found.flatMap(({ free }) => heads(free));
}

/**
 * Return the picks after one more tap, or `null` if no legal move is meant. A second tap on a pick
 * removes it, unless a move has this pick twice; a tap that does not fit the earlier picks replaces
 * picks of its sort.
 *
 * @type {(choices: Choice[], picks: string[], text: string) => string[] | null}
 */
export function tapped(choices, picks, text) {
  const places = new Set(choices.flatMap(({ fields }) => fields.filter(({ place }) => place).map((field) => field.text)));
  const others = picks.filter((pick) => places.has(pick) !== places.has(text));
  const chosen = picks.lastIndexOf(text);
  const without = picks.filter((_, index) => index !== chosen);
  const readings = chosen >= 0 ? [[...picks, text], without] : [[...picks, text], [...others, text], [text]];
  return readings.find((reading) => left(choices, reading).length) ?? null;
}

/**
 * Return the one choice that the picks mean, or `null`: the place where it ends is picked or is the
 * only place there is, and its other free fields leave nothing to choose.
 *
 * @type {(choices: Choice[], picks: string[]) => Choice | null}
 */
export function meant(choices, picks) {
  const found = left(choices, picks);
  if (found.length !== 1 || !picks.length) return null;
  const [{ choice, free }] = found;
  const end = choice.fields.filter(({ place }) => place).at(-1);
  return end && free.includes(end) && !onlyPlace(choices) ? null : choice;
}

/**
 * Return whether choices share a single place, which then need not be picked.
 *
 * @type {(choices: Pick<Choice, "fields">[]) => boolean}
 */
export function onlyPlace(choices) {
  return new Set(choices.flatMap(({ fields }) => fields.filter(({ place }) => place).map(({ text }) => text))).size === 1;
}

/**
 * Return the faces of dice in a choice, like "4,5"; `null` for a choice without dice.
 *
 * @type {(choice: Pick<Choice, "text">, rolls: Controls["rolls"]) => string | null}
 */
export function facesOf({ text }, rolls) {
  const before = Object.keys(rolls).find((each) => bodyOf(text).startsWith(each));
  return before ? bodyOf(text).slice(before.length) : null;
}

/**
 * Return the choices to make field by field: in the picture, or because there are many.
 *
 * @type {(choices: Choice[], controls: Pick<Controls, "rolls">) => Choice[]}
 */
export function byFields(choices, { rolls }) {
  const others = choices.filter(({ fields }) => !fields.some(({ place }) => place));
  const spoken = others.filter((choice) => facesOf(choice, rolls) === null && choice.fields.length);
  return spoken.length > FEW ? choices.filter((choice) => spoken.includes(choice) || !others.includes(choice)) : inPicture(choices);
}

/**
 * Return what a page offers besides the places of the picture: `done`, whole moves that are also
 * beginnings of others; `groups`, the texts of each field that is chosen by buttons; `spoken`,
 * moves that have a button each; `rolls` of dice; and whether some can only be `typed`.
 *
 * @type {(choices: Choice[], picks: string[], controls: Pick<Controls, "rolls" | "pickers">) => Offered}
 */
export function offered(choices, picks, controls) {
  const chosen = byFields(choices, controls);
  const others = choices.filter((choice) => !chosen.includes(choice));
  const rolls = others.filter((choice) => facesOf(choice, controls.rolls) !== null);
  const found = left(chosen, picks);
  const groups = groupsOf(chosen, picks, controls.pickers);
  const shown = groups.filter(({ labels }) => labels.length <= MANY);
  return {
    done: found.length > 1 ? complete(found) : [],
    groups: shown,
    spoken: others.filter((choice) => !rolls.includes(choice)),
    rolls,
    typed: shown.length < groups.length,
  };
}

/**
 * Return the whole choices.
 *
 * @type {(found: OpenChoice[]) => Choice[]}
 */
function complete(found) {
  return found.filter(({ choice, free }) => choice.fields.length && !free.length).map(({ choice }) => choice);
}

/** @type {(choices: Choice[], picks: string[], pickers: Picker[]) => Group[]} */
function groupsOf(choices, picks, pickers) {
  const loose = choices.flatMap(({ fields }) => fields.filter(({ place }) => !place));
  return [...new Set(loose.map(({ name }) => name))].flatMap((name) => {
    const own = [...new Map(loose.filter((field) => field.name === name).map((field) => [field.text, field])).values()];
    // A move's pick may have the name of a field, and texts that the field lacks.
    const picker = pickers.find(({ field, labels }) => field === name && own.every(({ text }) => labels.some((label) => label.text === text)));
    const known = picker?.labels ?? own.map(({ text, words }) => ({ text, words: words ?? text }));
    const rest = picks.filter((pick) => !known.some(({ text }) => text === pick));
    const next = openings(left(choices, rest)).filter((field) => field.name === name && !field.place);
    const goes = new Set(next.map(({ text }) => text));
    const labels = known.length <= STEADY ? known : known.filter(({ text }) => goes.has(text));
    return labels.length ? [{ name, noun: picker?.noun ?? name, labels, goes }] : [];
  });
}

/* The state of every place and supply, for `showStates`: open, a target, chosen … */

/**
 * Return the states while a choice is possible; `found` are the choices that the picks leave.
 *
 * @type {(found: OpenChoice[], picks: string[], refusal: Refusal | null) => PlaceStates}
 */
export function choiceStates(found, picks, refusal) {
  const refused = new Set(refusal?.squares);
  const next = openings(found);
  const [places, others] = [true, false].map((on) => next.filter(({ place = false }) => place === on).map(({ text }) => text));
  const begun = picks.length > 0 || goesOn(found);
  const target = without(begun ? places : [], refused);
  const open = without(begun ? others : [...places, ...others], refused);
  return { open, target, chosen: new Set(picks), refused };
}

/**
 * Return the states while moves are on their way: their places, and the picks since.
 *
 * @type {(items: OutboxItem[], picks: string[], refusal: Refusal | null) => PlaceStates}
 */
export function pendingStates(items, picks, refusal) {
  return {
    pending: new Set(items.flatMap(({ squares }) => squares)),
    chosen: new Set(picks),
    refused: new Set(refusal?.squares),
  };
}

/**
 * Return whether a jump goes on: the piece is already chosen, and only the end of the jump can be
 * tapped.
 *
 * @type {(found: OpenChoice[]) => boolean}
 */
function goesOn(found) {
  return found.some(({ choice: { fields } }) => fields.length === 1 && fields[0].name === "to");
}

/** @type {(texts: Iterable<string>, others: Set<string>) => Set<string>} */
function without(texts, others) {
  return new Set([...texts].filter((text) => !others.has(text)));
}
