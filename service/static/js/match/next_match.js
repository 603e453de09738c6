/** Screens of spectators follow a match to its rematch automatically. */

/** The milliseconds for which the end of a match is shown before. */
const END_TIMEOUT = 8000;

let timer = 0;

/**
 * Go to an address soon after a frame reports a rematch.
 *
 * @type {(frame: HTMLElement, address: string) => void}
 */
export function followRematch(frame, address) {
  if (timer || !frame.querySelector(".rematch")) return;
  timer = setTimeout(() => location.replace(address), END_TIMEOUT);
}
