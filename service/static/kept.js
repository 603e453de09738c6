// What this device remembers for itself: names that played here, and links to give away.
// Storage may be full or forbidden; then nothing is remembered, and all else works.

const NAMES = "plybook.names";
const MOST_NAMES = 40;
const MOST_MATCHES = 50;
const LINKS = "plybook.invitations";

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* it was worth a try */ }
}

/** Names that were entered on this device, the latest first. */
export function names() {
  const found = read(NAMES, []);
  return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
}

export function rememberNames(fresh) {
  write(NAMES, [...new Set([...fresh, ...names()])].slice(0, MOST_NAMES));
}

/** The tokens that this device may give away for a match, by "1", "2" …, "viewer" and "host". */
export function invitations(match) {
  return read(LINKS, {})[match] ?? {};
}

export function rememberInvitation(match, whom, token) {
  const all = read(LINKS, {});
  const { [match]: old = {}, ...others } = all;
  const kept = Object.entries(others).slice(-MOST_MATCHES);
  const { [whom]: _, ...rest } = old;
  write(LINKS, { ...Object.fromEntries(kept), [match]: token ? { ...rest, [whom]: token } : rest });
}
