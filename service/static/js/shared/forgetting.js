/** Forgetting a match on this device: its tokens, what is kept of it, and what was written down. */

import { forget, LINKS } from "./device_memory.js";
import { post } from "./http.js";

/**
 * Forget a match. Moves that are not stored yet are lost. Rejects `HttpError`; then no data are
 * forgotten.
 *
 * @type {(match: string) => Promise<void>}
 */
export async function forgetMatch(match) {
  await post(`/m/${match}/forget`, {});
  forget(LINKS, match);
  // Plain http has no caches; storage may be forbidden.
  try {
    localStorage.removeItem(`plybook-outbox-${match}`);
    sessionStorage.removeItem(`plybook-guesses-${match}`);
    const kept = (await caches.keys()).filter((name) => name.endsWith(`:${match}`));
    await Promise.all(kept.map((name) => caches.delete(name)));
  } catch {
    // Then no data are stored there.
  }
}
