/**
 * Two boards side by side: the keys step through both, and a phone remembers which board it shows.
 */

import { findAll } from "./shared/elements.js";

const SIDE = "plybook-side";
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

for (const side of /** @type {HTMLInputElement[]} */ (findAll(document, "input[name=side]"))) {
  side.checked = side.id === (recall() ?? "one");
  side.addEventListener("change", () => remember(side.id));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
  /** @type {HTMLElement | null} */
  const link = document.querySelector(`.steps [data-go=${KEYS[event.key] ?? "nothing"}][href]`);
  link?.click();
});

function recall() {
  try {
    return sessionStorage.getItem(SIDE);
  } catch {
    return null;
  }
}

/** @type {(side: string) => void} */
function remember(side) {
  try {
    sessionStorage.setItem(SIDE, side);
  } catch {
    // Without storage the first board is shown each time.
  }
}
