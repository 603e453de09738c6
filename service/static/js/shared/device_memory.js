/**
 * The memory of this device: names that played here, links to give away, portraits, the server that
 * got matches, turns that were seen, and scanned codes of a chain. Storage may be full or
 * forbidden; then no data are remembered, and all other functions work.
 */

import { prefix } from "./prefix.js";

const NAMES = "plybook.names";
const MOST_NAMES = 40;
const MOST_MATCHES = 50;
export const LINKS = "plybook.invitations";
export const CHAINS = "plybook.chains";
const MOST_CHAINS = 5;
const WATCHED = "plybook.watched";

/**
 * Return the data under a key; `null` if there are none.
 *
 * @type {(key: string) => any}
 */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @type {(key: string, value: unknown) => void} */
export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page works without.
  }
}

/**
 * Forget the data under a key for a match or a chain.
 *
 * @type {(key: string, name: string) => void}
 */
export function forget(key, name) {
  const { [name]: _, ...others } = recall(key) ?? {};
  remember(key, others);
}

/**
 * Return the names that were entered on this device, the latest first.
 *
 * @type {() => string[]}
 */
export function rememberedNames() {
  const found = recall(NAMES);
  return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
}

/** @type {(fresh: string[]) => void} */
export function rememberNames(fresh) {
  remember(NAMES, [...new Set([...fresh, ...rememberedNames()])].slice(0, MOST_NAMES));
}

/** @type {() => Record<string, Record<string, string>>} */
function links() {
  return recall(LINKS) ?? {};
}

/**
 * Return the tokens that this device may give away for a match, by "1", "2" …, "viewer" and "host".
 *
 * @type {(match: string) => Record<string, string>}
 */
export function invitations(match) {
  return links()[match] ?? {};
}

/** @type {(match: string, whom: string, token: string | null) => void} */
export function rememberInvitation(match, whom, token) {
  const { [match]: old = {}, ...others } = links();
  const latest = Object.entries(others).slice(-MOST_MATCHES);
  const { [whom]: _, ...rest } = old;
  remember(LINKS, { ...Object.fromEntries(latest), [match]: token ? { ...rest, [whom]: token } : rest });
}

/**
 * Remember that this device showed the last turn of a version; return whether it is new.
 *
 * @type {(match: string, version: number) => boolean}
 */
export function rememberWatched(match, version) {
  const { [match]: before = 0, ...others } = recall(WATCHED) ?? {};
  if (before >= version) return false;
  remember(WATCHED, { ...Object.fromEntries(Object.entries(others).slice(-MOST_MATCHES)), [match]: version });
  return true;
}

/**
 * Remember a match that was opened here, and return the address that lets this device keep its score.
 *
 * @type {(made: { match: string, tokens: { host: string, seats: Record<string, string> } }, names: string[]) => string}
 */
export function rememberMatch({ match, tokens }, names) {
  rememberNames(names);
  for (const [seat, token] of Object.entries(tokens.seats)) rememberInvitation(match, seat, token);
  return `${prefix}/join/${match}/${tokens.host}`;
}

/**
 * Remember a part of a chain of codes, and return all of its parts by number.
 *
 * @type {(chain: string, number: number, part: string) => Record<string, string>}
 */
export function rememberPart(chain, number, part) {
  const { [chain]: old = {}, ...others } = recall(CHAINS) ?? {};
  const parts = { ...old, [number]: part };
  remember(CHAINS, { ...Object.fromEntries(Object.entries(others).slice(1 - MOST_CHAINS)), [chain]: parts });
  return parts;
}
