/** Starts Python with Plybook, and hands it requests. It runs in a worker, and in tests in Node. */

import { keepFiles } from "./files.js";

const FOLDER = "/book";
const LIBRARIES = "/lib/python3.14/site-packages";
const BLOCK = 512;

/**
 * Return a function that hands Python a request. The result is a function to call when the request
 * is abandoned.
 *
 * Archives and handles may still be on their way while Python starts.
 *
 * @typedef {Record<string, import("./files.js").Handle>} Handles
 * @typedef {{ start: (status: number, headers: string) => void, chunk: (bytes: Uint8Array) => void, end: () => void }} Sender
 * @typedef {(request: object, body: Uint8Array | null, sender: Sender) => () => void} Ask
 * @type {(options: {
 *   loadPyodide: any, pyodide: string, origin: string, base: string, tell: (stage: string) => void,
 *   archives: ArrayBuffer[] | Promise<ArrayBuffer[]>, handles: Handles | Promise<Handles>,
 * }) => Promise<Ask>}
 */
export async function boot({ loadPyodide, pyodide: indexURL, archives, handles, origin, base, tell }) {
  tell("Starting Python");
  const pyodide = await loadPyodide({ indexURL });
  tell("Opening the book");
  for (const archive of await archives) unpack(pyodide.FS, archive, LIBRARIES);
  keepFiles(pyodide.FS, FOLDER, await handles);
  const bridge = await pyodide.pyimport("service.tab.bridge").open_bridge(FOLDER, origin, base);
  return (request, body, { start, chunk, end }) => {
    const told = { start, end, chunk: (/** @type {any} */ bytes) => chunk(bytes.toJs()) };
    return bridge.handle(JSON.stringify(request), pyodide.toPy(body ?? new Uint8Array()), told);
  };
}

/**
 * Put the files of a tar archive into a folder, without copying them.
 *
 * @type {(FS: any, archive: ArrayBuffer, folder: string) => void}
 */
function unpack(FS, archive, folder) {
  const text = (/** @type {number} */ at, /** @type {number} */ length) =>
    new TextDecoder().decode(new Uint8Array(archive, at, length)).replace(/\0.*/s, "");
  for (let at = 0, name; (name = text(at, 100)); ) {
    const front = text(at + 345, 155);
    const path = [folder, ...(front ? [front] : []), name].join("/");
    const size = parseInt(text(at + 124, 12), 8);
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, new Uint8Array(archive, at + BLOCK, size), { canOwn: true });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}
