/** Screens that only look on follow a match to its rematch by themselves. */

/** So many milliseconds of an end are shown before. */
const END_TIMEOUT = 8000;

let timer = 0;

/**
 * Go on to an address soon after a frame says that there is a rematch.
 *
 * @type {(frame: HTMLElement, address: string) => void}
 */
export function followRematch(frame, address) {
  if (timer || !frame.querySelector(".rematch")) return;
  timer = setTimeout(() => location.replace(address), END_TIMEOUT);
}
