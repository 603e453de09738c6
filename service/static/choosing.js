/**
 * Choosing a move by tapping, as pure functions over the choices that ride in a frame.
 *
 * A choice is `{ seat, token, fields: [{ name, text }] }`; a pick is a text that was tapped, like
 * "c3" or "M". Picks come in any order; of fields that are written alike, two squares, the one
 * picked first is the first in the token. Nothing here knows a game.
 */

/** A place on the board: a letter and digits, as squares and spaces are written in every game. */
export function isPlace(text) {
  return /^[A-Za-z]\d+$/.test(text);
}

/** What fields are alike in: a pick can stand for the first free one of its sort. */
export function sortOf({ name, text }) {
  return isPlace(text) ? "place" : name;
}

/** The choices that hold all the picks, each with its fields that are still free. */
export function left(choices, picks) {
  return choices.flatMap((choice) => {
    const free = remaining(choice.fields, picks);
    return free ? [{ choice, free }] : [];
  });
}

function remaining(fields, picks) {
  let free = fields;
  for (const pick of picks) {
    const field = heads(free).find(({ text }) => text === pick);
    if (!field) return null;
    free = free.filter((each) => each !== field);
  }
  return free;
}

/** The first free field of each sort. */
export function heads(free) {
  const sorts = new Map();
  for (const field of free) if (!sorts.has(sortOf(field))) sorts.set(sortOf(field), field);
  return [...sorts.values()];
}

/** What can be tapped next: the texts by sort of field. */
export function openings(found) {
  const texts = new Map();
  for (const { free } of found) {
    for (const field of heads(free)) {
      const sort = sortOf(field);
      if (!texts.has(sort)) texts.set(sort, new Set());
      texts.get(sort).add(field.text);
    }
  }
  return texts;
}

/**
 * The picks after one more tap, or `null` if no legal move is meant. Tapping what is chosen lets
 * it go; what does not go together with the picks before takes the place of those like it.
 */
export function tapped(choices, picks, text) {
  const chosen = picks.indexOf(text);
  if (chosen >= 0) return picks.filter((_, place) => place !== chosen);
  const others = picks.filter((pick) => isPlace(pick) !== isPlace(text));
  const readings = [[...picks, text], [...others, text], [text]];
  return readings.find((reading) => left(choices, reading).length) ?? null;
}

/**
 * The one choice that the picks mean, or `null`: all its places are picked, and what else is free
 * in it leaves nothing to choose.
 */
export function meant(found) {
  if (found.length !== 1) return null;
  const [{ choice, free }] = found;
  return choice.fields.length && !free.some(({ text }) => isPlace(text)) ? choice : null;
}

/** The choices that are complete while there are several: they differ in nothing to be tapped. */
export function complete(found) {
  return found.filter(({ choice, free }) => choice.fields.length && !free.length);
}
