/**
 * Colours and pictures of players, by their names. They stay on this device: no request has them.
 * Storage may be full or forbidden; then no portraits are kept, and all other functions work.
 */

import { recall, remember } from "./device_memory.js";
import { findAll, make } from "./elements.js";

/** @typedef {{ colour: number, picture?: string }} Portrait A colour from 1 to `COLOURS`; a picture in base64. */

const PORTRAITS = "plybook.portraits";
const MOST_PORTRAITS = 30;
/** The length of a picture's side in pixels, and the most characters of a picture. */
const SIDE = 96;
const MOST_CHARACTERS = 16_000;
const TYPE = "image/jpeg";
export const COLOURS = 8;

/** @type {Map<string, Promise<ImageBitmap>>} Pictures that were decoded, by their text. */
const decoded = new Map();

/** @type {(name: string) => string} */
const keyOf = (name) => name.trim().toLocaleLowerCase();

/** @type {() => Record<string, Portrait>} */
const portraits = () => recall(PORTRAITS) ?? {};

/**
 * Return the portrait of a player; `null` for one who has none here.
 *
 * @type {(name: string) => Portrait | null}
 */
export function portraitOf(name) {
  const all = portraits();
  return Object.hasOwn(all, keyOf(name)) ? all[keyOf(name)] : null;
}

/**
 * Store the portrait of a player; with `null`, delete it.
 *
 * @type {(name: string, portrait: Portrait | null) => void}
 */
export function rememberPortrait(name, portrait) {
  const { [keyOf(name)]: _, ...others } = portraits();
  const latest = Object.entries(others).slice(portrait ? 1 - MOST_PORTRAITS : 0);
  remember(PORTRAITS, Object.fromEntries(portrait ? [...latest, [keyOf(name), portrait]] : latest));
  for (const named of findAll(document, "[data-who]")) named.querySelector(".portrait")?.remove();
  watchPortraits();
}

/**
 * Scale a picture down to a square, as text. Rejects files that are no pictures.
 *
 * @type {(file: Blob) => Promise<string>}
 */
export async function pictureFrom(file) {
  const whole = await createImageBitmap(file);
  const side = Math.min(whole.width, whole.height);
  const canvas = make("canvas", { width: SIDE, height: SIDE });
  canvas.getContext("2d")?.drawImage(whole, (whole.width - side) / 2, (whole.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  const tries = [0.8, 0.5, 0.2].map((quality) => canvas.toDataURL(TYPE, quality).replace(/^.*,/, ""));
  const small = tries.find((text) => text.length <= MOST_CHARACTERS);
  if (!small) throw new Error("this picture stays too large");
  return small;
}

/**
 * Draw a portrait: the picture, or the first letter of the name on the colour.
 *
 * @type {(name: string, portrait: Portrait) => HTMLElement}
 */
export function draw(name, { colour, picture }) {
  const seen = { class: `portrait portrait-${colour}`, "aria-hidden": "true" };
  if (!picture) return make("span", seen, [...name.trim()][0]?.toLocaleUpperCase());
  const canvas = make("canvas", { ...seen, width: SIDE, height: SIDE });
  // The policy of the pages forbids data addresses.
  if (!decoded.has(picture)) decoded.set(picture, createImageBitmap(blobOf(picture)));
  decoded.get(picture)?.then((found) => canvas.getContext("2d")?.drawImage(found, 0, 0), () => {});
  return canvas;
}

/** @type {(text: string) => Blob} */
function blobOf(text) {
  return new Blob([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))], { type: TYPE });
}

/** Put the portraits in front of the names of the page, and of names that are added later. */
export function watchPortraits() {
  showPortraits();
  names.observe(document.body, { childList: true, subtree: true });
}

const names = new MutationObserver(showPortraits);

function showPortraits() {
  for (const named of findAll(document, "[data-who]")) {
    const { who = "" } = named.dataset;
    const portrait = named.querySelector(".portrait") ? null : portraitOf(who);
    if (portrait) named.prepend(draw(who, portrait));
  }
}
