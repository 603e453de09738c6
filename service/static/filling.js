/** Filling a part of the page anew without taking the focus away from who is at it. */

const NAMES = ["choose", "token", "face", "slot", "command", "passRow", "passTo", "seal", "write"];

/** Put elements in the place of others. Those that stay are left untouched. */
export function fill(place, elements) {
  const wanted = elements.filter(Boolean);
  const same = wanted.length === place.children.length && wanted.every((element, at) => element === place.children[at]);
  if (same) return;
  const focus = focusIn(place);
  place.replaceChildren(...wanted);
  if (focus) restore(place, focus);
}

/** What has the focus in a place, and a selector that finds the same control in a new one. */
function focusIn(place) {
  const { activeElement: focused } = document;
  if (!place.contains(focused)) return null;
  const name = NAMES.find((key) => key in focused.dataset);
  if (!name) return { focused, selector: null };
  const attribute = `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return { focused, selector: `[${attribute}="${CSS.escape(focused.dataset[name])}"]` };
}

function restore(place, { focused, selector }) {
  const there = place.contains(focused) ? focused : selector && place.querySelector(selector);
  (there || place.closest("[tabindex]"))?.focus({ preventScroll: true });
}
