/** What the modules of a page expect around them: the document's prefix, a storage, events. */

const stored = new Map();

globalThis.document = { documentElement: { dataset: {} } };
globalThis.addEventListener = () => {};
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, text) => stored.set(key, text),
};

/** Forget what was stored. */
export const clear = () => stored.clear();
