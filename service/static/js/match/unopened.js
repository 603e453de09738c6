/**
 * Matches that were started without a network. They wait on this device, each with the request that
 * opens it; when the server can be reached, they get their addresses, and their moves are sent.
 */

import { rememberMatch } from "../shared/device_memory.js";
import { find, make } from "../shared/elements.js";
import { get, getHtml, HttpError, post } from "../shared/http.js";
import { prefix } from "../shared/prefix.js";

const KEY = "plybook.unopened";
const AGAIN = 5000;
const UNKNOWN = "No network just now. Without one, this device starts only matches whose board it has kept, at a secure address (https)";

/** @typedef {{ game?: string, seats?: number, dice?: string, unjudged?: boolean, options: Record<string, unknown>, players: Record<string, string> }} Opening */

/**
 * The requests by their Idempotency-Keys.
 *
 * @type {() => Record<string, { address: string, body: Opening & { quiet?: boolean } }>}
 */
function unopened() {
  return JSON.parse(localStorage.getItem(KEY) ?? "{}");
}

/** Show on the first page which matches wait for their addresses. */
export function showUnopened() {
  const links = Object.values(unopened()).map(({ address, body }) => {
    const words = `Go on with a match that is not saved yet (${[body.game, ...Object.values(body.players)].join(", ")})`;
    return make("p", { class: "notice" }, make("a", { href: address }, words));
  });
  find(document, "main").prepend(...links);
}

/** @type {(body: Opening, part: string) => string} */
function addressOf({ game, seats, dice, options }, part) {
  const chosen = Object.entries(options).map(([name, value]) => [`option.${name}`, String(value)]);
  const query = new URLSearchParams([...(seats ? [["seats", String(seats)]] : []), ...(dice ? [["dice", dice]] : []), ...chosen]);
  return `/new/${game}/${part}${query.size ? `?${query}` : ""}`;
}

/**
 * Fetch the first board of a match and the boards after it, which the service worker keeps.
 *
 * @type {(body: Opening) => Promise<void>}
 */
export async function keepBoard(body) {
  const [board, ahead] = ["board", "ahead"].map((part) => addressOf(body, part));
  if (await caches.match(prefix + ahead, { ignoreVary: true })) return;
  await getHtml(board);
  await get(ahead);
}

/**
 * Start a match on this device, and go to its board. Rejects if this device has not kept the board.
 *
 * @type {(body: Opening, key: string) => Promise<void>}
 */
export async function startUnopened(body, key) {
  const address = prefix + addressOf(body, "board");
  const there = navigator.serviceWorker?.controller && !body.unjudged && (await caches.match(address, { ignoreVary: true }));
  if (!there) throw new Error(UNKNOWN);
  localStorage.setItem(KEY, JSON.stringify({ ...unopened(), [key]: { address: `${address}#${key}`, body } }));
  location.assign(`${address}#${key}`);
}

/**
 * Open a match as soon as the server can be reached, and go to its address, with the moves that
 * wait. `refused(words)` is called with the reason if the server does not open it.
 *
 * @type {(key: string, refused: (words: string) => void) => Promise<void>}
 */
export async function openWhenReached(key, refused) {
  try {
    const { [key]: started, ...others } = unopened();
    // The match was opened meanwhile, or never started.
    if (!started) return location.replace(`${prefix}/new`);
    // Earlier pages kept `unjudged`, which is always false here, as `quiet`. Version 0.3 drops this.
    delete started.body.quiet;
    const made = await post("/matches", started.body, key);
    // A tap from now on would be lost with this page.
    find(document, "main").inert = true;
    const moves = localStorage.getItem(`plybook-outbox-${key}`);
    if (moves) localStorage.setItem(`plybook-outbox-${made.match}`, moves);
    localStorage.removeItem(`plybook-outbox-${key}`);
    localStorage.setItem(KEY, JSON.stringify(others));
    location.replace(rememberMatch(made, Object.values(started.body.players)));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.temporary) setTimeout(() => openWhenReached(key, refused), AGAIN);
    else refused(error.message);
  }
}
