/**
 * Keeps Plybook on the device, where the browser allows it: pages, their files, and the boards that
 * were seen. The server puts three constants in front of this script: `DIGEST` of all static files,
 * `FILES`, their names, and `FALLBACK`, the page for what is not kept.
 *
 * Without a network, the kept pages and files are the answers. There is a cache for the files and
 * common pages, and one for each match:
 *
 *   plybook:/:4f1c…               files by address, and pages that belong to no match
 *   plybook:/:4f1c…:k7m2c4x9q0ab  the board and replay pages of a match, and its boards
 *
 * A new version of the server has another digest. Its worker deletes the caches of all other
 * versions. When the server refuses this device a match, or answers for another viewer than before
 * (the token of a seat was revoked), everything that is kept of the match is deleted.
 */

const worker = /** @type {any} */ (self);
const BASE = new URL("./", location.href).pathname;
const OURS = `plybook:${BASE}:`;
const CURRENT = OURS + DIGEST;
const STATIC = `${BASE}static/`;
const MOST_MATCHES = 20;
const MOST_BOARDS = 300;
const VIEWER = "Plybook-Viewer";

/** The addresses of a match that are kept, after `m/` and its id. */
const OF_A_MATCH = /^m\/([a-z0-9]{12})(|\/frame|\/ahead|\/replay|\/replay\/moves|\/unspoiled|\/unspoiled\/frame)$/;
/** The pages that are kept and belong to no match. */
const COMMON = /^(|new|new\/[a-z-]+(|\/board|\/ahead)|rules\/[a-z-]+)$/;
const FRAME = /<article class="frame"[^]*?<\/article>/;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
// A page tells the board that came with the answer to its move.
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(keepBoard(event.data)));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(BASE)) return;
  const place = placeOf(url);
  if (url.pathname.startsWith(STATIC)) event.respondWith(file(request, url));
  else if (place) event.respondWith(kept(event, url, place));
  else if (request.mode === "navigate") event.respondWith(reach(request).catch(fallback));
});

/**
 * Fetch. A proxy answers 502 or 504 while the server is away, and Plybook itself never does: that
 * counts as no network.
 *
 * @type {(request: Request) => Promise<Response>}
 */
async function reach(request) {
  const answer = await fetch(request);
  if (answer.status === 502 || answer.status === 504) throw new TypeError(`a proxy answers ${answer.status}`);
  return answer;
}

/**
 * The cache for an address, and whether the address is the board page of a match, or its latest
 * board.
 *
 * @typedef {{ cache: string, match: string, page: boolean, head: boolean }} Place
 */

/**
 * Return the cache that keeps an address; `null` for an address that is not kept.
 *
 * @type {(url: URL) => Place | null}
 */
function placeOf({ pathname, search }) {
  const path = pathname.slice(BASE.length);
  const [, match, part] = OF_A_MATCH.exec(path) ?? [];
  if (!match) return COMMON.test(path) ? { cache: CURRENT, match: "", page: false, head: false } : null;
  const page = !search && !part;
  return { cache: `${CURRENT}:${match}`, match, page, head: page || (!search && part === "/frame") };
}

/* The life of this version. */

async function install() {
  const cache = await caches.open(CURRENT);
  // One after the other, so that requests of pages in use come first.
  for (const name of FILES) await cache.add(`${STATIC}${DIGEST}/${name}`);
  await cache.add(FALLBACK);
  await worker.skipWaiting();
}

/** Delete the caches of other versions, and cache the pages that are open. */
async function activate() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OURS) && !`${name}:`.startsWith(`${CURRENT}:`));
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
  const pages = await worker.clients.matchAll({ includeUncontrolled: true, type: "window" });
  const open = pages.map((/** @type {{ url: string }} */ { url }) => new URL(url.split("#")[0]));
  await Promise.all([new URL(BASE, location.href), ...open].map(refresh));
}

/** @type {(url: URL) => Promise<void>} */
async function refresh(url) {
  const place = placeOf(url);
  if (!place) return;
  const answer = await fetch(url, { headers: { Accept: "text/html" } }).catch(() => null);
  if (answer) await keep(place, url.href, answer);
}

/* Files of this version come from the cache, files of other versions only as a last resort. */

/** @type {(request: Request, url: URL) => Promise<Response>} */
async function file(request, url) {
  const cache = await caches.open(CURRENT);
  const there = await cache.match(url.href);
  if (there) return there;
  const name = url.pathname.slice(STATIC.length).replace(/^[0-9a-f]{12}\//, "");
  return reach(request).catch(async (failure) => {
    const like = await cache.match(`${STATIC}${DIGEST}/${name}`);
    if (like) return like;
    throw failure;
  });
}

/* Pages and boards come from the network as long as there is one, but for boards that never change. */

/** @type {(event: any, url: URL, place: Place) => Promise<Response>} */
async function kept(event, url, place) {
  const { request } = event;
  const there = await caches.match(url.href, { cacheName: place.cache, ignoreVary: true });
  if (there?.headers.get("Cache-Control")?.includes("immutable")) return there;
  try {
    const answer = await reach(request);
    event.waitUntil(keep(place, url.href, answer.clone()));
    return answer;
  } catch (failure) {
    if (there && place.page) return latest(place, there);
    // A request for the latest board asks whether there is a newer board.
    if (there && !place.head) return there;
    if (request.mode === "navigate") return fallback();
    throw failure;
  }
}

/**
 * Keep an answer; a refusal of the match, or an answer for another viewer, deletes what was kept of it.
 *
 * @type {(place: Place, address: string, answer: Response) => Promise<void>}
 */
async function keep(place, address, answer) {
  const { status } = answer;
  if (place.match && (status === 401 || (status === 404 && place.head))) await caches.delete(place.cache);
  if (!answer.ok || answer.redirected || answer.type !== "basic") return;
  if (place.match && (await isOfAnother(place, answer))) await caches.delete(place.cache);
  const cache = await caches.open(place.cache);
  await cache.put(address, answer);
  if (place.match) await trim(cache);
}

/**
 * Tell whether an answer is for another viewer than what is kept of the match.
 *
 * @type {(place: Place, answer: Response) => Promise<boolean>}
 */
async function isOfAnother({ cache: name }, answer) {
  const cache = await caches.open(name);
  for (const request of await cache.keys()) {
    const viewer = (await cache.match(request, { ignoreVary: true }))?.headers.get(VIEWER);
    // A board that a page reported has none.
    if (viewer) return viewer !== answer.headers.get(VIEWER);
  }
  return false;
}

/** @type {(told: { match: string, board: string }) => Promise<void>} */
async function keepBoard({ match, board }) {
  const name = `${CURRENT}:${match}`;
  // A match that was forgotten meanwhile is not kept again.
  if (!(await caches.has(name))) return;
  const answer = new Response(board, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  await (await caches.open(name)).put(`${BASE}m/${match}/frame`, answer);
}

/** @type {(cache: Cache) => Promise<void>} */
async function trim(cache) {
  const boards = (await cache.keys()).filter(({ url }) => url.includes("?"));
  for (const old of boards.slice(0, -MOST_BOARDS)) await cache.delete(old);
  const matches = (await caches.keys()).filter((name) => name.startsWith(`${CURRENT}:`));
  for (const old of matches.slice(0, -MOST_MATCHES)) await caches.delete(old);
}

/**
 * Put the latest board of a match into its page, which was fetched when it was opened.
 *
 * @type {(place: Place, page: Response) => Promise<Response>}
 */
async function latest({ cache, match }, page) {
  const text = await page.text();
  const head = await caches.match(`${BASE}m/${match}/frame`, { cacheName: cache, ignoreVary: true });
  const board = FRAME.exec((await head?.text()) ?? "")?.[0] ?? "";
  const newer = versionOf(board) > versionOf(text);
  const headers = new Headers(page.headers);
  headers.delete("Content-Encoding");
  return new Response(newer ? text.replace(FRAME, () => board) : text, { headers });
}

/** @type {(markup: string) => number} */
function versionOf(markup) {
  return Number(/<article [^>]*data-version="(\d+)"/.exec(markup)?.[1] ?? -1);
}

async function fallback() {
  return (await caches.match(FALLBACK, { cacheName: CURRENT, ignoreVary: true })) ?? Response.error();
}
