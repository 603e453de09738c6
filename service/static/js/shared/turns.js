/** Turns of a large screen, which nobody taps. */

import { getHtml } from "./http.js";
import { prefix } from "./prefix.js";

/**
 * Go to another page after some seconds. While the server does not answer, this page stays.
 *
 * @type {(address: string, seconds: number) => void}
 */
export function takeTurns(address, seconds) {
  const again = () => takeTurns(address, seconds);
  setTimeout(() => getHtml(address).then(() => location.replace(prefix + address), again), seconds * 1000);
}
