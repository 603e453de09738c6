/** The globals of a browser that the modules of a page need: the prefix, a storage, events. */

const stored = new Map();

const listeners = [];

globalThis.document = { documentElement: { dataset: {} }, addEventListener: () => {} };
globalThis.addEventListener = (kind, listen) => listeners.push([kind, listen]);
globalThis.matchMedia = () => ({ matches: true });
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, text) => stored.set(key, text),
};

/** Forget what was stored. */
export const clear = () => stored.clear();

/** Tell those who listen that something happened to the page. */
export const fire = (event) => listeners.forEach(([kind, listen]) => kind === event && listen({}));
