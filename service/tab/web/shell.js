/**
 * The page around the pages. Documents come and go in its frame; this page and its worker stay. The
 * first tab leads: its worker has the book open. The other tabs send their requests to it, and one
 * of them takes over when it is closed.
 */

const BASE = new URL(document.baseURI).pathname;
const { serviceWorker, locks, storage } = navigator;
const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));
const said = /** @type {HTMLElement} */ (document.querySelector("[data-part=said]"));
const bar = /** @type {HTMLProgressElement} */ (document.querySelector("progress"));
const cover = /** @type {HTMLElement} */ (document.querySelector("main"));

/** @type {Worker | undefined} */
let worker;

/** @type {(words: string) => void} */
function say(words) {
  said.textContent = words;
}

/** @type {(words: string) => void} */
function fail(words) {
  cover.hidden = false;
  bar.hidden = true;
  say(words);
}

async function begin() {
  if (!serviceWorker || !locks || !storage?.getDirectory)
    return fail("This browser cannot keep Plybook: open the page at an https address, in a current browser, and not in a private window.");
  listen();
  const registered = await serviceWorker.register(`${BASE}service-worker.js`);
  if (!serviceWorker.controller) await fetched(registered);
  storage.persist?.();
  say("Getting the sheet ready");
  locks.request(`plybook-site:${BASE}`, lead);
  frame.addEventListener("load", shown);
  frame.contentWindow?.location.replace(location.href);
}

/** Wait until all files are here. @type {(registered: ServiceWorkerRegistration) => Promise<void>} */
function fetched(registered) {
  const progress = new BroadcastChannel(`plybook-site:${BASE}:`);
  progress.onmessage = ({ data: { loaded, total } }) => {
    bar.hidden = false;
    [bar.value, bar.max] = [loaded, total];
    say(`Fetching Plybook: ${megabytes(loaded)} of ${megabytes(total)} MB`);
  };
  registered.installing?.addEventListener("statechange", ({ target }) => {
    if (/** @type {any} */ (target).state === "redundant") fail("Plybook could not be fetched whole; open this page again, and it goes on where it stopped.");
  });
  return new Promise((resolve) => serviceWorker.addEventListener("controllerchange", () => resolve(progress.close())));
}

/** @type {(bytes: number) => string} */
function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}

/** Answer the service worker: report whether this tab leads, and pass requests to the worker. */
function listen() {
  serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (!worker) return;
    if (data.leads) ports[0].postMessage(true);
    else if (data.request) worker.postMessage(data, [ports[0], ...(data.request.body ? [data.request.body] : [])]);
  });
  serviceWorker.startMessages();
}

/** Lead as long as this tab is there. */
async function lead() {
  const site = await (await fetch(`${BASE}site.json`)).json();
  worker = new Worker(`${BASE}${site.worker}`, { type: "module" });
  worker.addEventListener("message", (/** @type {MessageEvent} */ { data }) => {
    if (data.failed) fail(`Plybook cannot start: ${data.failed}`), offerFiles();
    else if (data.stage) say(data.stage);
    else document.documentElement.dataset.ready = "";
  });
  worker.postMessage({ begin: { ...site, base: BASE } });
  await new Promise(() => {});
}

/** Let people save the files of a book that cannot be opened. */
async function offerFiles() {
  worker?.terminate();
  const root = await storage.getDirectory();
  const folder = await root.getDirectoryHandle(`plybook${encodeURIComponent(BASE)}`);
  for (const name of ["book.db", "book.db-wal", "before-update.db"]) {
    const file = await folder.getFileHandle(name).then((handle) => handle.getFile()).catch(() => null);
    if (!file?.size) continue;
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: name, textContent: `Save ${name}` });
    cover.append(link, " ");
  }
}

function shown() {
  const { contentWindow: inner, contentDocument: page } = frame;
  if (!inner || !page || inner.location.href === "about:blank") return;
  cover.hidden = true;
  document.title = page.title;
  history.replaceState(null, "", inner.location.href);
  // A browser asks the network for links that download, and not the service worker.
  page.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a[download]");
    if (!link) return;
    event.preventDefault();
    save(/** @type {HTMLAnchorElement} */ (link));
  });
}

/** @type {(link: HTMLAnchorElement) => Promise<void>} */
async function save({ href, download }) {
  const answer = await fetch(href);
  const named = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  const saving = document.createElement("a");
  saving.href = URL.createObjectURL(await answer.blob());
  saving.download = download || named || "";
  saving.click();
  setTimeout(() => URL.revokeObjectURL(saving.href), 60_000);
}

export {};
begin().catch((error) => fail(`Plybook cannot start: ${error.message}`));
