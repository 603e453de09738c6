/** The worker of the leading tab: it has the files of the book open, and answers requests. */

import { boot } from "./boot.js";
import { NAMES } from "./files.js";

/** How long files may still be open for a tab that was closed, in milliseconds. */
const PATIENCE = 15_000;

/** @type {import("./boot.js").Ask | undefined} */
let ask;
/** @type {[Message, MessagePort][]} */
const waiting = [];

/**
 * @typedef {{ body: ArrayBuffer | null }} Message
 * @typedef {{ pyodide: string, libraries: string, plybook: string, base: string }} Site
 */

addEventListener("message", ({ data, ports }) => {
  if (data.begin) begin(data.begin).catch((error) => postMessage({ failed: String(error.message ?? error) }));
  else if (ask) hand(data.request, ports[0]);
  else waiting.push([data.request, ports[0]]);
});

/** @type {(site: Site) => Promise<void>} */
async function begin({ pyodide, libraries, plybook, base }) {
  const { loadPyodide } = await import(`${base}${pyodide}pyodide.mjs`);
  const archives = Promise.all([libraries, plybook].map(async (name) => (await fetch(base + name)).arrayBuffer()));
  ask = await boot({
    loadPyodide,
    pyodide: base + pyodide,
    archives,
    handles: open(base),
    origin: location.origin,
    base,
    tell: (stage) => postMessage({ stage }),
  });
  postMessage({ ready: true });
  for (const [request, port] of waiting) hand(request, port);
}

/**
 * Open the files in a folder of their own: several sites may share an origin.
 *
 * @type {(base: string) => Promise<Record<string, any>>}
 */
async function open(base) {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(`plybook${encodeURIComponent(base)}`, { create: true });
  const handles = NAMES.map(async (name) => [name, await handleOf(await folder.getFileHandle(name, { create: true }))]);
  return Object.fromEntries(await Promise.all(handles));
}

/** @type {(file: any) => Promise<any>} */
async function handleOf(file) {
  for (const begun = Date.now(); ; ) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      if (Date.now() - begun > PATIENCE) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @type {(request: Message, port: MessagePort) => void} */
function hand({ body, ...request }, port) {
  const gone = /** @type {import("./boot.js").Ask} */ (ask)(request, body && new Uint8Array(body), {
    start: (status, headers) => port.postMessage({ status, headers: JSON.parse(headers) }),
    chunk: (bytes) => port.postMessage({ chunk: bytes }, [bytes.buffer]),
    end: () => port.postMessage({ end: true }),
  });
  port.onmessage = () => gone();
}
