/**
 * Choosing a move by tapping, as pure functions over the choices in a frame.
 *
 * A pick is a text that was tapped, like "c3" or "M". Picks come in any order; of fields that are
 * written alike, two squares, the one picked first is the first in the token. Nothing here knows a
 * game.
 */

/**
 * Tell whether a text is a place on the board: a letter and digits, as squares and spaces are written in every game.
 *
 * @type {(text: string) => boolean}
 */
export function isPlace(text) {
  return /^[A-Za-z]\d+$/.test(text);
}

/**
 * Return the sort of a field: a pick can stand for the first free field of its sort.
 *
 * @type {(field: Field) => string}
 */
function sortOf({ name, text, sort }) {
  return sort ?? (isPlace(text) ? "place" : name);
}

/**
 * Return a choice whose places can be tapped in any order.
 *
 * @type {(choice: Choice) => Choice}
 */
export function inAnyOrder(choice) {
  return { ...choice, fields: choice.fields.map((field) => ({ ...field, sort: field.name })) };
}

/**
 * Return the choices that hold all the picks, each with its fields that are still free.
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
 * Return the texts that can be tapped next, by sort of field.
 *
 * @type {(found: OpenChoice[]) => Map<string, Set<string>>}
 */
export function openings(found) {
  /** @type {Map<string, Set<string>>} */
  const texts = new Map();
  for (const { free } of found) {
    for (const field of heads(free)) {
      const sort = sortOf(field);
      texts.set(sort, (texts.get(sort) ?? new Set()).add(field.text));
    }
  }
  return texts;
}

/**
 * Return the picks after one more tap, or `null` if no legal move is meant. A second tap on a pick
 * lets it go; a tap that does not go together with the picks before replaces those like it.
 *
 * @type {(choices: Choice[], picks: string[], text: string) => string[] | null}
 */
export function tapped(choices, picks, text) {
  const chosen = picks.indexOf(text);
  if (chosen >= 0) return picks.filter((_, place) => place !== chosen);
  const others = picks.filter((pick) => isPlace(pick) !== isPlace(text));
  const readings = [[...picks, text], [...others, text], [text]];
  return readings.find((reading) => left(choices, reading).length) ?? null;
}

/**
 * Return the one choice that the picks mean, or `null`: the place where it ends is picked, and its other
 * free fields leave nothing to choose.
 *
 * @type {(found: OpenChoice[]) => Choice | null}
 */
export function meant(found) {
  if (found.length !== 1) return null;
  const [{ choice, free }] = found;
  const end = choice.fields.filter(({ text }) => isPlace(text)).at(-1);
  return choice.fields.length && !(end && free.includes(end)) ? choice : null;
}

/**
 * Return the choices that are complete while there are several: nothing to tap tells them apart.
 *
 * @type {(found: OpenChoice[]) => OpenChoice[]}
 */
export function complete(found) {
  return found.filter(({ choice, free }) => choice.fields.length && !free.length);
}
