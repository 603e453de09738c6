/**
 * Answers every request below this address: with a file of the site, or through the leading tab,
 * whose worker runs Plybook. The builder puts `SITE_FILES` in front of this script: the digest and the size
 * of each file by its name.
 *
 * It keeps no state that it could not ask for again, because a browser may stop it at any time. A
 * new version of the site has other constants here: its files are fetched beside the old ones, and
 * the browser switches when no tab is open.
 */

const scope = /** @type {any} */ (self);
const SITE = new URL("./", location.href).pathname;
const CACHES = `plybook-site:${SITE}:`;
const SHELL = "index.html";
/** How long to look for a leading tab, and for its answer to "who leads", in milliseconds. */
const PATIENCE = 120_000;
const ANSWERS_WITHIN = 500;
const BODYLESS = [101, 204, 205, 304];

let leader = "";

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(SITE)) return;
  const name = url.pathname.slice(SITE.length);
  // A form of any site can lead a browser here; pages of Plybook write by scripts only.
  if (request.mode === "navigate" && request.method !== "GET") event.respondWith(new Response("", { status: 405 }));
  else if (SITE_FILES[name]) event.respondWith(file(name));
  else if (request.mode === "navigate" && request.destination === "document") event.respondWith(shell());
  else event.respondWith(pass(request, url));
});

/* The files of this version. */

async function install() {
  const told = new BroadcastChannel(CACHES);
  const names = Object.keys(SITE_FILES);
  const total = names.reduce((sum, name) => sum + SITE_FILES[name].bytes, 0);
  let loaded = 0;
  const cache = await caches.open(CACHES + VERSION);
  for (const name of names) {
    if (!(await cache.match(SITE + name))) await cache.put(SITE + name, await load(name));
    loaded += SITE_FILES[name].bytes;
    told.postMessage({ loaded, total });
  }
}

/**
 * Return a file from another version if it is the same, or from the host; a damaged file is
 * refused.
 *
 * @type {(name: string) => Promise<Response>}
 */
async function load(name) {
  const there = name.startsWith("parts/") && (await caches.match(SITE + name));
  if (there) return there;
  const answer = await fetch(SITE + name, { cache: "no-cache", integrity: SITE_FILES[name].integrity });
  if (!answer.ok) throw new Error(`${name}: status ${answer.status}`);
  return answer;
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(CACHES) && name !== CACHES + VERSION) await caches.delete(name);
  }
  await scope.clients.claim();
}

/** @type {(name: string) => Promise<Response>} */
async function file(name) {
  const cache = await caches.open(CACHES + VERSION);
  return (await cache.match(SITE + name)) ?? fetch(SITE + name);
}

/**
 * Return the shell, which can be at the address of any page, so its addresses are made absolute.
 */
async function shell() {
  const text = await (await file(SHELL)).text();
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  return new Response(text.replace('<base href="./">', `<base href="${SITE}">`), { headers });
}

/* Requests to Plybook. */

/** @type {(request: Request, url: URL) => Promise<Response>} */
async function pass(request, url) {
  const body = ["GET", "HEAD"].includes(request.method) ? null : await request.arrayBuffer();
  const asked = {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    headers: [...request.headers],
    navigates: request.mode === "navigate",
    body,
  };
  for (;;) {
    const answer = await exchange(await findLeader(), asked);
    if (answer) return answer;
    leader = "";
    if (body) return new Response("the leading tab was closed", { status: 503 });
  }
}

/**
 * Find the leading tab: the known leader, or a tab that reports to be the leader.
 * @type {() => Promise<any>}
 */
async function findLeader() {
  for (const begun = Date.now(); Date.now() - begun < PATIENCE; ) {
    const known = leader && (await scope.clients.get(leader));
    if (known) return known;
    const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
    const shells = pages.filter((/** @type {any} */ page) => page.frameType === "top-level");
    leader = await Promise.any(shells.map(saysItLeads)).catch(() => "");
    if (!leader) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new TypeError("no tab of Plybook leads");
}

/** @type {(page: any) => Promise<string>} */
function saysItLeads(page) {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(page.id);
    setTimeout(reject, ANSWERS_WITHIN);
    page.postMessage({ leads: true }, [port2]);
  });
}

/**
 * Pass a request on; `null` if the tab was closed before it answered.
 *
 * @type {(page: any, asked: object) => Promise<Response | null>}
 */
function exchange(page, asked) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    /** @type {ReadableStreamDefaultController | undefined} */
    let sink;
    port1.onmessage = ({ data }) => {
      if (data.status) {
        const stream = new ReadableStream({ start: (begun) => void (sink = begun), cancel: () => port1.postMessage("gone") });
        resolve(response(data.status, data.headers, stream));
      } else if (data.chunk) sink?.enqueue(data.chunk);
      else if (data.end) {
        sink?.close();
        sink = undefined;
        port1.close();
      }
    };
    /** @type {any} */ (port1).onclose = () => {
      sink?.error(new TypeError("the leading tab was closed"));
      resolve(null);
    };
    page.postMessage({ request: asked }, [port2]);
  });
}

/** @type {(status: number, headers: [string, string][], body: ReadableStream) => Response} */
function response(status, headers, body) {
  const place = headers.find(([name]) => name === "location")?.[1];
  if (place && status >= 301 && status <= 308) return Response.redirect(new URL(place, location.origin), status);
  return new Response(BODYLESS.includes(status) ? null : body, { status, headers });
}
