/** The focus of the keyboard, which stays where it is when a part of the page is drawn again. */

const NAMES = ["choose", "move", "face", "slot", "command", "walk", "text", "seal", "write", "next", "key", "chip"];

/**
 * Replace the elements of a place, and keep the focus, and elements that are in both sets.
 *
 * @type {(place: HTMLElement, elements: (Element | null)[]) => void}
 */
export function replaceKeepingFocus(place, elements) {
  const wanted = elements.filter((element) => element !== null);
  const same = wanted.length === place.children.length && wanted.every((element, at) => element === place.children[at]);
  if (same) return;
  const focus = focusIn(place);
  place.replaceChildren(...wanted);
  if (focus) restore(place, focus);
}

/**
 * Return the element of a place that has the focus, and a selector for it; `null` without focus.
 *
 * @type {(place: Element) => { focused: Element, selector: string | null } | null}
 */
function focusIn(place) {
  const { activeElement: focused } = document;
  if (!focused || !place.contains(focused)) return null;
  const name = NAMES.find((key) => key in focused.dataset);
  if (!name) return { focused, selector: null };
  const attribute = `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return { focused, selector: `[${attribute}="${CSS.escape(focused.dataset[name] ?? "")}"]` };
}

/** @type {(place: Element, focus: { focused: Element, selector: string | null }) => void} */
function restore(place, { focused, selector }) {
  const same = place.contains(focused) ? focused : selector && place.querySelector(selector);
  (same || place.closest("[tabindex]"))?.focus({ preventScroll: true });
}
